import { DAY_MS } from '../../domain/index.ts';
import type { Lease, LeaseRequest } from '../../store/index.ts';
import type { Plan } from './plans.ts';

/** One limit of one account and plan, in one minute or day, as known to this process. */
export interface Window {
  readonly owner: string;
  readonly kind: 'minute' | 'day';
  readonly start: number;
  readonly end: number;
  readonly limit: number;
  /** Let through here. */
  used: number;
  /** Set aside for this process in the store. */
  leased: number;
  /** Set aside for the other processes, at the last read of the store. */
  others: number;
  /** Size of the next lease. */
  slice: number;
  usedAt: number;
  askedAt: number;
  /** Requests that wait for the lease. */
  waiting: number;
  asking: boolean;
  /** The store had nothing left: no further lease is requested before this. */
  closedUntil: number;
  /** The store was away: until then this process counts alone. */
  aloneUntil: number;
}

const LENGTH_MS = { minute: 60_000, day: DAY_MS } as const;
const FIRST_SLICE = 8;
const LARGEST_SLICE = 16_384;
/** A lease takes at most this part of the remainder, so that the last requests are not all reserved by one process. */
const SHARE_OF_REST = 16;
/** A lease that did not last as long was too small. */
const LASTING_MS = 500;

/** The window of a time: those of UTC minutes and days. */
export function windowAt(owner: string, kind: 'minute' | 'day', limit: number, at: number): Window {
  const start = at - (at % LENGTH_MS[kind]);
  return {
    owner,
    kind,
    start,
    end: start + LENGTH_MS[kind],
    limit,
    used: 0,
    leased: 0,
    others: 0,
    slice: FIRST_SLICE,
    usedAt: at,
    askedAt: 0,
    waiting: 0,
    asking: false,
    closedUntil: 0,
    aloneUntil: 0,
  };
}

/** Whether a request may pass; null if only the store can decide. */
export function isOpen(window: Window, at: number): boolean | null {
  if (window.used < window.leased) return true;
  if (at < window.aloneUntil) return window.others + window.used < window.limit;
  if (at < window.closedUntil) return false;
  return null;
}

/** How much to request from the store now; 0 while the reserved part is enough. */
export function wantedOf(window: Window, at: number): number {
  const left = Math.max(0, window.leased - window.used);
  const rest = window.limit - window.others - Math.max(window.leased, window.used);
  window.slice =
    at - window.askedAt < LASTING_MS
      ? Math.min(window.slice * 2, LARGEST_SLICE)
      : Math.max(FIRST_SLICE, window.slice >> 1);
  const size = Math.max(1, window.waiting, Math.min(window.slice, Math.floor(rest / SHARE_OF_REST)));
  return left * 2 < size ? size - left : 0;
}

/** Whether to request more before the reserved part is used up. */
export function runsLow(window: Window): boolean {
  return (
    !window.asking && (window.leased - window.used) * 4 < window.slice && window.others + window.leased < window.limit
  );
}

/** What a caller sees of the window. */
export function stateOf(window: Window | null, at: number): LimitState | null {
  if (window === null) return null;
  return {
    limit: window.limit,
    remaining: Math.max(0, window.limit - window.others - window.used),
    resetSeconds: Math.max(1, Math.ceil((window.end - at) / 1000)),
  };
}

/** State of one limit after this request. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until it is full again. */
  readonly resetSeconds: number;
}

export interface Taken {
  /** Null where the plan has no such limit. */
  readonly minute: LimitState | null;
  readonly day: LimitState | null;
  /** The limit that refuses this request; null when it may pass. */
  readonly refusedBy: 'minute' | 'day' | null;
}

/** Counts the requests of accounts against their plans. Keys of one account and plan share its limits. */
export interface Limiter {
  /** Counts one request from memory. Null when the store must be read first: nothing is counted then. */
  takeNow(accountId: string, plan: Plan): Taken | null;
  /** Counts one request; reads the store when it must. A refused one costs no daily quota. */
  take(accountId: string, plan: Plan): Taken | Promise<Taken>;
  /** Gives one request of the daily quota back (304, 429, 5xx). The rate a minute stays counted: it guards the machine. */
  giveBack(accountId: string, plan: Plan): void;
}

/** Requests leases from the shared store; returns them in the order of `wanted`. Rejects while the store is unavailable. */
export type LeaseRequests = (wanted: readonly LeaseRequest[]) => Promise<readonly Lease[]>;

/**
 * Time that never goes back: the wall's, and while that lies behind what was seen already, what has elapsed since. A wall
 * clock that is set back so neither opens a window of limits anew nor holds one open until it has caught up.
 *
 * @param wall milliseconds since the epoch
 * @param elapsed milliseconds from any start, as `performance.now`
 */
export function steadyClock(wall: () => number, elapsed: () => number): () => number {
  let seen = Number.NEGATIVE_INFINITY;
  let seenAt = 0;
  let read = Number.NEGATIVE_INFINITY;
  let shown = Number.NEGATIVE_INFINITY;
  return () => {
    const at = wall();
    // Within a millisecond, as most hot reads are, the second clock need not be read.
    if (at === read) return shown;
    read = at;
    const ticks = elapsed();
    seen = Math.max(at, seen + (ticks - seenAt));
    seenAt = ticks;
    shown = Math.floor(seen);
    return shown;
  };
}
