/** Wakes those in this process who wait for something to happen to a job. Other processes poll. */
export interface Signals {
  /** Resolves at the next change of the job. */
  next(jobId: string): Promise<void>;
  changed(jobId: string): void;
}

export function createSignals(): Signals {
  const waiting = new Map<string, { readonly promise: Promise<void>; readonly resolve: () => void }>();
  return {
    next(jobId) {
      const known = waiting.get(jobId);
      if (known) return known.promise;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(jobId, { promise, resolve });
      return promise;
    },
    changed(jobId) {
      waiting.get(jobId)?.resolve();
      waiting.delete(jobId);
    },
  };
}
