import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, type Store } from './database.ts';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { pauseSource, reserveSlot } from './sources.ts';

let database: TestDatabase;
let processes: readonly Store[];
before(async () => {
  database = await testDatabase();
  processes = Array.from({ length: 4 }, () => connect(database.store.url));
});
after(async () => {
  for (const process of processes) await process.close();
  await database.close();
});

test('four processes that send requests as fast as they can get together the budget of one', async () => {
  const budget = { perMinute: 1_200, burst: 10 };
  const startedAt = performance.now();
  let taken = 0;
  await Promise.all(
    processes.map(async ({ db }) => {
      while (performance.now() - startedAt < 1_500) if ((await reserveSlot(db, 'busy', budget, 0)).taken) taken += 1;
    }),
  );
  const allowed = budget.burst + (budget.perMinute / 60_000) * (performance.now() - startedAt);
  assert.ok(taken <= allowed + 1, `${taken} of ${allowed}`);
  assert.ok(taken >= budget.burst + 1, `${taken}`);
});

test('reserved slots are as far apart as the budget allows, and each is given once', async () => {
  const budget = { perMinute: 600, burst: 1 };
  const startedAt = performance.now();
  const turns = await Promise.all(
    Array.from({ length: 12 }, (_, index) => reserveSlot((processes[index % 4] as Store).db, 'queue', budget, 60_000)),
  );
  const tookMs = performance.now() - startedAt;
  const waits = turns.map(({ waitMs }) => waitMs).sort((a, b) => a - b);
  assert.ok(turns.every(({ taken }) => taken));
  assert.equal(new Set(waits).size, 12, waits.join(' '));
  // Each wait is told as of its own statement: the last of twelve turns comes 1,100 ms after the first.
  assert.ok((waits.at(-1) ?? 0) >= 1_100 - tookMs, waits.join(' '));
  assert.ok((waits.at(-1) ?? 0) <= 1_100, waits.join(' '));
});

test('a slot that would be too late is not reserved, and the time of the next one is given', async () => {
  const budget = { perMinute: 6, burst: 1 };
  const [one, other] = processes as [Store, Store];
  assert.equal((await reserveSlot(one.db, 'slow', budget, 0)).taken, true);
  const refused = await reserveSlot(other.db, 'slow', budget, 1_000);
  assert.equal(refused.taken, false);
  assert.ok(refused.waitMs > 8_000 && refused.waitMs <= 10_000, `${refused.waitMs}`);
  assert.equal((await reserveSlot(other.db, 'another', budget, 0)).taken, true);
});

test('when a source asks one process to pause all processes pause', async () => {
  const budget = { perMinute: 60_000, burst: 100 };
  const [one, other] = processes as [Store, Store];
  await pauseSource(one.db, 'loud', 3_000);
  const refused = await reserveSlot(other.db, 'loud', budget, 1_000);
  assert.equal(refused.taken, false);
  assert.ok(refused.waitMs > 1_000 && refused.waitMs <= 3_000);
  const patient = await reserveSlot(other.db, 'loud', budget, 5_000);
  assert.ok(patient.taken && patient.waitMs > 1_000 && patient.waitMs <= 3_000);
  // A shorter wish of another process does not end a longer one.
  await pauseSource(other.db, 'loud', 10);
  assert.equal((await reserveSlot(one.db, 'loud', budget, 0)).taken, false);
});
