import { useCallback, useEffect, useState } from 'react';
import { ask, type Problem } from '../../api.ts';

export type Search<T> =
  | { readonly state: 'searching'; readonly since: number }
  | { readonly state: 'refused'; readonly problem: Problem }
  | { readonly state: 'found'; readonly value: T };

/** The first question comes back soon, so that the reader sees that it goes on; the others wait for the end. */
const FIRST_WAIT_SECONDS = 1;
const WAIT_SECONDS = 30;
/** A server that answers at once all the same is not asked more often than this. */
const PAUSE_MS = 2_000;
const LONGEST_MS = 10 * 60_000;

/** A search that the service makes on demand: asked for until it has ended. */
export function useSearch<T>(path: string): Search<T> & { readonly again: () => void } {
  const [search, setSearch] = useState<Search<T>>({ state: 'searching', since: Date.now() });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks for the same search again
  useEffect(() => {
    const gone = new AbortController();
    const since = Date.now();
    setSearch({ state: 'searching', since });
    async function follow(): Promise<void> {
      for (let wait = FIRST_WAIT_SECONDS; !gone.signal.aborted; wait = WAIT_SECONDS) {
        const reply = await ask<T>(path, { signal: gone.signal, headers: { prefer: `wait=${wait}` } });
        if (gone.signal.aborted) return;
        if (!reply.ok) return setSearch({ state: 'refused', problem: reply.problem });
        if (reply.status !== 202) return setSearch({ state: 'found', value: reply.value });
        if (Date.now() - since > LONGEST_MS) return setSearch({ state: 'refused', problem: TOO_LONG });
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
    void follow();
    return () => gone.abort();
  }, [path, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { ...search, again };
}

const TOO_LONG: Problem = {
  status: 0,
  code: 'too_long',
  title: 'The search has not ended',
  detail: 'It goes on in the service; ask again in a few minutes.',
};
