import { useCallback, useEffect, useState } from 'react';
import { ask, type Problem } from './api.ts';

export type Reading<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'refused'; readonly problem: Problem }
  | { readonly state: 'ready'; readonly value: T };

/** Reads a path and reads it again when asked to; null reads nothing yet. */
export function useRead<T>(path: string | null): Reading<T> & { readonly again: () => void } {
  const [reading, setReading] = useState<{ readonly path: string | null; readonly of: Reading<T> }>({
    path,
    of: { state: 'loading' },
  });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn reads the same path again
  useEffect(() => {
    if (path === null) return;
    const gone = new AbortController();
    ask<T>(path, { signal: gone.signal }).then((reply) => {
      if (gone.signal.aborted) return;
      const of: Reading<T> = reply.ok
        ? { state: 'ready', value: reply.value }
        : { state: 'refused', problem: reply.problem };
      setReading({ path, of });
    });
    return () => gone.abort();
  }, [path, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  const of: Reading<T> = reading.path === path ? reading.of : { state: 'loading' };
  return { ...of, again };
}
