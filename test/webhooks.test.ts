import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { createDeliveries, type Deliveries } from '../src/monitoring/webhooks/deliveries.ts';
import { createWebhookJudge } from '../src/monitoring/webhooks/judge-url.ts';
import { createWebhooks, type Webhooks } from '../src/monitoring/webhooks/webhooks.ts';
import { insertKey } from '../src/store/api-keys.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { insertAlerts } from '../src/store/ratings/alerts.ts';
import { createUpstream } from '../src/upstream/client.ts';
import type { Resolver, Upstream } from '../src/upstream/types.ts';

interface Received {
  readonly id: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const ACCOUNT = 'acc_one';
const KEY = 'key_one';
const KINDS = ['score_change', 'band_transition'];
const SINCE = '2026-03-01T00:00:00.000Z';

let database: TestDatabase;
let receiver: ReturnType<typeof createServer>;
let base: string;
let webhooks: Webhooks;
let received: Received[] = [];
let answer: (response: ServerResponse, request: Received) => void;
let cause = 0;
const open: { close(): Promise<void> }[] = [];
/** Names lead to this machine and nobody vouches for them: what a hostile DNS would say. */
const rebinding: Resolver = { resolve: async () => [{ address: '127.0.0.1', family: 4 }], vouch: () => null };
const judgeUrl = createWebhookJudge({ dataMode: 'sandbox', loopback: true });

before(async () => {
  database = await testDatabase();
  await insertKey(database.store.db, {
    id: KEY,
    account_id: ACCOUNT,
    name: 'key',
    prefix: 'ak_live_',
    secret_sha256: randomBytes(32),
    scopes: ['rms:read'],
    plan: 'RATING',
    allowed_ips: [],
    created_at: SINCE,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    rotated_from: null,
  });
  receiver = createServer((request, response) => {
    void read(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const message = { id: headers['webhook-id'] ?? '', path: request.url ?? '', headers, body };
      received.push(message);
      answer(response, message);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  webhooks = createWebhooks({ db: database.store.db, random: randomBytes, judgeUrl, clock: Date.now });
});
beforeEach(async () => {
  received = [];
  answer = (response) => response.writeHead(204).end();
  for (const table of ['webhook_messages', 'webhooks', 'alerts', 'alert_numbers'] as const)
    await database.store.db.deleteFrom(table).execute();
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
after(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await database.close();
});

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function client(resolver: Resolver = rebinding): Upstream {
  const upstream = createUpstream({ resolver, userAgent: 'assay-test' });
  upstream.setBudget('webhook', { perMinute: 100_000, burst: 10_000, concurrency: 64, shareSeconds: 0 });
  open.push(upstream);
  return upstream;
}

function worker(more: { readonly resolver?: Resolver; readonly live?: boolean } = {}): Deliveries {
  const deliveries = createDeliveries({
    db: database.store.db,
    upstream: client(more.resolver),
    judgeUrl: more.live ? createWebhookJudge({ dataMode: 'live', loopback: true }) : judgeUrl,
    clock: Date.now,
    random: () => 0,
    collectSeconds: 0,
    plans: ['RATING'],
    onError: (error) => assert.fail(error as Error),
  });
  open.push(deliveries);
  return deliveries;
}

/** Sends until nothing is due any more. */
async function drain(...workers: readonly Deliveries[]): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const begun = await Promise.all(workers.map((one) => one.tick()));
    await Promise.all(workers.map((one) => one.idle()));
    quiet = begun.every((count) => count === 0) ? quiet + 1 : 0;
  }
}

async function hook(path = '/', kinds: readonly string[] = KINDS) {
  const made = await webhooks.create(ACCOUNT, { url: base + path, description: null, kinds }, 10);
  assert.ok(made.ok);
  return { id: made.value.webhook.id, secret: made.value.secret };
}

async function alert(count = 1, kind = 'score_change', title = 'Score down'): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    cause += 1;
    return {
      account_id: ACCOUNT,
      asset_id: 'eip155:1/erc20:0x1',
      kind,
      cause: `${cause}:${kind}`,
      severity: cause % 2 === 0 ? 'high' : 'low',
      created_at: SINCE,
      body: JSON.stringify({ title, details: { from: 70, to: 60 }, rating_as_of: SINCE }),
    };
  });
  await database.store.db.transaction().execute((transaction) => insertAlerts(transaction, rows));
}

const https = (host: string) => `https://${host}/`;
const dueNow = () =>
  sql`update webhook_messages set due_at = clock_timestamp() where state = 'pending'`.execute(database.store.db);
const secondsUntilDue = async () => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from due_at - clock_timestamp())::float8 as seconds from webhook_messages
    where state = 'pending'`.execute(database.store.db);
  return rows.map(({ seconds }) => Math.round(seconds));
};
const verified = (secret: string, message: Received | undefined) => {
  assert.ok(message);
  return new Verifier(secret).verify(message.body, { ...message.headers }) as Message;
};
const statesOf = async (id: string) =>
  ((await webhooks.deliveries(ACCOUNT, id, { state: null, before: null, limit: 500 })) ?? []).map(({ state }) => state);

test('an alert reaches the webhooks that want its kind, with a signature the reference implementation accepts', async () => {
  const wanting = await hook('/wanting');
  await hook('/other', ['risk_flag_change']);
  await alert();
  await drain(worker());
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/wanting'],
  );
  const message = verified(wanting.secret, received[0]);
  assert.equal(message.type, 'alert.score_change');
  assert.equal(message.timestamp, SINCE);
  assert.deepEqual(message.data.details, { from: 70, to: 60 });
  assert.equal(received[0]?.headers['content-type'], 'application/json');
  assert.throws(() =>
    new Verifier(`whsec_${randomBytes(32).toString('base64')}`).verify(received[0]?.body ?? '', {
      ...received[0]?.headers,
    }),
  );
  assert.deepEqual(await statesOf(wanting.id), ['delivered']);
  const seen = await webhooks.get(ACCOUNT, wanting.id);
  assert.equal(JSON.stringify(seen).includes('whsec_'), false);
  assert.ok(seen?.last_success_at);
});

test('a failed message comes again with the same id and bytes, later each time, ten times in over three days', async () => {
  const { id } = await hook();
  answer = (response) => response.writeHead(500).end('secret stack trace');
  await alert();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    // A worker of its own each time: the client's breaker would hold the endpoint off for a while.
    await drain(worker());
    waits.push(...(await secondsUntilDue()));
    await dueNow();
  }
  assert.deepEqual(waits, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  assert.equal(received.length, 10);
  assert.equal(new Set(received.map((message) => message.id)).size, 1);
  assert.equal(new Set(received.map(({ body }) => body)).size, 1);
  assert.deepEqual(await statesOf(id), ['failed']);
  const seen = await webhooks.get(ACCOUNT, id);
  assert.equal(seen?.consecutive_failures, 10);
  assert.equal(seen?.last_failure, 'the host answered with status 500');
});

test('Retry-After is waited for, and 410 switches the webhook off', async () => {
  const { id } = await hook();
  answer = (response) => response.writeHead(503, { 'retry-after': '900' }).end();
  await alert();
  await drain(worker());
  assert.deepEqual(await secondsUntilDue(), [900]);
  answer = (response) => response.writeHead(410).end();
  await dueNow();
  await drain(worker());
  const seen = await webhooks.get(ACCOUNT, id);
  assert.deepEqual([seen?.enabled, seen?.disabled_reason], [false, 'gone']);
  await alert();
  await drain(worker());
  assert.equal(received.length, 2);
  assert.ok((await webhooks.change(ACCOUNT, id, { enabled: true })).ok);
  answer = (response) => response.writeHead(200).end('x'.repeat(100_000));
  assert.deepEqual((await webhooks.replaySince(ACCOUNT, id, SINCE))?.messages, 2);
  await drain(worker());
  assert.equal(received.length, 4, 'the one that failed and the one that came while it was off');
  assert.deepEqual(await statesOf(id), ['delivered', 'delivered'], 'a long reply is as good as none');
});

test('an endpoint that takes nothing for five days is switched off, and says so', async () => {
  const { id } = await hook();
  answer = (response) => response.writeHead(500).end();
  await alert();
  await drain(worker());
  const { db } = database.store;
  await sql`update webhooks set failing_since = clock_timestamp() - interval '4 days 23 hours'`.execute(db);
  await dueNow();
  await drain(worker());
  assert.equal((await webhooks.get(ACCOUNT, id))?.enabled, true);
  await sql`update webhooks set failing_since = clock_timestamp() - interval '5 days 1 minute'`.execute(db);
  await dueNow();
  await drain(worker());
  const seen = await webhooks.get(ACCOUNT, id);
  assert.deepEqual([seen?.enabled, seen?.disabled_reason], [false, 'failing']);
});

test('a rotated secret signs beside the new one until the overlap ends', async () => {
  const old = await hook();
  const fresh = await webhooks.rotate(ACCOUNT, old.id, 3_600);
  assert.ok(fresh);
  await alert();
  await drain(worker());
  assert.equal(received[0]?.headers['webhook-signature']?.split(' ').length, 2);
  verified(old.secret, received[0]);
  verified(fresh.secret, received[0]);
  await sql`update webhooks set previous_until = clock_timestamp()`.execute(database.store.db);
  await alert();
  await drain(worker());
  verified(fresh.secret, received[1]);
  assert.throws(() => verified(old.secret, received[1]));
});

test('a storm becomes one digest that names its alerts; what is below goes out one by one', async () => {
  const { id, secret } = await hook();
  await alert(20);
  await drain(worker());
  assert.equal(received.length, 20);
  await alert(150);
  await alert(150, 'band_transition');
  await drain(worker());
  assert.equal(received.length, 21);
  const { type, data } = verified(secret, received[20]);
  assert.equal(type, 'alert.digest');
  assert.equal(data.alerts, 300);
  assert.deepEqual(data.by_kind, { score_change: 150, band_transition: 150 });
  assert.deepEqual(data.by_severity, { high: 150, low: 150 });
  assert.deepEqual(
    data.alert_ids,
    Array.from({ length: 100 }, (_, index) => index + 21),
  );
  assert.equal(data.list, `/v1/alerts?since=${encodeURIComponent(SINCE)}`);
  const states = Object.groupBy(await statesOf(id), (state) => state);
  assert.deepEqual([states.delivered?.length, states.folded?.length], [21, 300]);
});

test('several workers send each message once; one that died with a lease loses none', async () => {
  const { id } = await hook();
  const second = await hook('/second');
  await alert(18);
  await sql`update webhook_messages set attempts = 1, lease_until = clock_timestamp() + interval '1 minute'
    where id in (select id from webhook_messages order by id limit 3)`.execute(database.store.db);
  await drain(worker(), worker(), worker());
  assert.equal(received.length, 33);
  await sql`update webhook_messages set lease_until = clock_timestamp()`.execute(database.store.db);
  await drain(worker(), worker());
  assert.equal(received.length, 36);
  assert.equal(new Set(received.map((message) => message.id)).size, 36);
  for (const one of [id, second.id]) assert.ok((await statesOf(one)).every((state) => state === 'delivered'));
});

test('no webhook leads into our own network: not by address, not by a name, not by a redirect', async () => {
  const live = createWebhookJudge({ dataMode: 'live', loopback: true });
  for (const url of [
    base,
    'http://hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://a:b@hooks.example.com/',
    'ftp://a.example.com/',
    'https://localhost/',
    'https://metadata.google.internal/',
    ...['127.0.0.1', '10.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '169.254.169.254'].map(https),
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[fd00::1]', '[fe80::1]', '[64:ff9b::7f00:1]', '8.8.8.8'].map(https),
  ])
    assert.equal(live(url).ok, false, url);
  assert.ok(live('https://hooks.example.com/in?x=1').ok);
  assert.equal(createWebhookJudge({ dataMode: 'sandbox', loopback: false })(base).ok, false);
  assert.equal(judgeUrl('http://127.0.0.1.example.com/').ok && judgeUrl('http://192.168.0.1/').ok, false);

  const wish = { url: 'http://hooks.example.com/', description: null, kinds: KINDS };
  const named = await webhooks.create(ACCOUNT, wish, 10);
  assert.ok(named.ok);
  await alert();
  for (const address of ['10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1']) {
    await dueNow();
    const answers = ['93.184.216.34', address].map(
      (one) => ({ address: one, family: one.includes(':') ? 6 : 4 }) as const,
    );
    await drain(worker({ resolver: { resolve: async () => answers, vouch: () => null } }));
    const seen = await webhooks.get(ACCOUNT, named.value.webhook.id);
    assert.equal(seen?.last_failure, 'the host name leads to an address that is not public', address);
  }
  assert.equal((await webhooks.get(ACCOUNT, named.value.webhook.id))?.consecutive_failures, 6);
  assert.ok(await webhooks.remove(ACCOUNT, named.value.webhook.id));

  await hook('/moved');
  answer = (response) => response.writeHead(307, { location: `${base}/elsewhere` }).end();
  await alert();
  await drain(worker());
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/moved'],
  );
});

test('an endpoint that fails holds up no other webhook of the same host', async () => {
  await hook('/bad');
  await hook('/good');
  answer = (response, { path }) => response.writeHead(path === '/bad' ? 500 : 204).end();
  const one = worker();
  for (let round = 0; round < 8; round += 1) {
    await alert();
    await drain(one);
  }
  const sent = (path: string) => received.filter((message) => message.path === path).length;
  assert.equal(sent('/good'), 8);
  assert.equal(sent('/bad'), 5, 'after five failures in a row it is left alone for a while');
});

test('an account without a key that may read ratings is sent nothing until it has one again', async () => {
  const { id } = await hook();
  const { db } = database.store;
  await db.updateTable('api_keys').set({ revoked_at: SINCE }).where('id', '=', KEY).execute();
  await alert();
  await drain(worker());
  await db.updateTable('api_keys').set({ revoked_at: null, plan: 'CHAIN-1500' }).where('id', '=', KEY).execute();
  await drain(worker());
  assert.deepEqual([received.length, await statesOf(id)], [0, ['pending']]);
  await db.updateTable('api_keys').set({ plan: 'RATING' }).where('id', '=', KEY).execute();
  await drain(worker());
  assert.deepEqual(await statesOf(id), ['delivered']);
});

test('what waits for a webhook is given up when it is switched off, and sent by a replay', async () => {
  const { id } = await hook();
  answer = (response) => response.writeHead(500).end();
  await alert();
  await drain(worker());
  assert.ok((await webhooks.change(ACCOUNT, id, { enabled: false })).ok);
  assert.deepEqual(await statesOf(id), ['failed']);
  answer = (response) => response.writeHead(204).end();
  assert.ok((await webhooks.change(ACCOUNT, id, { enabled: true })).ok);
  await dueNow();
  await drain(worker());
  assert.equal(received.length, 1);
  assert.equal((await webhooks.replaySince(ACCOUNT, id, SINCE))?.messages, 1);
  await drain(worker());
  assert.equal(received.length, 2);
});

test('a delivery can be replayed with its id; a test message says what it is', async () => {
  const { id, secret } = await hook();
  await alert();
  await drain(worker());
  const [delivered] = (await webhooks.deliveries(ACCOUNT, id, { state: null, before: null, limit: 10 })) ?? [];
  assert.ok(delivered);
  assert.ok(await webhooks.replay(ACCOUNT, id, delivered.id));
  await drain(worker());
  assert.deepEqual([received[0]?.id, received[0]?.body], [received[1]?.id, received[1]?.body]);
  await webhooks.change(ACCOUNT, id, { enabled: false });
  assert.ok(await webhooks.test(ACCOUNT, id));
  await drain(worker());
  assert.equal(verified(secret, received[2]).type, 'webhook.test');
});

test('another account sees and touches nothing', async () => {
  const { id } = await hook();
  await alert();
  const page = { state: null, before: null, limit: 10 };
  const [message] = (await webhooks.deliveries(ACCOUNT, id, page)) ?? [];
  const other = 'acc_other';
  assert.deepEqual(await webhooks.list(other), []);
  assert.equal(await webhooks.get(other, id), null);
  assert.equal((await webhooks.change(other, id, { enabled: false })).ok, false);
  assert.equal(await webhooks.remove(other, id), false);
  assert.equal(await webhooks.rotate(other, id, 0), null);
  assert.equal(await webhooks.test(other, id), null);
  assert.equal(await webhooks.deliveries(other, id, page), null);
  assert.equal(await webhooks.replay(other, id, message?.id ?? ''), null);
  assert.equal(await webhooks.replaySince(other, id, SINCE), null);
  const full = await webhooks.create(ACCOUNT, { url: base, description: null, kinds: KINDS }, 1);
  assert.deepEqual(full.ok ? null : full.reason, 'full');
});
