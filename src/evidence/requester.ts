import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isOverBudget, REPLIED, type RequestOutcome, type ResponseRecord } from '../domain/index.ts';
import type { Endpoint, Params, SourceReply, SourceRequester } from '../sources/index.ts';
import type { RequestPriority, Upstream } from '../upstream/index.ts';
import { type BoundSource, budgetOf, refreshMsOf, type SourceBook } from './book.ts';
import type { BulkLists, ListRow } from './bulk.ts';
import { replyFromList, rowOf, STALE_AFTER, wholeOf } from './bulk.ts';
import { isDeadlineOver, type RecordedReply, requestOnce, withoutReply } from './request-once.ts';

export interface RequestEvent {
  readonly source: string;
  readonly endpoint: string;
  readonly outcome: RequestOutcome;
  readonly milliseconds: number;
  readonly observations: number;
  /** When the request ended, milliseconds since the epoch; in the past for a reply that was requested early. */
  readonly endedAt: number;
}

/** Requests that a requester has made or that are pending. */
export interface PendingRequests {
  /** The reply to the request with this id; null when it was not made. */
  pending(id: string): Promise<RecordedReply> | null;
  /** When the request with this id ended, milliseconds since the epoch; null if it has not ended or was not made. */
  endedAt(id: string): number | null;
}

/** A requester that also records all requests of one job. */
export interface JobRequester extends SourceRequester, PendingRequests {
  /** Like `request`, for a caller that needs the recorded reply. */
  requestRecorded(source: string, endpoint: string, params: Params, priority?: RequestPriority): Promise<RecordedReply>;
  /**
   * The row of a shared list for `params`, as a reply that is not yet part of the evidence; null if there is none.
   * Waits only for a list marked `isAwaited`.
   */
  row(source: string, endpoint: string, params: Params): Promise<RecordedReply | null>;
  /** Makes a row part of the job's evidence. */
  keep(row: RecordedReply): void;
  /** All replies and failures so far, in a stable order. */
  replies(): readonly RecordedReply[];
}

export interface JobRequesterOptions {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly bulk: BulkLists;
  readonly now: () => number;
  /** Monotonic milliseconds; `deadlineAt` is measured by them. */
  readonly ticks: () => number;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly traceparent: string | null;
  /** `isTaken`: the reply comes from a requester in `beside`, which has reported the request itself. */
  readonly onReply: (event: RequestEvent, isTaken: boolean) => void;
  /** Called when a request waits for a slot in the source's budget, with the estimated wait. */
  readonly onWaiting?: (source: string, endpoint: string, milliseconds: number) => void;
  /** No caller waits for this job: at every source, jobs with a waiting caller take precedence. */
  readonly isBackground?: boolean;
  /**
   * The results of this job are optional: at sources with a small budget it uses only unused slots, at other sources it
   * runs in the background.
   */
  readonly isSpare?: boolean;
  /**
   * Recent replies of another job: an identical request uses its reply and is neither made nor reported again. A
   * request that failed then is made again.
   */
  readonly known?: readonly RecordedReply[];
  /**
   * Requesters of the same asset that may make the same requests at the same time. An identical request uses their
   * reply, unless that requester ended before the source could reply.
   */
  readonly beside?: readonly PendingRequests[];
}

/** Budget in requests per minute up to which a source is scarce: there, optional work would delay scores. */
export const SCARCE_PER_MINUTE = 30;
/** Outcomes that concern the requester only: another requester may still get a reply. */
const OF_REQUESTER: ReadonlySet<RequestOutcome> = new Set(['cancelled', 'deadline']);

type Refusal = Pick<ResponseRecord, 'outcome' | 'detail'>;

/** Longest wait for a list, milliseconds: for one that replaces requests, from the start of its fetch. */
const LIST_WAIT_MS = 3_000;

/**
 * Creates the requester of one job. Each request is sent once for all users of its reply, and ends by the job's
 * deadline.
 */
export function createJobRequester(options: JobRequesterOptions): JobRequester {
  const asked = new Map<string, Promise<RecordedReply>>();
  const done = new Map<string, RecordedReply>();
  /** Ids of replies from requesters in `beside`, with the times at which they ended there. */
  const taken = new Map<string, number>();
  const ended = new Map<string, number>();
  const before = new Map((options.known ?? []).map((row) => [row.record.id, row]));

  /** The reply of another job to exactly this request, if it can be used. */
  function answeredBefore(id: string, params: Params): RecordedReply | null {
    const row = before.get(id);
    if (row === undefined || !REPLIED.has(row.record.outcome)) return null;
    if (canonicalize(row.record.params) !== canonicalize(params)) return null;
    // It was requested for this collection, so it counts here too.
    return row;
  }

  function remember(id: string, make: () => Promise<RecordedReply>): Promise<RecordedReply> {
    const known = asked.get(id);
    if (known) return known;
    const made = make().then((answer) => {
      noteDone(answer);
      return answer;
    });
    asked.set(id, made);
    return made;
  }

  /**
   * The reply of a requester in `beside` to exactly this request, awaited if pending; null if there is none that can be
   * used here.
   */
  async function takenFrom(
    others: readonly PendingRequests[],
    id: string,
    params: Params,
  ): Promise<RecordedReply | null> {
    for (const other of others) {
      const answer = await other.pending(id);
      if (answer === null || OF_REQUESTER.has(answer.record.outcome)) continue;
      if (isOverBudget(answer.record.source, answer.record.outcome)) continue;
      if (canonicalize(answer.record.params) !== canonicalize(params)) continue;
      taken.set(id, other.endedAt(id) ?? options.now());
      return answer;
    }
    return null;
  }

  function noteDone(answer: RecordedReply): void {
    const { record } = answer;
    const endedAt = taken.get(record.id) ?? options.now();
    done.set(record.id, answer);
    ended.set(record.id, endedAt);
    options.onReply(
      {
        source: record.source,
        endpoint: record.endpoint,
        outcome: record.outcome,
        milliseconds: record.milliseconds,
        observations: answer.observations.length,
        endedAt,
      },
      taken.has(record.id),
    );
  }

  function priorityOf(asked: RequestPriority, bound: BoundSource): RequestPriority {
    if (options.isSpare === true && budgetOf(bound).perMinute <= SCARCE_PER_MINUTE) return 'spare';
    if (options.isBackground !== true && options.isSpare !== true) return asked;
    return asked === 'critical' ? 'normal' : 'background';
  }

  function answer(
    source: string,
    endpointName: string,
    params: Params,
    priority: RequestPriority = 'critical',
  ): Promise<RecordedReply> {
    const bound = options.book.get(source);
    const endpoint = bound?.source.endpoints.find((row) => row.name === endpointName);
    const id = responseIdOf(source, endpointName, params);
    const question = { id, source, endpoint: endpointName, params };
    const refused = (change: Refusal) => Promise.resolve(withoutReply(question, options.now(), change));
    if (!bound || !endpoint) return refused({ outcome: 'unsupported', detail: 'there is no such endpoint' });
    if (!bound.enabled) return refused({ outcome: 'disabled', detail: bound.reason ?? 'the source is off' });
    const earlier = asked.has(id) ? null : answeredBefore(id, params);
    if (earlier !== null) {
      done.set(id, earlier);
      asked.set(id, Promise.resolve(earlier));
    }
    return remember(id, () => {
      const ask = () =>
        requestOnce(bound, endpoint, params, id, {
          ...options,
          priority: priorityOf(priority, bound),
          onWaiting: (milliseconds) => options.onWaiting?.(source, endpointName, milliseconds),
        });
      const own = () => listed(bound, endpoint, params, id).then((row) => row ?? ask());
      const others = options.beside?.filter((other) => other.pending(id) !== null) ?? [];
      const work = others.length === 0 ? own() : takenFrom(others, id, params).then((reply) => reply ?? own());
      const startedAt = options.now();
      const startedTick = options.ticks();
      return untilAborted(work, options.signal, () => {
        const milliseconds = Math.round(options.ticks() - startedTick);
        return isDeadlineOver(options)
          ? withoutReply(question, startedAt, { outcome: 'deadline', detail: 'no reply by the deadline', milliseconds })
          : withoutReply(question, startedAt, { outcome: 'cancelled', detail: 'the job was cancelled', milliseconds });
      });
    });
  }

  async function bulk(source: string, endpointName: string, params: Params, waitMs: number): Promise<RecordedReply> {
    const bound = options.book.get(source);
    const endpoint = bound?.source.endpoints.find((row) => row.name === endpointName && row.role === 'bulk');
    const id = responseIdOf(source, endpointName, params);
    const question = { id, source, endpoint: endpointName, params };
    const refused = (change: Refusal) => withoutReply(question, options.now(), change);
    if (!bound || !endpoint) return refused({ outcome: 'unsupported', detail: 'there is no such list' });
    if (!bound.enabled) return refused({ outcome: 'disabled', detail: bound.reason ?? 'the source is off' });
    return remember(id, async () => {
      const mostMs = Math.max(0, Math.min(waitMs, options.deadlineAt - options.ticks()));
      const list = await options.bulk.get(source, endpointName, mostMs);
      if ('failed' in list) return refused({ outcome: list.failed, detail: list.detail });
      return wholeOf(list, params, id);
    });
  }

  async function row(source: string, endpointName: string, params: Params): Promise<RecordedReply | null> {
    const bound = options.book.get(source);
    const endpoint = bound?.source.endpoints.find((one) => one.name === endpointName && one.role === 'bulk');
    const key = endpoint?.list?.keyOf(params) ?? null;
    if (!bound?.enabled || !endpoint || key === null) return null;
    const waitMs = endpoint.list?.isAwaited === true ? listWaitMs() : 0;
    const list = await options.bulk.get(source, endpointName, waitMs);
    const found = 'failed' in list ? null : list.find(key);
    if (found === null || isStale(found, bound, endpoint)) return null;
    return rowOf(bound, endpoint, params, found, responseIdOf(source, endpointName, params));
  }

  /** At least half of the remaining time is left for requests. */
  function listWaitMs(): number {
    return Math.max(0, Math.min(LIST_WAIT_MS, (options.deadlineAt - options.ticks()) / 2));
  }

  /**
   * The reply from a list that replaces this request; null if the list is not available in time, is old, or has no row
   * that fits.
   */
  async function listed(
    bound: BoundSource,
    endpoint: Endpoint,
    params: Params,
    id: string,
  ): Promise<RecordedReply | null> {
    // An endpoint may have several lists, each for some of its requests.
    const holder = bound.source.endpoints.find(
      ({ list }) => list?.standsInFor === endpoint.name && list.keyOf(params) !== null,
    );
    const key = holder?.list?.keyOf(params) ?? null;
    if (holder === undefined || key === null) return null;
    const list = await options.bulk.get(bound.source.name, holder.name, listWaitMs());
    if ('failed' in list || isStale(list, bound, holder)) return null;
    return replyFromList(bound, endpoint, params, holder, list.find(key) ?? { row: null, record: list.record }, id);
  }

  /** A list that has not been refreshed for long must not replace requests. */
  function isStale({ record }: Pick<ListRow, 'record'>, bound: BoundSource, endpoint: Endpoint): boolean {
    const ageMs = options.now() - Date.parse(record.fetchedAt);
    const intervals = endpoint.list?.standsInFor === undefined ? STALE_AFTER : 1;
    return ageMs > refreshMsOf(bound, endpoint) * intervals;
  }

  function keep(kept: RecordedReply): void {
    if (asked.has(kept.record.id)) return;
    asked.set(kept.record.id, Promise.resolve(kept));
    noteDone(kept);
  }

  return {
    signal: options.signal,
    now: () => new Date(options.now()).toISOString(),
    enabled: (source) => options.book.get(source)?.enabled === true,
    requestRecorded: answer,
    row,
    keep,
    pending: (id) => asked.get(id) ?? null,
    endedAt: (id) => ended.get(id) ?? null,
    request: async <Reply>(source: string, endpointName: string, params: Params) =>
      toReply<Reply>(await answer(source, endpointName, params)),
    bulk: async <Reply>(source: string, endpointName: string, params: Params, waitMs: number) =>
      toReply<Reply>(await bulk(source, endpointName, params, waitMs)),
    replies: () => [...done.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value),
  };
}

/** The stable id of one request within a job. */
function responseIdOf(source: string, endpoint: string, params: Params): string {
  const digest = createHash('sha256')
    .update(canonicalize(params) ?? '')
    .digest('hex');
  return `${source}.${endpoint}#${digest.slice(0, 8)}`;
}

function toReply<Reply>(answer: RecordedReply): SourceReply<Reply> {
  const { outcome, id, detail } = answer.record;
  if (outcome === 'ok' || outcome === 'empty' || outcome === 'not_found') {
    return { ok: true, reply: answer.reply as Reply, outcome, responseId: id, observations: answer.observations };
  }
  return { ok: false, outcome, detail: detail ?? outcome, retryAfterSeconds: answer.retryAfterSeconds ?? null };
}

/** Resolves with `work`, or with `otherwise()` as soon as the signal fires. */
function untilAborted(
  work: Promise<RecordedReply>,
  signal: AbortSignal,
  otherwise: () => RecordedReply,
): Promise<RecordedReply> {
  if (signal.aborted) return Promise.resolve(otherwise());
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(otherwise());
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
