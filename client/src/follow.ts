import { AssayConnectionError, AssayProblem } from './errors.ts';
import { createEventParser, type ServerEvent } from './event-parser.ts';
import { isPassing, pause } from './retry.ts';

export interface FollowOptions {
  /** Opens the stream after an id; empty: from the service’s default start. */
  readonly open: (lastEventId: string) => Promise<Response>;
  readonly lastEventId: string;
  readonly signal: AbortSignal | undefined;
  /** True for the last event of the stream. */
  readonly isLast: (event: ServerEvent) => boolean;
  /** Consecutive connections that may end without an event. */
  readonly mostFailures: number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** The service sends at least a comment every 15 seconds. */
const IDLE_TIMEOUT_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Events of a stream over successive connections: each resumes after the last event that was read. */
export async function* follow(options: FollowOptions): AsyncGenerator<ServerEvent, void, undefined> {
  const { signal } = options;
  let lastEventId = options.lastEventId;
  let pauseMs = FIRST_PAUSE_MS;
  let wasOpen = false;
  for (let failures = 0; ; ) {
    const parser = createEventParser(lastEventId);
    let failure: unknown = new AssayConnectionError('stream_ended', 'the stream ended before its last event');
    try {
      const response = await options.open(lastEventId);
      wasOpen = true;
      for await (const piece of piecesOf(response)) {
        for (const event of parser.feed(piece)) {
          failures = 0;
          lastEventId = event.id;
          yield event;
          if (options.isLast(event)) return;
        }
        lastEventId = parser.lastEventId;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AssayConnectionError && error.reason === 'too_large') throw error;
      // A stream that was open outlives a restart of the service behind its proxy, which may take longer than a call is
      // repeated.
      if (error instanceof AssayProblem && !(wasOpen && mayReturn(error))) throw error;
      failure = error;
    }
    failures += 1;
    if (failures > options.mostFailures) throw failure;
    pauseMs = parser.retryMs ?? pauseMs;
    const span = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** Math.min(failures - 1, 10));
    const asked = failure instanceof AssayProblem ? 1_000 * (failure.retryAfterSeconds ?? 0) : 0;
    await pause(Math.max(asked, span * (0.5 + options.random() / 2)), signal);
  }
}

/** True for a refusal that may be over within the longest pause. */
function mayReturn({ status, retryAfterSeconds }: AssayProblem): boolean {
  return isPassing(status) && (retryAfterSeconds ?? 0) * 1_000 <= LONGEST_PAUSE_MS;
}

async function* piecesOf(response: Response): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await orIdleTimeout(reader.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Also when the consumer stops reading: closes the connection.
    await reader.cancel().catch(() => undefined);
  }
}

async function orIdleTimeout<Value>(read: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new AssayConnectionError('timeout', `nothing was sent for ${IDLE_TIMEOUT_MS} ms`));
    timer = setTimeout(fail, IDLE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
