import type { AskOutcome } from '../domain/evidence.ts';
import type { Upstream } from '../upstream/types.ts';
import { type Answer, askOnce } from './ask.ts';
import type { BoundSource, SourceBook } from './book.ts';

/** A list that is fetched in the background and shared by all jobs (coin lists, protocol lists). */
export interface BulkList {
  readonly answer: Answer;
  readonly fetchedAt: number;
}

export interface BulkLists {
  /** The newest list, waiting for the first one at most `waitMs`. */
  get(
    source: string,
    endpoint: string,
    waitMs: number,
  ): Promise<BulkList | { readonly failed: AskOutcome; readonly detail: string }>;
  /** Starts fetching all lists now and again when they are old. */
  start(): void;
  close(): void;
}

const REFRESH_MS = 30 * 60_000;
const RETRY_MS = 60_000;
const FETCH_MS = 30_000;
const MONOTONIC = () => performance.now();

/** Keeps the bulk lists of all sources that are on. A list that cannot be refreshed stays in use with its honest age. */
export function createBulkLists(options: {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly now: () => number;
  readonly onError?: (error: unknown) => void;
}): BulkLists {
  const slots = new Map<string, Slot>();
  const aborter = new AbortController();
  for (const bound of options.book.values()) {
    if (!bound.enabled) continue;
    for (const endpoint of bound.source.endpoints) {
      if (endpoint.role === 'bulk')
        slots.set(`${bound.source.name}/${endpoint.name}`, {
          bound,
          endpoint: endpoint.name,
          list: null,
          failure: null,
          underWay: null,
          triedAt: 0,
        });
    }
  }
  let timer: NodeJS.Timeout | null = null;

  async function refresh(slot: Slot): Promise<void> {
    slot.triedAt = options.now();
    const endpoint = slot.bound.source.endpoints.find((row) => row.name === slot.endpoint);
    if (!endpoint) return;
    const answer = await askOnce(
      slot.bound,
      { ...endpoint, timeoutMs: FETCH_MS, observe: () => [] },
      {},
      `${slot.bound.source.name}.${slot.endpoint}`,
      {
        upstream: options.upstream,
        now: options.now,
        ticks: MONOTONIC,
        signal: aborter.signal,
        deadlineAt: MONOTONIC() + FETCH_MS,
        traceparent: null,
      },
    );
    if (answer.record.outcome === 'ok') {
      slot.list = { answer, fetchedAt: options.now() };
      slot.failure = null;
    } else {
      slot.failure = { failed: answer.record.outcome, detail: answer.record.detail ?? 'the list could not be fetched' };
    }
  }

  function ensure(slot: Slot): Promise<void> {
    slot.underWay ??= refresh(slot)
      .catch((error: unknown) => options.onError?.(error))
      .finally(() => {
        slot.underWay = null;
      });
    return slot.underWay;
  }

  function due(slot: Slot): boolean {
    const age = options.now() - (slot.list?.fetchedAt ?? 0);
    return age > REFRESH_MS && options.now() - slot.triedAt > RETRY_MS;
  }

  return {
    async get(source, endpoint, waitMs) {
      const slot = slots.get(`${source}/${endpoint}`);
      if (!slot) return { failed: 'disabled', detail: 'the source is off' };
      if (slot.list === null && (slot.underWay !== null || due(slot)))
        await Promise.race([ensure(slot), sleep(waitMs)]);
      else if (due(slot)) void ensure(slot);
      return slot.list ?? slot.failure ?? { failed: 'timeout', detail: 'the list is still being fetched' };
    },
    start() {
      const tick = () => {
        for (const slot of slots.values()) if (due(slot)) void ensure(slot);
      };
      tick();
      timer = setInterval(tick, RETRY_MS);
      timer.unref();
    },
    close() {
      aborter.abort();
      if (timer) clearInterval(timer);
    },
  };
}

interface Slot {
  readonly bound: BoundSource;
  readonly endpoint: string;
  list: BulkList | null;
  failure: { readonly failed: AskOutcome; readonly detail: string } | null;
  underWay: Promise<void> | null;
  triedAt: number;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
