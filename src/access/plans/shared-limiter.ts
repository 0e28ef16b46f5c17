import type { Plan } from './plans.ts';
import type { LeaseRequests, Limiter, Taken } from './window.ts';
import { isOpen, runsLow, stateOf, steadyClock, type Window, wantedOf, windowAt } from './window.ts';

export interface LimiterOptions {
  /** Requests leases from the store shared by all processes; null: counts in this process only. */
  readonly lease: LeaseRequests | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock; default `performance.now`. */
  readonly elapsed?: () => number;
  readonly onError?: (error: unknown) => void;
  /** A store that takes longer than this, in milliseconds, counts as unavailable. */
  readonly patienceMs?: number;
}

export interface SharedLimiter extends Limiter {
  /** Returns the unused part of idle windows, and reports what was admitted while the store was unavailable. */
  settle(): Promise<void>;
  /** Returns all leases. */
  close(): Promise<void>;
}

interface Pair {
  minute: Window | null;
  day: Window | null;
}

const SETTLE_MS = 250;
const IDLE_MS = 1_000;
const PATIENCE_MS = 500;
/** Time for which requests are refused before the store is read again for requests that other processes returned. */
const CLOSED_MS = 250;
/** Time for which this process counts alone before it tries the store again. */
const ALONE_MS = 1_000;
const MOST_ACCOUNTS = 100_000;
const MOST_ROUNDS = 8;

/**
 * Limits shared by all processes and decided from memory. Each process reserves requests in the store before it admits
 * them (a lease), renews its lease in the background before it is used up, and returns what it does not use. While the
 * store is available, the processes together never exceed a limit. While it is not, each process enforces the limit
 * alone, so that at most the limit times the number of processes is admitted (docs/decisions/0014-limits-and-usage.md).
 */
export function createSharedLimiter(options: LimiterOptions): SharedLimiter {
  const { lease, onError = () => undefined, patienceMs = PATIENCE_MS } = options;
  const clock = steadyClock(options.now, options.elapsed ?? (() => performance.now()));
  const books = new Map<Plan, Map<string, Pair>>();
  /** Windows that hold a lease, or whose counts were not reported to the store yet. */
  const open = new Set<Window>();
  let queued = new Set<Window>();
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  function pairOf(accountId: string, plan: Plan, at: number): Pair {
    let book = books.get(plan);
    if (!book) {
      book = new Map();
      books.set(plan, book);
    }
    let pair = book.get(accountId);
    if (!pair) {
      if (book.size >= MOST_ACCOUNTS) forgetIdle(book, at);
      pair = { minute: null, day: null };
      book.set(accountId, pair);
    }
    if (plan.requestsPerMinute !== null && (pair.minute === null || at >= pair.minute.end)) {
      if (pair.minute) open.delete(pair.minute);
      pair.minute = windowAt(`${accountId} ${plan.name}`, 'minute', plan.requestsPerMinute, at);
    }
    if (plan.requestsPerDay !== null && (pair.day === null || at >= pair.day.end)) {
      if (pair.day) open.delete(pair.day);
      pair.day = windowAt(`${accountId} ${plan.name}`, 'day', plan.requestsPerDay, at);
    }
    return pair;
  }

  function judge({ minute, day }: Pair, at: number): Taken | null {
    if (lease === null) {
      if (minute) minute.aloneUntil = Number.POSITIVE_INFINITY;
      if (day) day.aloneUntil = Number.POSITIVE_INFINITY;
    }
    const minuteOpen = minute === null || isOpen(minute, at);
    if (minuteOpen === null) return null;
    const dayOpen = day === null || isOpen(day, at);
    if (minuteOpen && dayOpen === null) return null;
    if (minuteOpen && minute) count(minute, at);
    if (minuteOpen && dayOpen && day) count(day, at);
    return {
      minute: stateOf(minute, at),
      day: stateOf(day, at),
      refusedBy: minuteOpen ? (dayOpen ? null : 'day') : 'minute',
      countedDay: minuteOpen && dayOpen ? (day?.start ?? null) : null,
    };
  }

  function count(window: Window, at: number): void {
    window.used += 1;
    window.usedAt = at;
    if (lease === null || at < window.aloneUntil) open.add(window);
    else if (runsLow(window)) void ask([window]);
  }

  /** Joins the next exchange with the store. Only one runs at a time, for all windows that need it. */
  function ask(windows: readonly Window[]): Promise<void> {
    for (const window of windows) {
      window.asking = true;
      queued.add(window);
    }
    next ??= running.then(() => {
      next = null;
      const due = queued;
      queued = new Set();
      running = exchange([...due]);
      return running;
    });
    return next;
  }

  async function exchange(windows: readonly Window[]): Promise<void> {
    if (lease === null) return;
    const at = clock();
    const requests = windows.map((window) => ({
      owner: window.owner,
      kind: window.kind,
      startsAt: new Date(window.start).toISOString(),
      limit: window.limit,
      wanted: window.waiting > 0 || at - window.usedAt < IDLE_MS ? wantedOf(window, at) : -setDown(window),
      debt: Math.max(0, window.used - window.leased),
    }));
    try {
      const leases = await within(lease(requests), patienceMs);
      const answeredAt = clock();
      for (const [index, window] of windows.entries()) {
        const { wanted = 0, debt = 0 } = requests[index] ?? {};
        const { granted = 0, used = 0 } = leases[index] ?? {};
        window.leased += debt + Math.max(0, granted);
        window.others = Math.max(0, used - window.leased);
        window.aloneUntil = 0;
        window.askedAt = at;
        window.closedUntil = wanted > 0 && granted <= 0 ? answeredAt + CLOSED_MS : 0;
        if (window.leased > window.used && window.end > answeredAt) open.add(window);
        else open.delete(window);
      }
    } catch (error) {
      // It is unknown whether the request arrived. Leases that were granted are then lost, and debts reported twice
      // refuse too early, never too late.
      const until = clock() + ALONE_MS;
      for (const window of windows) {
        window.aloneUntil = until;
        if (window.used > window.leased) open.add(window);
      }
      onError(error);
    }
    for (const window of windows) window.asking = false;
  }

  async function takeSlowly(accountId: string, plan: Plan): Promise<Taken> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const at = clock();
      const pair = pairOf(accountId, plan, at);
      const taken = judge(pair, at);
      if (taken) return taken;
      const unknown = [pair.minute, pair.day].filter((one) => one !== null && isOpen(one, at) === null) as Window[];
      for (const window of unknown) window.waiting += 1;
      await ask(unknown);
      for (const window of unknown) window.waiting -= 1;
    }
    // More concurrent requests than the store grants in this many rounds: the window counts as used up.
    const at = clock();
    const { minute, day } = pairOf(accountId, plan, at);
    const refusedBy = minute ? 'minute' : 'day';
    return { minute: stateOf(minute, at), day: stateOf(day, at), refusedBy, countedDay: null };
  }

  async function settle(): Promise<void> {
    const at = clock();
    const due: Window[] = [];
    for (const window of open) {
      if (at >= window.end) open.delete(window);
      else if (
        !window.asking &&
        at >= window.aloneUntil &&
        (at - window.usedAt >= IDLE_MS || window.used > window.leased)
      )
        due.push(window);
    }
    if (due.length > 0) await ask(due);
  }

  const timer = lease === null ? null : setInterval(() => void settle(), SETTLE_MS);
  timer?.unref();

  return {
    takeNow(accountId, plan) {
      const at = clock();
      return judge(pairOf(accountId, plan, at), at);
    },
    take(accountId, plan) {
      const at = clock();
      return judge(pairOf(accountId, plan, at), at) ?? takeSlowly(accountId, plan);
    },
    giveBack(accountId, plan, { countedDay }) {
      const day = books.get(plan)?.get(accountId)?.day;
      if (!day || day.start !== countedDay || day.used === 0) return;
      day.used -= 1;
      if (day.leased > day.used) open.add(day);
    },
    settle,
    async close() {
      if (timer) clearInterval(timer);
      const at = clock();
      const due = [...open].filter((window) => window.end > at);
      for (const window of due) window.usedAt = at - IDLE_MS;
      if (due.length > 0) await ask(due);
      await running;
    },
  };
}

/** Cancels the unused part of a lease and returns its size. */
function setDown(window: Window): number {
  const left = Math.max(0, window.leased - window.used);
  window.leased -= left;
  return left;
}

function forgetIdle(book: Map<string, Pair>, at: number): void {
  for (const [accountId, { minute, day }] of book)
    if ((minute === null || at >= minute.end) && (day === null || at >= day.end || day.used === 0))
      book.delete(accountId);
}

function within<Value>(work: Promise<Value>, milliseconds: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
