import { Fault } from './fault.ts';

export interface Stop {
  /** Aborts with a `Fault` as its reason. */
  readonly signal: AbortSignal;
  /** Resolves, with that reason, when it fires; never otherwise. */
  readonly fired: Promise<Fault>;
  clear(): void;
}

/** One signal for "time is over" (`timeout`, after `totalMs`; null: never) and "nobody wants it" (`cancelled`, by any of the signals). */
export function stopAfter(totalMs: number | null, signals: readonly AbortSignal[]): Stop {
  const controller = new AbortController();
  let announce: (fault: Fault) => void = () => {};
  const fired = new Promise<Fault>((resolve) => {
    announce = resolve;
  });
  const fire = (fault: Fault) => {
    controller.abort(fault);
    announce(fault);
  };
  const onAbort = () => fire(new Fault('cancelled', 'the caller no longer wanted the answer'));
  const timer =
    totalMs === null
      ? undefined
      : setTimeout(() => fire(new Fault('timeout', `no complete answer within ${Math.round(totalMs)} ms`)), totalMs);
  for (const signal of signals) {
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    fired,
    clear() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Sleeps; wakes early when the signal fires. */
export function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
