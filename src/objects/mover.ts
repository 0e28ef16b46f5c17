import { type Moved, type MoveOptions, moveOldEvidence } from './moved-evidence.ts';

/** Moves old evidence periodically, one pass at a time. */
export interface Mover {
  readonly close: () => Promise<void>;
}

/**
 * Starts a pass now and every `everyMs`. If the store is unavailable, an error is logged and the next pass tries again.
 */
export function startMover(
  options: MoveOptions,
  hooks: {
    readonly everyMs: number;
    readonly onMoved: (moved: Moved) => void;
    readonly onError: (error: unknown, what: string) => void;
  },
): Mover {
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  const pass = () => {
    running ??= moveOldEvidence(options, stop.signal)
      .then((moved) => {
        if (moved.evidence + moved.bodies + moved.deleted > 0) hooks.onMoved(moved);
      })
      .catch((error: unknown) => hooks.onError(error, 'moving old evidence to the object store'))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(pass, hooks.everyMs);
  timer.unref();
  pass();
  return {
    async close() {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}
