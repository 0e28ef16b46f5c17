import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type Database, openStore, type Store } from '../src/store/database.ts';
import { openReads, type Reads } from '../src/store/replicas.ts';
import { type PostgresServer, postgresServer } from './support/postgres-server.ts';

let folder: string;
let primary: PostgresServer;
let standby: PostgresServer;
let store: Store;
const opened: Reads[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-replicas-'));
  await chmod(folder, 0o755);
  primary = await postgresServer(join(folder, 'primary'));
  await primary.start();
  store = await openStore(primary.url, 'sandbox');
  await primary.query('create table seen (value int not null)');
  standby = await primary.follow(join(folder, 'standby'));
  await standby.start();
});
after(async () => {
  for (const reads of opened) await reads.close();
  await store.close();
  await standby.kill();
  await primary.kill();
  await rm(folder, { recursive: true, force: true });
});

async function reading(urls: readonly string[], dataMode = 'sandbox'): Promise<Reads & { readonly lags: number[] }> {
  const lags: number[] = [];
  const reads = await openReads({
    primary: store,
    urls,
    dataMode,
    mostLagSeconds: 2,
    lookMs: 50,
    onError: () => undefined,
    onRead: (lagMs) => lags.push(lagMs),
  });
  opened.push(reads);
  return { ...reads, lags };
}

const isReplica = async (db: Database) =>
  (await sql<{ follows: boolean }>`select pg_is_in_recovery() as follows`.execute(db)).rows[0]?.follows;
const highest = async (db: Database) =>
  (await sql<{ value: number | null }>`select max(value) as value from seen`.execute(db)).rows[0]?.value ?? 0;
const until = async (holds: () => boolean | Promise<boolean>, what: string) => {
  for (let i = 0; i < 200; i += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
};

test('a replica that keeps up is read, and reports its largest lag', async () => {
  const reads = await reading([standby.url]);
  await until(() => reads.status()[0]?.isRead === true, 'the replica was never fresh');
  assert.equal(await reads.run(isReplica), true);
  const [lagMs = Number.NaN] = reads.lags;
  assert.ok(lagMs >= 0 && lagMs <= 2_000, `${lagMs} ms`);
  assert.equal(reads.status()[0]?.detail, null);
});

test('a caller that saw a write finds it, whatever the lag of the replica', async () => {
  const reads = await reading([standby.url]);
  await until(() => reads.status()[0]?.isRead === true, 'the replica was never fresh');
  await standby.query('select pg_wal_replay_pause()');
  try {
    for (let value = 1; value <= 20; value += 1) {
      await sql`insert into seen values (${value})`.execute(store.db);
      assert.equal(await reads.run(highest, performance.now()), value);
    }
    assert.equal(await highest(store.db), 20);
  } finally {
    await standby.query('select pg_wal_replay_resume()');
  }
  const toldAt = performance.now();
  await until(async () => (await reads.run(isReplica, toldAt)) === true, 'the replica was never read again');
  assert.equal(await reads.run(highest, toldAt), 20);
});

test('a replica that falls behind the bound is not read, and is again once it has caught up', async () => {
  const reads = await reading([standby.url]);
  await until(() => reads.status()[0]?.isRead === true, 'the replica was never fresh');
  await standby.query('select pg_wal_replay_pause()');
  const writing = setInterval(() => void sql`insert into seen values (0)`.execute(store.db).catch(() => undefined), 50);
  try {
    await until(() => reads.status()[0]?.isRead === false, 'it was read although it stood still');
    assert.equal(reads.status()[0]?.detail, 'too far behind');
    assert.equal(await reads.run(isReplica), false);
  } finally {
    clearInterval(writing);
    await standby.query('select pg_wal_replay_resume()');
  }
  await until(() => reads.status()[0]?.isRead === true, 'it was not read again');
});

test('a database that is not a replica of ours is never read', async () => {
  const other = await postgresServer(join(folder, 'other'));
  await other.start();
  const stranger = await openStore(other.url, 'sandbox');
  const followed = await other.follow(join(folder, 'other-standby'));
  await followed.start();
  try {
    const reads = await reading([other.url, followed.url, primary.url]);
    for (let i = 0; i < 30; i += 1) {
      assert.deepEqual(
        reads.status().map((row) => row.isRead),
        [false, false, false],
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const details = reads.status().map((row) => row.detail ?? '');
    assert.match(details[0] ?? '', /takes writes of its own/);
    assert.match(details[1] ?? '', /follows another database/);
    assert.match(details[2] ?? '', /takes writes of its own/);
    assert.equal(await reads.run(isReplica), false);
  } finally {
    await stranger.close();
    await followed.kill();
    await other.kill();
  }
});

test('a replica of data of another mode is never read', async () => {
  const reads = await reading([standby.url], 'live');
  assert.equal(reads.status()[0]?.isRead, false);
  assert.match(reads.status()[0]?.detail ?? '', /follows another database/);
});

test('a replica that dies in the middle costs no read', async () => {
  const reads = await reading([standby.url]);
  await until(() => reads.status()[0]?.isRead === true, 'the replica was never fresh');
  let stopped = false;
  const readers = Array.from({ length: 8 }, async () => {
    let count = 0;
    for (; !stopped; count += 1) assert.equal(typeof (await reads.run(highest)), 'number');
    return count;
  });
  await standby.kill();
  await until(() => reads.status()[0]?.detail !== null, 'nobody noticed');
  stopped = true;
  for (const count of await Promise.all(readers)) assert.ok(count > 0);
  assert.equal(await reads.run(isReplica), false);
  await standby.start();
  await until(() => reads.status()[0]?.isRead === true, 'it was not read again after its restart');
});
