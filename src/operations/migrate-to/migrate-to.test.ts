import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connect, isReachable, openStore } from '../../store/database.ts';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { partsInOrder } from '../../store/move.ts';
import { ensureDays } from '../../store/snapshots/partitions.ts';
import type { MoveOptions } from './ends.ts';
import { moveDatabase } from './move.ts';

const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20'];
let here: TestDatabase;
let there: TestDatabase;
let sourceUrl: string;

before(async () => {
  [here, there] = await Promise.all([testDatabase({ ownServer: true }), testDatabase({ ownServer: true })]);
  sourceUrl = await source('whole');
});
after(() => Promise.all([here.close(), there.close()]));

/** A database of its own on the first server, filled as an installation would. */
async function source(name: string): Promise<string> {
  const url = await emptyOn(here, name);
  const store = await openStore(url, 'sandbox');
  const { pool } = store;
  await ensureDays(pool, 'prices', DAYS);
  for (const day of DAYS)
    await pool.query(
      `insert into prices select 'solana:' || i, $1::timestamptz + i * interval '1 second', 'solana', 0.1 + i * 0.2, null, 5e-324, 1e300
       from generate_series(1, 2500) i`,
      [`${day}T00:00:00.123456Z`],
    );
  await pool.query(
    `insert into bodies select md5(i::text) || md5(i::text), E'tab\\t newline\\n \\\\N', decode(repeat(md5(i::text), 60), 'hex'), 960, now(), null
     from generate_series(1, 800) i`,
  );
  await pool.query(
    `insert into jobs (id, state, request, request_hash, deadline_seconds, key_id, created_at)
     select 'job_' || i, 'succeeded', '{}', i::text, 20, 'k', now() from generate_series(1, 1500) i`,
  );
  await pool.query(
    `insert into evidence select 'job_' || i, decode('00ff', 'hex'), 'x', decode(repeat('0a09', 200), 'hex'), now() from generate_series(1, 1500) i`,
  );
  await pool.query(`insert into restatements (subject, made_at, reason, body) values ('rms', now(), 'r', 'b')`);
  await store.close();
  return url;
}

let made = 0;
async function emptyOn(server: TestDatabase, name = `target_${++made}`): Promise<string> {
  await server.store.pool.query(`create database ${name}`);
  return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
}

const move = (targetUrl: string, options: Partial<MoveOptions> = {}) =>
  moveDatabase({
    sourceUrl,
    targetUrl,
    dataMode: 'sandbox',
    verifyOnly: false,
    pieceBytes: 64 * 1024,
    onProgress: () => undefined,
    ...options,
  });

async function query(url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table as text, in an order of its own. */
async function contents(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const all: Record<string, string[]> = {};
  for (const { name } of await partsInOrder(client))
    all[name] = (await client.query<{ row: string }>(`select t::text as row from "${name}" t order by 1`)).rows.map(
      ({ row }) => row,
    );
  await client.end();
  return all;
}

test('everything arrives as it was on another server: floats, microseconds, bytes, days, references, the next number', async () => {
  const targetUrl = await emptyOn(there);
  const moved = await move(targetUrl);
  assert.ok(moved.ok, JSON.stringify(moved));
  assert.deepEqual(moved.value.again, []);
  assert.equal(moved.value.rows, moved.value.copied);
  assert.deepEqual(await contents(targetUrl), await contents(sourceUrl));
  const [next] = await query(
    targetUrl,
    `insert into restatements (subject, made_at, reason, body) values ('rms', now(), 'r', 'b') returning id`,
  );
  assert.equal(next?.id, 2);
  await openStore(targetUrl, 'sandbox').then((store) => store.close());
});

test('killed repeatedly at any moment, the move continues and duplicates nothing; no service starts on a partial copy', async () => {
  const targetUrl = await emptyOn(there);
  let killed = 0;
  let refused = 0;
  for (let round = 0; ; round += 1) {
    const outcome = await killedAfter(targetUrl, round < 7 ? 3 + round * 9 : Number.POSITIVE_INFINITY);
    if (outcome !== null) {
      assert.ok(outcome.ok, JSON.stringify(outcome));
      assert.deepEqual(outcome.value.again, []);
      assert.ok(outcome.value.copied < outcome.value.rows, 'what was there was not copied again');
      break;
    }
    killed += 1;
    await openStore(targetUrl, 'sandbox').then(
      (store) => store.close(),
      (error: Error) => {
        assert.match(error.message, /a move into this database is not complete/);
        refused += 1;
      },
    );
  }
  assert.ok(killed >= 5, `killed ${killed} times`);
  assert.equal(refused, killed);
  assert.deepEqual(await contents(targetUrl), await contents(sourceUrl));
});

/** Runs the move as a process and kills it after so many steps. The outcome, or null when it was killed. */
async function killedAfter(
  targetUrl: string,
  steps: number,
): Promise<{ readonly ok: boolean; readonly value: { rows: number; copied: number; again: string[] } } | null> {
  const script = fileURLToPath(new URL('./fixtures/mover.ts', import.meta.url));
  const child = spawn(process.execPath, [script, sourceUrl, targetUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  let last = '';
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    seen += 1;
    if (seen === steps) child.kill('SIGKILL');
  }
  await exit;
  return seen >= steps ? null : JSON.parse(last);
}

test('a changed byte in the target is noticed by --verify, and so is a lost row and a number that was not set', async () => {
  const targetUrl = await emptyOn(there);
  assert.ok((await move(targetUrl)).ok);
  const same = await move(targetUrl, { verifyOnly: true });
  assert.ok(same.ok, JSON.stringify(same));
  for (const [change, undo, part] of [
    [
      `update bodies set body = set_byte(body, 9, get_byte(body, 9) # 1) where sha256 = md5('7') || md5('7')`,
      `update bodies set body = set_byte(body, 9, get_byte(body, 9) # 1) where sha256 = md5('7') || md5('7')`,
      /bodies/,
    ],
    [`update prices set price_usd = price_usd * (1 + 1e-15) where asset_id = 'solana:9'`, null, /prices_20261118/],
    [`delete from evidence where job_id = 'job_5'`, null, /prices_20261118.*|evidence/],
    [`select setval('restatements_id_seq', 900)`, null, /the numbers of restatements.id/],
  ] as const) {
    await query(targetUrl, change);
    const found = await move(targetUrl, { verifyOnly: true });
    assert.ok(!found.ok && found.reason === 'differs');
    assert.match(found.detail, part);
    if (undo !== null) await query(targetUrl, undo);
  }
});

test('what changed on either side between two runs is copied again, with all that refers to it', async () => {
  const changing = await source('changing');
  const targetUrl = await emptyOn(there);
  const stopped = await move(targetUrl, {
    sourceUrl: changing,
    onProgress: ({ part, step }) => {
      if (part === 'prices_20261119' && step === 'verify')
        throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
    },
  });
  assert.ok(!stopped.ok && stopped.reason === 'interrupted');
  await query(
    changing,
    `update jobs set failure = 'late' where id = 'job_1'`,
    `drop table prices_20261118`,
    `insert into bodies select 'late', 's', '\\x00', 1, now(), null`,
  );
  await query(targetUrl, `update evidence set record = '\\x01' where job_id = 'job_7'`);
  const moved = await move(targetUrl, { sourceUrl: changing });
  assert.ok(moved.ok, JSON.stringify(moved));
  assert.ok(moved.value.again.includes('jobs') && moved.value.again.includes('bodies'));
  assert.deepEqual(await contents(targetUrl), await contents(changing));
});

test('a partly copied part whose rows move in the source is copied anew', async () => {
  const changing = await source('shifting');
  const targetUrl = await emptyOn(there);
  // Rows are told once for each piece that is there; bytes come in any number of portions.
  const pieces = new Set<number>();
  const stopped = await move(targetUrl, {
    sourceUrl: changing,
    onProgress: ({ part, step, rows }) => {
      if (part === 'jobs' && step === 'copy' && pieces.add(rows).size > 3)
        throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
    },
  });
  assert.ok(!stopped.ok);
  // Updated rows lie at the end of the table from now on: a second copy of them would come.
  await query(changing, `update jobs set attempts = 9`);
  const moved = await move(targetUrl, { sourceUrl: changing });
  assert.ok(moved.ok, JSON.stringify(moved));
  assert.ok(moved.value.again.includes('jobs'));
  assert.deepEqual(await contents(targetUrl), await contents(changing));
});

test('a server that goes away on either side ends the move with an error, and the next move continues', async () => {
  const targetUrl = await emptyOn(there);
  for (const server of [there, here]) {
    let cut: Promise<unknown> | null = null;
    const stopped = await move(targetUrl, {
      onProgress: ({ part, step, bytes }) => {
        if (part === 'jobs' && step === 'copy' && bytes > 0)
          cut ??= server.store.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay-migrate-to'`,
          );
      },
    });
    await cut;
    assert.ok(!stopped.ok && stopped.reason === 'interrupted', JSON.stringify(stopped));
    assert.match(stopped.detail, /Run the same command again/);
  }
  const moved = await move(targetUrl);
  assert.ok(moved.ok, JSON.stringify(moved));
  assert.deepEqual(await contents(targetUrl), await contents(sourceUrl));
});

test('a wrong target, a wrong source and a wrong moment are refused with an error, and nothing is changed', async () => {
  const told = async (targetUrl: string, options: Partial<MoveOptions> = {}) => {
    const outcome = await move(targetUrl, options);
    assert.ok(!outcome.ok);
    assert.doesNotMatch(outcome.detail, new RegExp(new URL(targetUrl).password || 'hunter2'));
    return outcome.reason;
  };
  const full = await emptyOn(there);
  assert.ok((await move(full)).ok);
  assert.equal(await told(full), 'not_empty');
  assert.equal(await told(sourceUrl), 'same_database');
  assert.equal(await told(await emptyOn(there), { dataMode: 'live' }), 'other_data_mode');
  assert.equal(await told(await emptyOn(there), { sourceUrl: await emptyOn(here) }), 'nothing_there');
  assert.equal(await told('postgres://assay:hunter2@127.0.0.1:1/x'), 'unreachable');

  const live = await emptyOn(there);
  await openStore(live, 'live').then((store) => store.close());
  assert.equal(await told(live), 'other_data_mode');
  const foreign = await emptyOn(there);
  await query(foreign, 'create table invoices (id int)');
  assert.equal(await told(foreign), 'foreign');
  const latin = await emptyOn(there);
  await query(there.url, `create database latin encoding 'LATIN1' template template0`);
  assert.equal(await told(Object.assign(new URL(latin), { pathname: '/latin' }).href), 'unfit');

  const service = connect(sourceUrl);
  assert.ok(await isReachable(service.db));
  assert.equal(await told(await emptyOn(there)), 'in_use');
  await service.close();

  const newer = await source('newer');
  await query(newer, `insert into kysely_migration (name, timestamp) values ('9999-later', 'now')`);
  assert.equal(await told(await emptyOn(there), { sourceUrl: newer }), 'newer_version');
  await query(newer, `delete from kysely_migration where name > '0007'`);
  assert.equal(await told(await emptyOn(there), { sourceUrl: newer }), 'behind');

  const half = await emptyOn(there);
  await move(half, {
    onProgress: () => {
      throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
    },
  });
  assert.equal(await told(half, { sourceUrl: await source('second') }), 'other_source');
});

test('a database that a killed restore or move left half filled is neither moved nor moved into', async () => {
  const told = async (options: Partial<MoveOptions>, targetUrl: string) => {
    const outcome = await move(targetUrl, options);
    return outcome.ok ? 'moved' : `${outcome.reason}: ${outcome.detail}`;
  };
  const restored = await source('restored');
  await query(restored, 'create schema assay_restore');
  const untouched = await emptyOn(there);
  assert.match(await told({ sourceUrl: restored }, untouched), /^unfinished: .*source.* a restore .*not complete/);
  assert.deepEqual(await contents(untouched), {}, 'nothing was written');

  const moved = await source('moved');
  await query(moved, 'create schema assay_move');
  assert.match(await told({ sourceUrl: moved }, untouched), /^unfinished: .*source.* a move .*not complete/);

  const target = await emptyOn(there);
  await query(target, 'create schema assay_restore');
  assert.match(await told({}, target), /^unfinished: .*target.* a restore .*not complete/);
  assert.deepEqual(await contents(target), {});
});

test('the source can be read and not be written while it is moved', async () => {
  const targetUrl = await emptyOn(there);
  let held: unknown = null;
  let read: unknown = null;
  const seen: Promise<unknown>[] = [];
  const moved = await move(targetUrl, {
    onProgress: () => {
      if (seen.length === 0)
        seen.push(
          query(sourceUrl, `set lock_timeout = '100ms'`, `delete from bodies`).catch((error: unknown) => {
            held = (error as { code: string }).code;
          }),
          query(sourceUrl, 'select count(*) from bodies').then((rows) => {
            read = rows[0]?.count;
          }),
        );
    },
  });
  await Promise.all(seen);
  assert.ok(moved.ok, JSON.stringify(moved));
  assert.deepEqual([held, read], ['55P03', 800]);
});
