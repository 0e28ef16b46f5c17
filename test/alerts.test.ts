import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { alertsCommand } from '../src/cli/alerts.ts';
import type { CliContext } from '../src/cli/context.ts';
import { type AlertQuery, createAlertBook, followAlerts } from '../src/monitoring/alerts/alert-book.ts';
import { publishedRating } from '../src/monitoring/alerts/fixtures/published.ts';
import { storeRating } from '../src/monitoring/alerts/fixtures/store-rating.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { acknowledgeAlert, alertsAfter, alertsOfAccount } from '../src/store/ratings/alerts.ts';
import { monitorAsset, takeDueRatings } from '../src/store/ratings/monitored.ts';
import { entriesOfAccount, putEntry, removeEntry } from '../src/store/ratings/watchlist.ts';
import { AS_A_SERVICE } from './support/service-arguments.ts';

let database: TestDatabase;
const START = Date.UTC(2026, 2, 1);
const at = (second: number) => new Date(START + second * 1000).toISOString();
const THRESHOLDS = JSON.stringify({ minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null });
const NO_FILTER = { kind: null, assetId: null, acknowledged: null, since: null };
const ALL = { before: null, limit: 1_000 };

before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const watch = (accountId: string, assetId: string, most = 10) =>
  putEntry(
    database.store.db,
    { account_id: accountId, asset_id: assetId, added_at: at(0), note: null, thresholds: THRESHOLDS },
    most,
  );
const rate = (assetId: string, second: number, score: number) =>
  database.store.db.transaction().execute((transaction) => storeRating(transaction, rating(assetId, second, score)));
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('it never came true');
}
const rating = (assetId: string, second: number, score: number) =>
  publishedRating(assetId, `${assetId} ${second}`, at(second), { score, band: 'A', flags: [] });

test('each account is notified of its own entries, once, and a rating of an earlier time raises no alert', async () => {
  const { db } = database.store;
  await rate('own', 0, 70);
  assert.equal(await watch('acc_a', 'own'), 'added');
  assert.equal(await watch('acc_b', 'other'), 'added');
  assert.deepEqual((await rate('own', 1, 67)).openAlerts, false);
  assert.deepEqual((await rate('own', 2, 64)).openAlerts, true);
  await rate('own', 1.5, 10);
  const alerts = await alertsOfAccount(db, 'acc_a', NO_FILTER, ALL);
  assert.deepEqual(
    alerts.map(({ kind, severity }) => [kind, severity]),
    [['score_change', 'medium']],
  );
  assert.deepEqual(await alertsOfAccount(db, 'acc_b', NO_FILTER, ALL), []);
  const [alert] = alerts;
  assert.ok(alert);
  assert.equal(await acknowledgeAlert(db, { accountId: 'acc_b', id: alert.id }, { keyId: 'k', at: at(3) }), null);
  const first = await acknowledgeAlert(db, { accountId: 'acc_a', id: alert.id }, { keyId: 'k', at: at(3) });
  assert.equal(first?.acknowledged_at, at(3));
  const again = await acknowledgeAlert(db, { accountId: 'acc_a', id: alert.id }, { keyId: 'other', at: at(9) });
  assert.deepEqual(again, first);
});

test('a watchlist is limited by the plan, is changed in place, and shows the assets’ current ratings', async () => {
  const { db } = database.store;
  await rate('listed', 0, 55);
  assert.equal(await watch('acc_full', 'listed', 2), 'added');
  assert.equal(await watch('acc_full', 'unrated', 2), 'added');
  assert.equal(await watch('acc_full', 'third', 2), 'full');
  assert.equal(await watch('acc_full', 'listed', 2), 'changed');
  await rate('listed', 1, 40);
  const entries = await entriesOfAccount(db, 'acc_full');
  assert.deepEqual(
    entries.map((entry) => [entry.assetId, entry.score, entry.band, entry.openAlerts, entry.lastAlert]),
    [
      ['listed', 40, 'A', 1, at(1)],
      ['unrated', null, null, 0, null],
    ],
  );
  assert.equal(await removeEntry(db, 'acc_b', 'listed'), false);
  assert.equal(await removeEntry(db, 'acc_full', 'listed'), true);
});

test('a reader that continues after the last number it saw misses no alert that is committed later', async () => {
  const { db } = database.store;
  for (const asset of ['slow', 'quick']) {
    await rate(asset, 0, 70);
    await watch('acc_reader', asset);
  }
  const release = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  const slow = db.transaction().execute(async (transaction) => {
    await storeRating(transaction, rating('slow', 1, 50));
    waiting.resolve();
    await release.promise;
  });
  await waiting.promise;
  let quickDone = false;
  const quick = rate('quick', 1, 50).then(() => {
    quickDone = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  // The later number waits for the earlier one, which alone makes the order of commits the order of numbers.
  assert.equal(quickDone, false);
  assert.deepEqual(await alertsAfter(db, 'acc_reader', 0, 10), []);
  release.resolve();
  await Promise.all([slow, quick]);
  const seen = await alertsAfter(db, 'acc_reader', 0, 10);
  assert.deepEqual(
    seen.map(({ id, asset_id }) => [id, asset_id]),
    [
      [1, 'slow'],
      [2, 'quick'],
    ],
  );
});

test('an account’s streams are counted over all processes, and those of one that ends are free again', async () => {
  const { store } = database;
  const [one, two] = [0, 1].map(() => createAlertBook(store, Date.now, (error) => assert.fail(error as Error)));
  assert.ok(one && two);
  try {
    // Exactly one of them gets it as soon as both are connected.
    await eventually(async () => {
      const both = await Promise.all([one, two].map((book) => book.takeStream('acc_probe', 1)));
      for (const giveBack of both) giveBack?.();
      return both.includes(null);
    });
    const taken = await Promise.all([one, two, one].map((book) => book.takeStream('acc_streams', 3)));
    assert.ok(taken.every((giveBack) => giveBack !== null));
    assert.equal(await two.takeStream('acc_streams', 3), null);
    assert.ok(await two.takeStream('acc_others', 1));
    taken[0]?.();
    await eventually(async () => {
      const next = await two.takeStream('acc_streams', 3);
      next?.();
      return next !== null;
    });
    await one.close();
    for (let free = 0; free < 2; free += 1)
      await eventually(async () => (await two.takeStream('acc_streams', 3)) !== null);
    assert.equal(await two.takeStream('acc_streams', 3), null);
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
});

test('a feed of no alerts is refused; it followed for ever', async () => {
  const said: string[] = [];
  const terminal = { out: assert.fail, err: (line: string) => said.push(line), progress: () => undefined };
  const followAlerts = () => assert.fail('it follows');
  const code = await alertsCommand.run(['tail', '--count', '0'], { terminal, followAlerts } as unknown as CliContext);
  assert.deepEqual([code, said], [64, ['--after must be a whole number, and --count one from 1']]);
});

test('the operator’s feed shows every account’s alerts once, in the order of their numbers', async () => {
  const { db } = database.store;
  await rate('fed', 0, 70);
  for (const account of ['acc_fed_1', 'acc_fed_2']) await watch(account, 'fed');
  const stop = new AbortController();
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: assert.fail, progress: () => undefined };
  const tail = alertsCommand.run(['tail', '--count', '4', '--json'], {
    terminal,
    followAlerts: async (options: AlertQuery) => followAlerts(db, options, stop.signal),
  } as unknown as CliContext);
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const [second, score] of [60, 50].entries()) await rate('fed', second + 1, score);
  assert.equal(await tail, 0);
  const shown = lines.map((line) => JSON.parse(line) as { accountId: string; id: number });
  for (const account of ['acc_fed_1', 'acc_fed_2'])
    assert.deepEqual(
      shown.filter(({ accountId }) => accountId === account).map(({ id }) => id),
      [1, 2],
    );
  const again = ['tail', '--account', 'acc_fed_2', '--after', '1', '--count', '1'];
  await alertsCommand.run(again, {
    terminal,
    followAlerts: async (options: AlertQuery) => followAlerts(db, options, stop.signal),
  } as unknown as CliContext);
  assert.match(
    lines.at(-1) ?? '',
    /^2026-\S+ {2}acc_fed_2 #2 {2}high {5}score_change {2}A fed {2}Score down 10 points/,
  );
});

test('a watched asset that was rated once is monitored as long as it is watched', async () => {
  const { db } = database.store;
  const due = async (asset: string) =>
    (await takeDueRatings(db, at(100), 1_000, 0)).some(({ asset_id }) => asset_id === asset);
  const plan = { wanted_until: at(0), due_at: at(0), cadence_seconds: 86_400, reason: 'watched' };
  for (const asset of ['rated', 'never rated'])
    await monitorAsset(db, { asset_id: asset, added_by: 'watched', added_at: at(0), ...plan }, false);
  await rate('rated', 0, 70);
  assert.equal(await due('rated'), false);
  for (const account of ['acc_a', 'acc_b']) await watch(account, 'rated');
  await watch('acc_a', 'never rated');
  assert.deepEqual([await due('rated'), await due('never rated')], [true, false]);
  await rate('never rated', 1, 70);
  assert.equal(await due('never rated'), true);
  await removeEntry(db, 'acc_a', 'rated');
  assert.equal(await due('rated'), true);
  await removeEntry(db, 'acc_b', 'rated');
  assert.equal(await due('rated'), false);
});

test('a transaction that is rolled back leaves no alert, no gap and no moved baseline', async () => {
  const { db } = database.store;
  await rate('undone', 0, 70);
  await watch('acc_undone', 'undone');
  const failing = db.transaction().execute(async (transaction) => {
    await storeRating(transaction, rating('undone', 1, 50));
    throw new Error('undone');
  });
  await assert.rejects(failing, /undone/);
  await rate('undone', 2, 50);
  const alerts = await alertsAfter(db, 'acc_undone', 0, 10);
  assert.deepEqual(
    alerts.map(({ id, created_at }) => [id, created_at]),
    [[1, at(2)]],
  );
});

test('two hundred accounts of two assets, rated at once and in turn, are notified of each cause once', async () => {
  const { db } = database.store;
  const accounts = Array.from({ length: 200 }, (_, index) => `acc_many_${index}`);
  for (const asset of ['many a', 'many b']) {
    await rate(asset, 0, 70);
    for (const account of accounts) await watch(account, asset);
  }
  await Promise.all(
    ['many a', 'many b'].flatMap((asset) => [1, 2, 3].map((second) => rate(asset, second, 70 - second * 10))),
  );
  const { count, causes } = await db
    .selectFrom('alerts')
    .select((has) => [has.fn.countAll<number>().as('count'), has.fn.count<number>('cause').distinct().as('causes')])
    .where('account_id', 'like', 'acc_many_%')
    .executeTakeFirstOrThrow();
  assert.equal(count, causes * accounts.length);
  assert.ok(causes >= 2);
});

test('a writer killed between rating and alert, eight times, loses no alert and doubles none', async () => {
  const { db } = database.store;
  await rate('killed', -1, 70);
  await watch('acc_killed', 'killed');
  const writer = fileURLToPath(new URL('../src/monitoring/alerts/fixtures/rating-writer.ts', import.meta.url));
  for (let round = 0; round < 8; round += 1) {
    const child = spawn(process.execPath, [...AS_A_SERVICE, writer, database.url, 'killed'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for (let seen = 0; seen <= round % 3; seen += 1) await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  const { count } = await db
    .selectFrom('published_ratings')
    .select((has) => has.fn.countAll<number>().as('count'))
    .where('asset_id', '=', 'killed')
    .executeTakeFirstOrThrow();
  const alerts = await alertsAfter(db, 'acc_killed', 0, 10_000);
  assert.ok(count > 3, `only ${count} ratings were stored`);
  assert.equal(alerts.length, count - 1);
  assert.deepEqual(
    alerts.map(({ id }) => id),
    Array.from({ length: count - 1 }, (_, index) => index + 1),
  );
});
