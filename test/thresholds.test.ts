import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { Compile } from 'typebox/compile';
import type { RunningService } from '../src/compose/service.ts';
import { WebhookMessages } from '../src/contract/webhook-message.ts';
import { startIndexer } from '../src/indexer/indexer.ts';
import { openStore, type Store } from '../src/store/database.ts';
import { assetAt } from '../src/store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';
import { marketSnapshot } from './support/chain-snapshots.ts';
import { openRoles, type Roles } from './support/roles.ts';

let roles: Roles;
let api: RunningService;
let store: Store;
let indexer: Awaited<ReturnType<typeof startIndexer>>;
const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => {
    body += piece;
  });
  request.on('end', () => {
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(204).end();
  });
});
const ASSET = assetAt(1);
const PATH = `/v1/ethereum/thresholds/${ASSET.address}`;

before(async () => {
  roles = await openRoles();
  const settings = { webhookLoopback: true };
  api = await roles.api(settings);
  await roles.worker(settings);
  store = await openStore(roles.databaseUrl, 'sandbox');
  const collector = { collect: () => Promise.reject(new Error('nothing is read here')) };
  indexer = await startIndexer({
    store,
    works: false,
    now: Date.now,
    onError: (error) => assert.fail(String(error)),
    collector,
  });
  await indexer.add([ASSET], { cadence: 'newest', kinds: ['market'], addedBy: 'test' });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await store.close();
  await roles.close();
});

async function call(path: string, key: string, init: { readonly method?: string; readonly json?: unknown } = {}) {
  const reply = await fetch(api.url + path, {
    method: init.method ?? (init.json === undefined ? 'GET' : 'POST'),
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}
async function keyOf(plan: string, scopes: readonly string[], accountId: string | null = null) {
  const json = { name: 'reader', scopes, plan, account_id: accountId };
  const { body } = await call('/v1/admin/keys', api.adminKey ?? '', { json });
  return body as { readonly secret: string; readonly account_id: string };
}
async function price(priceUsd: number): Promise<void> {
  const snapshot = marketSnapshot(ASSET, new Date().toISOString(), priceUsd);
  await createSnapshotWriter(store.pool).store([snapshotRow(snapshot)], Date.now());
}

test('a key of chain data sets a threshold, and its webhook gets a signed message when a worker sees it crossed', async () => {
  const { secret: key } = await keyOf('CHAIN-7500', ['chain:read']);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const hook = await call('/v1/webhooks', key, { json: { url } });
  assert.deepEqual([hook.status, hook.body.kinds], [201, ['snapshot_threshold']], JSON.stringify(hook.body));
  await price(1);
  const json = { thresholds: [{ figure: 'price_usd', condition: 'above', value: 2, severity: 'critical' }] };
  const put = await call(PATH, key, { method: 'PUT', json });
  assert.equal(put.status, 201, JSON.stringify(put.body));
  await price(2.5);
  for (const end = Date.now() + 60_000; received.length === 0 && Date.now() < end; ) await sleep(100);
  const [message] = received;
  const verified = new Verifier(String(hook.body.secret)).verify(message?.body ?? '', message?.headers ?? {});
  assert.deepEqual([...Compile(WebhookMessages.snapshot_threshold).Errors(verified)], []);
  const { data } = verified as { data: { severity: string; details: { reached: number } } };
  assert.deepEqual([data.severity, data.details.reached], ['critical', 2.5]);
  const list = await call('/v1/ethereum/thresholds', key);
  assert.deepEqual([list.body.used, list.body.limit], [1, 500]);
  assert.deepEqual(
    (list.body.data as { thresholds: { state: string }[] }[])[0]?.thresholds.map(({ state }) => state),
    ['crossed'],
  );
  const alerts = await call('/v1/alerts', key);
  const [alert] = alerts.body.data as { id: number; kind: string }[];
  assert.equal(alert?.kind, 'snapshot_threshold');
  assert.equal((await call(`/v1/alerts/${alert?.id}/acknowledge`, key, { method: 'POST' })).status, 200);
  assert.equal((await call(PATH, key, { method: 'DELETE' })).status, 204);
  assert.equal((await call(PATH, key)).status, 404);
});

test('thresholds on an asset that is no longer indexed can be read and removed, and count until then', async () => {
  const { secret: key } = await keyOf('CHAIN-7500', ['chain:read']);
  const gone = assetAt(2);
  await indexer.add([gone], { cadence: 'newest', kinds: ['market'], addedBy: 'test' });
  const path = `/v1/ethereum/thresholds/${gone.address}`;
  const json = { thresholds: [{ figure: 'price_usd', condition: 'above', value: 2 }] };
  assert.equal((await call(path, key, { method: 'PUT', json })).status, 201);
  const removed = await call(`/v1/ethereum/index/${gone.address}`, api.adminKey ?? '', { method: 'DELETE' });
  assert.equal(removed.status, 204);
  // The lookup of indexed assets is cached for a second.
  await sleep(1_100);
  assert.equal((await call('/v1/ethereum/thresholds', key)).body.used, 1);
  assert.equal((await call(path, key)).status, 200);
  assert.equal((await call(path, key, { method: 'DELETE' })).status, 204);
  assert.equal((await call('/v1/ethereum/thresholds', key)).body.used, 0);
  const again = await call(path, key, { method: 'DELETE' });
  assert.deepEqual([again.status, again.body.code], [404, 'asset_not_indexed']);
});

test('a key of chain data reaches nothing of its account that is about ratings', async () => {
  const whole = await keyOf('INTERNAL', ['rms:read', 'rms:write', 'chain:read']);
  const narrow = await keyOf('CHAIN-7500', ['chain:read'], whole.account_id);
  const made = await call('/v1/webhooks', whole.secret, {
    json: { url: 'https://tide.example/', kinds: ['correction'] },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await store.db
    .insertInto('alerts')
    .values({
      id: 1,
      account_id: whole.account_id,
      asset_id: ASSET.id,
      kind: 'score_change',
      cause: 'x',
      severity: 'low',
      created_at: new Date().toISOString(),
      body: JSON.stringify({
        title: 'x',
        details: { from: 1, to: 2, change: 1, threshold: 1 },
        symbol: null,
        name: null,
      }),
    })
    .execute();
  assert.equal(((await call('/v1/alerts', whole.secret)).body.data as unknown[]).length, 1);
  assert.deepEqual((await call('/v1/alerts', narrow.secret)).body.data, []);
  assert.deepEqual((await call('/v1/alerts?kind=score_change', narrow.secret)).body.data, []);
  assert.equal((await call('/v1/alerts/1/acknowledge', narrow.secret, { method: 'POST' })).status, 404);
  assert.deepEqual((await call('/v1/webhooks', narrow.secret)).body.data, []);
  const path = `/v1/webhooks/${made.body.id}`;
  for (const [place, method, json] of [
    ['', 'GET', undefined],
    ['', 'DELETE', undefined],
    ['', 'PUT', { enabled: false }],
    ['/rotate', 'POST', {}],
    ['/test', 'POST', undefined],
    ['/deliveries', 'GET', undefined],
    ['/replay', 'POST', { since: '2026-01-01T00:00:00Z' }],
  ] as const)
    assert.equal((await call(path + place, narrow.secret, { method, json })).status, 404, `${method} ${place}`);
  const refused = await call('/v1/webhooks', narrow.secret, {
    json: { url: 'https://a.example/', kinds: ['correction'] },
  });
  assert.deepEqual([refused.status, refused.body.code], [400, 'validation_failed']);
  assert.equal((await call(path, whole.secret)).status, 200);
});

test('an invalid threshold is refused with its place, and plans without thresholds name those that have them', async () => {
  const { secret } = await keyOf('CHAIN-7500', ['chain:read']);
  const wrong = { figure: 'price_usd', condition: 'falls', value: 120 };
  const twice = { figure: 'price_usd', condition: 'above', value: 2 };
  const { status, body } = await call(PATH, secret, { method: 'PUT', json: { thresholds: [wrong, twice, twice] } });
  assert.deepEqual(
    [status, (body.errors as { pointer: string }[]).map(({ pointer }) => pointer)],
    [400, ['/thresholds/0/value', '/thresholds/2']],
  );
  const small = await keyOf('CHAIN-3500', ['chain:read']);
  const denied = await call('/v1/ethereum/thresholds', small.secret);
  assert.deepEqual([denied.status, denied.body.included_in], [403, ['CHAIN-7500']]);
  assert.equal((await call('/v1/webhooks', small.secret)).status, 403);
});
