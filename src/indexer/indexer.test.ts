import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HOUR_MS } from '../domain/statistics.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { NEEDS_OWN_SERVER } from '../store/fixtures/given-server.ts';
import { earlierOfClocks } from '../store/health.ts';
import { storeRatedAsset } from '../store/ratings/fixtures/rated-asset.ts';
import { closedDays } from '../store/snapshots/daily-close.ts';
import { assetAt } from '../store/snapshots/fixtures/snapshots.ts';
import { type FakeCollector, fakeCollector } from './fixtures/collector.ts';
import { startIndexer } from './indexer.ts';
import { createSnapshotReader } from './reader.ts';
import type { IndexerSettings } from './settings.ts';
import { CADENCE_SECONDS } from './settings.ts';

const WORKER = fileURLToPath(new URL('./fixtures/worker.ts', import.meta.url));
let database: TestDatabase;
/** The clock of the indexers, ahead of the machine's by this many milliseconds. */
let ahead = 0;
const now = () => Date.now() + ahead;
const errors: string[] = [];
before(async () => {
  database = await testDatabase({ ownServer: NEEDS_OWN_SERVER === false });
});
after(() => database.close());

const start = (collector: FakeCollector, settings: Partial<IndexerSettings> = {}, load = 0) =>
  startIndexer({
    store: database.store,
    collector,
    now,
    onError: (error, what) => errors.push(`${what}: ${error instanceof Error ? error.message : 'failed'}`),
    settings: { tickMs: 50, ...settings },
    load: () => load,
  });
const market = { cadence: 'newest', kinds: ['market'], addedBy: 'test' } as const;
const scheduled = async (asset: number) => {
  const row = await database.store.db
    .selectFrom('index_schedule')
    .selectAll()
    .where('asset_id', '=', assetAt(asset).id)
    .where('kind', '=', 'market')
    .executeTakeFirstOrThrow();
  return { ...row, pauseSeconds: (Date.parse(row.due_at) - Date.parse(row.planned_at)) / 1000 };
};
const stored = async (asset: number) =>
  (
    await database.store.pool.query<{ n: number }>('select count(*) as n from snapshots where asset_id = $1', [
      assetAt(asset).id,
    ])
  ).rows[0]?.n ?? 0;

test('a job whose process is killed with SIGKILL is run again by another, and the death is counted', async () => {
  const child = spawn(process.execPath, [WORKER, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  // As if time had passed, for the lease by the database's clock and for the schedule by ours.
  const lease = await database.store.pool.query(
    `update index_schedule set lease_until = now() - interval '1 second' where run is not null`,
  );
  assert.equal(lease.rowCount, 1);
  assert.equal((await scheduled(1)).deaths, 1);
  ahead = 60_000;
  const indexer = await start(fakeCollector(now));
  try {
    await until(async () => (await stored(1)) > 0, 15_000);
    const row = await scheduled(1);
    assert.deepEqual([row.deaths, row.failures, row.last_outcome, row.run], [0, 0, 'stored', null]);
  } finally {
    await indexer.close(1_000);
    await indexer.remove(assetAt(1).id);
    ahead = 0;
  }
});

for (const { load, most } of [
  { load: 0, most: 16 },
  { load: 0.95, most: 2 },
])
  test(`of sixteen places ${most} are taken where the thread is busy to ${load}`, async () => {
    let active = 0;
    const release = Promise.withResolvers<void>();
    const collector = fakeCollector(now, async () => {
      active += 1;
      await release.promise;
      return undefined;
    });
    const indexer = await start(collector, { concurrency: { market: 16, pools: 1, holders: 1 } }, load);
    const crowd = Array.from({ length: 24 }, (_, index) => assetAt(700 + most * 24 + index));
    try {
      await indexer.add(crowd, market);
      ahead = 60_000;
      await until(async () => active >= most, 15_000);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(active, most);
    } finally {
      ahead = 0;
      release.resolve();
      await indexer.close(1_000);
      for (const asset of crowd) await indexer.remove(asset.id);
    }
  });

test('two workers never make one snapshot at once, and all assets are made in each round', async () => {
  const collector = fakeCollector(now, async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return undefined;
  });
  const quick = { newest: { market: 1, pools: 1, holders: 1 } };
  const settings = { cadence: { ...CADENCE_SECONDS, ...quick } };
  const [one, two] = await Promise.all([start(collector, settings), start(collector, settings)]);
  const told = new Set<string>();
  const reader = createSnapshotReader({ store: database.store, onError: () => undefined });
  reader.onStored((assetId) => told.add(assetId));
  const assets = Array.from({ length: 40 }, (_, index) => assetAt(100 + index));
  await one.add(assets, market);
  await until(
    async () => assets.every(({ id }) => collector.calls.filter((call) => call.startsWith(id)).length >= 3),
    15_000,
  );
  assert.equal(collector.mostAtOnce, 1);
  await until(async () => assets.every(({ id }) => told.has(id)), 3_000);
  const newest = await reader.latest(assetAt(100).id, 'market');
  assert.equal(newest?.kind, 'market');
  const [lag] = (await one.status()).lag.filter((row) => row.chain === 'ethereum' && row.kind === 'market');
  assert.ok(lag && lag.assets === 40 && lag.lateSecondsP99 < 5 && lag.failing === 0 && lag.lastStoredAt !== null);
  for (const { id } of assets) await one.remove(id);
  await Promise.all([one.close(1_000), two.close(1_000), reader.close()]);
});

test('first snapshots go before repeated ones, and many first ones use half of the places', async () => {
  const gate = { open: true, released: new Set<() => void>() };
  const collector = fakeCollector(now, async () => {
    if (!gate.open) await new Promise<void>((resolve) => gate.released.add(resolve));
    return undefined;
  });
  const step = () => {
    for (const release of gate.released) release();
    gate.released.clear();
  };
  // Assets of other tests would be due again on a slow machine.
  await database.store.pool.query(`update index_schedule set due_at = due_at + interval '1 day'`);
  // A first read may fall just before the asset's own place in the grid of its cadence: in a grid of a month nothing falls due by itself.
  const month = { newest: { market: 30 * 86_400, pools: 30 * 86_400, holders: 30 * 86_400 } };
  const indexer = await start(collector, {
    concurrency: { market: 2, pools: 2, holders: 2 },
    cadence: { ...CADENCE_SECONDS, ...month },
  });
  const known = Array.from({ length: 12 }, (_, index) => assetAt(300 + index));
  const isKnown = (call: string) => known.some(({ id }) => call === `${id} market`);
  const crowdIsDue = (ids: readonly string[]) =>
    database.store.pool.query(
      `update index_schedule set due_at = now() - interval '1 minute', queued_at = null
       where asset_id = any($1) and kind = 'market'`,
      [ids],
    );
  const waiting = async (count: number) =>
    until(async () => {
      const { rows } = await database.store.pool.query<{ n: number }>(
        `select count(*) as n from index_schedule s join indexed_assets a using (asset_id)
         where s.kind = 'market' and s.run is null and s.due_at <= now() and a.removed_at is null`,
      );
      return rows[0]?.n === count;
    });
  try {
    await indexer.add(known, market);
    await until(async () => collector.calls.length === 12);
    await until(async () => (await Promise.all(known.map((_, index) => stored(300 + index)))).every((n) => n === 1));

    gate.open = false;
    const ids = known.map(({ id }) => id);
    await crowdIsDue(ids);
    await until(async () => collector.calls.length === 14);
    await waiting(10);
    await indexer.add([assetAt(320)], market);
    await waiting(11);
    step();
    await until(async () => collector.calls.length === 16);
    assert.ok(
      collector.calls.slice(14).includes(`${assetAt(320).id} market`),
      'ten were due before it, and it is read among the next two',
    );

    // Twelve new ones beside nine that are due again: they share the places.
    const crowd = Array.from({ length: 12 }, (_, index) => assetAt(330 + index));
    await indexer.add(crowd, market);
    await until(async () => (await indexer.list({ after: assetAt(340).id, limit: 1 })).length === 1);
    await waiting(21);
    while (collector.calls.slice(14).filter(isKnown).length < 10) {
      const before = collector.calls.length;
      step();
      await until(async () => collector.calls.length >= before + 2);
    }
    const fresh = collector.calls.slice(14).filter((call) => !isKnown(call)).length;
    assert.ok(fresh >= 8 && fresh <= 11, `${fresh} first ones beside ten that were due again`);
    gate.open = true;
    step();
    await until(async () => crowd.every(({ id }) => collector.calls.includes(`${id} market`)));
  } finally {
    gate.open = true;
    step();
    for (const asset of [...known, assetAt(320), ...Array.from({ length: 12 }, (_, index) => assetAt(330 + index))])
      await indexer.remove(asset.id);
    await indexer.close(1_000);
  }
});

test('a requested snapshot that was never made is made at once; one that failed keeps its pause', async () => {
  const collector = fakeCollector(now, async (asset) =>
    asset.id === assetAt(351).id ? { ok: false, reason: 'no_source_reachable', detail: 'all away' } : undefined,
  );
  const indexer = await start(collector);
  try {
    await indexer.add([assetAt(350), assetAt(351)], { ...market, cadence: 'hourly' });
    await until(async () => collector.calls.length === 2);
    await until(async () => (await scheduled(351)).failures === 1);
    await database.store.pool.query(
      `update index_schedule set due_at = now() + interval '5 hours', last_ended_at = null, queued_at = null
       where asset_id = $1`,
      [assetAt(350).id],
    );
    const fine = await indexer.awaited(assetAt(350).id, 'market');
    assert.deepEqual([fine?.isMade, fine?.isOver, fine?.failures], [true, false, 0]);
    await until(async () => collector.calls.length === 3);
    assert.equal(collector.calls[2], `${assetAt(350).id} market`);

    const failed = await indexer.awaited(assetAt(351).id, 'market');
    assert.deepEqual([failed?.failures, failed?.outcome], [1, 'no_source_reachable']);
    assert.equal((await indexer.awaited(assetAt(350).id, 'holders'))?.isMade, false);
    assert.equal(await indexer.awaited(assetAt(352).id, 'market'), null);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(collector.calls.length, 3);
  } finally {
    await indexer.remove(assetAt(350).id);
    await indexer.remove(assetAt(351).id);
    await indexer.close(1_000);
  }
});

test('an asset that always fails waits longer each time, gives the reason, and affects no other', async () => {
  const collector = fakeCollector(now, async (asset) => {
    if (asset.id === assetAt(2).id) throw new Error('poison');
    return asset.id === assetAt(3).id ? { ok: false, reason: 'no_source_reachable', detail: 'all away' } : undefined;
  });
  const indexer = await start(collector);
  await indexer.add([assetAt(2)], market);
  await indexer.add([assetAt(3)], market);
  await indexer.add([assetAt(4)], market);
  const pauses: number[] = [];
  for (let failures = 1; failures <= 3; failures += 1) {
    await until(async () => (await scheduled(2)).failures === failures && (await scheduled(3)).failures === failures);
    const row = await scheduled(2);
    pauses.push(row.pauseSeconds);
    ahead += row.pauseSeconds * 1000 + 30_000;
  }
  const [first = 0, second = 0, third = 0] = pauses;
  assert.ok(first >= 60 && Math.abs(second - 2 * first) < 1 && Math.abs(third - 4 * first) < 1, pauses.join(' '));
  assert.ok((await stored(4)) >= 1);
  const { troubled } = await indexer.status();
  assert.deepEqual(
    troubled.filter((row) => row.assetId === assetAt(3).id).map((row) => [row.outcome, row.detail]),
    [['no_source_reachable', 'all away']],
  );
  assert.ok(errors.some((line) => line.includes('poison')));
  for (const asset of [2, 3, 4]) await indexer.remove(assetAt(asset).id);
  await indexer.close(1_000);
  ahead = 0;
});

test('a clock that is set back by an hour stops nothing', async () => {
  ahead = HOUR_MS;
  const collector = fakeCollector(now);
  const indexer = await start(collector, { housekeepingMs: 100 });
  await indexer.add([assetAt(5)], market);
  await until(async () => (await stored(5)) === 1);
  ahead = 0;
  await until(async () => (await stored(5)) === 2);
  const row = await scheduled(5);
  assert.ok(Date.parse(row.due_at) <= now() + 61_000);
  const reader = createSnapshotReader({ store: database.store, onError: () => undefined });
  assert.ok(
    Date.parse((await reader.latest(assetAt(5).id, 'market'))?.asOf ?? '') > now() + HOUR_MS / 2,
    'the newest stays',
  );
  await reader.close();
  await indexer.remove(assetAt(5).id);
  await indexer.close(1_000);
});

test('a stop returns unfinished runs: due at once for another process, and not counted as deaths', async () => {
  const begun = Promise.withResolvers<void>();
  const stuck = fakeCollector(now, async (_asset, _kind, signal) => {
    begun.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { ok: false, reason: 'cancelled', detail: 'stopped' };
  });
  const one = await start(stuck);
  await one.add([assetAt(6)], market);
  await begun.promise;
  const startedAt = performance.now();
  await one.close(100);
  assert.ok(performance.now() - startedAt < 3_000);
  const row = await scheduled(6);
  assert.deepEqual([row.run, row.deaths, row.failures], [null, 0, 0]);
  const two = await start(fakeCollector(now));
  await until(async () => (await stored(6)) === 1);
  await two.remove(assetAt(6).id);
  await two.close(1_000);
});

test('a collector that never ends is aborted at the limit of its kind', async () => {
  const collector = fakeCollector(now, () => new Promise(() => undefined));
  const indexer = await start(collector, { longestSeconds: { market: 1, pools: 1, holders: 1 } });
  await indexer.add([assetAt(7)], market);
  await until(async () => (await scheduled(7)).last_outcome === 'too_slow');
  await indexer.remove(assetAt(7).id);
  await indexer.close(100);
});

test('a database that crashes while a snapshot is made costs no snapshot', { skip: NEEDS_OWN_SERVER }, async () => {
  const crash = Promise.withResolvers<void>();
  const collector = fakeCollector(now, async () => {
    await crash.promise;
    return undefined;
  });
  const indexer = await start(collector);
  await indexer.add([assetAt(8)], market);
  await until(async () => collector.calls.length === 1);
  const { rows } = await database.store.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  // One server process killed: PostgreSQL ends them all and recovers, as after a power cut.
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  crash.resolve();
  await until(async () => (await stored(8)) === 1, 15_000);
  assert.equal((await scheduled(8)).last_outcome, 'stored');
  await indexer.remove(assetAt(8).id);
  await indexer.close(1_000);
});

test('what is paused, removed or not wanted any more is not made again', async () => {
  const collector = fakeCollector(now);
  const indexer = await start(collector);
  const [paused, removed, rated] = [assetAt(60), assetAt(61), assetAt(62)];
  await indexer.add([paused], market);
  await indexer.add([removed], market);
  const wantedUntil = new Date(now() + 30 * 24 * HOUR_MS).toISOString();
  await indexer.add([rated], { cadence: 'hourly', addedBy: 'rated', wantedUntil });
  await until(async () => collector.calls.length === 5);
  assert.deepEqual([await indexer.pause(paused.id, true), await indexer.remove(removed.id)], [true, true]);
  ahead = 31 * 24 * HOUR_MS;
  await indexer.add([assetAt(63)], market);
  await until(async () => collector.calls.length === 6);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(collector.calls.slice(5), [`${assetAt(63).id} market`]);
  for (const asset of [paused, rated, assetAt(63)]) await indexer.remove(asset.id);
  await indexer.close(1_000);
  ahead = 0;
});

test('the configuration’s list and rated assets are indexed; a text that names no asset is named', async () => {
  const indexer = await start(fakeCollector(now));
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  assert.deepEqual(await indexer.configured([`solana:${mint}`, 'eth:native', 'solana:nonsense', 'a:b']), [
    'solana:nonsense',
    'a:b',
  ]);
  const unchained = { ...assetAt(9), id: 'project:x.org', chain: null, address: null };
  await database.store.db.transaction().execute(async (transaction) => {
    await indexer.rated(transaction, assetAt(9), new Set());
    await indexer.rated(transaction, unchained, new Set());
  });
  const rows = await indexer.list({ after: '', limit: 10 });
  const seen = rows.map((row) => [row.asset.chain, row.asset.address, row.cadence, row.addedBy, row.kinds.length]);
  assert.deepEqual(seen, [
    ['ethereum', assetAt(9).address, 'hourly', 'rated', 3],
    ['ethereum', 'native', 'newest', 'configuration', 1],
    ['solana', mint, 'newest', 'configuration', 3],
  ]);
  assert.notEqual(rows[0]?.wantedUntil, null);
  await indexer.add([assetAt(9)], { cadence: 'newest', addedBy: 'cli' });
  const [widened] = await indexer.list({ after: '', limit: 1 });
  assert.deepEqual([widened?.cadence, widened?.wantedUntil], ['newest', null]);
  await until(async () => (await stored(9)) === 3);
  await indexer.close(1_000);
});

test('a rated asset that is not indexed is found at the next start, and read before others', async () => {
  const { db } = database.store;
  const asset = assetAt(360);
  const at = new Date(now()).toISOString();
  await storeRatedAsset(db, asset, at);
  const collector = fakeCollector(now);
  const indexer = await start(collector);
  try {
    await until(async () => collector.calls.filter((call) => call.startsWith(asset.id)).length === 3);
    const [row] = await indexer.list({ after: assetAt(359).id, limit: 1 });
    assert.deepEqual([row?.asset.id, row?.addedBy, row?.cadence], [asset.id, 'rated', 'hourly']);
    // What an administrator removed stays removed until it is rated again.
    await indexer.remove(asset.id);
    await indexer.repair();
    assert.notEqual((await indexer.list({ after: assetAt(359).id, limit: 1 }))[0]?.asset.id, asset.id);
  } finally {
    await indexer.close(1_000);
  }
});

test('a service that was down for three midnights closes each day before it continues', async () => {
  const mine = fakeCollector(now);
  ahead = 100 * 24 * HOUR_MS;
  const first = await start(mine);
  const asset = { ...assetAt(70), id: 'eip155:8453/erc20:0x70', chain: 'base' };
  await first.add([asset], market);
  await until(async () => mine.calls.includes(`${asset.id} market`) && (await first.status()).lag.some(hasStored));
  await first.close(1_000);
  const added = new Date(now()).toISOString().slice(0, 10);
  ahead += 4 * 24 * HOUR_MS;
  const second = await start(fakeCollector(now), { closeDelayMs: 0 });
  const closed = await closedDays(database.store.db, 'base');
  assert.deepEqual([closed[0]?.day, closed.length], [added, 4]);
  assert.deepEqual(
    closed.map(({ rows }) => rows),
    [1, 1, 0, 0],
    'a snapshot stands for its day and, as old as it honestly is, for the next',
  );
  assert.equal((await second.status()).closed.find(({ chain }) => chain === 'base')?.day, closed[3]?.day);
  await second.close(1_000);
  ahead = 0;
});

const hasStored = (row: { readonly chain: string; readonly lastStoredAt: string | null }) =>
  row.chain === 'base' && row.lastStoredAt !== null;

async function until(holds: () => Promise<boolean>, milliseconds = 8_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end)
      throw new Error(`it did not come true in ${milliseconds / 1000} s: ${errors.join('; ')}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

test('with the clock of the database beside its own, a process whose clock is ahead does not close today', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const { db, pool } = database.store;
  // As if nothing had been closed by the tests above.
  await pool.query('delete from daily_rows');
  await pool.query('delete from daily_closes');
  ahead = 24 * HOUR_MS;
  const close = async (closesBy?: () => Promise<number>) => {
    const options = { store: database.store, collector: fakeCollector(now), now, onError: () => undefined };
    await (await startIndexer({ ...options, ...(closesBy === undefined ? {} : { closesBy }) })).close(1_000);
    return (await closedDays(db, assetAt(1).chain ?? '')).map(({ day }) => day).includes(today);
  };
  assert.equal(await close(() => earlierOfClocks(db, now())), false);
  assert.equal(await close(), true, 'by its own clock it would');
  ahead = 0;
});
