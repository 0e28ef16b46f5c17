import { DAY_MS } from '../../domain/index.ts';
import type { LimitState } from './limiter.ts';

/** One limit of one account and plan, in one minute or day, as this process knows it. */
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
  /** Set aside for the other processes, when the store was last asked. */
  others: number;
  /** Size of the next lease. */
  slice: number;
  usedAt: number;
  askedAt: number;
  /** Requests that wait for the lease. */
  waiting: number;
  asking: boolean;
  /** The store had nothing left: it is not asked again before this. */
  closedUntil: number;
  /** The store was away: until then this process counts alone. */
  aloneUntil: number;
}

const LENGTH_MS = { minute: 60_000, day: DAY_MS } as const;
const FIRST_SLICE = 8;
const LARGEST_SLICE = 16_384;
/** A lease takes at most this part of what is left, so that the last requests are not stuck with one process. */
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

/** Whether a request may pass; null when only the store can tell. */
export function isOpen(window: Window, at: number): boolean | null {
  if (window.used < window.leased) return true;
  if (at < window.aloneUntil) return window.others + window.used < window.limit;
  if (at < window.closedUntil) return false;
  return null;
}

/** What to ask of the store now; 0 when what is held will do. */
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

/** Whether to ask for more before what is held is gone. */
export function runsLow(window: Window): boolean {
  return (
    !window.asking && (window.leased - window.used) * 4 < window.slice && window.others + window.leased < window.limit
  );
}

/** What a caller is told of the window. */
export function stateOf(window: Window | null, at: number): LimitState | null {
  if (window === null) return null;
  return {
    limit: window.limit,
    remaining: Math.max(0, window.limit - window.others - window.used),
    resetSeconds: Math.max(1, Math.ceil((window.end - at) / 1000)),
  };
}
