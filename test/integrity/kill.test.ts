import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { recordOf } from '../../src/store/packed-record.ts';
import { durable, lookInto } from '../support/durable-service.ts';

const rowsOf = (dataDir: string) =>
  lookInto(dataDir, ({ db }) =>
    db.selectFrom('jobs').select(['id', 'kind', 'state', 'attempts', 'answered_by']).orderBy('position').execute(),
  );

test('kill -9 while scores wait for a collection: the next process ends it once, and completes all of them with it', async () => {
  const place = await durable();
  const first = await place.start();
  // Sources that tell nothing of which asset is meant: the collection is under way when the process is killed.
  for (const source of ['goplus', 'rugcheck', 'solana_rpc'])
    place.world.faults.add({ source, kind: 'latency', ms: 8_000 });
  const locations = await Promise.all(
    ['DeFi', 'lending', 'by the word of a caller'].map((word) => first.accept('Tidewell', word)),
  );
  const patience = Date.now() + 30_000;
  for (;;) {
    const rows = await rowsOf(place.dataDir);
    if (rows.some(({ kind, state }) => kind === 'collection' && state === 'running')) break;
    assert.ok(Date.now() < patience, JSON.stringify(rows));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await first.end('SIGKILL');
  place.world.faults.clear();
  const next = await place.start();
  for (const location of locations) {
    let job: { readonly state: string; readonly result: { readonly published: boolean } | null };
    const until = Date.now() + 90_000;
    do {
      await new Promise((resolve) => setTimeout(resolve, 100));
      job = (await (await next.call(location ?? '')).json()) as typeof job;
    } while (!['succeeded', 'failed', 'cancelled'].includes(job.state) && Date.now() < until);
    assert.deepEqual([job.state, job.result?.published], ['succeeded', true], JSON.stringify(job).slice(0, 500));
  }
  await next.end('SIGTERM');
  const rows = await rowsOf(place.dataDir);
  const [collection, ...more] = rows.filter(({ kind }) => kind === 'collection');
  const scores = rows.filter(({ kind }) => kind === 'score');
  // A score that had not found its asset when the process died may have come after the end of the first collection.
  assert.ok(collection && more.length <= 1, JSON.stringify(rows));
  assert.deepEqual([collection.state, collection.attempts], ['succeeded', 2]);
  assert.ok(scores.some((score) => score.answered_by === collection.id));
  const { ratings, stored } = await lookInto(place.dataDir, async ({ db }) => ({
    ratings: await db.selectFrom('published_ratings').select(['job_id', 'record']).execute(),
    stored: await db.selectFrom('evidence').select('job_id').execute(),
  }));
  assert.deepEqual(ratings.map((row) => row.job_id).sort(), [collection, ...more].map(({ id }) => id).sort());
  assert.equal(stored.length, ratings.length, 'scores store no evidence of their own');
  for (const { record } of ratings) assert.doesNotMatch(recordOf(record).toString('utf8'), /by the word of a caller/);
  await place.world.close();
  await rm(place.dataDir, { recursive: true, force: true });
});
