import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { publishedRating } from '../src/monitoring/alerts/fixtures/published.ts';
import { storeRating } from '../src/monitoring/alerts/fixtures/store-rating.ts';
import { openStore, type Store } from '../src/store/database.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';
import { ownTime } from '../src/upstream/fixtures/own-time.ts';
import { type TestService, testService } from './support/service.ts';

let running: TestService;
let store: Store;
let other: { readonly id: string; readonly secret: string };
let closeDatabase: () => Promise<void>;
const ASSET = `eip155:1/erc20:0x${'1'.repeat(40)}`;
const PATH = `/v1/rms/whitelist/${encodeURIComponent(ASSET)}`;
const START = Date.UTC(2026, 2, 1);

before(async () => {
  running = await testService();
  const { dataDir } = running;
  const database = await databaseOf(dataDir, 'visitor');
  closeDatabase = database.close;
  store = await openStore(database.url, 'sandbox');
  other = await newKey();
});
after(async () => {
  await store.close();
  await closeDatabase();
  await running.close();
});

async function newKey() {
  const json = { name: 'other', scopes: ['rms:read', 'rms:write'], plan: 'RATING' };
  const reply = await running.call('/v1/admin/keys', { json });
  const made = (await reply.json()) as { id: string; secret: string };
  assert.equal(reply.status, 201, JSON.stringify(made));
  return { id: made.id, secret: made.secret };
}

const EVENT = /^id: (\d+)\nevent: alert$/gm;
let second = 0;
async function rate(score: number): Promise<void> {
  second += 1;
  const asOf = new Date(START + second * 1000).toISOString();
  const rating = publishedRating(ASSET, `job ${second}`, asOf, { score, band: 'A', flags: [] });
  await store.db.transaction().execute((transaction) => storeRating(transaction, rating));
}

/** Numbers of a stream's alerts. */
async function readIds(key: string, after: string, count: number): Promise<readonly string[]> {
  const stop = new AbortController();
  const reply = await running.call('/v1/alerts/stream', {
    key,
    headers: { 'last-event-id': after },
    signal: stop.signal,
  });
  let text = '';
  assert.ok(reply.body);
  for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if ([...text.matchAll(EVENT)].length >= count) break;
  }
  stop.abort();
  return [...text.matchAll(EVENT)].map(([, id]) => String(id));
}

test('an asset is watched, raises an alert, is acknowledged and removed; another account sees nothing of it', async () => {
  await rate(70);
  const put = await running.call(PATH, { method: 'PUT', json: { note: 'mine' } });
  assert.equal(put.status, 201, await put.clone().text());
  assert.equal(
    (await running.call(PATH, { method: 'PUT', json: { thresholds: { min_score_change: 10 } } })).status,
    200,
  );
  await rate(64);
  await rate(60);
  const [entry] = (await (await running.call('/v1/rms/whitelist')).json()) as Record<string, unknown>[];
  assert.equal(entry?.alert_status, 'alerting');
  assert.equal(entry?.score, 60);
  assert.deepEqual([entry?.symbol, entry?.name], ['A', 'A']);
  const page = (await (await running.call('/v1/alerts?acknowledged=false')).json()) as { data: { id: number }[] };
  assert.deepEqual(
    page.data.map(({ id }) => id),
    [1],
  );
  const key = other.secret;
  assert.deepEqual(await (await running.call('/v1/rms/whitelist', { key })).json(), []);
  assert.deepEqual(((await (await running.call('/v1/alerts', { key })).json()) as { data: unknown[] }).data, []);
  assert.equal((await running.call('/v1/alerts/1/acknowledge', { key, method: 'POST' })).status, 404);
  assert.equal((await running.call(PATH, { key, method: 'DELETE' })).status, 404);
  const once = await (await running.call('/v1/alerts/1/acknowledge', { method: 'POST' })).json();
  assert.deepEqual(await (await running.call('/v1/alerts/1/acknowledge', { method: 'POST' })).json(), once);
});

test('a stream continues after Last-Event-ID without gaps or duplicates, and includes alerts of other processes', async () => {
  const following = readIds(running.key, '0', 3);
  await rate(40);
  await rate(20);
  assert.deepEqual(await following, ['1', '2', '3']);
  assert.deepEqual(await readIds(running.key, '1', 2), ['2', '3']);
});

test('a stream sends its number at once, so that one cut off before its first alert continues without a gap', async () => {
  const stop = new AbortController();
  const reply = await running.call('/v1/alerts/stream', { signal: stop.signal });
  const { value } = (await reply.body?.getReader().read()) ?? {};
  stop.abort();
  const number = /^id: (\d+)$/m.exec(new TextDecoder().decode(value))?.[1];
  assert.equal(number, '3');
  await rate(60);
  assert.deepEqual(await readIds(running.key, number ?? '', 1), ['4']);
});

test('an account holds as many streams as its plan allows, and another account receives nothing of them', async () => {
  const stop = new AbortController();
  const open = () => running.call('/v1/alerts/stream', { key: other.secret, signal: stop.signal });
  const streams = await Promise.all(Array.from({ length: 5 }, open));
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const refused = await open();
  assert.equal(refused.status, 429);
  assert.equal(((await refused.json()) as { code: string }).code, 'too_many_streams');
  const heard = streams[0]?.text().catch(() => '');
  await rate(80);
  await new Promise((resolve) => setTimeout(resolve, 100));
  stop.abort();
  assert.equal((await heard)?.includes('event: alert'), false);
  let again = await running.call('/v1/alerts/stream', { key: other.secret });
  for (let waited = 0; again.status === 429 && waited < 20; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    again = await running.call('/v1/alerts/stream', { key: other.secret });
  }
  assert.equal(again.status, 200);
  await again.body?.cancel();
});

test('a revoked key ends its stream within seconds, with the reason', async () => {
  const reply = await running.call('/v1/alerts/stream', { key: other.secret });
  const ended = reply.text();
  assert.equal((await running.call(`/v1/admin/keys/${other.id}`, { method: 'DELETE' })).status, 204);
  const passed = ownTime();
  assert.match(await ended, /event: end\ndata: \{"reason":/);
  assert.ok(passed() < 6_000);
});

test('alerts are filtered by the asset’s name, and an entry is addressed by its id with the slash unescaped', async () => {
  const count = async (asset: string) => {
    const reply = await running.call(`/v1/alerts?asset=${encodeURIComponent(asset)}`);
    return reply.status === 200 ? ((await reply.json()) as { data: unknown[] }).data.length : reply.status;
  };
  const all = await count(ASSET);
  assert.ok(all !== 0);
  assert.deepEqual(
    [await count('ethereum:0x1111111111111111111111111111111111111111'), await count(' a ')],
    [all, all],
  );
  assert.deepEqual([await count('nosuch'), await count('a\u0000')], [404, 400]);
  const put = await running.call(`/v1/rms/whitelist/${ASSET}`, { method: 'PUT', json: {} });
  assert.equal(put.status, 200);
  const unrated = `eip155:1/erc20:0x${'2'.repeat(40)}`;
  const added = await running.call(`/v1/rms/whitelist/${unrated}`, { method: 'PUT' });
  const entry = (await added.json()) as {
    band: null;
    symbol: null;
    name: null;
    how_to_rate: { path: string; body: Record<string, string> };
  };
  assert.deepEqual([entry.band, entry.symbol, entry.name], [null, null, null]);
  assert.deepEqual(entry.how_to_rate.body, { asset: unrated });
  assert.equal((await running.call(`/v1/rms/whitelist/${unrated}`, { method: 'DELETE' })).status, 204);
});

test('invalid entries, numbers and cursors are refused', async () => {
  const bad = (path: string, init = {}) => running.call(path, init).then(({ status }) => status);
  assert.equal(await bad(PATH, { method: 'PUT', json: { thresholds: { min_score_change: 0 } } }), 400);
  assert.equal(await bad(PATH, { method: 'PUT', json: { thresholds: { bands: ['AAAA'] } } }), 400);
  assert.equal(await bad('/v1/rms/whitelist/eip155:1%2Ferc20:0x12', { method: 'PUT', json: {} }), 400);
  assert.equal(await bad('/v1/rms/whitelist/NOSUCH', { method: 'PUT', json: {} }), 404);
  assert.equal(await bad('/v1/alerts?kind=none'), 400);
  assert.equal(await bad('/v1/alerts?cursor=x'), 400);
  assert.equal(await bad('/v1/alerts?since=yesterday'), 400);
  assert.equal(await bad('/v1/alerts?since=2026-12-31T23:59:60Z'), 400);
  // PostgreSQL knows no year 0.
  assert.equal(await bad('/v1/alerts?since=0000-01-01T00:00:00Z'), 400);
  assert.equal(await bad('/v1/alerts/stream', { method: 'HEAD' }), 405);
  const headers = { 'content-type': 'application/json' };
  assert.equal(await bad('/v1/alerts/1/acknowledge', { method: 'POST', headers, body: '' }), 200);
  assert.equal(await bad('/v1/alerts/99999999999999999999/acknowledge', { method: 'POST' }), 404);
  assert.equal(await bad('/v1/alerts/stream', { headers: { 'last-event-id': 'x' } }), 400);
});
