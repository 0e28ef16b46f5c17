import type { Alert, FullScore, JobEvent, MinimalScore, Operations, Rating, StandardScore } from './api-types.ts';
import { type ChainStreamEvent, chainEventOf, isNewer } from './chain-events.ts';
import { AssayConnectionError, AssayProblem, type ProblemBody } from './errors.ts';
import type { ServerEvent } from './event-parser.ts';
import { follow } from './follow.ts';
import { endsJob, jobEventOf, jsonOf } from './job-events.ts';
import { addressOf, type CallOptions, type Input, type OperationName, type Reply } from './operation.ts';
import { itemsOf } from './pages.ts';
import { readBody } from './read-body.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { createSender } from './send.ts';
import { type Verified, type VerifyingKey, verifyRecord } from './verify-record.ts';

export interface ClientOptions {
  /** URL of the service, such as `https://assay.example.com`. */
  readonly baseUrl: string;
  /** `ak_live_...`; not needed for open routes. */
  readonly apiKey?: string;
  /** Milliseconds for one attempt of a call; default 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Path of POST /v1/score if the operator has changed it. */
  readonly scorePath?: string;
  /** Largest reply in decoded bytes; default 64 MiB. */
  readonly mostBytes?: number;
  /** Replaces the global one. */
  readonly fetch?: typeof fetch;
}

/** Operations with paged replies. */
export type ListName = {
  [Name in OperationName]: Reply<Name> extends { data: unknown[]; next_cursor: string | null } ? Name : never;
}[OperationName];
export type ItemOf<Name extends ListName> = Reply<Name> extends { data: (infer Item)[] } ? Item : never;

type ScoreRequest = Operations['POST /v1/score']['body'];
type Format = 'minimal' | 'standard' | 'full';
export type ScoreOf<Wanted> = Wanted extends 'minimal'
  ? MinimalScore
  : Wanted extends 'full'
    ? FullScore
    : StandardScore;
export interface ScoreOptions extends CallOptions {
  /** Seconds to wait for sources; default 60. */
  readonly waitSeconds?: number;
}
export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Resumes after the event of this id. */
  readonly lastEventId?: string;
}

export interface Client {
  /** Any operation of the service, by method and path. */
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Reply<Name>>;
  /** The same with the raw response: for files, and to read headers. */
  fetch<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Response>;
  /** Items of a list, over all its pages. */
  items<Name extends ListName>(name: Name, input: Input<Name>): AsyncGenerator<ItemOf<Name>, void, undefined>;
  /** The published rating of an asset: the newest, or as of `as_of`. */
  rating(
    asset: string,
    query?: { readonly as_of?: string; readonly methodology?: string },
    options?: CallOptions,
  ): Promise<Rating>;
  /** Scores a project and waits for the result. Sent with an Idempotency-Key, so that a lost reply does not lose the job. */
  score<Wanted extends Format = 'standard'>(
    request: ScoreRequest & { readonly output_format?: Wanted },
    options?: ScoreOptions,
  ): Promise<ScoreOf<Wanted>>;
  /** Starts a job and returns without waiting. */
  startScore(
    request: ScoreRequest,
    options?: CallOptions,
  ): Promise<{ readonly job_id: string; readonly state: string }>;
  /** Waits for a job by its events, and returns its result. */
  jobResult<Wanted extends Format = 'standard'>(
    jobId: string,
    format?: Wanted,
    options?: StreamOptions,
  ): Promise<ScoreOf<Wanted>>;
  /** Progress of a job, until its end. */
  jobEvents(jobId: string, options?: StreamOptions): AsyncGenerator<JobEvent, void, undefined>;
  /**
   * Alerts as they are raised, reconnecting without gaps or duplicates. Never ends by itself, but throws
   * when the key may no longer read alerts.
   */
  alertStream(options?: StreamOptions): AsyncGenerator<Alert, void, undefined>;
  /**
   * Snapshots of chosen assets as they are stored, each once, reconnecting as needed; and reports of
   * snapshots that were not sent (`gap`, `skipped`). Never ends by itself, but throws when the key may no longer read them.
   */
  streamChain(
    chain: string,
    query: Input<'GET /v1/{chain}/stream'>['query'],
    options?: StreamOptions,
  ): AsyncGenerator<ChainStreamEvent, void, undefined>;
  /** The service’s public keys: store them, and check records with `verifyRecord`. */
  keys(options?: CallOptions): Promise<readonly VerifyingKey[]>;
  /** Checks a signed object with keys read from the service itself, once. It proves no more than the TLS connection does. */
  verify(record: object): Promise<Verified>;
}

/** A call with a checked operation. */
interface AnyCall extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

const REPLY_GRACE_MS = 15_000;
const STREAM_OPENS_WITHIN_MS = 30_000;
const JOB_STREAM_FAILURES = 5;

/** A client of one service. Opens no connection before the first call. Throws a TypeError for an invalid `baseUrl`. */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.baseUrl);
  if (!['http:', 'https:'].includes(base.protocol)) throw new TypeError('baseUrl: expected http or https');
  const mostBytes = options.mostBytes ?? 67_108_864;
  const send = createSender({
    baseUrl: `${base.origin}${base.pathname.replace(/\/+$/, '')}`,
    apiKey: options.apiKey ?? null,
    timeoutMs: options.timeoutMs ?? 30_000,
    mostBytes,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    // Browsers reject a `fetch` that is called without its window.
    fetch: options.fetch ?? ((...given) => fetch(...given)),
    random: Math.random,
  });
  const scorePath = options.scorePath ?? '/v1/score';
  let keys: Promise<readonly VerifyingKey[]> | null = null;

  const readJson = async (response: Response): Promise<unknown> => {
    const text = await readBody(response, mostBytes);
    return text === '' ? undefined : jsonOf(text);
  };
  const outgoing = (name: string, input: AnyCall) => {
    const { signal, timeoutMs, idempotencyKey, headers: given, body } = input;
    const headers = new Headers(given);
    if (!headers.has('accept')) headers.set('accept', 'application/json');
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const { method, path } = addressOf(name, input);
    return { method, path, headers, body: body === undefined ? null : JSON.stringify(body), signal, timeoutMs };
  };
  const ask = (name: string, input: AnyCall) => send(outgoing(name, input), readJson);
  const stream = (path: string, after: string, signal: AbortSignal | undefined) => {
    const headers = new Headers({ accept: 'text/event-stream' });
    if (after !== '') headers.set('last-event-id', after);
    const request = { method: 'GET', path, headers, body: null, signal, timeoutMs: STREAM_OPENS_WITHIN_MS };
    return send(request, async (response) => response);
  };
  const events = (path: string, given: StreamOptions, isLast: (event: ServerEvent) => boolean, mostFailures: number) =>
    follow({
      open: (after) => stream(path, after, given.signal),
      lastEventId: given.lastEventId ?? '',
      signal: given.signal,
      isLast,
      mostFailures,
      random: Math.random,
    });

  const client: Client = {
    call: (name, input) => ask(name, input) as Promise<Reply<typeof name>>,
    fetch: (name, input) => {
      const request = outgoing(name, input);
      if (!new Headers(input.headers).has('accept')) request.headers.set('accept', '*/*');
      return send(request, async (response) => response);
    },
    items: <Name extends ListName>(name: Name, input: Input<Name>) =>
      itemsOf<ItemOf<Name>>(async (cursor) => {
        const query = { ...(input.query as object | undefined), ...(cursor === undefined ? {} : { cursor }) };
        const page = await ask(name, { ...input, query });
        return page as { data: ItemOf<Name>[]; next_cursor: string | null };
      }),
    rating: (asset, query, given = {}) =>
      ask('GET /v1/rms/{asset}', { ...given, path: { asset }, query }) as Promise<Rating>,
    async score(request, { waitSeconds = 60, ...given } = {}) {
      const reply = await ask(`POST ${scorePath}`, {
        idempotencyKey: crypto.randomUUID(),
        timeoutMs: waitSeconds * 1000 + REPLY_GRACE_MS,
        ...given,
        headers: { ...given.headers, prefer: `wait=${waitSeconds}` },
        body: request,
      });
      const { job_id, rating } = reply as { readonly job_id: string; readonly rating?: unknown };
      if (rating !== undefined) return reply as never;
      const { output_format: format } = request;
      return client.jobResult(job_id, format, given.signal ? { signal: given.signal } : {}) as never;
    },
    startScore: (request, given = {}) =>
      ask(`POST ${scorePath}`, {
        idempotencyKey: crypto.randomUUID(),
        ...given,
        headers: { ...given.headers, prefer: 'respond-async' },
        body: request,
      }) as ReturnType<Client['startScore']>,
    async jobResult(jobId, format, given = {}) {
      for await (const _event of client.jobEvents(jobId, given));
      const query = { output_format: format ?? ('standard' as const) };
      const job = await client.call('GET /v1/jobs/{id}', { path: { id: jobId }, query, ...signalOf(given) });
      if (job.state === 'succeeded') return job.result as never;
      if (job.error) throw new AssayProblem(job.error as ProblemBody, null);
      throw new AssayConnectionError('stream_ended', `the job ${jobId} is ${job.state}`);
    },
    async *jobEvents(jobId, given = {}) {
      const { path } = addressOf('GET /v1/jobs/{id}/events', { path: { id: jobId } });
      for await (const event of events(path, given, endsJob, JOB_STREAM_FAILURES)) yield jobEventOf(event);
    },
    async *alertStream(given = {}) {
      const isLast = (event: ServerEvent) => event.type === 'end';
      for await (const event of events('/v1/alerts/stream', given, isLast, Number.POSITIVE_INFINITY)) {
        if (isLast(event)) throw new AssayConnectionError('stream_ended', endReason(event));
        if (event.type === 'alert') yield jsonOf(event.data) as Alert;
      }
    },
    async *streamChain(chain, query, given = {}) {
      const { path } = addressOf('GET /v1/{chain}/stream', { path: { chain }, query });
      const isLast = (event: ServerEvent) => event.type === 'end';
      const sent = new Map<string, number>();
      for await (const event of events(path, given, isLast, Number.POSITIVE_INFINITY)) {
        if (isLast(event)) throw new AssayConnectionError('stream_ended', endReason(event));
        const told = chainEventOf(event);
        if (told !== null && isNewer(told, sent)) yield told;
      }
    },
    async keys(given = {}) {
      const reply = (await ask('GET /.well-known/assay-keys.json', given)) as {
        readonly keys: readonly VerifyingKey[];
      };
      return reply.keys;
    },
    async verify(record) {
      keys ??= client.keys();
      try {
        return await verifyRecord(record, await keys);
      } catch (error) {
        keys = null;
        throw error;
      }
    },
  };
  return client;
}

function signalOf({ signal }: StreamOptions): Pick<CallOptions, 'signal'> {
  return signal ? { signal } : {};
}

function endReason(event: ServerEvent): string {
  const { reason } = jsonOf(event.data) as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : 'the service ended the stream';
}
