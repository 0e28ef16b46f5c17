import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { type TestDatabase, testDatabase } from '../fixtures/database.ts';
import { NEEDS_ONE_NODE } from '../fixtures/given-server.ts';
import { ensureDays } from '../snapshots/partitions.ts';
import { storeManyRated } from './fixtures/many-rated.ts';
import {
  countUnderWay,
  drainedSince,
  endedWithout,
  noteKeys,
  postponeRatings,
  takeDueRatings,
  unreadKeys,
} from './monitored.ts';

const ROWS = 50_000;
/** All of them fell due at once: nobody worked for a day. */
const DUE_AT = '2026-11-20T00:00:00.000Z';
const NOW = '2026-11-21T00:00:00.000Z';
const LEASE = '2026-11-21T00:01:00.000Z';

let database: TestDatabase;
const db = () => database.store.db;
before(async () => {
  database = await testDatabase();
  await storeManyRated(db(), ROWS);
  await sql`insert into monitored_assets (asset_id, added_by, added_at, due_at, reason, cadence_seconds)
    select asset_id, 'test', ${DUE_AT}, ${DUE_AT}, 'cadence', 3600 from rated_assets`.execute(db());
  await sql`update monitored_assets set job_id = 'job ' || asset_id, job_started_at = ${NOW}
    where asset_id in (select asset_id from monitored_assets order by asset_id desc limit 3)`.execute(db());
  await sql`analyze monitored_assets`.execute(db());
});
after(() => database?.close());

/** How the server goes about the statements that the work sends. */
async function plansOf(table: string, work: () => Promise<unknown>): Promise<string> {
  const spy = mock.method(pg.Client.prototype, 'query');
  await work();
  const sent = spy.mock.calls.map(({ arguments: [first, second] }): { text?: string; values?: unknown[] } => {
    const given: unknown = first;
    return typeof given === 'string' ? { text: given, values: (second ?? []) as unknown[] } : (given as object);
  });
  spy.mock.restore();
  const plans: string[] = [];
  for (const { text = '', values = [] } of sent) {
    if (!text.includes(table)) continue;
    const { rows } = await database.store.pool.query(`explain ${text}`, values);
    plans.push(...rows.map((row) => row['QUERY PLAN'] as string));
  }
  assert.ok(plans.length > 0, 'nothing was asked');
  return plans.join('\n');
}

test('a pass of the monitor sorts and reads only what it takes, however many ratings are due', async () => {
  const turn = async () => {
    await countUnderWay(db());
    await endedWithout(db());
    await takeDueRatings(db(), NOW, 10, 60);
    await unreadKeys(db(), 'ethereum', NOW, 25);
  };
  const plan = await plansOf('monitored_assets', turn);
  for (const index of ['due_first', 'under_way', 'unread'])
    assert.match(plan, new RegExp(`Scan (using|on) monitored_assets_${index}`), plan);
  assert.doesNotMatch(plan, /Seq Scan on (monitored_assets|rated_assets)/, plan);
});

test('what is taken is the longest due, each once, until its lease is over', async () => {
  const ids = (rows: readonly { readonly asset_id: string }[]) => rows.map((row) => row.asset_id);
  const take = () => takeDueRatings(db(), NOW, 40, 60);
  const [first, second] = await Promise.all([take(), take()]);
  const taken = [...ids(first), ...ids(second)];
  assert.equal(new Set(taken).size, 80);
  const { rows } = await sql<{ asset_id: string }>`select asset_id from monitored_assets
    where job_id is null and job_started_at > now() order by asset_id`.execute(db());
  // The turn of the test before had taken ten.
  assert.deepEqual(ids(rows).slice(10), [...taken].sort());
  assert.equal(await countUnderWay(db()), 3);
  await sql`update monitored_assets set job_started_at = now() - interval '1 second' where asset_id = ${taken[7]}`.execute(
    db(),
  );
  assert.deepEqual(ids(await takeDueRatings(db(), NOW, 1, 60)), [taken[7]]);
});

test('an asset is put off only by the job that rates it', async () => {
  const ended = (
    await sql<{ asset_id: string; job_id: string }>`select asset_id, job_id from monitored_assets
    where job_id is not null order by asset_id limit 2`.execute(db())
  ).rows;
  const set = { due_at: LEASE, failures: 4, last_failure: `cut in half: ${'\u{1f600}'.slice(0, 1)}` };
  const [mine, others] = ended;
  await postponeRatings(db(), [
    { asset_id: mine?.asset_id ?? '', job_id: mine?.job_id ?? '', set },
    { asset_id: others?.asset_id ?? '', job_id: 'another job', set },
  ]);
  const { rows } = await sql`select job_id, failures, last_failure from monitored_assets
    where asset_id in (${mine?.asset_id}, ${others?.asset_id}) order by asset_id`.execute(db());
  assert.deepEqual(rows, [
    { job_id: null, failures: 4, last_failure: 'cut in half: \ufffd' },
    { job_id: others?.job_id, failures: 0, last_failure: null },
  ]);
});

test('keys are read of the longest unread of one chain first, and not again before their time', async () => {
  const due = await unreadKeys(db(), 'ethereum', NOW, 3);
  assert.equal(due.length, 3);
  assert.ok(due.every(({ asset_id: id, address }) => id === `eip155:1/erc20:${address}`));
  await noteKeys(
    db(),
    due.map((one) => ({ assetId: one.asset_id, keys: 'owner 0x1' })),
    NOW,
  );
  const next = await unreadKeys(db(), 'ethereum', LEASE, 3);
  assert.ok(next.every((one) => !due.some((other) => other.asset_id === one.asset_id)));
  await sql`update monitored_assets set keys_seen_at = ${LEASE} where keys_seen_at is null`.execute(db());
  assert.deepEqual(await unreadKeys(db(), 'ethereum', LEASE, 9), due);
  assert.deepEqual(await unreadKeys(db(), 'ethereum', NOW, 9), []);
  assert.deepEqual(await unreadKeys(db(), 'solana', LEASE, 9), []);
  assert.deepEqual(await unreadKeys(db(), 'nowhere', LEASE, 9), []);
});

test('the search for drained pools reads the prices of the last minutes, not those of the day', {
  skip: NEEDS_ONE_NODE,
}, async () => {
  const day = '2026-11-20';
  await ensureDays(database.store.pool, 'prices', [day]);
  for (let hour = 0; hour < 6; hour += 1)
    await sql`insert into prices (asset_id, at, chain, price_usd, liquidity_usd)
      select asset_id, ${day}::timestamptz + make_interval(hours => ${hour}, secs => rating_id * 3600.0 / ${ROWS}), 'ethereum', 1, 100000
      from rated_assets order by rating_id`.execute(db());
  await sql`update rated_assets set liquidity_usd = 90000, as_of = ${day}::timestamptz`.execute(db());
  const { rows } = await sql<{
    asset_id: string;
  }>`update prices set liquidity_usd = 40000 where at > ${day}::timestamptz
    + interval '5 hours 58 minutes' and ctid in (select ctid from prices where at > ${day}::timestamptz
    + interval '5 hours 58 minutes' order by at limit 3) returning asset_id`.execute(db());
  await sql`vacuum analyze prices`.execute(db());
  await sql`vacuum analyze rated_assets`.execute(db());
  const since = `${day}T05:55:00.000Z`;
  const found = await drainedSince(db(), since, 0.5);
  assert.deepEqual(found.map((row) => row.asset_id).sort(), rows.map((row) => row.asset_id).sort());
  const plan = await plansOf('prices', () => drainedSince(db(), since, 0.5));
  assert.match(plan, /Bitmap Index Scan on prices_20261120_recent/, plan);
  assert.doesNotMatch(plan, /Seq Scan on prices/, plan);
});
