import type { AlertListener } from '../../store/index.ts';

/**
 * Counts an account's open streams over all processes: each holds one of `most` numbered locks of the database, which a
 * process that dies gives back. While the database cannot be asked, each process counts its own.
 */
export function createStreamSlots(
  locks: Pick<AlertListener, 'tryLock' | 'unlock'>,
): (accountId: string, most: number) => Promise<(() => void) | null> {
  const ours = new Set<string>();
  return async (accountId, most) => {
    for (let slot = 0; slot < most; slot += 1) {
      const name = `event stream ${accountId} ${slot}`;
      if (ours.has(name)) continue;
      // Before anything is waited for: two streams of this process must not ask for one lock, it would be given twice.
      ours.add(name);
      if ((await locks.tryLock(name)) !== false)
        return () => {
          ours.delete(name);
          void locks.unlock(name);
        };
      ours.delete(name);
    }
    return null;
  };
}
