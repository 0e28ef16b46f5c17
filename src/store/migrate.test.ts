import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { connect, openStore, type Store } from './database.ts';
import { breaks, readCatalogue } from './fixtures/catalogue.ts';
import { type TestDatabase, testDatabase } from './fixtures/database.ts';
import { type AppliedChange, applyChanges, judgeChanges, MIGRATION_NAMES, migrate, migrationState } from './migrate.ts';
import { CHANGES } from './migrations/all.ts';
import type { Change } from './migrations/change.ts';

/** Changes up to here were made before versions worked side by side. */
const LAST_ALONE = '0006-ratings';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

async function emptyStore(): Promise<Store> {
  return connect(await database.emptyDatabase());
}

const newest = MIGRATION_NAMES.at(-1) ?? '';
const later = (compatibleFrom: string, statements: readonly string[], indexes: Change['indexes'] = []): Change => ({
  name: '9000-later',
  compatibleFrom,
  indexes,
  statements,
});

test('every change since versions work side by side only adds, or states that older ones cannot continue', async () => {
  const store = await emptyStore();
  const from = MIGRATION_NAMES.indexOf(LAST_ALONE);
  await applyChanges(store.db, CHANGES, LAST_ALONE);
  let past = await readCatalogue(store.pool);
  for (const { name, compatibleFrom } of CHANGES.slice(from + 1)) {
    await applyChanges(store.db, CHANGES, name);
    const present = await readCatalogue(store.pool);
    if (compatibleFrom !== name) assert.deepEqual(breaks(past, present), [], name);
    assert.ok(MIGRATION_NAMES.indexOf(compatibleFrom) <= MIGRATION_NAMES.indexOf(name));
    past = present;
  }
  await store.close();
});

test('the rule detects what an older version would fail on', async () => {
  const store = await emptyStore();
  await migrate(store.db);
  const past = await readCatalogue(store.pool);
  for (const [statement, word] of [
    ['alter table jobs drop column failure', /jobs.failure is gone/],
    ['alter table jobs rename column failure to fault', /jobs.failure is gone/],
    ['alter table jobs add column weight int not null', /jobs.weight is new and must be given/],
    ['alter table jobs alter column attempts drop default', /jobs.attempts must be given now/],
    ['alter table jobs alter column owner set not null', /jobs.owner must be given now/],
    ['alter table jobs alter column attempts type bigint', /jobs.attempts was integer and is bigint/],
    ['create unique index on jobs (owner)', /new rule: jobs: UNIQUE INDEX/],
    ['alter table jobs add check (attempts < 9)', /new rule: jobs: CHECK/],
    ['drop index jobs_one_active', /rule is gone: jobs: UNIQUE INDEX/],
    ['alter table peers drop constraint peers_pkey', /rule is gone: peers: PRIMARY KEY/],
    ['drop table statements', /statements.month is gone/],
  ] as const) {
    const client = await store.pool.connect();
    await client.query('begin');
    await client.query(statement);
    const found = breaks(past, await readCatalogue(client));
    await client.query('rollback');
    client.release();
    assert.ok(
      found.some((one) => word.test(one)),
      `${statement}: ${found.join('; ')}`,
    );
  }
  for (const statement of [
    'alter table jobs add column weight int not null default 1',
    'alter table jobs add column weight int',
    'create table extra (id int primary key)',
    'create index on jobs (owner)',
    'alter table jobs alter column key_id drop not null',
    'alter table index_schedule drop constraint if exists index_schedule_asset_id_fkey',
  ]) {
    const client = await store.pool.connect();
    await client.query('begin');
    await client.query(statement);
    assert.deepEqual(breaks(past, await readCatalogue(client)), [], statement);
    await client.query('rollback');
    client.release();
  }
  await store.close();
});

test('a version continues with tables that a newer one changed, when that one allows it', async () => {
  const store = await emptyStore();
  await applyChanges(store.db, [...CHANGES, later(newest, ['alter table jobs add column later text'])]);
  const state = await migrationState(store.db);
  assert.deepEqual([state.newer, state.unknown, state.pending], [['9000-later'], [], []]);
  const opened = await openStore(store.url, 'sandbox');
  await opened.close();
  await store.close();
});

test('a version refuses tables that it cannot work on, with an explanation, and leaves them unchanged', async () => {
  const store = await emptyStore();
  await applyChanges(store.db, [...CHANGES, later('9000-later', ['alter table jobs drop column failure'])]);
  await assert.rejects(
    openStore(store.url, 'sandbox'),
    /brought up to date by a newer version of Assay \(9000-later\): start that version/,
  );
  assert.equal((await store.pool.query('select from installation')).rowCount, 0);
  await store.close();
});

test('a change that meets a lock steps back and retries, so that it blocks no other statement for long', async () => {
  const store = await emptyStore();
  await migrate(store.db);
  const reader = await store.pool.connect();
  await reader.query('begin');
  await reader.query('select from jobs');
  const under = applyChanges(store.db, [...CHANGES, later(newest, ['alter table jobs add column later text'])]);
  let longest = 0;
  for (let turn = 0; turn < 6; turn += 1) {
    const startedAt = performance.now();
    await store.pool.query('select count(*) from jobs');
    longest = Math.max(longest, performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.ok(longest < 5_000, `a read waited ${longest} ms`);
  assert.deepEqual((await migrationState(store.db)).newer, []);
  await reader.query('commit');
  reader.release();
  await under;
  assert.deepEqual((await migrationState(store.db)).newer, ['9000-later']);
  await store.close();
});

test('a late index left incomplete by a killed process is created again; a second process does not wait for the first', async () => {
  const store = await emptyStore();
  await migrate(store.db);
  const index = { name: 'jobs_later', on: 'jobs (created_at)' };
  await store.pool.query(`create index jobs_later on jobs (created_at)`);
  await store.pool.query(`update pg_index set indisvalid = false where indexrelid = 'jobs_later'::regclass`);
  const change = later(newest, [], [index]);
  await Promise.all([1, 2, 3].map(() => applyChanges(store.db, [...CHANGES, change])));
  const { rows } = await store.pool.query(`select indisvalid from pg_index where indexrelid = 'jobs_later'::regclass`);
  assert.deepEqual(rows, [{ indisvalid: true }]);
  await store.close();
});

test('versions that start together while one of them brings the tables up to date all come up', async () => {
  const store = await emptyStore();
  await applyChanges(store.db, CHANGES, LAST_ALONE);
  const change = later(newest, ['alter table jobs add column later text']);
  const stores = await Promise.all([1, 2, 3, 4].map((one) => (one % 2 ? openStore(store.url, 'sandbox') : newer())));
  async function newer(): Promise<Store> {
    const other = connect(store.url);
    await applyChanges(other.db, [...CHANGES, change]);
    return other;
  }
  assert.deepEqual((await migrationState(store.db)).pending, []);
  await Promise.all([store, ...stores].map((one) => one.close()));
});

test('whatever is in the database, each of its changes is known, workable or refused, and never two of them', () => {
  const known = ['1', '2', '3'];
  const change = fc.record({
    name: fc.constantFrom('1', '2', '3', '4', '5', '6'),
    compatibleFrom: fc.constantFrom(null, '1', '2', '3', '4', '5', '6'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(change, { selector: (one) => one.name }), (changes: readonly AppliedChange[]) => {
      const { applied, pending, newer, unknown } = judgeChanges(known, changes);
      assert.deepEqual([...applied, ...newer, ...unknown].sort(), changes.map((one) => one.name).sort());
      assert.deepEqual([...applied, ...pending].sort(), known);
      for (const name of newer) {
        const from = changes.find((one) => one.name === name)?.compatibleFrom ?? '';
        assert.ok(known.includes(from) && pending.length === 0);
      }
    }),
  );
});

test('jobs that failed or were cancelled before they had an expiry are deleted some day too', async () => {
  const store = await emptyStore();
  await applyChanges(store.db, CHANGES, '0030-packed-records');
  const ended = '2026-01-01T00:00:00Z';
  for (const [id, finished, expires] of [
    ['failed', ended, null],
    ['cancelled', ended, null],
    ['succeeded', ended, null],
    ['queued', null, null],
    ['failed', ended, '2027-01-01T00:00:00Z'],
  ] as const)
    await store.pool.query(
      `insert into jobs (id, state, request, request_hash, deadline_seconds, key_id, created_at, finished_at, expires_at)
       values ($1, $2, '{}', $1, 60, 'key', $3, $4, $5)`,
      [`${id} ${expires}`, id, ended, finished, expires],
    );
  await migrate(store.db);
  const { rows } = await store.pool.query('select id, expires_at from jobs order by id');
  assert.deepEqual(
    rows.map(({ id, expires_at: at }) => [id, at === null ? null : new Date(at).toISOString()]),
    [
      ['cancelled null', '2026-01-31T00:00:00.000Z'],
      ['failed 2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
      ['failed null', '2026-01-31T00:00:00.000Z'],
      ['queued null', null],
      ['succeeded null', null],
    ],
  );
  await store.close();
});
