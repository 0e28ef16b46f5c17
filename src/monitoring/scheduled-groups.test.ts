import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import type { RatingBook } from '../jobs/types.ts';
import type { Database } from '../store/database.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { eventsAfter } from '../store/job-events.ts';
import { putEntry } from '../store/ratings/watchlist.ts';
import { asset, book, publishGroup } from './fixtures/group.ts';
import { requestRatings, scheduledService } from './fixtures/scheduled.ts';

const START = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;
const IDS = Array.from({ length: 12 }, (_, number) => asset(number));

let together: TestDatabase;
let apart: TestDatabase;
before(async () => {
  [together, apart] = await Promise.all([testDatabase(), testDatabase()]);
  for (const { db } of [together.store, apart.store]) await publishGroup(db, IDS, { at: START, round: 0 });
});
after(() => Promise.all([together.close(), apart.close()]));

/** Statements that this process sends, of all its connections. */
let sent = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  sent += 1;
  return (query as (...all: unknown[]) => unknown).apply(this, given);
} as typeof query;

/** How many assets each transaction of ratings had. */
function counting(): { readonly groups: number[]; readonly book: RatingBook } {
  const groups: number[] = [];
  return {
    groups,
    book: {
      ...book,
      lock(transaction, assetIds) {
        groups.push(assetIds.length);
        return book.lock(transaction, assetIds);
      },
    },
  };
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 6_000; turn += 1) {
    if (await check()) return;
    await pause(10);
  }
  assert.fail('it did not happen within a minute');
}

/** All that ended jobs leave, without the numbers and the moments of the server. */
async function leftIn(db: Database) {
  const read = async (text: string) => (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(db)).rows;
  return {
    jobs: await read(
      `select id, state, asset_id, key_id, finished_at, expires_at, failure, owner, lease_until from jobs order by id`,
    ),
    events: await read('select job_id, seq, event from job_events order by job_id, seq'),
    evidence:
      await read(`select job_id, encode(record, 'hex') as record, encode(result, 'hex') as result, result_sha256,
      stored_at from evidence order by job_id`),
    bodies: await read('select sha256, keep_until from bodies order by sha256'),
    ratings:
      await read(`select asset_id, as_of, stored_at, job_id, band, score, flags, action, encode(record, 'hex') as record,
      signature from published_ratings order by asset_id, as_of, job_id`),
    heads: await read(`select h.asset_id, r.job_id, h.as_of, h.band, h.score, encode(h.state_packed, 'hex') as state
      from rated_assets h join published_ratings r on r.asset_id = h.asset_id and r.id = h.rating_id order by asset_id`),
    log: await read('select asset_id, as_of, record_sha256 from log_queue order by asset_id, as_of'),
    alerts: await read(
      'select account_id, id, asset_id, kind, severity, created_at, body from alerts order by account_id, id',
    ),
    watchlist: await read(`select account_id, asset_id, baseline_score, baseline_band, baseline_flags from watchlist
      order by account_id, asset_id`),
    monitored: await read(
      `select asset_id, due_at, cadence_seconds, reason, job_id, failures from monitored_assets order by asset_id`,
    ),
    pegs: await read('select asset_id, currency, target_usd, rated_at, state from peg_watch order by asset_id'),
    peers: await read(
      'select asset_id, day::text, as_of, market_value_usd, readings from peers order by asset_id, day',
    ),
  };
}

test('scheduled ratings that end at once store the same as one by one, with fewer statements', async (t) => {
  const thresholds = JSON.stringify({ minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null });
  for (const { db } of [together.store, apart.store])
    for (const [account, number] of [
      ['acc_a', 0],
      ['acc_a', 1],
      ['acc_b', 1],
      ['acc_b', 5],
    ] as const)
      await putEntry(
        db,
        {
          account_id: account,
          asset_id: asset(number),
          added_at: new Date(START).toISOString(),
          note: null,
          thresholds,
        },
        10,
      );
  const statements: number[] = [];
  const grouped: number[][] = [];
  for (const [database, backgroundKeyId] of [
    [together, 'monitor'],
    [apart, 'nobody'],
  ] as const) {
    let at = START;
    const { groups, book: counted } = counting();
    const { db } = database.store;
    const options = { name: 'one', at: () => at, book: counted, backgroundKeyId };
    const { scoring, begun, end } = await scheduledService(db, options);
    for (const round of [1, 2, 3]) {
      at = START + round * HOUR;
      const jobs = await requestRatings(scoring, IDS);
      await until(() => begun() === IDS.length);
      // Events of the beginning are written by then.
      await pause(700);
      end();
      await until(async () =>
        (await Promise.all(jobs.map((id) => scoring.get(id)))).every((job) => job?.state === 'succeeded'),
      );
    }
    await scoring.close(1_000);
    grouped.push(groups);
    // Of closing a round, without looking for its end.
    statements.push(await ending(database, options));
  }
  const [one, other] = [await leftIn(together.store.db), await leftIn(apart.store.db)];
  assert.deepEqual(one.jobs.length, 4 * IDS.length);
  assert.ok(one.alerts.length > 8, `${one.alerts.length} alerts`);
  // Alerts of an account are numbered as its assets' ratings come, which is not the same order one by one.
  const sorted = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ id: _, ...row }) => JSON.stringify(row)).sort();
  assert.deepEqual(sorted(one.alerts), sorted(other.alerts));
  assert.deepEqual({ ...one, alerts: [] }, { ...other, alerts: [] });
  assert.deepEqual(new Set(grouped[1]), new Set([1]));
  assert.ok(Math.max(...(grouped[0] ?? [])) >= IDS.length - 1, `groups of ${grouped[0]}`);
  const [few = 0, many = 0] = statements;
  t.diagnostic(`statements of ending a rating: ${few.toFixed(1)} together, ${many.toFixed(1)} one by one`);
  assert.ok(few < many / 3, `${few} of ${many}`);
});

/** Statements for each rating while one more round ends. */
async function ending(database: TestDatabase, options: Parameters<typeof scheduledService>[1]): Promise<number> {
  const at = START + 5 * HOUR;
  let ended = 0;
  const { scoring, begun, end } = await scheduledService(database.store.db, {
    ...options,
    at: () => at,
    firstJob: 500,
    onFinished: () => {
      ended += 1;
    },
  });
  await requestRatings(scoring, IDS);
  await until(() => begun() === IDS.length);
  await pause(700);
  sent = 0;
  end();
  await until(() => ended === IDS.length);
  const each = sent / IDS.length;
  await scoring.close(1_000);
  return each;
}

test('a scheduled rating that cannot be stored fails alone', async () => {
  const { db } = together.store;
  const at = START + 9 * HOUR;
  const refused: RatingBook = {
    ...book,
    async keep(transaction, reports, context) {
      await book.keep(transaction, reports, context);
      if (reports.some(({ published }) => published.asset.id === asset(3))) throw new Error('cannot be stored');
    },
  };
  const errors: string[] = [];
  const onError = (error: unknown) => void errors.push(String(error));
  const options = { name: 'two', at: () => at, firstJob: 900, book: refused, onError };
  const { scoring, begun, end } = await scheduledService(db, options);
  const jobs = await requestRatings(scoring, IDS);
  await until(() => begun() === IDS.length);
  end();
  const ended = await Promise.all(jobs.map((id) => scoring.wait(id, 10_000)));
  await scoring.close(1_000);
  assert.deepEqual(
    ended.map((job) => job?.state),
    IDS.map((id) => (id === asset(3) ? 'failed' : 'succeeded')),
  );
  assert.deepEqual(errors, ['Error: cannot be stored']);
  const { rows } = await sql<{
    job_id: string;
  }>`select job_id from published_ratings where job_id = any(${jobs}::text[])`.execute(db);
  assert.equal(rows.length, IDS.length - 1);
});

test('kill -9 loses no scheduled rating that was reported, and leaves none partly stored', async () => {
  const { db } = apart.store;
  const writer = fileURLToPath(new URL('fixtures/scheduled-writer.ts', import.meta.url));
  const told: string[] = [];
  for (const turn of [0, 1, 2]) {
    const child = spawn(process.execPath, [writer, apart.url, String(turn + 1)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => said.split('ready\n').length > 3);
    // Anywhere within the ending of a round, another place each time.
    await pause(turn * 9);
    const over = once(child, 'close');
    child.kill('SIGKILL');
    await over;
    told.push(...said.split('\n').filter((line) => line.startsWith('ended ') && line.endsWith(' succeeded')));
    // As after the lease: what it held is taken up by the next one.
    await sql`update jobs set lease_until = clock_timestamp() where state = 'running'`.execute(db);
  }
  assert.ok(told.length >= 72, `${told.length} told`);
  const { scoring, begun, end } = await scheduledService(db, {
    name: 'last',
    at: () => Date.UTC(2026, 4, 1),
    firstJob: 9_000,
  });
  const open = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from jobs where state in ('queued', 'running')`.execute(db))
      .rows[0]?.n ?? 0;
  await until(async () => begun() === (await open()));
  end();
  await until(async () => (await open()) === 0);
  await scoring.close(1_000);

  // Each table by itself: on a cluster they lie on different servers.
  const { rows: jobs } = await sql<{ id: string; state: string }>`select id, state from jobs`.execute(db);
  const { rows: kept } = await sql<{ id: string }>`select job_id as id from evidence`.execute(db);
  const { rows: ratings } = await sql<{ id: string; job: string }>`
    select id::text, job_id as job from published_ratings`.execute(db);
  const withEvidence = new Set(kept.map(({ id }) => id));
  // Some were packed meanwhile.
  const endsOf = async (id: string) =>
    (await eventsAfter(db, id, 0)).filter(({ event }) => event.includes('"succeeded"')).length;
  const ended = await Promise.all(
    jobs.map(async ({ id, state }) => ({
      id,
      state,
      evidence: withEvidence.has(id),
      ratings: ratings.filter(({ job }) => job === id).length,
      ends: await endsOf(id),
    })),
  );
  assert.deepEqual(
    ended.filter((job) => !(job.state === 'succeeded' && job.evidence && job.ratings === 1 && job.ends === 1)),
    [],
  );
  const known = new Set(jobs.map((job) => job.id));
  assert.deepEqual(
    told.map((line) => line.split(' ')[1] ?? '').filter((id) => !known.has(id)),
    [],
  );
  const { rows: logged } = await sql<{ id: string }>`select rating_id::text as id from log_queue`.execute(db);
  const inLog = new Set(logged.map(({ id }) => id));
  assert.deepEqual(
    ratings.filter(({ id }) => !inLog.has(id)),
    [],
  );
});
