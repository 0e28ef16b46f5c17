import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createWebhookJudge } from '../src/webhooks/delivery.ts';
import {
  ACCOUNT,
  drain,
  judgeUrl,
  KEY,
  KINDS,
  SINCE,
  USUAL,
  type WebhookWorld,
  webhookWorld,
} from './support/webhook-world.ts';

let world: WebhookWorld;

before(async () => {
  world = await webhookWorld();
});

beforeEach(() => world.reset());
afterEach(() => world.stopWorkers());
after(() => world.close());
const https = (host: string) => `https://${host}/`;

test('no webhook leads into our own network: not by address, not by a name, not by a redirect', async () => {
  const live = createWebhookJudge({ dataMode: 'live', loopback: true });
  for (const url of [
    world.base,
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
  assert.equal(createWebhookJudge({ dataMode: 'sandbox', loopback: false })(world.base).ok, false);
  assert.equal(judgeUrl('http://127.0.0.1.example.com/').ok && judgeUrl('http://192.168.0.1/').ok, false);

  const options = { ...USUAL, url: 'http://hooks.example.com/', kinds: KINDS };
  const named = await world.webhooks.create(ACCOUNT, options, 10);
  assert.ok(named.ok);
  await world.alert();
  for (const address of ['10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1']) {
    await world.dueNow();
    const answers = ['93.184.216.34', address].map(
      (one) => ({ address: one, family: one.includes(':') ? 6 : 4 }) as const,
    );
    await drain(world.worker({ resolver: { resolve: async () => answers, vouch: () => null } }));
    const seen = await world.webhooks.get(ACCOUNT, named.value.webhook.id);
    assert.equal(seen?.health.last_failure, 'the host name leads to an address that is not public', address);
  }
  assert.equal((await world.webhooks.get(ACCOUNT, named.value.webhook.id))?.health.consecutive_failures, 6);
  assert.ok(await world.webhooks.remove(ACCOUNT, named.value.webhook.id));

  await world.hook('/moved');
  world.answer = (response) => response.writeHead(307, { location: `${world.base}/elsewhere` }).end();
  await world.alert();
  await drain(world.worker());
  assert.deepEqual(
    world.received.map(({ path }) => path),
    ['/moved'],
  );
});

test('an account without a key that may read ratings is sent nothing until it has one again', async () => {
  const { id } = await world.hook();
  const { db } = world.database.store;
  await db.updateTable('api_keys').set({ revoked_at: SINCE }).where('id', '=', KEY).execute();
  await world.alert();
  await drain(world.worker());
  await db.updateTable('api_keys').set({ revoked_at: null, plan: 'CHAIN-1500' }).where('id', '=', KEY).execute();
  await drain(world.worker());
  assert.deepEqual([world.received.length, await world.statesOf(id)], [0, ['pending']]);
  await db.updateTable('api_keys').set({ plan: 'RATING' }).where('id', '=', KEY).execute();
  await drain(world.worker());
  assert.deepEqual(await world.statesOf(id), ['delivered']);
});

test('messages that the plan no longer includes hold up none that it does', async () => {
  const hook = await world.hook('/', [...KINDS, 'snapshot_threshold']);
  await world.alert(2, 'snapshot_threshold');
  await world.alert(1);
  const { db } = world.database.store;
  await db
    .updateTable('api_keys')
    .set({ scopes: ['rms:read'] })
    .where('id', '=', KEY)
    .execute();
  await drain(world.worker());
  assert.deepEqual((await world.statesOf(hook.id)).sort(), ['delivered', 'pending', 'pending']);
  await db
    .updateTable('api_keys')
    .set({ scopes: ['rms:read', 'chain:read'] })
    .where('id', '=', KEY)
    .execute();
  await drain(world.worker());
  assert.deepEqual(await world.statesOf(hook.id), ['delivered', 'delivered', 'delivered']);
});

test('another account sees and touches nothing', async () => {
  const { id } = await world.hook();
  await world.alert();
  const page = { state: null, before: null, limit: 10 };
  const [message] = (await world.webhooks.deliveries(ACCOUNT, id, page)) ?? [];
  const other = 'acc_other';
  assert.deepEqual(await world.webhooks.list(other), []);
  assert.equal(await world.webhooks.get(other, id), null);
  assert.equal((await world.webhooks.change(other, id, { enabled: false })).ok, false);
  assert.equal(await world.webhooks.remove(other, id), false);
  assert.equal(await world.webhooks.rotate(other, id, 0), null);
  assert.equal(await world.webhooks.test(other, id), null);
  assert.equal(await world.webhooks.deliveries(other, id, page), null);
  assert.equal(await world.webhooks.replay(other, id, message?.id ?? ''), null);
  assert.equal(await world.webhooks.replaySince(other, id, SINCE), null);
  const full = await world.webhooks.create(ACCOUNT, { ...USUAL, url: world.base, kinds: KINDS }, 1);
  assert.deepEqual(full.ok ? null : full.reason, 'full');
});
