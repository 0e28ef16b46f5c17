import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { createClient } from '../client/src/client.ts';
import type { ServerEvent } from '../client/src/event-parser.ts';
import type { RunningService } from '../src/compose/service.ts';
import { ChainEventView } from '../src/contract/stream.ts';
import type { SnapshotKind } from '../src/domain/snapshot.ts';
import { startIndexer } from '../src/indexer/indexer.ts';
import { openStore, type Store } from '../src/store/database.ts';
import { assetAt } from '../src/store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter, type SnapshotWriter } from '../src/store/snapshots/write.ts';
import { ownTime } from '../src/upstream/fixtures/own-time.ts';
import { marketSnapshot, pool, poolsSnapshot } from './support/chain-snapshots.ts';
import { type EventReader, readEvents } from './support/event-reader.ts';
import { openRoles, type Roles } from './support/roles.ts';

let roles: Roles;
let api: RunningService;
let admin = '';
/** What another process of the service stores by. */
let store: Store;
let writer: SnapshotWriter;
const readers: EventReader[] = [];
const [ONE, TWO, THREE, FOUR, FIVE, SIX] = [assetAt(1), assetAt(2), assetAt(3), assetAt(4), assetAt(5), assetAt(6)];

before(async () => {
  roles = await openRoles();
  api = await roles.api();
  admin = api.adminKey ?? '';
  store = await openStore(roles.databaseUrl, 'sandbox');
  writer = createSnapshotWriter(store.pool);
  await index([ONE, TWO, THREE, FOUR, FIVE, SIX]);
});
after(async () => {
  for (const reader of readers) reader.close();
  await store.close();
  await roles.close();
});

/** Has assets indexed, without anybody who reads them. */
async function index(assets: readonly (typeof ONE)[]): Promise<void> {
  const indexer = await startIndexer({
    store,
    works: false,
    now: Date.now,
    onError: (error) => assert.fail(String(error)),
    collector: { collect: () => Promise.reject(new Error('nothing is read here')) },
  });
  await indexer.add(assets, { cadence: 'newest', kinds: ['market', 'pools'], addedBy: 'test' });
}

let clock = Date.now() - 60_000;
/** Stores a snapshot that is newer than all before it. */
async function put(
  asset: typeof ONE,
  kind: Extract<SnapshotKind, 'market' | 'pools'>,
  price = 1,
  pools = 0,
): Promise<string> {
  clock = Math.max(clock + 1, Date.now());
  const asOf = new Date(clock).toISOString();
  const many = Array.from({ length: pools }, (_, index) => pool(`pool${index}`, index, true));
  const snapshot = kind === 'market' ? marketSnapshot(asset, asOf, price) : poolsSnapshot(asset, asOf, many);
  await writer.store([snapshotRow(snapshot)], Date.now());
  return asOf;
}
async function keyOf(
  plan: string,
  scopes: readonly string[] = ['chain:read'],
): Promise<{ id: string; secret: string }> {
  const reply = await fetch(`${api.url}/v1/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'reader', scopes, plan }),
  });
  assert.equal(reply.status, 201);
  return (await reply.json()) as { id: string; secret: string };
}
const pathOf = (assets: readonly (typeof ONE)[], kinds = 'market') =>
  `/v1/ethereum/stream?assets=${assets.map(({ address }) => address).join(',')}&kinds=${kinds}`;
async function open(
  assets: readonly (typeof ONE)[],
  { kinds = 'market', key = admin, id = null as string | null, service = api } = {},
): Promise<EventReader> {
  const reader = await readEvents(service.url + pathOf(assets, kinds), {
    'x-api-key': key,
    ...(id === null ? {} : { 'last-event-id': id }),
  });
  readers.push(reader);
  return reader;
}
interface Sent {
  readonly asset: { readonly id: string };
  readonly kind: string;
  readonly as_of: string;
  readonly price_usd?: number;
}
const dataOf = (event: ServerEvent | undefined) => JSON.parse(event?.data ?? 'null');
const snapshots = (reader: Pick<EventReader, 'events'>): Sent[] =>
  reader.events.filter(({ type }) => type === 'snapshot').map(dataOf);
const times = (reader: EventReader) => snapshots(reader).map(({ as_of }) => as_of);

test('a stream begins with the newest snapshot of each and continues with those stored by any process, in the format of the snapshot routes', async () => {
  const first = [await put(ONE, 'market'), await put(ONE, 'pools', 1, 3)];
  const reader = await open([ONE, TWO], { kinds: 'market,pools' });
  await reader.until(() => snapshots(reader).length === 2);
  assert.deepEqual(dataOf(reader.events[0]), { assets: [ONE.id, TWO.id], kinds: ['market', 'pools'] });
  assert.deepEqual(new Set(times(reader)), new Set(first));
  const later = await put(TWO, 'market', 7);
  await reader.until(() => snapshots(reader).length === 3);
  assert.equal(snapshots(reader)[2]?.as_of, later);

  const reply = await fetch(`${api.url}/v1/ethereum/market/${TWO.address}/snapshot`, {
    headers: { 'x-api-key': admin },
  });
  const { age_seconds: _age, ...body } = (await reply.json()) as Record<string, unknown>;
  const { age_seconds, ...sent } = dataOf(reader.events.at(-1)) as Record<string, unknown>;
  assert.deepEqual(sent, body);
  assert.equal(typeof age_seconds, 'number');
  const view = Compile(ChainEventView);
  for (const event of reader.events)
    assert.deepEqual(view.Errors({ event: event.type, data: dataOf(event) }), [], event.type);
  reader.close();
});

test('after Last-Event-ID a stream continues at another process: nothing is lost, and order is kept', async () => {
  await put(THREE, 'market', 1);
  const reader = await open([THREE, FOUR]);
  await reader.until(() => snapshots(reader).length === 1);
  const seen = await put(FOUR, 'market', 1);
  await reader.until(() => times(reader).includes(seen));
  const id = reader.lastEventId;
  assert.match(id, /^\d{13}$/);
  reader.close();

  const missed = [await put(THREE, 'market', 2), await put(FOUR, 'market', 2), await put(THREE, 'market', 3)];
  const second = await roles.api();
  const again = await open([THREE, FOUR], { id, service: second });
  await again.until(() => missed.every((asOf) => times(again).includes(asOf)));
  const live = await put(FOUR, 'market', 4);
  await again.until(() => times(again).includes(live));
  // What is sent again lies within the margin, and no snapshot comes twice on one connection.
  assert.equal(new Set(times(again)).size, times(again).length);
  for (const asset of [THREE, FOUR]) {
    const own = snapshots(again)
      .filter((one) => one.asset.id === asset.id)
      .map(({ as_of }) => as_of);
    assert.deepEqual(own, own.toSorted());
  }
  again.close();
  await second.close();
});

test('more events than a stream can repeat are a gap with its start, and so is an old id', async () => {
  const reader = await open([FIVE]);
  await put(FIVE, 'market', 0);
  await reader.until(() => snapshots(reader).length === 1);
  const id = reader.lastEventId;
  reader.close();
  const stored: string[] = [];
  for (let step = 1; step <= 30; step += 1) stored.push(await put(FIVE, 'market', step));

  const again = await open([FIVE], { id });
  await again.until(() => times(again).includes(stored.at(-1) ?? ''));
  const gap = again.events.find(({ type }) => type === 'gap');
  const told = dataOf(gap);
  assert.equal(told.asset_id, FIVE.id);
  assert.equal(told.from, new Date(Number(id)).toISOString());
  assert.deepEqual(times(again), stored.slice(-20));
  again.close();

  const old = await open([FIVE], { id: String(Date.now() - 7_200_000) });
  await old.until(() => snapshots(old).length === 1);
  assert.deepEqual(
    old.events.map(({ type }) => type),
    ['open', 'gap', 'snapshot'],
  );
  assert.equal(times(old)[0], stored.at(-1));
  old.close();
});

test('a slow reader gets the number of skipped events and the newest one; another reader gets every snapshot', async () => {
  await put(SIX, 'pools', 1, 400);
  const beside = await open([SIX], { kinds: 'pools' });
  await beside.until(() => snapshots(beside).length === 1);
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${pathOf([SIX], 'pools')} HTTP/1.1\r\nHost: assay\r\nX-API-Key: ${admin}\r\n\r\n`);
  await once(socket, 'readable');
  let newest = '';
  for (let step = 0; step < 90; step += 1) {
    newest = await put(SIX, 'pools', 1, 400);
    const [asOf, seen] = [newest, step + 2];
    await beside.until(({ length }) => length > seen && (beside.events.at(-1)?.data.includes(asOf) ?? false));
  }
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const end = Date.now() + 9_000;
  while (!text.includes(`"as_of":"${newest}"`) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  const sent = [...text.matchAll(/"as_of":"([^"]+)","sources"/g)].map(([, asOf]) => asOf);
  const skipped = [...text.matchAll(/"skipped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  assert.ok(skipped > 0, `nothing was skipped of ${sent.length} sent`);
  assert.equal(sent.at(-1), newest);
  assert.equal(sent.length + skipped, 91);
  assert.equal(snapshots(beside).length, 91);
  beside.close();
});

test('a reader that reads nothing is disconnected', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${pathOf([SIX], 'pools')} HTTP/1.1\r\nHost: assay\r\nX-API-Key: ${admin}\r\n\r\n`);
  const closed = once(socket, 'close');
  const begun = Date.now();
  const passed = ownTime();
  for (let step = 0; step < 60; step += 1) await put(SIX, 'pools', 1, 400);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + 13_000 - Date.now())));
  socket.resume();
  await closed;
  assert.ok(passed() < 20_000);
});

test('the client delivers each snapshot once, over connections that break in the middle of an event', async () => {
  const seven = assetAt(7);
  await index([seven]);
  await put(seven, 'market', 1);
  let connections = 0;
  const breaking: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    connections += 1;
    let left = connections < 3 ? 2 : Number.POSITIVE_INFINITY;
    const broken = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (new TextDecoder().decode(chunk).includes('event: snapshot')) left -= 1;
        if (left > 0) controller.enqueue(chunk);
        else {
          controller.enqueue(chunk.subarray(0, chunk.length / 2));
          controller.error(new TypeError('the connection broke'));
        }
      },
    });
    return new Response(response.body?.pipeThrough(broken) ?? null, response);
  };
  const client = createClient({ baseUrl: api.url, apiKey: admin, fetch: breaking });
  const seen: (number | null)[] = [];
  for await (const told of client.streamChain('ethereum', { assets: seven.id, kinds: 'market' })) {
    assert.equal(told.event, 'snapshot');
    if (told.event !== 'snapshot' || told.data.kind !== 'market') continue;
    seen.push(told.data.price_usd);
    if (seen.length === 6) break;
    // The second of each pair is the one that is cut through.
    await put(seven, 'market', seen.length + 1);
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6]);
  assert.equal(connections, 3);
});

test('a revoked key ends its stream within seconds', async () => {
  const key = await keyOf('CHAIN-7500');
  const reader = await open([ONE], { key: key.secret });
  await reader.until(() => snapshots(reader).length === 1);
  const revoked = await fetch(`${api.url}/v1/admin/keys/${key.id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': admin },
  });
  assert.ok(revoked.ok);
  await reader.until(() => reader.isOver, 6_000);
  assert.equal(reader.events.at(-1)?.type, 'end');
});

test('what was stored while the listener’s connection was lost is sent when it is back', async () => {
  const reader = await open([TWO]);
  await reader.until(() => snapshots(reader).length === 1);
  const killed = await store.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay-listener'`,
  );
  assert.ok((killed.rowCount ?? 0) > 0);
  const meanwhile = await put(TWO, 'market', 9);
  await reader.until(() => times(reader).includes(meanwhile));
  reader.close();
});

test('plans of coarser freshness have no streams, and the refusal states the limits', async () => {
  const get = async (path: string, key: string) => {
    const reply = await fetch(api.url + path, { headers: { 'x-api-key': key } });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const coarse = await get(pathOf([ONE]), (await keyOf('CHAIN-3500')).secret);
  assert.deepEqual(
    [coarse.status, coarse.body.code, coarse.body.included_in],
    [403, 'plan_does_not_include', ['CHAIN-7500']],
  );
  const many = await get(pathOf(Array.from({ length: 101 }, (_, index) => assetAt(index))), admin);
  assert.deepEqual([many.status, many.body.code], [400, 'validation_failed']);
  assert.match(JSON.stringify(many.body.errors), /at most 100/);
  assert.equal((await get('/v1/ethereum/stream?assets=nothing', admin)).body.code, 'asset_not_indexed');
  assert.equal((await get('/v1/ethereum/stream?assets=a&kinds=prices', admin)).status, 400);
  assert.match(JSON.stringify((await get('/v1/ethereum/stream', admin)).body), /requested indexing of none/);

  const { secret } = await keyOf('CHAIN-7500');
  const open20 = await Promise.all(Array.from({ length: 20 }, () => open([ONE], { key: secret })));
  const more = await get(pathOf([ONE]), secret);
  assert.deepEqual([more.status, more.body.code], [429, 'too_many_streams']);
  for (const reader of open20) reader.close();
});

test('a process that stops announces it, and when to reconnect', async () => {
  const second = await roles.api();
  const reader = await open([ONE], { service: second });
  await reader.until(() => snapshots(reader).length === 1);
  await second.close();
  await reader.until(() => reader.isOver);
  const bye = reader.events.at(-1);
  assert.equal(bye?.type, 'bye');
  assert.ok(dataOf(bye).retry_after_ms >= 2_000);
});
