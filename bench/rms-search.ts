import { sql } from 'kysely';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { storeManyRated } from '../src/store/ratings/fixtures/many-rated.ts';
import { listRated } from '../src/store/ratings/read.ts';

/** GET /v1/rms?search= among 100,000 rated assets, in the store: with the indexes of the search, and without them. */
const ROWS = 100_000;
const PAGE = 100;
const ROUNDS = 15;
const SEARCHES = {
  none: null,
  one_letter: 'a',
  two_letters: 'a1',
  four_letters: 'a1b2',
  address: '0x0000000000000000000000000000000000001eef',
};
const database = await testDatabase();
const { db } = database.store;
await storeManyRated(db, ROWS);
const indexed = await timeAll();
for (const part of ['symbol', 'name', 'address'])
  await sql`drop index ${sql.ref(`rated_assets_${part}_prefix`)}`.execute(db);
const bare = await timeAll();
const figures = indexed.map(([name, ms], index) => {
  const without = bare[index]?.[1] ?? Number.NaN;
  return { search: name, indexed_ms: ms, without_indexes_ms: without, ratio: Math.round((without / ms) * 10) / 10 };
});
console.log(JSON.stringify({ rows: ROWS, page: PAGE, median_of: ROUNDS, figures }, null, 2));
await database.close();

async function timeAll(): Promise<readonly (readonly [string, number])[]> {
  const found: (readonly [string, number])[] = [];
  for (const [name, search] of Object.entries(SEARCHES)) found.push([name, await median(search)]);
  return found;
}

async function median(search: string | null): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await listRated(db, {
      at: null,
      chain: null,
      bands: null,
      category: null,
      class: null,
      flag: null,
      minTrust: null,
      search,
      sort: 'score',
      descending: true,
      after: null,
      limit: PAGE,
    });
    times.push(performance.now() - startedAt);
  }
  return Math.round((times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0) * 100) / 100;
}
