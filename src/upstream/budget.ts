import { pauseFor } from './fault.ts';
import type { RequestPriority, UpstreamBudget } from './types.ts';

export type Turn =
  | { readonly ok: true; readonly release: () => void }
  /** `waitMs`: when a turn would be available; null when that depends on a request under way. */
  | { readonly ok: false; readonly cause: 'spent' | 'cancelled'; readonly waitMs: number | null };

/**
 * Rate limit for one source: a token bucket and a limit on concurrent requests. Turns are granted by priority, and
 * within a priority in order of arrival. Part of the bucket is reserved for higher priorities (`reservedFor`).
 */
export interface Budget {
  /**
   * Waits for a turn until `deadlineAt` (milliseconds of the clock), or fails at once when none can come in time.
   * `priority`: default `critical`, for which nothing is reserved against it.
   */
  acquire(deadlineAt: number, signal: AbortSignal, priority?: RequestPriority): Promise<Turn>;
  /** Grants no turns until this time, because the host asked for a pause. */
  pause(untilMs: number): void;
  change(budget: UpstreamBudget): void;
  /** Milliseconds until a request of this priority would get its turn; 0: at once. */
  expectedWaitMs(priority?: RequestPriority): number;
}

interface Waiter {
  readonly deadlineAt: number;
  readonly priority: RequestPriority;
  readonly settle: (turn: Turn) => void;
}

/** Waits for a turn shorter than this, in milliseconds, are not reported. */
export const NOTICEABLE_MS = 1_000;
/** Fraction of the bucket that each priority must leave to higher ones. */
const RESERVE: Readonly<Record<RequestPriority, number>> = { critical: 0, normal: 0.4, background: 0.6, spare: 1 };
/** If a source pauses for longer than this, queued requests fail at once. */
const LONGEST_SILENCE_MS = 10_000;
/** Order of service, first to last. */
export const ORDER: readonly RequestPriority[] = ['critical', 'normal', 'background', 'spare'];

/**
 * Number of turns in the burst that this priority must leave unused. A burst of one reserves nothing; a burst of two
 * reserves one turn against `background` and `spare` requests.
 */
export function reservedFor(priority: RequestPriority, burst: number): number {
  const whole = Math.max(1, burst);
  return Math.min(Math.floor(whole * RESERVE[priority]), Math.ceil(whole) - 1);
}

/** Creates a budget with a full bucket. */
export function createBudget(first: UpstreamBudget, clock: () => number): Budget {
  let budget = first;
  let tokens = first.burst;
  let filledAt = clock();
  let active = 0;
  let pausedUntil = 0;
  let queue: Waiter[] = [];
  let wake: NodeJS.Timeout | undefined;

  const perMs = () => Math.max(budget.perMinute, 0.01) / 60_000;

  function refill(): void {
    const now = clock();
    tokens = Math.min(Math.max(1, budget.burst), tokens + Math.max(0, now - filledAt) * perMs());
    filledAt = now;
  }

  /** Milliseconds until a token is available to a waiter of this priority behind `ahead` others. */
  function waitFor(ahead: number, priority: RequestPriority): number {
    const forTokens = Math.max(0, (ahead + 1 + reservedFor(priority, budget.burst) - tokens) / perMs());
    return Math.max(forTokens, pausedUntil - clock());
  }

  /** Number of waiters served before a new one of this priority. */
  function aheadOf(priority: RequestPriority): number {
    return queue.filter((waiter) => ORDER.indexOf(waiter.priority) <= ORDER.indexOf(priority)).length;
  }

  function enqueue(waiter: Waiter): void {
    queue.splice(aheadOf(waiter.priority), 0, waiter);
  }

  function pump(): void {
    refill();
    for (let next = queue[0]; next && active < Math.max(1, budget.concurrency); next = queue[0]) {
      if (waitFor(0, next.priority) > 0) break;
      queue.shift();
      tokens -= 1;
      active += 1;
      next.settle({ ok: true, release: once(release) });
    }
    clearTimeout(wake);
    const [first] = queue;
    const restMs = first ? waitFor(0, first.priority) : 0;
    if (restMs > 0) wake = setTimeout(pump, Math.ceil(restMs));
  }

  function release(): void {
    active -= 1;
    pump();
  }

  return {
    acquire(deadlineAt, signal, priority = 'critical') {
      refill();
      const wait = waitFor(aheadOf(priority), priority);
      if (signal.aborted) return Promise.resolve({ ok: false, cause: 'cancelled', waitMs: null });
      if (clock() + wait > deadlineAt || pausedUntil - clock() > LONGEST_SILENCE_MS)
        return Promise.resolve({ ok: false, cause: 'spent', waitMs: wait });
      return new Promise((resolve) => {
        const leave = (cause: 'spent' | 'cancelled', waitMs: number | null) => {
          queue = queue.filter((other) => other !== waiter);
          waiter.settle({ ok: false, cause, waitMs });
        };
        const onAbort = () => leave('cancelled', null);
        const timer = setTimeout(() => leave('spent', null), Math.max(0, deadlineAt - clock()));
        const waiter: Waiter = {
          deadlineAt,
          priority,
          settle: (turn) => {
            clearTimeout(timer);
            signal.removeEventListener('abort', onAbort);
            resolve(turn);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        enqueue(waiter);
        pump();
      });
    },
    pause(untilMs) {
      pausedUntil = Math.max(pausedUntil, untilMs);
      const isLong = pausedUntil - clock() > LONGEST_SILENCE_MS;
      const hopeless = queue.filter((waiter) => isLong || waiter.deadlineAt < pausedUntil);
      queue = queue.filter((waiter) => !hopeless.includes(waiter));
      for (const waiter of hopeless) waiter.settle({ ok: false, cause: 'spent', waitMs: pausedUntil - clock() });
      pump();
    },
    expectedWaitMs(priority = 'critical') {
      refill();
      return Math.max(0, waitFor(aheadOf(priority), priority));
    },
    change(next) {
      // An unused bucket is also full under the new terms.
      refill();
      tokens = Math.max(0, next.burst - (Math.max(1, budget.burst) - tokens));
      budget = next;
      pump();
    },
  };
}

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}

/** One rate limit per label, shared by all processes. */
export interface SharedTurns {
  /** Takes the label's next turn unless it is more than `mostWaitMs` away. Never rejects. */
  take(
    label: string,
    budget: UpstreamBudget,
    mostWaitMs: number,
  ): Promise<{ readonly taken: boolean; readonly waitMs: number }>;
  /** Records a pause that the source asked for. Never throws. */
  pause(label: string, milliseconds: number): void;
}

/** A budget that needs a turn both from this process and from all processes together: the slower one decides. */
export function shareBudget(
  own: Budget,
  label: string,
  {
    turns,
    termsOf,
    clock,
  }: { readonly turns: SharedTurns; readonly termsOf: () => UpstreamBudget; readonly clock: () => number },
): Budget {
  return {
    async acquire(deadlineAt, signal, priority = 'critical') {
      const turn = await own.acquire(deadlineAt, signal, priority);
      if (!turn.ok) return turn;
      // All processes together keep the reserve for higher priorities: lower priorities see a smaller burst.
      const terms = termsOf();
      const burst = Math.max(1, terms.burst - reservedFor(priority, terms.burst));
      const { taken, waitMs } = await turns.take(label, { ...terms, burst }, deadlineAt - clock());
      if (taken && waitMs > 0) await pauseFor(waitMs, signal);
      if (taken && !signal.aborted) return turn;
      turn.release();
      return taken ? { ok: false, cause: 'cancelled', waitMs: null } : { ok: false, cause: 'spent', waitMs };
    },
    pause(untilMs) {
      own.pause(untilMs);
      turns.pause(label, Math.max(0, untilMs - clock()));
    },
    change: own.change,
    expectedWaitMs: own.expectedWaitMs,
  };
}
