import type { ResponseRecord } from '../domain/index.ts';
import type { SharedLists } from '../evidence/index.ts';
import { claimList, type Database, keepSilent, readList, releaseList, takeTurn, writeList } from '../store/index.ts';
import type { SharedTurns } from '../upstream/index.ts';

/** The turns of all processes at each source, in the database. While it is away each process keeps to its own budget. */
export function sharedTurns(db: Database, onError: (error: unknown, what: string) => void): SharedTurns {
  return {
    take: (label, budget, mostWaitMs) =>
      takeTurn(db, label, budget, mostWaitMs).catch((error: unknown) => {
        onError(error, 'turns at sources');
        return { taken: true, waitMs: 0 };
      }),
    silence: (label, milliseconds) =>
      void keepSilent(db, label, milliseconds).catch((error: unknown) => onError(error, 'turns at sources')),
  };
}

/** Lists of all processes, in the database. While it is away each process fetches its own. */
export function sharedLists(
  db: Database,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): SharedLists {
  const guard = (work: Promise<void>) => work.catch((error: unknown) => onError(error, 'lists of sources'));
  return {
    async take(name, freshMs) {
      try {
        const stored = await readList(db, name, new Date(now() - freshMs).toISOString());
        if (stored) return { kind: 'held', record: JSON.parse(stored.record) as ResponseRecord, body: stored.body };
        return { kind: (await claimList(db, name)) ? 'mine' : 'busy' };
      } catch (error) {
        onError(error, 'lists of sources');
        return { kind: 'mine' };
      }
    },
    put: (name, record, body) => guard(writeList(db, name, record.fetchedAt, { record: JSON.stringify(record), body })),
    release: (name) => guard(releaseList(db, name)),
  };
}
