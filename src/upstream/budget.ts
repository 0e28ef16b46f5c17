import type { UpstreamBudget } from './types.ts';

export type Turn =
  | { readonly ok: true; readonly release: () => void }
  /** `waitMs`: when a turn would come; null when only a request under way could free one. */
  | { readonly ok: false; readonly cause: 'spent' | 'cancelled'; readonly waitMs: number | null };

/** Politeness towards one source: a token bucket and a bound on requests under way, first come first served. */
export interface Budget {
  /** Waits for a turn until `deadlineAt` (milliseconds of the clock); says so at once when none can come in time. */
  acquire(deadlineAt: number, signal: AbortSignal): Promise<Turn>;
  /** The host asked for silence until then. */
  pause(untilMs: number): void;
  change(budget: UpstreamBudget): void;
}

interface Waiter {
  readonly deadlineAt: number;
  readonly settle: (turn: Turn) => void;
}

/** Builds a full bucket. */
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

  /** Milliseconds until the token of the waiter behind `ahead` others. */
  function waitFor(ahead: number): number {
    const forTokens = Math.max(0, (ahead + 1 - tokens) / perMs());
    return Math.max(forTokens, pausedUntil - clock());
  }

  function pump(): void {
    refill();
    while (queue.length > 0 && active < Math.max(1, budget.concurrency) && waitFor(0) <= 0) {
      const waiter = queue.shift();
      tokens -= 1;
      active += 1;
      waiter?.settle({ ok: true, release: once(release) });
    }
    clearTimeout(wake);
    if (queue.length > 0 && waitFor(0) > 0) wake = setTimeout(pump, Math.ceil(waitFor(0)));
  }

  function release(): void {
    active -= 1;
    pump();
  }

  return {
    acquire(deadlineAt, signal) {
      refill();
      const wait = waitFor(queue.length);
      if (signal.aborted) return Promise.resolve({ ok: false, cause: 'cancelled', waitMs: null });
      if (clock() + wait > deadlineAt) return Promise.resolve({ ok: false, cause: 'spent', waitMs: wait });
      return new Promise((resolve) => {
        const leave = (cause: 'spent' | 'cancelled', waitMs: number | null) => {
          queue = queue.filter((other) => other !== waiter);
          waiter.settle({ ok: false, cause, waitMs });
        };
        const onAbort = () => leave('cancelled', null);
        const timer = setTimeout(() => leave('spent', null), Math.max(0, deadlineAt - clock()));
        const waiter: Waiter = {
          deadlineAt,
          settle: (turn) => {
            clearTimeout(timer);
            signal.removeEventListener('abort', onAbort);
            resolve(turn);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        queue.push(waiter);
        pump();
      });
    },
    pause(untilMs) {
      pausedUntil = Math.max(pausedUntil, untilMs);
      const hopeless = queue.filter((waiter) => waiter.deadlineAt < pausedUntil);
      queue = queue.filter((waiter) => waiter.deadlineAt >= pausedUntil);
      for (const waiter of hopeless) waiter.settle({ ok: false, cause: 'spent', waitMs: pausedUntil - clock() });
      pump();
    },
    change(next) {
      // A bucket nobody has drawn from starts full under the new terms too.
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
