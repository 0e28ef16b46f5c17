import type { ResponseRecord } from '../domain/evidence.ts';
import type { SharedLists } from '../evidence/shared-lists.ts';
import type { Database } from '../store/database.ts';
import { claimList, readList, releaseList, writeList } from '../store/source-lists.ts';

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
