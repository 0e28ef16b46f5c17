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
  /** Rows of all pages that are in memory. The same object until a page is fetched again. */
  readonly reply: unknown;
  /** Record of the first page. */
  readonly record: ResponseRecord;
  /** The row with that key; null if the list has none. */
  find(key: string): ListRow | null;
}

export type ListFailure = { readonly failed: RequestOutcome; readonly detail: string };

export interface BulkLists {
  /**
   * The newest list. Waits up to `waitMs` if there is none yet, or if it is older than `FAR_TOO_OLD` refresh intervals.
   * For a list that is fetched on demand, it waits as soon as one interval has passed, but only until `waitMs` after
   * the fetch began, so that a slow source delays the first readers only.
   */
  get(source: string, endpoint: string, waitMs: number): Promise<BulkList | ListFailure>;
  /**
   * Fetches the background lists now and whenever they are due, and frees the lists fetched on demand when nothing
   * reads them.
   */
  start(): void;
  close(): void;
}

const RETRY_MS = 60_000;
const TICK_MS = 15_000;
const FETCH_MS = 30_000;
/** Longest wait for a slot in the source's budget. Lists are not urgent, so it is long. */
const TURN_MS = 5 * 60_000;
/**
 * Number of checks, and the interval between them, for a list that another process is fetching; after them the next
 * tick checks again.
 */
const MOST_LOOKS = 10;
const LOOK_AGAIN_MS = 500;
/**
 * Age in refresh intervals from which a reader waits for a new list, and from which a list without readers is freed.
 */
const FAR_TOO_OLD = 2;
/**
 * Age in refresh intervals from which the rows of a list are no longer used; for a list that replaces requests it is
 * one interval.
 */
export const STALE_AFTER = 3;
/**
 * Shortest time between a successful fetch of a page and the next. It prevents a loop when a list arrives already old,
 * from a process whose clock is behind.
 */
const SETTLE_MS = 5_000;
const MONOTONIC = () => performance.now();

/** Keeps the lists of all enabled sources. A list that cannot be refreshed stays in use with its actual age. */
export function createBulkLists(options: {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly now: () => number;
  readonly onError?: (error: unknown) => void;
  /** Lists fetched by other processes; if absent, each process fetches its own. */
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
    const name = listName(slot.bound.source.name, slot.endpoint.name, page.params);
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
        // Further pages have lower priority than callers, except after they missed a turn.
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

  /**
   * Waits briefly for a list that another process is fetching. Returns `busy` if that process has not finished, for
   * example because it waits for its source's budget.
   */
  async function takeShared(name: string, freshMs: number): Promise<ListTurn | undefined> {
    for (let look = 1; ; look += 1) {
      const held = await options.shared?.take(name, freshMs);
      if (held?.kind !== 'busy' || look >= MOST_LOOKS || aborter.signal.aborted) return held;
      await setTimeout(LOOK_AGAIN_MS, undefined, { ref: false });
    }
  }

  /** False if the new reply is rejected; the list in use then stays. */
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
  /** Milliseconds that a reader may wait for pages that are being fetched. */
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
  /** Earliest time of the next fetch, milliseconds since the epoch. */
  notBefore: number;
  /** Start of the last fetch by the monotonic clock, milliseconds. */
  begunTick: number;
  /** The last fetch got no slot in the source's budget. */
  missed: boolean;
}

interface Slot {
  readonly bound: BoundSource;
  readonly endpoint: Endpoint;
  readonly refreshMs: number;
  /** The list replaces requests: a reader waits no longer than for a request. */
  readonly standsIn: boolean;
  /** The list only replaces requests, so it is fetched only when a request reads it. */
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

/** Name of a page of a list among those that processes share. */
export function listName(source: string, endpoint: string, page: Params): string {
  return `${source}.${endpoint} ${JSON.stringify(page)}`;
}

/** A list fetched by another process. */
export interface HeldList {
  readonly record: ResponseRecord;
  /** Decoded body that has passed the endpoint's checks. */
  readonly body: Uint8Array;
}

/**
 * Result of requesting a shared list: a copy from another process (`held`), another process is fetching it (`busy`), or
 * this process is to fetch it (`mine`).
 */
export type ListTurn = ({ readonly kind: 'held' } & HeldList) | { readonly kind: 'busy' } | { readonly kind: 'mine' };

/** Lists shared by all processes on one database, so that each list is fetched once. No method rejects. */
export interface SharedLists {
  /**
   * `freshMs`: maximum age of a copy. After `mine`, no other process gets `mine` until the list is stored or a minute
   * has passed.
   */
  take(name: string, freshMs: number): Promise<ListTurn>;
  put(name: string, record: ResponseRecord, body: Uint8Array): Promise<void>;
  /** The fetch failed: another process may try. */
  release(name: string): Promise<void>;
}

/** A whole list as one reply, from which the caller reads rows. The body is not archived. */
export function wholeOf(list: BulkList, params: Params, id: string): RecordedReply {
  const record = { ...list.record, id, params: params as Json, fromCache: true, milliseconds: 0 };
  return { record, reply: list.reply, observations: [], learned: {}, body: null };
}

/**
 * One row of a list as a separate reply whose body is the row, so that it can be archived and read again without the
 * list.
 */
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
 * A row as the reply of the endpoint that its list replaces: same id and body format, with the URL and the time of the
 * list. `found.row` is null if the list has no such row. Returns null if the list states nothing, or the row does not
 * fit the endpoint's schema; the source is then requested directly.
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
