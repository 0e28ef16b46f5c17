import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sharedTurns } from '../src/compose/engine.ts';
import { connect, type Store } from '../src/store/database.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import type { Upstream, UpstreamRequest } from '../src/upstream/types.ts';

let database: TestDatabase;
let host: Server;
let arrivals: { readonly at: number; readonly path: string }[] = [];
let answer: (path: string) => { readonly status: number; readonly headers?: Record<string, string> } = () => ({
  status: 200,
});
const stores: Store[] = [];
const clients: Upstream[] = [];

before(async () => {
  database = await testDatabase();
  host = createServer((request, response) => {
    const path = request.url ?? '';
    arrivals.push({ at: performance.now(), path });
    const { status, headers = {} } = answer(path);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => host.once('listening', resolve));
});
after(async () => {
  for (const client of clients) await client.close();
  for (const store of stores) await store.close();
  host.closeAllConnections();
  host.close();
  await database.close();
});

/** The client of one more process on the database. */
function client(): Upstream {
  const store = connect(database.store.url);
  stores.push(store);
  const made = createUpstream({
    resolver: systemResolver(),
    userAgent: 'assay-test',
    turns: sharedTurns(store.db, () => undefined),
  });
  clients.push(made);
  return made;
}

const ask = (label: string, path: string, totalMs: number): UpstreamRequest => ({
  label,
  trust: 'operator',
  method: 'GET',
  url: `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`,
  headers: {},
  secretHeaders: {},
  secretQuery: [],
  body: null,
  deadlines: { connectMs: 1_000, headersMs: 1_000, bodyMs: 1_000, totalMs },
  maxBytes: 1_000,
  accept: [],
  okStatuses: [],
  retries: 0,
  maxRedirects: 0,
  traceparent: null,
});

test('three processes send a source no more requests than its budget allows one', async () => {
  const budget = { perMinute: 600, burst: 4, concurrency: 50, shareSeconds: 0 };
  const three = [client(), client(), client()];
  for (const one of three) one.setBudget('shared', budget);
  arrivals = [];
  const startedAt = performance.now();
  const replies = await Promise.all(
    three.flatMap((one, process) =>
      Array.from({ length: 20 }, (_, index) => one.request(ask('shared', `/${process}/${index}`, 2_000))),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const sent = replies.filter((reply) => reply.ok).length;
  assert.equal(arrivals.length, sent);
  assert.ok(sent <= budget.burst + 10 * seconds + 1, `${sent} in ${seconds} s`);
  assert.ok(sent > budget.burst, `${sent}`);
  // Each alone would have had as many again.
  for (const reply of replies)
    if (!reply.ok) assert.ok(['budget_spent', 'timeout'].includes(reply.reason), reply.reason);
  assert.ok(
    replies.some((reply) => !reply.ok && reply.reason === 'budget_spent' && (reply.retryAfterSeconds ?? 0) > 0),
  );
});

test('a pause requested from one process applies to all', async () => {
  const budget = { perMinute: 60_000, burst: 100, concurrency: 50, shareSeconds: 0 };
  const [one, other] = [client(), client()];
  for (const each of [one, other]) each.setBudget('angry', budget);
  answer = (path) => (path === '/angry' ? { status: 429, headers: { 'retry-after': '30' } } : { status: 200 });
  const refused = await one.request(ask('angry', '/angry', 2_000));
  assert.ok(!refused.ok && refused.status === 429);
  arrivals = [];
  // The wish for silence is written beside the reply.
  let quiet = await other.request(ask('angry', '/calm', 500));
  for (let i = 0; i < 20 && quiet.ok; i += 1) quiet = await other.request(ask('angry', `/calm/${i}`, 500));
  assert.ok(!quiet.ok && quiet.reason === 'budget_spent', JSON.stringify(quiet.ok));
  const seen = arrivals.length;
  for (let i = 0; i < 5; i += 1) assert.equal((await other.request(ask('angry', `/again/${i}`, 200))).ok, false);
  assert.equal(arrivals.length, seen);
  assert.equal((await other.request(ask('another', '/free', 2_000))).ok, true);
});

test('while the database is away each process keeps its own budget and continues', async () => {
  const gone = connect('postgres://nobody@127.0.0.1:1/none');
  stores.push(gone);
  const errors: string[] = [];
  const alone = createUpstream({
    resolver: systemResolver(),
    userAgent: 'assay-test',
    turns: sharedTurns(gone.db, (_error, what) => errors.push(what)),
  });
  clients.push(alone);
  alone.setBudget('alone', { perMinute: 60, burst: 2, concurrency: 5, shareSeconds: 0 });
  const replies = await Promise.all(Array.from({ length: 4 }, (_, i) => alone.request(ask('alone', `/${i}`, 300))));
  assert.equal(replies.filter((reply) => reply.ok).length, 2);
  assert.ok(errors.includes('turns at sources'));
});
