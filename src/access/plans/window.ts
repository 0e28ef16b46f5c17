import { DAY_MS } from '../../domain/index.ts';
import type { Lease, LeaseRequest } from '../../store/index.ts';
import type { Plan } from './plans.ts';

/** One limit of one account and plan for one minute or day, as known to this process. */
export interface Window {
  readonly owner: string;
  readonly kind: 'minute' | 'day';
  readonly start: number;
  readonly end: number;
  readonly limit: number;
  /** Requests admitted by this process. */
  used: number;
  /** Requests reserved for this process in the store. */
  leased: number;
  /** Requests reserved for the other processes, as of the last read of the store. */
  others: number;
  /** Size of the next lease. */
  slice: number;
  usedAt: number;
  askedAt: number;
  /** Number of requests waiting for the lease. */
  waiting: number;
  asking: boolean;
  /** The store had nothing left: no lease is requested before this time. */
  closedUntil: number;
  /** The store was unavailable: this process counts alone until this time. */
  aloneUntil: number;
}

const LENGTH_MS = { minute: 60_000, day: DAY_MS } as const;
const FIRST_SLICE = 8;
const LARGEST_SLICE = 16_384;
/** A lease takes at most 1/16 of the remainder, so that one process cannot reserve all of the last requests. */
const SHARE_OF_REST = 16;
/** A lease that was used up faster than this was too small. */
const LASTING_MS = 500;

/** The window that contains a time. Windows are UTC minutes and days. */
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

/** Number of requests to reserve in the store now; 0 while the reserved part is sufficient. */
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

/** Whether to reserve more before the reserved part is used up. */
export function runsLow(window: Window): boolean {
  return (
    !window.asking && (window.leased - window.used) * 4 < window.slice && window.others + window.leased < window.limit
  );
}

/** The state of the window as shown to a caller. */
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
  /** Whole seconds until the limit resets. */
  readonly resetSeconds: number;
}

export interface Taken {
  /** Null if the plan has no such limit. */
  readonly minute: LimitState | null;
  readonly day: LimitState | null;
  /** The limit that refuses this request; null when it is allowed. */
  readonly refusedBy: 'minute' | 'day' | null;
  /** Start of the UTC day whose quota it was counted against; null if it was refused or there is no daily limit. */
  readonly countedDay: number | null;
}

/** Counts the requests of accounts against their plans. Keys with the same account and plan share its limits. */
export interface Limiter {
  /** Counts one request from memory. Null when the store must be read first; nothing is counted then. */
  takeNow(accountId: string, plan: Plan): Taken | null;
  /** Counts one request and reads the store if necessary. A refused request costs no daily quota. */
  take(accountId: string, plan: Plan): Taken | Promise<Taken>;
  /**
   * Gives one request back to the daily quota that it was counted against (304, 429, 5xx); a day that has ended meanwhile
   * is over. The rate per minute stays counted, because it protects the machine.
   */
  giveBack(accountId: string, plan: Plan, taken: Pick<Taken, 'countedDay'>): void;
}

/**
 * Requests leases from the shared store and returns them in the order of `wanted`. Rejects while the store is
 * unavailable.
 */
export type LeaseRequests = (wanted: readonly LeaseRequest[]) => Promise<readonly Lease[]>;

/**
 * A clock that never goes back: the wall clock or, while that is behind the times already returned, the last time plus
 * the elapsed time. If the wall clock is set back, this neither reopens a window of limits nor keeps one open until the
 * clock has caught up.
 *
 * @param wall milliseconds since the epoch
 * @param elapsed milliseconds of a monotonic clock, such as `performance.now`
 */
export function steadyClock(wall: () => number, elapsed: () => number): () => number {
  let seen = Number.NEGATIVE_INFINITY;
  let seenAt = 0;
  let read = Number.NEGATIVE_INFINITY;
  let shown = Number.NEGATIVE_INFINITY;
  return () => {
    const at = wall();
    // Most hot reads fall within the same millisecond, for which the second clock need not be read.
    if (at === read) return shown;
    read = at;
    const ticks = elapsed();
    seen = Math.max(at, seen + (ticks - seenAt));
    seenAt = ticks;
    shown = Math.floor(seen);
    return shown;
  };
}
