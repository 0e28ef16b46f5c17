import { HOUR_MS, type Namesakes } from '../domain/index.ts';
import { listName, refreshMsOf, STALE_AFTER } from '../evidence/index.ts';
import { createNamesakes } from '../identity/index.ts';
import { type Database, readList } from '../store/index.ts';
import type { Engine } from './engine.ts';

/** Lists in memory are read again after this time; reading one from the database takes a fraction of a second. */
const KEEP_MS = { memory: HOUR_MS / 6, database: HOUR_MS };

/**
 * What registries list under a name. A process that fetches the lists (`works`) has them in memory; any other reads
 * those that are stored, and sends no request.
 */
export function openNamesakes(
  { book, bulk }: Pick<Engine, 'book' | 'bulk'>,
  db: Database,
  works: boolean,
  now: () => number,
): Namesakes {
  if (works)
    return createNamesakes(
      async (source, endpoint) => {
        const list = await bulk.get(source, endpoint, 0);
        return 'failed' in list ? null : list.reply;
      },
      now,
      KEEP_MS.memory,
    );
  return createNamesakes(
    async (source, name) => {
      const bound = book.get(source);
      const endpoint = bound?.source.endpoints.find((one) => one.name === name);
      if (!bound?.enabled || endpoint === undefined) return null;
      const since = new Date(now() - refreshMsOf(bound, endpoint) * STALE_AFTER).toISOString();
      const rows: unknown[] = [];
      for (const page of endpoint.list?.pages ?? [{}]) {
        const stored = await readList(db, listName(source, name, page), since);
        const reply: unknown = stored === null ? null : JSON.parse(new TextDecoder().decode(stored.body));
        if (Array.isArray(reply)) rows.push(...reply);
      }
      return rows.length === 0 ? null : rows;
    },
    now,
    KEEP_MS.database,
  );
}
