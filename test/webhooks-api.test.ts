import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { publishedRating } from '../src/monitoring/alerts/fixtures/published.ts';
import { storeRating } from '../src/monitoring/alerts/fixtures/store-rating.ts';
import { openStore, type Store } from '../src/store/database.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';
import { type TestService, testService } from './support/service.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
interface Webhook {
  readonly id: string;
  readonly secret?: string;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly previous_secret_until: string | null;
}
type Deliveries = { readonly data: readonly { id: string; type: string; state: string; alert_id: number | null }[] };

let running: TestService;
let store: Store;
let other: string;
let base: string;
let closeDatabase: () => Promise<void>;
const received: Received[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
});

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  running = await testService({ webhookLoopback: true, publicUrl: 'https://assay.example.com' });
  const { dataDir } = running;
  const database = await databaseOf(dataDir, 'visitor');
  closeDatabase = database.close;
  store = await openStore(database.url, 'sandbox');
  const made = await running.call('/v1/admin/keys', {
    json: { name: 'other', scopes: ['rms:read', 'rms:write'], plan: 'RATING' },
  });
  other = ((await made.json()) as { secret: string }).secret;
});
after(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await store.close();
  await closeDatabase();
  await running.close();
});

async function ask<Reply>(path: string, status: number, init: Parameters<TestService['call']>[1] = {}): Promise<Reply> {
  const reply = await running.call(path, init);
  const text = await reply.text();
  assert.equal(reply.status, status, `${path}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Reply;
}

async function arrived(count: number): Promise<Received> {
  for (let waited = 0; received.length < count && waited < 100; waited += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const message = received[count - 1];
  assert.ok(message, `only ${received.length} messages came`);
  return message;
}

const verify = (secret: string | undefined, { body, headers }: Received) =>
  new Verifier(secret ?? '').verify(body, headers as Record<string, string>) as {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  };

test('from a watched asset to a signed message, its replay, a rotated secret and the end', async () => {
  const asset = `eip155:1/erc20:0x${'3'.repeat(40)}`;
  const rate = (second: number, score: number) => {
    const asOf = new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString();
    const rating = publishedRating(asset, `job ${second}`, asOf, { score, band: 'A', flags: [] });
    return store.db.transaction().execute((transaction) => storeRating(transaction, rating));
  };
  await rate(0, 70);
  await ask(`/v1/rms/whitelist/${asset}`, 201, { method: 'PUT' });
  const made = await ask<Webhook>('/v1/webhooks', 201, { json: { url: base, description: 'mine' } });
  assert.match(made.secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
  await rate(1, 50);
  const first = await arrived(1);
  const message = verify(made.secret, first);
  assert.equal(message.type, 'alert.score_change');
  assert.deepEqual([message.data.asset_id, message.data.symbol, message.data.severity], [asset, 'A', 'critical']);
  const path = `/v1/webhooks/${made.id}`;
  for (const shown of ['/v1/webhooks', path, `${path}/deliveries`])
    assert.equal(JSON.stringify(await ask(shown, 200)).includes('whsec_'), false, shown);
  const { data } = await ask<Deliveries>(`${path}/deliveries?state=delivered`, 200);
  assert.deepEqual([data[0]?.type, data[0]?.id], ['alert.score_change', first.headers['webhook-id']]);

  await ask(`${path}/deliveries/${data[0]?.id}/replay`, 202, { method: 'POST' });
  const again = await arrived(2);
  assert.deepEqual([again.headers['webhook-id'], again.body], [first.headers['webhook-id'], first.body]);

  const fresh = await ask<Webhook>(`${path}/rotate`, 201, { json: { overlap_seconds: 60 } });
  assert.ok(fresh.previous_secret_until);
  await ask(`${path}/test`, 202, { method: 'POST', headers: { 'content-type': 'application/json' } });
  const tested = await arrived(3);
  for (const secret of [made.secret, fresh.secret]) assert.equal(verify(secret, tested).type, 'webhook.test');

  const off = await ask<Webhook>(path, 200, { method: 'PUT', json: { enabled: false } });
  assert.deepEqual([off.enabled, off.disabled_reason], [false, 'by_request']);
  await rate(2, 20);
  await ask(`${path}/replay`, 409, { json: { since: '2026-03-01T00:00:02Z' } });
  await ask(path, 200, { method: 'PUT', json: { enabled: true } });
  const replayed = await ask<{ messages: number }>(`${path}/replay`, 202, { json: { since: '2026-03-01T00:00:02Z' } });
  assert.equal(replayed.messages, 1);
  await arrived(4);
  await ask(path, 204, { method: 'DELETE' });
  await ask(path, 404);
});

test('a real rating alerts its watcher: the watcher’s baseline is the rating before', async () => {
  const body = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example', token_symbol: 'TIDE' };
  const first = await ask<{ rating: unknown }>('/v1/score', 200, { json: body });
  assert.ok(first.rating !== undefined);
  const entry = await ask<{ asset: string; score: number }>('/v1/rms/whitelist/tide', 201, { method: 'PUT' });
  await ask('/v1/score', 200, { json: body });
  assert.deepEqual((await ask<{ data: unknown[] }>(`/v1/alerts?asset=TIDE`, 200)).data, []);
  // As if it had stood far higher when it was added.
  await store.db
    .updateTable('watchlist')
    .set({ baseline_score: entry.score + 25 })
    .where('asset_id', '=', entry.asset)
    .execute();
  await ask('/v1/score', 200, { json: body });
  const { data } = await ask<{ data: { kind: string; symbol: string; severity: string }[] }>(
    '/v1/alerts?asset=TIDE',
    200,
  );
  assert.deepEqual(
    data.map(({ kind, symbol, severity }) => [kind, symbol, severity]),
    [['score_change', 'TIDE', 'critical']],
  );
});

test('from a rating to a message in a chat, its link, its mute page, and the account that ends the mute', async () => {
  const asset = `eip155:1/erc20:0x${'4'.repeat(40)}`;
  const rate = (second: number, score: number) => {
    const asOf = new Date(Date.UTC(2026, 2, 2) + second * 1000).toISOString();
    const rating = publishedRating(asset, `chat ${second}`, asOf, { score, band: 'A', flags: [] });
    return store.db.transaction().execute((transaction) => storeRating(transaction, rating));
  };
  await rate(0, 70);
  await ask(`/v1/rms/whitelist/${asset}`, 201, { method: 'PUT' });
  const bot = { url: base.replace('/hook', '/bot123:secret/sendMessage'), format: 'telegram', kinds: ['score_change'] };
  const refused = async (json: unknown) =>
    (await ask<{ errors: { pointer: string }[] }>('/v1/webhooks', 400, { json })).errors.map(({ pointer }) => pointer);
  assert.deepEqual(await refused(bot), ['/chat_id']);
  assert.deepEqual(await refused({ url: base, chat_id: '-100' }), ['/chat_id']);
  assert.deepEqual(await refused({ ...bot, chat_id: 'a b' }), ['/chat_id']);
  const made = await ask<Webhook & { url: string }>('/v1/webhooks', 201, { json: { ...bot, chat_id: '-100' } });
  assert.equal(made.url, `${new URL(base).origin}/***`);
  const before = received.length;
  await rate(1, 50);
  const message = JSON.parse((await arrived(before + 1)).body) as { chat_id: string; text: string };
  assert.equal(message.chat_id, '-100');
  assert.match(message.text, /Score down 20 points \(critical\)[\s\S]*Trust:<\/b> 80 of 100/);
  const link =
    /https:\/\/assay\.example\.com(\/public\/mute\/[\w.-]+)/.exec(message.text)?.[1] ?? assert.fail(message.text);

  const open = async (path: string, form?: string) => {
    const reply = await fetch(running.service.url + path, {
      ...(form === undefined ? {} : { method: 'POST', body: form }),
      headers: form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
    });
    return { status: reply.status, text: await reply.text(), policy: reply.headers.get('content-security-policy') };
  };
  const path = `/v1/webhooks/${made.id}/mutes`;
  const shown = await open(link);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /<form method="post">/);
  assert.match(shown.policy ?? '', /default-src 'none'/);
  // What chat services do by themselves to every link: nothing comes of it.
  assert.deepEqual((await ask<{ data: unknown[] }>(path, 200)).data, []);
  assert.equal((await open(link, 'what=everything&days=7')).status, 400);
  assert.equal((await open(link, 'what=asset&days=700')).status, 400);
  assert.equal((await open(`${link.slice(0, -6)}AAAAAA`, 'what=asset&days=7')).status, 404);
  assert.match((await open(link, 'what=asset&days=7')).text, /<h1>Muted<\/h1>/);
  const { data } = await ask<{ data: { id: string; asset_id: string; kind: string | null }[] }>(path, 200);
  assert.deepEqual(
    data.map(({ asset_id, kind }) => [asset_id, kind]),
    [[asset, null]],
  );
  await rate(2, 30);
  await ask(`${path}/${data[0]?.id}`, 404, { key: other, method: 'DELETE' });
  await ask(`${path}/${data[0]?.id}`, 204, { method: 'DELETE' });
  await ask(`${path}/${data[0]?.id}`, 404, { method: 'DELETE' });
  await ask(path, 400, { json: { days: 3 } });
  await ask(path, 201, { json: { days: 3, kind: 'correction' } });
  await rate(3, 10);
  // The rating of the muted time made no message: the second one is about the rating after it.
  assert.match(JSON.parse((await arrived(before + 2)).body).text, /30 before, 10 now/);
  await ask(`/v1/webhooks/${made.id}`, 204, { method: 'DELETE' });
  await ask(`/v1/rms/whitelist/${asset}`, 204, { method: 'DELETE' });
});

test('an asset is muted by its id in any spelling, and a text that is no id is refused', async () => {
  const asset = `eip155:1/erc20:0x${'ab'.repeat(20)}`;
  const rate = (second: number, score: number) => {
    const asOf = new Date(Date.UTC(2026, 2, 3) + second * 1000).toISOString();
    const rating = publishedRating(asset, `muted ${second}`, asOf, { score, band: 'A', flags: [] });
    return store.db.transaction().execute((transaction) => storeRating(transaction, rating));
  };
  await rate(0, 70);
  await ask(`/v1/rms/whitelist/${asset}`, 201, { method: 'PUT' });
  const made = await ask<Webhook>('/v1/webhooks', 201, { json: { url: base } });
  const path = `/v1/webhooks/${made.id}/mutes`;
  const muteOf = async (asset_id: string) =>
    (await ask<{ asset_id: string }>(path, 201, { json: { asset_id, days: 3 } })).asset_id;
  assert.equal(await muteOf(`eip155:1/erc20:0x${'aB'.repeat(20)}`), asset);
  assert.equal(await muteOf(`ethereum:0x${'AB'.repeat(20)}`), asset);
  assert.equal((await ask<{ data: unknown[] }>(path, 200)).data.length, 1, 'one asset, one mute');
  await rate(1, 40);
  assert.deepEqual((await ask<Deliveries>(`/v1/webhooks/${made.id}/deliveries`, 200)).data, []);
  for (const text of ['TIDE', `0x${'ab'.repeat(20)}`, 'eip155:1/erc20:0x12']) {
    const { errors } = await ask<{ errors: { pointer: string }[] }>(path, 400, { json: { asset_id: text, days: 3 } });
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/asset_id'],
    );
  }
  await ask(`/v1/webhooks/${made.id}`, 204, { method: 'DELETE' });
  await ask(`/v1/rms/whitelist/${asset}`, 204, { method: 'DELETE' });
});

test('no route of webhooks lets an account at what is another account’s', async () => {
  const made = await ask<Webhook>('/v1/webhooks', 201, { json: { url: base } });
  const path = `/v1/webhooks/${made.id}`;
  await ask(`${path}/test`, 202, { method: 'POST' });
  const { data } = await ask<Deliveries>(`${path}/deliveries`, 200);
  const key = other;
  assert.deepEqual((await ask<{ data: unknown[] }>('/v1/webhooks', 200, { key })).data, []);
  await ask(path, 404, { key });
  await ask(path, 404, { key, method: 'PUT', json: { enabled: false } });
  await ask(path, 404, { key, method: 'DELETE' });
  await ask(`${path}/rotate`, 404, { key, json: {} });
  await ask(`${path}/test`, 404, { key, method: 'POST' });
  await ask(`${path}/deliveries`, 404, { key });
  await ask(`${path}/deliveries/${data[0]?.id}/replay`, 404, { key, method: 'POST' });
  await ask(`${path}/replay`, 404, { key, json: { since: '2026-03-01T00:00:00Z' } });
  assert.equal((await ask<Webhook>(path, 200)).enabled, true);
  await ask(path, 204, { method: 'DELETE' });
});

test('invalid requests are refused with what was expected, and no id can break a query of the store', async () => {
  const refused = async (json: unknown) =>
    (await ask<{ errors: { pointer: string }[] }>('/v1/webhooks', 400, { json })).errors.map(({ pointer }) => pointer);
  assert.deepEqual(await refused({}), ['/url']);
  assert.deepEqual(await refused({ url: 'https://10.0.0.1/', kinds: [] }), ['/kinds']);
  assert.deepEqual(await refused({ url: 'https://10.0.0.1/' }), ['/url']);
  assert.deepEqual(await refused({ url: 'https://hooks.example.com/', description: 'a\u0000' }), ['/description']);
  assert.deepEqual(await refused({ url: 'https://hooks.example.com/', secret: 'whsec_mine' }), ['/secret']);
  await ask('/v1/webhooks/%00', 404);
  await ask('/v1/webhooks/%00/deliveries', 404);
  await ask('/v1/webhooks/wh_000000000000000000000000/deliveries/%00/replay', 404, { method: 'POST' });
  await ask('/v1/webhooks/wh_000000000000000000000000/deliveries?cursor=1.%00', 400);
  await ask('/v1/webhooks/wh_000000000000000000000000/replay', 400, { json: { since: '2026-02-30T00:00:00Z' } });
});

test('a plan’s number of webhooks is the end', async () => {
  const key = other;
  const options = { url: 'https://hooks.example.com/' };
  let limit = 0;
  for (;;) {
    const reply = await running.call('/v1/webhooks', { key, json: options });
    if (reply.status !== 201) {
      const problem = (await reply.json()) as { code: string; limit: number };
      assert.deepEqual([reply.status, problem.code, problem.limit], [403, 'too_many_webhooks', limit]);
      return;
    }
    limit += 1;
    assert.ok(limit < 100);
  }
});
