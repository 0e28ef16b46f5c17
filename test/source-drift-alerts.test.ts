import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadPlans } from '../src/access/index.ts';
import { notifyDrifts } from '../src/monitoring/index.ts';
import { DRIFT_RULES } from '../src/proving/index.ts';
import { connect } from '../src/store/database.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { endSources, takeDueSources, watchSources } from '../src/store/sources.ts';
import { type TestService, testService } from './support/service.ts';
import { AS_A_SERVICE } from './support/service-arguments.ts';

const HOUR_MS = 3_600_000;
const PATH = '/v1/alerts/source-drift';
let database: TestDatabase;
let world: TestService;
let at = Date.UTC(2026, 5, 1);

before(async () => {
  database = await testDatabase();
  world = await testService({ databaseUrl: database.url, logLevel: 'silent' });
});
after(async () => {
  await world.close();
  await database.close();
});

/** One reading of a source, an hour after the last. */
async function reading(source: string, weight: number): Promise<void> {
  at += HOUR_MS;
  const { db } = database.store;
  await watchSources(db, [source]);
  const now = new Date(at).toISOString();
  const due = await takeDueSources(db, [source], now, 'one', 60);
  const text = 'coin, USD Coin: decimals is 18 instead of 6';
  const drift = weight < 1 ? { at: now, endpoint: 'coin', text } : null;
  const found = { weight, state: '{}', drifting: weight < 1 ? ['misstated'] : [], drift };
  await endSources(
    db,
    due.map((row) => ({ source, holder: row.holder, found })),
    now,
    now,
  );
}
const tell = (db = database.store.db) => notifyDrifts(db, () => at, DRIFT_RULES.alerts);
async function read<T>(path: string, key = world.key): Promise<T> {
  const reply = await world.call(path, { key });
  assert.equal(reply.status, 200, await reply.clone().text());
  return (await reply.json()) as T;
}
interface Alert {
  readonly id: number;
  readonly kind: string;
  readonly asset_id: string | null;
  readonly source: string | null;
  readonly severity: string;
  readonly title: string;
  readonly rating_as_of: string | null;
  readonly details: { readonly state: string; readonly sources: readonly Record<string, unknown>[] };
}
const alertsOf = async (key = world.key) =>
  (await read<{ data: Alert[] }>('/v1/alerts?kind=source_drift', key)).data.toReversed();
async function otherAccount(plan = 'RATING'): Promise<string> {
  const json = { name: 'other', scopes: ['rms:read', 'rms:write'], plan };
  const reply = await world.call('/v1/admin/keys', { json });
  assert.equal(reply.status, 201, await reply.clone().text());
  return ((await reply.json()) as { secret: string }).secret;
}

test('a subscribed account is notified of a drift and of its end, once each, and no other account is', async () => {
  const other = await otherAccount();
  const hook = await world.call('/v1/webhooks', { json: { url: 'https://hooks.example.com/drift' } });
  assert.equal(hook.status, 201, await hook.clone().text());
  await reading('coingecko', 0.25);
  assert.equal(await tell(), 0, 'nobody has asked for it');
  assert.deepEqual((await read<{ subscribed: boolean }>(PATH)).subscribed, false);
  const put = await world.call(PATH, { method: 'PUT', json: {} });
  assert.equal(put.status, 200, await put.clone().text());
  // Four processes at once, each with a connection of its own.
  const processes = Array.from({ length: 4 }, () => connect(database.url));
  const made = await Promise.all(processes.map((store) => tell(store.db)));
  await Promise.all(processes.map((store) => store.close()));
  assert.deepEqual(made.toSorted(), [0, 0, 0, 1]);
  await reading('coingecko', 0.25);
  assert.equal(await tell(), 0, 'it still drifts');
  const [opened] = await alertsOf();
  assert.equal(opened?.title, 'Source coingecko changed what it states: coin, USD Coin: decimals is 18 instead of 6');
  assert.deepEqual(
    [opened.asset_id, opened.source, opened.severity, opened.rating_as_of, opened.details.state],
    [null, 'coingecko', 'high', null, 'opened'],
  );
  const [its] = opened.details.sources;
  assert.deepEqual([its?.endpoint, its?.weight, its?.signals], ['coin', 0.25, ['misstated']]);
  const open = await read<{ open: { source: string }[] }>(PATH);
  assert.deepEqual(
    open.open.map((row) => row.source),
    ['coingecko'],
  );
  for (let hour = 0; hour < 8; hour += 1) {
    await reading('coingecko', 1);
    await tell();
  }
  const alerts = await alertsOf();
  assert.deepEqual(
    alerts.map((row) => [row.id, row.details.state, row.severity]),
    [
      [1, 'opened', 'high'],
      [2, 'closed', 'info'],
    ],
  );
  assert.deepEqual(await alertsOf(other), []);
  const { id } = (await hook.json()) as { id: string };
  const sent = await read<{ data: { type: string; alert_id: number }[] }>(`/v1/webhooks/${id}/deliveries`);
  assert.deepEqual(sent.data.map((row) => `${row.type} ${row.alert_id}`).toSorted(), [
    'alert.source_drift 1',
    'alert.source_drift 2',
  ]);
  const acknowledged = await world.call('/v1/alerts/1/acknowledge', { method: 'POST' });
  assert.equal(acknowledged.status, 200, await acknowledged.clone().text());
});

test('a subscription names sources that exist, can be changed and ended, and needs a plan with alerts', async () => {
  const key = await otherAccount();
  const unknown = await world.call(PATH, { method: 'PUT', key, json: { sources: ['coingecko', 'nosuch'] } });
  assert.equal(unknown.status, 400);
  const { errors } = (await unknown.json()) as { errors: { pointer: string }[] };
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['/sources/1'],
  );
  await world.call(PATH, { method: 'PUT', key, json: { sources: ['goplus'] } });
  await reading('coingecko', 0.5);
  await tell();
  assert.deepEqual(await alertsOf(key), []);
  await world.call(PATH, { method: 'PUT', key, json: { sources: ['coingecko'] } });
  await tell();
  assert.deepEqual(
    (await alertsOf(key)).map((row) => row.severity),
    ['medium'],
  );
  assert.equal((await world.call(PATH, { method: 'DELETE', key })).status, 204);
  for (let hour = 0; hour < 8; hour += 1) await reading('coingecko', 1);
  await tell();
  assert.equal((await alertsOf(key)).length, 1);
  assert.equal((await world.call(PATH, { method: 'DELETE', key })).status, 204);
  const small = loadPlans(null).plans.find((plan) => plan.watchlistSize === 0)?.name ?? '';
  const refused = await world.call(PATH, { method: 'PUT', key: await otherAccount(small), json: {} });
  assert.equal(refused.status, 403);
});

test('when many sources change at once an account gets one alert that names them', async () => {
  const key = await otherAccount();
  await world.call(PATH, { method: 'PUT', key, json: {} });
  const names = ['binance', 'coinpaprika', 'defillama', 'dexscreener', 'geckoterminal', 'goplus'];
  for (const name of names) await reading(name, 0.5);
  await tell();
  const [alert, ...more] = await alertsOf(key);
  assert.deepEqual(more, []);
  assert.equal(alert?.source, null);
  assert.match(alert?.title ?? '', /^6 sources \(binance, coinpaprika, .* and 1 more\) changed what they state$/);
  assert.deepEqual(
    alert?.details.sources.map((row) => row.source),
    names,
  );
  for (let hour = 0; hour < 2; hour += 1) for (const name of names) await reading(name, 1);
  at += 8 * HOUR_MS;
  await tell();
  assert.equal((await alertsOf(key)).at(-1)?.details.state, 'closed');
});

test('a process killed while it notifies, six times, loses no end of a drift and reports none twice', async () => {
  const { pool } = database.store;
  await pool.query(`truncate drift_subscriptions cascade`);
  await pool.query(`insert into drift_subscriptions (account_id, created_at) values ('acc_killed', now())`);
  // Long enough to be killed between what the account was told and the alert that tells it.
  await pool.query(`create function slowly() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.02); return new; end $$`);
  await pool.query('create trigger slow before insert on alerts for each row execute function slowly()');
  const teller = fileURLToPath(new URL('../src/monitoring/alerts/fixtures/drift-notifier.ts', import.meta.url));
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
  const { rows } = await pool.query<{ id: number; state: string }>(
    `select id, body::json -> 'details' ->> 'state' as state from alerts where account_id = 'acc_killed' order by id`,
  );
  const { rows: told } = await pool.query(`select 1 from drift_alerts_open where account_id = 'acc_killed'`);
  assert.ok(rows.length >= 3, `${rows.length}`);
  assert.deepEqual(
    rows.map((row) => row.state),
    rows.map((_, index) => (index % 2 === 0 ? 'opened' : 'closed')),
  );
  assert.deepEqual(
    rows.map((row) => Number(row.id)),
    rows.map((_, index) => index + 1),
  );
  assert.equal(told.length, rows.length % 2);
});
