import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connect, isReachable, type Store, watchConnections } from '../src/store/database.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { type TcpProxy, tcpProxy } from './support/tcp-proxy.ts';

const PATIENCE_MS = 2_000;

let database: TestDatabase;
let wire: TcpProxy;
let store: Store;
let watch: ReturnType<typeof watchConnections>;
before(async () => {
  database = await testDatabase();
  const url = new URL(database.store.url);
  wire = await tcpProxy(Number(url.port));
  url.port = String(wire.port);
  store = connect(url.href, { connectionTimeoutMillis: 30_000 });
  watch = watchConnections(store, { everyMs: 200, patienceMs: PATIENCE_MS });
});
after(async () => {
  await watch.close();
  await store.close();
  await wire.close();
  await database.close();
});

test('a long statement is not ended while the database replies to others', async () => {
  const { rows } = await sql<{ n: number }>`select 1 as n from pg_sleep(4)`.execute(store.db);
  assert.equal(rows[0]?.n, 1);
});

test('when the connection is blocked, waiting callers get an error, and it works again afterwards', async () => {
  const asked = sql`select pg_sleep(60)`.execute(store.db);
  const told = assert.rejects(asked, /Connection terminated|timeout/);
  await new Promise((resolve) => setTimeout(resolve, 300));
  wire.silence();
  await told;
  assert.equal(await isReachable(store.db), false);
  wire.heal();
  for (let i = 0; i < 100 && !(await isReachable(store.db)); i += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await isReachable(store.db), true);
});

test('a caller during or after the opening of a connection gets the error as soon', async () => {
  // As many at work as there are places, so that the next ones wait for a place; then places that open connections.
  const working = Array.from({ length: 8 }, () => assert.rejects(sql`select pg_sleep(60)`.execute(store.db)));
  await new Promise((resolve) => setTimeout(resolve, 300));
  wire.silence();
  const began = performance.now();
  const late = Array.from({ length: 10 }, () => assert.rejects(sql`select 1`.execute(store.db)));
  await Promise.all([...working, ...late]);
  const told = performance.now() - began;
  await assert.rejects(sql`select 1`.execute(store.db));
  assert.ok(told < PATIENCE_MS * 3, `${told} ms`);
  wire.heal();
  for (let i = 0; i < 100 && !(await isReachable(store.db)); i += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await isReachable(store.db), true);
});

test('a restarted database is not reported as silent: its statements fail by themselves, nothing else ends', async () => {
  wire.cut();
  await assert.rejects(sql`select 1`.execute(store.db));
  wire.heal();
  for (let i = 0; i < 100 && !(await isReachable(store.db)); i += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await isReachable(store.db), true);
});
