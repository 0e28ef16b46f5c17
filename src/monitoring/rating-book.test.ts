import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { putEntry } from '../store/ratings/watchlist.ts';
import { asset, publishGroup } from './fixtures/group.ts';

const START = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;
const IDS = Array.from({ length: 8 }, (_, number) => asset(number));
const THRESHOLDS = JSON.stringify({ minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null });

let together: TestDatabase;
let apart: TestDatabase;
before(async () => {
  [together, apart] = await Promise.all([testDatabase(), testDatabase()]);
});
after(() => Promise.all([together.close(), apart.close()]));

async function watch(db: Database): Promise<void> {
  for (const [account, numbers] of [
    ['acc_a', [0, 1, 2, 5]],
    ['acc_b', [1, 2]],
  ] as const)
    for (const number of numbers)
      await putEntry(
        db,
        {
          account_id: account,
          asset_id: asset(number),
          added_at: new Date(START).toISOString(),
          note: null,
          thresholds: THRESHOLDS,
        },
        10,
      );
}

/** All that publishing leaves, without the numbers and the moments of the server. */
async function leftIn(db: Database) {
  const read = async (text: string) => (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(db)).rows;
  return {
    ratings: await read(`select r.asset_id, r.as_of, r.stored_at, r.job_id, r.band, r.score, r.flags, r.action,
      encode(r.record, 'hex') as record, r.signature from published_ratings r order by asset_id, job_id`),
    heads:
      await read(`select h.asset_id, r.job_id, h.as_of, h.stored_at, h.category, h.symbol_folded, h.asset, h.request, h.band,
      h.score, h.liquidity_usd, h.flags, h.action, encode(h.state_packed, 'hex') as state
      from rated_assets h join published_ratings r on r.asset_id = h.asset_id and r.id = h.rating_id order by asset_id`),
    log: await read(`select q.asset_id, q.as_of, q.record_sha256, r.job_id from log_queue q
      join published_ratings r on r.asset_id = q.asset_id and r.id = q.rating_id order by q.asset_id, r.job_id`),
    // The number of an alert within its account follows the order of its causes, which is that of the assets in a group.
    alerts: await read(`select account_id, asset_id, kind, severity, created_at, body from alerts
      order by account_id, asset_id, created_at, kind`),
    numbers: await read('select account_id, last_id from alert_numbers order by account_id'),
    watchlist: await read(`select account_id, asset_id, baseline_score, baseline_band, baseline_flags from watchlist
      order by account_id, asset_id`),
    monitored: await read(`select asset_id, added_by, wanted_until, due_at, cadence_seconds, reason, job_id, failures
      from monitored_assets order by asset_id`),
    pegs: await read('select asset_id, currency, target_usd, rated_at, state from peg_watch order by asset_id'),
  };
}

test('ratings published in one transaction leave what they leave in one each', async () => {
  for (const { db } of [together.store, apart.store]) {
    await publishGroup(db, IDS, { at: START, round: 0 });
    await watch(db);
  }
  for (const round of [1, 2, 3]) {
    const given = { at: START + round * HOUR, round, late: round === 3 ? [asset(2), asset(5)] : [] };
    await publishGroup(together.store.db, IDS.toReversed(), given);
    for (const id of IDS) await publishGroup(apart.store.db, [id], given);
  }
  const [one, other] = [await leftIn(together.store.db), await leftIn(apart.store.db)];
  assert.deepEqual(one, other);
  assert.equal(one.ratings.length, 4 * IDS.length);
  assert.equal(one.log.length, 4 * IDS.length);
  assert.equal(one.pegs.length, 2);
  assert.ok(one.alerts.length > 12, `${one.alerts.length} alerts`);
  // The late ones are in the history alone.
  assert.deepEqual(
    one.heads.map((head) => head.job_id),
    IDS.map((id) => `${id === asset(2) || id === asset(5) ? 2 : 3} ${id.slice(-4)}`),
  );
});

test('a group of which one rating cannot be stored leaves nothing', async () => {
  const { db } = together.store;
  const before = await leftIn(db);
  // The job of one asset is published already.
  const again = publishGroup(db, [asset(20), asset(3), asset(21)], { at: START + 9 * HOUR, round: 3 });
  await assert.rejects(again, /published_ratings_job/);
  assert.deepEqual(await leftIn(db), before);
});

test('groups that overlap in any order wait for each other and end', async () => {
  const { db } = apart.store;
  const ids = Array.from({ length: 12 }, (_, number) => asset(40 + number));
  const rounds = 24;
  await Promise.all(
    Array.from({ length: rounds }, (_, round) => {
      const turned = [...ids.slice(round % 12), ...ids.slice(0, round % 12)];
      return publishGroup(db, round % 2 === 0 ? turned : turned.toReversed(), {
        at: START + 10 * HOUR,
        round: 100 + round,
      });
    }),
  );
  const { rows } = await sql<{ asset_id: string; n: number }>`select asset_id, count(*)::int as n from published_ratings
    where asset_id = any(${ids}::text[]) group by asset_id`.execute(db);
  assert.deepEqual(
    rows.map((row) => row.n),
    ids.map(() => rounds),
  );
});

test('kill -9 leaves each group whole or not at all', async () => {
  const { db } = together.store;
  const writer = fileURLToPath(new URL('fixtures/group-writer.ts', import.meta.url));
  for (const turn of [0, 1, 2]) {
    const child = spawn(process.execPath, [writer, together.url, String(1_000 * (turn + 1))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    while (!said.includes(`round ${1_000 * (turn + 1) + 3}\n`)) await pause(5);
    // Anywhere within a round, another place each time.
    await pause(turn * 7);
    const over = once(child, 'close');
    child.kill('SIGKILL');
    await over;
  }
  // Its connections end with their processes; what they had open is undone first.
  await publishGroup(db, IDS, { at: START + 20 * HOUR, round: 9_999 });
  const { rows: groups } = await sql<{ round: string; n: number }>`
    select split_part(job_id, ' ', 1) as round, count(*)::int as n from published_ratings
    where split_part(job_id, ' ', 1)::int between 1000 and 9000 group by 1`.execute(db);
  assert.ok(groups.length >= 9, `${groups.length} rounds`);
  assert.deepEqual(
    groups.filter((group) => group.n !== 12),
    [],
  );
  // A statement for each table: on a cluster they lie on several nodes.
  const { rows: ratings } = await sql<{ id: number; asset_id: string }>`
    select id, asset_id from published_ratings order by as_of, id`.execute(db);
  const { rows: queued } = await sql<{ rating_id: number }>`select rating_id from log_queue`.execute(db);
  const { rows: heads } = await sql<{ asset_id: string; rating_id: number }>`
    select asset_id, rating_id from rated_assets`.execute(db);
  const newest = new Map(ratings.map(({ id, asset_id }) => [asset_id, id]));
  assert.deepEqual(
    queued.map((row) => row.rating_id).sort((one, other) => one - other),
    ratings.map(({ id }) => id).sort((one, other) => one - other),
  );
  assert.deepEqual(new Map(heads.map((head) => [head.asset_id, head.rating_id])), newest);
});
