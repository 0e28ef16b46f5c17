export type Circuit = 'closed' | 'open' | 'half_open';

/** Stops asking a host that keeps failing. One per host. */
export interface Breaker {
  /** True when a request may go out; the first one after the rest becomes the probe. */
  enter(): boolean;
  succeeded(): void;
  failed(): void;
  /** The request ended without saying anything about the host (cancelled, refused by us). */
  left(): void;
  circuit(): Circuit;
}

/** Failures in a row before a host is left alone. */
const FAILURES_TO_OPEN = 5;
/** How long it is left alone before one probe. */
const REST_MS = 30_000;

/** Builds a closed breaker. `clock` in milliseconds. */
export function createBreaker(clock: () => number, failuresToOpen = FAILURES_TO_OPEN, restMs = REST_MS): Breaker {
  let failures = 0;
  let openedAt: number | null = null;
  let probing = false;

  return {
    enter() {
      if (openedAt === null) return true;
      if (probing || clock() - openedAt < restMs) return false;
      probing = true;
      return true;
    },
    succeeded() {
      failures = 0;
      openedAt = null;
      probing = false;
    },
    failed() {
      failures += 1;
      if (probing || failures >= failuresToOpen) openedAt = clock();
      probing = false;
    },
    left() {
      probing = false;
    },
    circuit() {
      if (openedAt === null) return 'closed';
      return probing || clock() - openedAt >= restMs ? 'half_open' : 'open';
    },
  };
}
