import type { Plan } from './types.ts';

/** What is left of one limit after this request. */
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

/** Counts the requests of keys against their plans. Shared by processes or not: callers cannot tell. */
export interface Limiter {
  /** Counts one request. A refused one costs no daily quota. An answer at once needs no promise. */
  take(keyId: string, plan: Plan): Taken | Promise<Taken>;
  /** Gives one request of the daily quota back (304, 5xx). The rate a minute stays counted: it guards the machine. */
  giveBack(keyId: string, plan: Plan): void;
}

interface Count {
  minuteStart: number;
  inMinute: number;
  day: number;
  inDay: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Keys counted at once; beyond, those whose windows are over are let go. */
const MOST_KEYS = 100_000;

/**
 * Limits of this process alone, in fixed windows: a minute from a key's first request, and the UTC day. `now` in milliseconds.
 * By hand, because it is part of every hot read: a library's promise per limit cost a twentieth of the whole reply
 * (docs/decisions/0008-hot-reads.md).
 */
export function createMemoryLimiter(now: () => number): Limiter {
  const counts = new Map<string, Count>();

  function countOf(keyId: string, at: number): Count {
    let count = counts.get(keyId);
    if (!count) {
      if (counts.size >= MOST_KEYS) letGo(counts, at);
      count = { minuteStart: at, inMinute: 0, day: Math.floor(at / DAY_MS), inDay: 0 };
      counts.set(keyId, count);
    }
    // A clock that was set back must not hold a window open.
    if (at - count.minuteStart >= MINUTE_MS || at < count.minuteStart) {
      count.minuteStart = at;
      count.inMinute = 0;
    }
    const day = Math.floor(at / DAY_MS);
    if (day !== count.day) {
      count.day = day;
      count.inDay = 0;
    }
    return count;
  }

  return {
    take(keyId, { requestsPerMinute, requestsPerDay }) {
      const at = now();
      const count = countOf(keyId, at);
      const minuteOpen = requestsPerMinute === null || count.inMinute < requestsPerMinute;
      if (minuteOpen) count.inMinute += 1;
      const dayOpen = requestsPerDay === null || count.inDay < requestsPerDay;
      if (minuteOpen && dayOpen) count.inDay += 1;
      return {
        minute: stateOf(requestsPerMinute, count.inMinute, count.minuteStart + MINUTE_MS - at),
        day: stateOf(requestsPerDay, count.inDay, (count.day + 1) * DAY_MS - at),
        refusedBy: minuteOpen ? (dayOpen ? null : 'day') : 'minute',
      };
    },
    giveBack(keyId) {
      const count = counts.get(keyId);
      if (count && count.day === Math.floor(now() / DAY_MS) && count.inDay > 0) count.inDay -= 1;
    },
  };
}

function stateOf(limit: number | null, used: number, resetMs: number): LimitState | null {
  if (limit === null) return null;
  return { limit, remaining: Math.max(0, limit - used), resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
}

/** Keys that made no request today cost nothing to forget. */
function letGo(counts: Map<string, Count>, at: number): void {
  const today = Math.floor(at / DAY_MS);
  for (const [keyId, count] of counts) if (count.day !== today) counts.delete(keyId);
}
