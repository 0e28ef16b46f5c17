import { type Budget, reservedFor, type Turn } from './budget.ts';
import type { UpstreamBudget } from './types.ts';

/** One politeness towards a label for all processes that ask it. */
export interface SharedTurns {
  /** Takes the label's next turn unless it comes later than `mostWaitMs`. Never rejects. */
  take(
    label: string,
    budget: UpstreamBudget,
    mostWaitMs: number,
  ): Promise<{ readonly taken: boolean; readonly waitMs: number }>;
  /** The source asked for silence. Never throws. */
  silence(label: string, milliseconds: number): void;
}

/** A budget whose turns must be had of this process and of all of them: the slower one tells when. */
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
      // What is kept back for higher priorities is kept back by all processes: a smaller burst for those below.
      const terms = termsOf();
      const burst = Math.max(1, terms.burst - reservedFor(priority, terms.burst));
      const { taken, waitMs } = await turns.take(label, { ...terms, burst }, deadlineAt - clock());
      if (taken && (await rested(waitMs, signal))) return turn;
      turn.release();
      return refused(taken ? 'cancelled' : 'spent', waitMs);
    },
    pause(untilMs) {
      own.pause(untilMs);
      turns.silence(label, Math.max(0, untilMs - clock()));
    },
    change: own.change,
    expectedWaitMs: own.expectedWaitMs,
  };
}

function refused(cause: 'spent' | 'cancelled', waitMs: number): Turn {
  return { ok: false, cause, waitMs: cause === 'spent' ? waitMs : null };
}

/** Waits; false when the signal came first. */
function rested(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted || milliseconds <= 0) return resolve(!signal.aborted);
    const timer = setTimeout(end, milliseconds);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(!signal.aborted);
    }
    signal.addEventListener('abort', end, { once: true });
  });
}
