import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Snapshot } from '../src/contract/index.ts';
import { type AccountRule, alertOnThresholds } from '../src/monitoring/thresholds/alerts.ts';
import { createThresholdBook } from '../src/monitoring/thresholds/book.ts';
import { connect } from '../src/store/database.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { insertKey } from '../src/store/keys.ts';
import { assetAt, snapshotOf } from '../src/store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter, type SnapshotWriter } from '../src/store/snapshots/write.ts';
import { holdersSnapshot } from './support/chain-snapshots.ts';
import { AS_A_SERVICE } from './support/service-arguments.ts';

let database: TestDatabase;
let writer: SnapshotWriter;
let clock = Date.now() - 3_600_000;
const served = () => ['INTERNAL'];

before(async () => {
  database = await testDatabase();
  writer = createSnapshotWriter(database.store.pool);
  for (const account of ['acc_1', 'acc_2', 'acc_killed']) await key(account, ['chain:read']);
});
after(() => database.close());

async function key(account: string, scopes: readonly string[]): Promise<void> {
  await insertKey(database.store.db, {
    id: `key_${account}_${scopes.join('_')}`,
    account_id: account,
    name: 'key',
    prefix: 'ak_live_',
    secret_sha256: randomBytes(32),
    scopes: [...scopes],
    plan: 'INTERNAL',
    allowed_ips: [],
    created_at: new Date().toISOString(),
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    rotated_from: null,
  });
}
const rule = (more: Partial<AccountRule> = {}): AccountRule => ({
  figure: 'price_usd',
  condition: 'above',
  value: 2,
  windowSeconds: null,
  hysteresisPct: 5,
  severity: 'high',
  ...more,
});
async function store(...snapshots: readonly Snapshot[]): Promise<void> {
  await writer.store(snapshots.map(snapshotRow), Date.now());
}
async function price(asset: ReturnType<typeof assetAt>, priceUsd: number): Promise<string> {
  clock += 1_000;
  const asOf = new Date(clock).toISOString();
  await store(snapshotOf(asset, 'market', asOf, priceUsd));
  return asOf;
}
const bookNow = () => createThresholdBook(database.store.db, Date.now);
const set = (account: string, asset: ReturnType<typeof assetAt>, rules: readonly AccountRule[], most = 10) =>
  bookNow().put(account, { id: asset.id, chain: 'ethereum' }, { note: null, rules }, most);
const alertsOf = (asset: ReturnType<typeof assetAt>) =>
  database.store.db.selectFrom('alerts').selectAll().where('asset_id', '=', asset.id).orderBy('id').execute();

test('each account is notified once of a crossing, with the figures, their time and their age, by any process', async () => {
  const asset = assetAt(1);
  await price(asset, 1);
  for (const account of ['acc_1', 'acc_2', 'acc_gone']) await set(account, asset, [rule()]);
  // Between the two rounds nobody compared: nothing that lies between them is passed over.
  await price(asset, 3);
  await price(asset, 1);
  const at = await price(asset, 2.5);
  const processes = Array.from({ length: 3 }, () => connect(database.url));
  const made = await Promise.all(processes.map(({ db }) => alertOnThresholds(db, () => clock + 7_000, served)));
  await Promise.all(processes.map((one) => one.close()));
  assert.equal(
    made.reduce((sum, one) => sum + one, 0),
    4,
  );
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 0);
  const alerts = await alertsOf(asset);
  assert.deepEqual(
    alerts.map((row) => [row.account_id, row.kind, row.severity]).sort(),
    ['acc_1', 'acc_1', 'acc_2', 'acc_2'].map((account) => [account, 'snapshot_threshold', 'high']),
    'no alert for an account without a key',
  );
  const { details } = JSON.parse(alerts.at(-1)?.body ?? '{}');
  assert.deepEqual(
    [details.figure, details.reached, details.from, details.snapshot.as_of, details.snapshot.age_seconds],
    ['price_usd', 2.5, null, at, 7],
  );
  assert.equal(details.snapshot.figures.price_usd, 2.5);
  assert.match(details.snapshot.path, /^\/v1\/ethereum\/market\/0x0+1\/snapshot\?as_of=/);
  assert.equal((await bookNow().get('acc_1', asset.id))?.thresholds[0]?.state, 'crossed');
});

test('a threshold begins at the newest snapshot; an unchanged one is not reported again when others change', async () => {
  const asset = assetAt(2);
  await price(asset, 3);
  await set('acc_1', asset, [rule()]);
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 0, 'it was beyond the line already');
  await price(asset, 1);
  await price(asset, 2);
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 1);
  await set('acc_1', asset, [rule(), rule({ condition: 'below', value: 1.5 })]);
  assert.deepEqual(
    (await bookNow().get('acc_1', asset.id))?.thresholds.map((one) => one.state),
    ['crossed', 'waiting'],
  );
  await price(asset, 2.1);
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 0);
  await price(asset, 1.4);
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 1);
  assert.equal(await bookNow().remove('acc_1', asset.id), true);
  await price(asset, 9);
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 0);
});

test('an older snapshot that is stored late crosses nothing, nor does a price that is not known', async () => {
  const asset = assetAt(3);
  const first = await price(asset, 1);
  await price(asset, 1);
  await set('acc_1', asset, [rule()]);
  await alertOnThresholds(database.store.db, Date.now, served);
  const late = snapshotOf(asset, 'market', new Date(Date.parse(first) + 1).toISOString(), 9);
  const unknown = { ...snapshotOf(asset, 'market', new Date(clock + 500).toISOString()), price_usd: null };
  await store(late, unknown as Snapshot);
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 0);
});

test('more snapshots than one transaction takes are all compared, in their order', async () => {
  const asset = assetAt(4);
  await price(asset, 1);
  await set('acc_1', asset, [rule()]);
  for (let step = 0; step < 130; step += 1) await price(asset, step % 2 === 0 ? 3 : 1);
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 65);
});

test('holders: a list in doubt counts for nothing, and one that is made in another way is a beginning', async () => {
  const asset = assetAt(5);
  const holders = (top: number, more: object = {}) => {
    clock += 1_000;
    const snapshot = holdersSnapshot(asset, new Date(clock).toISOString());
    return { ...snapshot, raw: { ...snapshot.raw, top_10_pct: top }, ...more } as Snapshot;
  };
  await store(holders(40));
  await set('acc_1', asset, [rule({ figure: 'top_10_pct', value: 60 })]);
  await store(holders(80, { status: 'incomplete_enumeration' }));
  await store(holders(70, { method: 'top20_only', status: 'top20_only' }));
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 0);
  await store(holders(50));
  await store(holders(61));
  assert.equal(await alertOnThresholds(database.store.db, Date.now, served), 1);
});

test('an account has thresholds on as many assets as its plan allows, also with concurrent requests', async () => {
  const done = await Promise.all([6, 7, 8].map((index) => set('acc_few', assetAt(index), [rule()], 2)));
  assert.deepEqual(done.map(({ outcome }) => outcome).sort(), ['added', 'added', 'full']);
  assert.equal(await bookNow().used('acc_few'), 2);
  assert.deepEqual(await bookNow().list('acc_other', 'ethereum'), []);
});

test('processes that are killed while they notify lose no crossing and report none twice', async () => {
  const { pool, db } = database.store;
  const asset = assetAt(9);
  await pool.query('truncate snapshots, snapshot_heads, snapshot_thresholds');
  await set('acc_killed', asset, [rule()]);
  // Long enough to be killed between what was taken in and the alert that tells it.
  await pool.query(`create function slowly() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.02); return new; end $$`);
  await pool.query('create trigger slow before insert on alerts for each row execute function slowly()');
  const teller = fileURLToPath(new URL('../src/monitoring/thresholds/fixtures/threshold-notifier.ts', import.meta.url));
  for (let round = 0; round < 6; round += 1) {
    const child = spawn(process.execPath, [...AS_A_SERVICE, teller, database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for (let seen = 0; seen <= round % 3; seen += 1) await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 4 * round));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  // A killed process leaves its last statement to the database.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await alertOnThresholds(db, Date.now, served);
  const { rows } = await pool.query<{ as_of: string; body: Buffer }>(
    'select as_of, body from snapshots order by as_of',
  );
  const prices = rows.map(({ body }) => (JSON.parse(body.toString()) as { price_usd: number }).price_usd);
  const crossings = rows.flatMap(({ as_of }, index) =>
    index > 0 && prices[index] === 3 && prices[index - 1] === 1 ? [new Date(as_of).toISOString()] : [],
  );
  const alerts = await alertsOf(asset);
  assert.ok(crossings.length >= 2, `${crossings.length}`);
  assert.deepEqual(
    alerts.map(({ body }) => JSON.parse(body).details.snapshot.as_of),
    crossings,
  );
  assert.deepEqual(
    alerts.map((row) => row.id),
    alerts.map((_, index) => index + 1),
  );
});
