import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Json, RequestOutcome, ResponseRecord } from '../domain/index.ts';
import type { Endpoint, ListTerms, Params } from '../sources/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { type BoundSource, refreshMsOf, type SourceBook } from './book.ts';
import { metaOf, type ReadReply, readChecked, readReply } from './read-reply.ts';
import { type RecordedReply, requestOnce } from './request-once.ts';

/** A row of a shared list, with the record of the reply that it came in. */
export interface ListRow {
  readonly row: unknown;
  readonly record: ResponseRecord;
}

/** A list that is shared by all jobs. */
export interface BulkList {
  /** The whole reply: rows of all pages that are there. The same object until a page is fetched again. */
  readonly reply: unknown;
  /** Of the first page. */
  readonly record: ResponseRecord;
  /** The row of that name; null when the list has none. */
  find(key: string): ListRow | null;
}

export type ListFailure = { readonly failed: RequestOutcome; readonly detail: string };

export interface BulkLists {
  /**
   * The newest list, waiting for the first one (or for one that is far too old) at most `waitMs`. A list that is fetched when it is
   * read is waited for as soon as it is old, and at most `waitMs` after its fetch began: a slow source delays the first readers only.
   */
  get(source: string, endpoint: string, waitMs: number): Promise<BulkList | ListFailure>;
  /** Starts fetching the background lists now and again when they are old, and frees the others when no reader is left. */
  start(): void;
  close(): void;
}

const RETRY_MS = 60_000;
const TICK_MS = 15_000;
const FETCH_MS = 30_000;
/** A list is not urgent: it may wait so long for its turn at a source whose budget callers spend. */
const TURN_MS = 5 * 60_000;
/** How often, and how long apart, another process's list is looked for before the next tick looks again. */
const MOST_LOOKS = 10;
const LOOK_AGAIN_MS = 500;
/** How many refresh times a list may be old before a reader waits for the next one, or before one without readers is freed. */
const FAR_TOO_OLD = 2;
/** Age in refresh intervals after which a list's row is not read any more; for one that replaces a request, a single interval. */
export const STALE_AFTER = 3;
/** After a fetch that succeeded: a list that comes old, from a process whose clock is behind, is not fetched in a loop. */
const SETTLE_MS = 5_000;
const MONOTONIC = () => performance.now();

/** Keeps the lists of all sources that are on. One that cannot be refreshed stays in use with its honest age. */
export function createBulkLists(options: {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly now: () => number;
  readonly onError?: (error: unknown) => void;
  /** Lists that other processes fetched; without it each process fetches its own. */
  readonly shared?: SharedLists;
}): BulkLists {
  const aborter = new AbortController();
  const slots = new Map<string, Slot>();
  for (const bound of options.book.values()) {
    if (!bound.enabled) continue;
    for (const endpoint of bound.source.endpoints)
      if (endpoint.role === 'bulk') slots.set(`${bound.source.name}/${endpoint.name}`, slotOf(bound, endpoint));
  }
  let timer: NodeJS.Timeout | null = null;

  async function refresh(slot: Slot, page: Page): Promise<void> {
    page.notBefore = options.now() + Math.min(RETRY_MS, slot.refreshMs / 2);
    page.begunTick = MONOTONIC();
    const name = `${slot.bound.source.name}.${slot.endpoint.name} ${JSON.stringify(page.params)}`;
    const held = await takeShared(name, slot.refreshMs);
    if (held?.kind === 'busy') return;
    if (held?.kind === 'held') return void keep(slot, page, held.record, parsed(slot.endpoint, held.body));
    const answer = await requestOnce(
      slot.bound,
      { ...slot.endpoint, timeoutMs: FETCH_MS, observe: () => [] },
      page.params,
      name,
      {
        upstream: options.upstream,
        now: options.now,
        ticks: MONOTONIC,
        signal: aborter.signal,
        deadlineAt: MONOTONIC() + TURN_MS + FETCH_MS,
        traceparent: null,
        // Further pages yield to callers, but not for ever.
        priority: page === slot.pages[0] || page.missed ? 'normal' : 'background',
        longestTurnMs: TURN_MS,
      },
    );
    page.missed = answer.record.outcome === 'budget_spent';
    if (answer.record.outcome !== 'ok') {
      page.failure = {
        failed: answer.record.outcome,
        detail: answer.record.detail ?? 'the list could not be fetched',
      };
      await options.shared?.release(name);
      return;
    }
    if (!keep(slot, page, answer.record, answer.reply)) return options.shared?.release(name);
    if (answer.body) await options.shared?.put(name, answer.record, answer.body);
  }

  /** Another process that fetches the list has it in a moment, unless it waits for its turn there. */
  async function takeShared(name: string, freshMs: number): Promise<ListTurn | undefined> {
    for (let look = 1; ; look += 1) {
      const held = await options.shared?.take(name, freshMs);
      if (held?.kind !== 'busy' || look >= MOST_LOOKS || aborter.signal.aborted) return held;
      await setTimeout(LOOK_AGAIN_MS, undefined, { ref: false });
    }
  }

  /** False if the list is rejected in favour of the one in use, which stays. */
  function keep(slot: Slot, page: Page, record: ResponseRecord, reply: unknown): boolean {
    const isInUse = page.held !== null && ageOf(page) <= slot.refreshMs * STALE_AFTER;
    const complaint = isInUse ? (slot.endpoint.list?.refuses?.(reply, page.held?.reply) ?? null) : null;
    page.failure = complaint === null ? null : { failed: 'malformed', detail: complaint };
    if (complaint !== null) return false;
    page.notBefore = options.now() + SETTLE_MS;
    page.held = { record, reply, rows: indexOf(slot.endpoint.list, reply) };
    slot.list = null;
    return true;
  }

  function ensure(slot: Slot, page: Page): Promise<void> {
    page.underWay ??= refresh(slot, page)
      .catch((error: unknown) => options.onError?.(error))
      .finally(() => {
        page.underWay = null;
      });
    return page.underWay;
  }

  const ageOf = (page: Page) =>
    page.held === null ? Number.POSITIVE_INFINITY : options.now() - Date.parse(page.held.record.fetchedAt);
  const isDue = (slot: Slot, page: Page) => ageOf(page) > slot.refreshMs && options.now() > page.notBefore;
  /** How long a reader may wait for the pages that are being fetched. */
  const patienceOf = (slot: Slot, pages: readonly Page[], waitMs: number) =>
    slot.standsIn ? Math.max(0, ...pages.map((page) => page.begunTick + waitMs - MONOTONIC())) : waitMs;

  function free(slot: Slot): void {
    for (const page of slot.pages) if (ageOf(page) > slot.refreshMs * FAR_TOO_OLD) page.held = null;
    slot.list = null;
  }

  return {
    async get(source, endpoint, waitMs) {
      const slot = slots.get(`${source}/${endpoint}`);
      if (!slot) return { failed: 'disabled', detail: 'the source is off' };
      const wanted = slot.pages.filter((page) => page.underWay !== null || isDue(slot, page));
      const under = wanted.map((page) => ensure(slot, page));
      const [first] = slot.pages;
      const oldestMs = slot.refreshMs * (slot.isFetchedWhenRead ? 1 : FAR_TOO_OLD);
      const unusable = slot.pages.some((page) => ageOf(page) > oldestMs);
      if (unusable && under.length > 0)
        await Promise.race([
          Promise.all(under),
          setTimeout(patienceOf(slot, wanted, waitMs), undefined, { ref: false }),
        ]);
      if (first?.held === null || first === undefined)
        return first?.failure ?? { failed: 'timeout', detail: 'the list is still being fetched' };
      const list = slot.list ?? joined(slot.pages);
      slot.list = list;
      return list ?? { failed: 'timeout', detail: 'the list is still being fetched' };
    },
    start() {
      const tick = () => {
        for (const slot of slots.values()) {
          if (slot.isFetchedWhenRead) free(slot);
          else for (const page of slot.pages) if (isDue(slot, page)) void ensure(slot, page);
        }
      };
      tick();
      timer = setInterval(tick, TICK_MS);
      timer.unref();
    },
    close() {
      aborter.abort();
      if (timer) clearInterval(timer);
    },
  };
}

interface Page {
  readonly params: Params;
  held: {
    readonly record: ResponseRecord;
    readonly reply: unknown;
    readonly rows: ReadonlyMap<string, unknown>;
  } | null;
  failure: ListFailure | null;
  underWay: Promise<void> | null;
  /** When, milliseconds since the epoch, it may be fetched again. */
  notBefore: number;
  /** When, by the monotonic clock, the last fetch began. */
  begunTick: number;
  /** No turn came for it the last time. */
  missed: boolean;
}

interface Slot {
  readonly bound: BoundSource;
  readonly endpoint: Endpoint;
  readonly refreshMs: number;
  /** It replaces requests: its reader waits no longer than for a request. */
  readonly standsIn: boolean;
  /** It replaces requests and serves nothing else: while no request reads it, it is not fetched. */
  readonly isFetchedWhenRead: boolean;
  readonly pages: readonly Page[];
  list: BulkList | null;
}

function slotOf(bound: BoundSource, endpoint: Endpoint): Slot {
  const pages = (endpoint.list?.pages ?? [{}]).map(
    (params): Page => ({
      params,
      held: null,
      failure: null,
      underWay: null,
      notBefore: Number.NEGATIVE_INFINITY,
      begunTick: Number.NEGATIVE_INFINITY,
      missed: false,
    }),
  );
  return {
    bound,
    endpoint,
    refreshMs: refreshMsOf(bound, endpoint),
    standsIn: endpoint.list?.standsInFor !== undefined,
    isFetchedWhenRead: endpoint.list?.standsInFor !== undefined && endpoint.finds === undefined,
    pages,
    list: null,
  };
}

function indexOf(terms: ListTerms | undefined, reply: unknown): ReadonlyMap<string, unknown> {
  const rows = new Map<string, unknown>();
  const found = terms?.rowsOf?.(reply) ?? reply;
  if (!terms || !Array.isArray(found)) return rows;
  for (const row of found as readonly unknown[])
    for (const key of terms.keysOf(row)) if (!rows.has(key)) rows.set(key, row);
  return rows;
}

function joined(pages: readonly Page[]): BulkList | null {
  const held = pages.flatMap((page) => page.held ?? []);
  const [first] = held;
  if (!first) return null;
  const reply = held.length === 1 ? first.reply : held.flatMap((page) => page.reply as readonly unknown[]);
  return {
    reply,
    record: first.record,
    find(key) {
      const page = held.find((one) => one.rows.has(key));
      return page ? { row: page.rows.get(key), record: page.record } : null;
    },
  };
}

function parsed({ format = 'json' }: Endpoint, body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  return format === 'json' ? JSON.parse(text) : text;
}

/** A list as another process fetched it. */
export interface HeldList {
  readonly record: ResponseRecord;
  /** The checked body, decoded. */
  readonly body: Uint8Array;
}

/** What a process that needs a list gets: another one's copy, the notice that another one is fetching it, or the turn to fetch it itself. */
export type ListTurn = ({ readonly kind: 'held' } & HeldList) | { readonly kind: 'busy' } | { readonly kind: 'mine' };

/** Lists of all processes on one database, so that each is fetched once for all of them. No method rejects. */
export interface SharedLists {
  /** `freshMs`: a copy that is at most so old is good enough. No other process gets `mine` until the list is put or a minute has passed. */
  take(name: string, freshMs: number): Promise<ListTurn>;
  put(name: string, record: ResponseRecord, body: Uint8Array): Promise<void>;
  /** The list could not be fetched: another process may try. */
  release(name: string): Promise<void>;
}

/** A whole list as one reply: its content is read row by row. */
export function wholeOf(list: BulkList, params: Params, id: string): RecordedReply {
  const record = { ...list.record, id, params: params as Json, fromCache: true, milliseconds: 0 };
  return { record, reply: list.reply, observations: [], learned: {}, body: null };
}

/** One row of a list as a reply of its own, whose body is the row: it can be archived and read again without the list. */
export function rowOf(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  found: ListRow,
  id: string,
): RecordedReply {
  const reply = [found.row];
  const body = new TextEncoder().encode(JSON.stringify(reply));
  return answerOf(endpoint, params, found, id, body, {
    ...readChecked(bound.source, endpoint, params, reply, metaOf(found.record), id),
    reply,
  });
}

/**
 * A row as the reply of the endpoint that its list replaces: same id, same body shape, with the url and the time of the list.
 * `found.row` is null for what the list does not have. Null where the list says nothing, or nothing that fits the endpoint's schema:
 * the source is then requested itself.
 */
export function replyFromList(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  { list }: Endpoint,
  found: ListRow,
  id: string,
): RecordedReply | null {
  const reply = list?.replyOf ? list.replyOf(found.row) : found.row;
  if (reply === null) return null;
  const body = new TextEncoder().encode(JSON.stringify(reply));
  const read = readReply(bound.source, endpoint, params, body, metaOf(found.record), id);
  return read.outcome === 'ok' ? answerOf(endpoint, params, found, id, body, read) : null;
}

function answerOf(
  endpoint: Endpoint,
  params: Params,
  found: ListRow,
  id: string,
  body: Uint8Array,
  read: ReadReply,
): RecordedReply {
  const { waitedMs: _ofTheList, ...list } = found.record;
  const record: ResponseRecord = {
    ...list,
    id,
    endpoint: endpoint.name,
    params: params as Json,
    outcome: read.outcome,
    detail: read.detail,
    sha256: createHash('sha256').update(body).digest('hex'),
    bytes: body.byteLength,
    fromCache: true,
    milliseconds: 0,
  };
  return { record, reply: read.reply, observations: read.observations, learned: read.learned, body };
}
