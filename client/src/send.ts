import { AssayConnectionError, AssayProblem, problemOf } from './errors.ts';
import { readBody } from './read-body.ts';
import { isPassing, isRepeatable, pause, pauseBefore, type RetryPolicy, readRetryAfter } from './retry.ts';

export interface SenderSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly retry: RetryPolicy;
  readonly fetch: typeof fetch;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface Outgoing {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly signal: AbortSignal | undefined;
  /** Of one attempt, including the body where `read` reads it. */
  readonly timeoutMs: number | undefined;
}

export type Send = <Value>(outgoing: Outgoing, read: (response: Response) => Promise<Value>) => Promise<Value>;

const MOST_PROBLEM_BYTES = 1_048_576;

/**
 * Sends requests and reads their replies, and repeats them where that is safe. Throws `AssayProblem` for refusals of the service,
 * `AssayConnectionError` without a readable reply, and the signal’s own reason when the caller aborted.
 */
export function createSender(settings: SenderSettings): Send {
  const { retry, random } = settings;
  return async (outgoing, read) => {
    const repeatable = isRepeatable(outgoing.method, outgoing.path, outgoing.headers);
    let replyWasLost = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(settings, outgoing, read);
      } catch (error) {
        if (!repeatable || !mayPass(error)) {
          // The first DELETE was carried out, and only its reply was lost.
          if (replyWasLost && outgoing.method === 'DELETE' && error instanceof AssayProblem && error.status === 404)
            return read(new Response(null, { status: 204 }));
          throw error;
        }
        replyWasLost ||= error instanceof AssayConnectionError;
        const asked = error instanceof AssayProblem ? error.retryAfterSeconds : null;
        const milliseconds = pauseBefore(attempt, asked, retry, random);
        if (milliseconds === null) throw error;
        await pause(milliseconds, outgoing.signal);
      }
    }
  };
}

async function sendOnce<Value>(
  settings: SenderSettings,
  { method, path, headers, body, signal, timeoutMs = settings.timeoutMs }: Outgoing,
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const late = new AssayConnectionError('timeout', `no reply to ${method} ${path} within ${timeoutMs} ms`);
  const timer = setTimeout(() => limit.abort(late), timeoutMs);
  try {
    const sent = new Headers(headers);
    if (settings.apiKey !== null) sent.set('x-api-key', settings.apiKey);
    const response = await settings.fetch(settings.baseUrl + path, {
      method,
      headers: sent,
      body,
      // The key is not sent to other addresses.
      redirect: 'error',
      signal: signal ? AbortSignal.any([limit.signal, signal]) : limit.signal,
    });
    if (response.ok && !(await isAwaited(method, response))) return await read(response);
    const text = await readBody(response, MOST_PROBLEM_BYTES);
    const [bare = path] = path.split('?');
    throw new AssayProblem(
      problemOf(response.status, text, bare, response.headers.get('x-request-id') ?? ''),
      readRetryAfter(response.headers.get('retry-after'), Date.now()),
    );
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (limit.signal.aborted) throw late;
    if (error instanceof AssayProblem || error instanceof AssayConnectionError) throw error;
    throw new AssayConnectionError('unreachable', `${method} ${path} had no reply`, error);
  } finally {
    clearTimeout(timer);
  }
}

/** A pending snapshot is 202 with the members of a problem: the client waits for it, or throws it as one. */
async function isAwaited(method: string, response: Response): Promise<boolean> {
  if (response.status !== 202 || method !== 'GET') return false;
  const text = await readBody(response.clone(), MOST_PROBLEM_BYTES);
  return problemOf(response.status, text, '', '').code === 'no_snapshot_yet';
}

/** A problem of an ended job stays the same under the same Idempotency-Key: repeating the request has no effect. */
function mayPass(error: unknown): boolean {
  if (error instanceof AssayProblem) return isPassing(error.status) && error.problem.job_id === undefined;
  return error instanceof AssayConnectionError && error.reason !== 'too_large';
}
