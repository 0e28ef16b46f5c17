import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { openStore, type Store } from '../src/store/database.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';
import { durable, lookInto } from './support/durable-service.ts';

/** Ratings on a chain, and those of them that lack a snapshot of their own moment. */
async function ratingsIn(store: Store) {
  const { rows } = await store.pool.query<{ ratings: number; bare: number }>(
    `select count(*)::int as ratings, (count(*) filter (where stored < 3))::int as bare
     from (
       select p.id, (select count(*) from snapshots s where s.asset_id = p.asset_id and s.as_of = p.as_of) as stored
       from published_ratings p where p.asset_id not like 'project:%'
     ) rated`,
  );
  const { rows: index } = await store.pool.query<{ indexed: number }>(
    'select count(*)::int as indexed from indexed_assets',
  );
  return { ...rows[0], ...index[0] };
}

test('kill -9 between a rating and its snapshots leaves neither, and the next start makes both', async () => {
  const place = await durable();
  const first = await place.start();
  const database = await databaseOf(place.dataDir, 'visitor');
  const store = await openStore(database.url, 'sandbox');
  const gate = await store.pool.connect();
  // The rating is written by then; its snapshots' heads are not, and neither is told to anybody.
  await gate.query('begin');
  await gate.query('lock table snapshot_heads in exclusive mode');
  const location = await first.accept('Marrowstone', 'killed');
  assert.ok(location);
  for (const until = Date.now() + 20_000; ; ) {
    const { rows } = await store.pool.query(
      `select 1 from pg_locks where relation = 'snapshot_heads'::regclass and not granted`,
    );
    if (rows.length > 0) break;
    assert.ok(Date.now() < until, 'the rating never came to its snapshots');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await first.end('SIGKILL');
  await gate.query('rollback');
  gate.release();
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.deepEqual(await ratingsIn(store), { ratings: 0, bare: 0, indexed: 0 });
  await store.close();
  await database.close();

  const next = await place.start();
  for (const until = Date.now() + 40_000; ; ) {
    const job = (await (await next.call(location)).json()) as { state: string };
    if (job.state === 'succeeded') break;
    assert.ok(['queued', 'running'].includes(job.state) && Date.now() < until, job.state);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.deepEqual(await lookInto(place.dataDir, ratingsIn), { ratings: 1, bare: 0, indexed: 1 });
  assert.equal((await next.end('SIGTERM')).code, 0);
  await place.world.close();
  await rm(place.dataDir, { recursive: true, force: true });
});
