import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { Compile } from 'typebox/compile';
import { ALERT_KINDS } from '../src/contract/alert.ts';
import { MessageHeaders, WebhookMessages } from '../src/contract/webhook-message.ts';
import { correctionBody } from '../src/disclosure/corrections.ts';
import { alertsOf } from '../src/monitoring/alerts/alerts.ts';
import { driftAlertBody } from '../src/monitoring/alerts/drift-alerts.ts';
import { flag, publishedRating } from '../src/monitoring/alerts/fixtures/published.ts';
import { pegAlertBody } from '../src/monitoring/alerts/peg-alerts.ts';
import { limitsOf, PEG_RULES } from '../src/monitoring/alerts/peg-rule.ts';
import { thresholdAlertBody } from '../src/monitoring/thresholds/alerts.ts';
import type { SourceHealth } from '../src/store/sources.ts';
import { marketSnapshot, UNI } from './support/chain-snapshots.ts';
import { type Schema, unknownMembers } from './support/openapi.ts';
import { ACCOUNT, drain, SINCE, verified, type WebhookWorld, webhookWorld } from './support/webhook-world.ts';

let world: WebhookWorld;

before(async () => {
  world = await webhookWorld();
});

beforeEach(() => world.reset());
afterEach(() => world.stopWorkers());
after(() => world.close());

test('an alert reaches the webhooks that want its kind, with a signature the reference implementation accepts', async () => {
  const wanting = await world.hook('/wanting');
  await world.hook('/other', ['risk_flag_change']);
  await world.alert();
  await drain(world.worker());
  assert.deepEqual(
    world.received.map(({ path }) => path),
    ['/wanting'],
  );
  const message = verified(wanting.secret, world.received[0]);
  assert.equal(message.type, 'alert.score_change');
  assert.equal(message.timestamp, SINCE);
  assert.deepEqual(message.data.details, { from: 70, to: 60 });
  assert.equal(world.received[0]?.headers['content-type'], 'application/json');
  assert.throws(() =>
    new Verifier(`whsec_${randomBytes(32).toString('base64')}`).verify(world.received[0]?.body ?? '', {
      ...world.received[0]?.headers,
    }),
  );
  assert.deepEqual(await world.statesOf(wanting.id), ['delivered']);
  const seen = await world.webhooks.get(ACCOUNT, wanting.id);
  assert.equal(JSON.stringify(seen).includes('whsec_'), false);
  assert.ok(seen?.health.last_success_at);
});

test('if the clock of the service differs from the system clock, deliveries and mutes are shown by the former and run by the latter', async () => {
  const { id } = await world.hook();
  await world.alert(2);
  await drain(world.worker());
  const aheadMs = -3 * 86_400_000 - 1;
  const shown = world.shownAhead(aheadMs);
  const page = { state: null, before: null, limit: 10 };
  const real = (await world.webhooks.deliveries(ACCOUNT, id, page)) ?? [];
  const dated = (await shown.deliveries(ACCOUNT, id, page)) ?? [];
  const apart = (one: string | null | undefined, other: string | null | undefined) =>
    Date.parse(one ?? '') - Date.parse(other ?? '');
  assert.equal(dated.length, 2);
  for (const [at, one] of dated.entries()) {
    assert.equal(apart(one.created_at, real[at]?.created_at), aheadMs);
    assert.equal(apart(one.finished_at, real[at]?.finished_at), aheadMs);
  }
  const [first, second] = dated;
  assert.ok(first && second);
  const rest = await shown.deliveries(ACCOUNT, id, { ...page, before: { at: first.created_at, id: first.id } });
  assert.deepEqual(rest, [second], 'a page goes on where the one before ended');
  const [before, after] = [await world.webhooks.get(ACCOUNT, id), await shown.get(ACCOUNT, id)];
  assert.equal(apart(after?.created_at, before?.created_at), aheadMs);
  assert.equal(apart(after?.health.last_success_at, before?.health.last_success_at), aheadMs);
  assert.equal(after?.health.last_failure_at, null);

  const muted = await shown.mute(ACCOUNT, id, { assetId: 'eip155:1/erc20:0x1', kind: null }, 1);
  assert.ok(muted.ok);
  assert.ok(Math.abs(Date.parse(muted.value.until) - aheadMs - Date.now() - 86_400_000) < 60_000);
  await world.alert();
  await drain(world.worker());
  assert.equal(world.received.length, 2, 'it is muted now, by the system clock');
});

test('a message of each kind matches the contract, and so do its headers', async () => {
  const { id, secret } = await world.hook('/', ALERT_KINDS);
  const flags = [flag('MINT_AUTHORITY_EOA', 'high')];
  const rated = (score: number, band: 'BB' | 'CCC', raised: typeof flags) =>
    publishedRating('eip155:1/erc20:0x1', 'job', SINCE, { score, band, flags: raised });
  const thresholds = { minScoreChange: 2, flagSeverities: ['high'], bands: null } as const;
  const baseline = { score: 60.3, band: 'BB', flags: [{ code: 'OLD', severity: 'high' }] } as const;
  const source = {
    source: 'coingecko',
    weight: 0.4,
    checkedAt: SINCE,
    drifting: ['shape'],
    usualSince: null,
    driftAt: SINCE,
    driftEndpoint: 'coin',
    drift: 'fields are missing',
  } as unknown as SourceHealth;
  for (const { kind, title, details } of alertsOf(thresholds, baseline, rated(43.9, 'CCC', flags)).alerts)
    await world.alert(1, kind, title, { details, symbol: 'A', name: 'A', class: 'defi_gov' });
  const drift = driftAlertBody({ accountId: ACCOUNT, state: 'opened', sources: [source], severity: 'high' });
  await world.alert(1, 'source_drift', drift.title, drift);
  const off = {
    state: 'opened',
    severity: 'medium',
    at: SINCE,
    price: 0.9891,
    distanceBps: -109,
    bpsHours: 212,
  } as const;
  const peg = pegAlertBody(off, 'USD', limitsOf('USD', PEG_RULES), null);
  await world.alert(1, 'peg_stress', peg.title, peg);
  const corrected = correctionBody({
    restatementId: 1,
    ratingId: 1,
    asset: { id: 'a', chain: null, address: null, symbol: 'A', name: 'A', category: null, website: null },
    ratingAsOf: SINCE,
    jobId: 'posttge_1795176000000_b7f2lmkl',
    reason: 'a source spoke of another project',
    before: { band: 'BB', score: 48.1 },
    after: { band: 'BBB', score: 60.3 },
    madeAt: SINCE,
  });
  await world.alert(1, 'correction', corrected.title, corrected);
  const line = { figure: 'price_usd', condition: 'falls', value: 10, windowSeconds: 3_600, hysteresisPct: 5 } as const;
  const fall = { reading: { at: SINCE, value: 1.1 }, from: { at: SINCE, value: 1.25 }, changePct: -12 };
  const crossed = thresholdAlertBody(line, fall, marketSnapshot(UNI, SINCE, 1.1), Date.parse(SINCE) + 3_000);
  await world.alert(1, 'snapshot_threshold', crossed.title, crossed);
  await drain(world.worker());
  await world.webhooks.test(ACCOUNT, id);
  await drain(world.worker());
  await world.alert(30, 'band_transition');
  await drain(world.worker());
  const byType = new Map(world.received.map((message) => [verified(secret, message).type, message]));
  assert.equal(byType.size, Object.keys(WebhookMessages).length);
  for (const schema of Object.values(WebhookMessages)) {
    const message = byType.get(schema.properties.type.const);
    const body: unknown = JSON.parse(message?.body ?? 'null');
    assert.deepEqual([...Compile(schema).Errors(body)], [], schema.properties.type.const);
    assert.deepEqual([...Compile(MessageHeaders).Errors(message?.headers)], []);
    assert.deepEqual(unknownMembers(schema as Schema, body, {}), []);
  }
});

test('a failed message comes again with the same id and bytes, later each time, ten times in over three days', async () => {
  const { id } = await world.hook();
  world.answer = (response) => response.writeHead(500).end('secret stack trace');
  await world.alert();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    // A worker of its own each time: the client's breaker would hold the endpoint off for a while.
    await drain(world.worker());
    waits.push(...(await world.secondsUntilDue()));
    await world.dueNow();
  }
  assert.deepEqual(waits, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  assert.equal(world.received.length, 10);
  assert.equal(new Set(world.received.map((message) => message.id)).size, 1);
  assert.equal(new Set(world.received.map(({ body }) => body)).size, 1);
  assert.deepEqual(await world.statesOf(id), ['failed']);
  const seen = await world.webhooks.get(ACCOUNT, id);
  assert.equal(seen?.health.consecutive_failures, 10);
  assert.equal(seen?.health.last_failure, 'the host answered with status 500');
});

test('Retry-After is waited for, and 410 switches the webhook off', async () => {
  const { id } = await world.hook();
  world.answer = (response) => response.writeHead(503, { 'retry-after': '900' }).end();
  await world.alert();
  await drain(world.worker());
  assert.deepEqual(await world.secondsUntilDue(), [900]);
  world.answer = (response) => response.writeHead(410).end();
  await world.dueNow();
  await drain(world.worker());
  const seen = await world.webhooks.get(ACCOUNT, id);
  assert.deepEqual([seen?.enabled, seen?.disabled_reason], [false, 'gone']);
  await world.alert();
  await drain(world.worker());
  assert.equal(world.received.length, 2);
  assert.ok((await world.webhooks.change(ACCOUNT, id, { enabled: true })).ok);
  world.answer = (response) => response.writeHead(200).end('x'.repeat(100_000));
  assert.deepEqual((await world.webhooks.replaySince(ACCOUNT, id, SINCE))?.messages, 2);
  await drain(world.worker());
  assert.equal(world.received.length, 4, 'the one that failed and the one that came while it was off');
  assert.deepEqual(await world.statesOf(id), ['delivered', 'delivered'], 'a long reply is as good as none');
});

test('an endpoint that accepts nothing for five days is switched off, and this is reported', async () => {
  const { id } = await world.hook();
  world.answer = (response) => response.writeHead(500).end();
  await world.alert();
  await drain(world.worker());
  const { db } = world.database.store;
  await sql`update webhooks set failing_since = clock_timestamp() - interval '4 days 23 hours'`.execute(db);
  await world.dueNow();
  await drain(world.worker());
  assert.equal((await world.webhooks.get(ACCOUNT, id))?.enabled, true);
  await sql`update webhooks set failing_since = clock_timestamp() - interval '5 days 1 minute'`.execute(db);
  await world.dueNow();
  await drain(world.worker());
  const seen = await world.webhooks.get(ACCOUNT, id);
  assert.deepEqual([seen?.enabled, seen?.disabled_reason], [false, 'failing']);
});

test('an outage of long ago does not count with a failure today: the webhook stays on and the alert arrives', async () => {
  const { id } = await world.hook();
  world.answer = (response) => response.writeHead(500).end();
  await world.alert();
  await drain(world.worker());
  const { db } = world.database.store;
  // The message was given up after its last attempt a month ago, and no alert came since.
  await sql`update webhook_messages set state = 'failed'`.execute(db);
  await sql`update webhooks set failing_since = clock_timestamp() - interval '33 days',
    last_failure_at = clock_timestamp() - interval '30 days'`.execute(db);
  await world.alert();
  await drain(world.worker());
  const seen = await world.webhooks.get(ACCOUNT, id);
  assert.equal(seen?.enabled, true);
  assert.ok(Date.now() - Date.parse(seen.health.failing_since ?? '') < 60_000, 'it fails since today');
  world.answer = (response) => response.writeHead(204).end();
  await world.dueNow();
  await drain(world.worker());
  assert.deepEqual(await world.statesOf(id), ['delivered', 'failed']);
});

test('failures of an address do not count against the one that replaces it', async () => {
  const { id } = await world.hook('/old');
  world.answer = (response) => response.writeHead(500).end();
  await world.alert();
  await drain(world.worker());
  const { db } = world.database.store;
  await sql`update webhooks set failing_since = clock_timestamp() - interval '5 days 1 minute'`.execute(db);
  const same = await world.webhooks.change(ACCOUNT, id, { url: `${world.base}/old` });
  assert.equal(same.ok && same.value.health.consecutive_failures, 1);
  const moved = await world.webhooks.change(ACCOUNT, id, { url: `${world.base}/new` });
  assert.deepEqual(moved.ok && [moved.value.health.consecutive_failures, moved.value.health.failing_since], [0, null]);
  await world.dueNow();
  await drain(world.worker());
  assert.equal(world.received.at(-1)?.path, '/new');
  assert.equal((await world.webhooks.get(ACCOUNT, id))?.enabled, true);
  assert.deepEqual(await world.statesOf(id), ['pending']);
});

test('a rotated secret signs beside the new one until the overlap ends', async () => {
  const old = await world.hook();
  const fresh = await world.webhooks.rotate(ACCOUNT, old.id, 3_600);
  assert.ok(fresh);
  await world.alert();
  await drain(world.worker());
  assert.equal(world.received[0]?.headers['webhook-signature']?.split(' ').length, 2);
  verified(old.secret, world.received[0]);
  verified(fresh.secret, world.received[0]);
  await sql`update webhooks set previous_until = clock_timestamp()`.execute(world.database.store.db);
  await world.alert();
  await drain(world.worker());
  verified(fresh.secret, world.received[1]);
  assert.throws(() => verified(old.secret, world.received[1]));
});

test('a storm becomes one digest that names its alerts; fewer messages are sent one by one', async () => {
  const { id, secret } = await world.hook();
  await world.alert(20);
  await drain(world.worker());
  assert.equal(world.received.length, 20);
  await world.alert(150);
  await world.alert(150, 'band_transition');
  await drain(world.worker());
  assert.equal(world.received.length, 21);
  const { type, data } = verified(secret, world.received[20]);
  assert.equal(type, 'alert.digest');
  assert.equal(data.alerts, 300);
  assert.deepEqual(data.by_kind, { score_change: 150, band_transition: 150 });
  assert.deepEqual(data.by_severity, { high: 150, low: 150 });
  assert.deepEqual(
    data.alert_ids,
    Array.from({ length: 100 }, (_, index) => index + 21),
  );
  assert.equal(data.list, `/v1/alerts?since=${encodeURIComponent(SINCE)}`);
  const states = Object.groupBy(await world.statesOf(id), (state) => state);
  assert.deepEqual([states.delivered?.length, states.folded?.length], [21, 300]);
});

test('several workers send each message once; one that died with a lease loses none', async () => {
  const { id } = await world.hook();
  const second = await world.hook('/second');
  await world.alert(18);
  await sql`update webhook_messages set attempts = 1, lease_until = clock_timestamp() + interval '1 minute'
    where id in (select id from webhook_messages order by id limit 3)`.execute(world.database.store.db);
  await drain(world.worker(), world.worker(), world.worker());
  assert.equal(world.received.length, 33);
  await sql`update webhook_messages set lease_until = clock_timestamp()`.execute(world.database.store.db);
  await drain(world.worker(), world.worker());
  assert.equal(world.received.length, 36);
  assert.equal(new Set(world.received.map((message) => message.id)).size, 36);
  for (const one of [id, second.id]) assert.ok((await world.statesOf(one)).every((state) => state === 'delivered'));
});

/** Two alerts arrive by workers that cannot say so, then a storm comes: each of the two comes again alone. */
async function stormAfterUnknown(sendTwo: () => Promise<unknown>): Promise<void> {
  const { secret } = await world.hook();
  await world.alert(2);
  await sendTwo();
  await world.dueNow();
  await world.alert(40);
  await drain(world.worker());
  const messages = world.received.map((message) => ({ id: message.id, data: verified(secret, message).data }));
  const singles = messages.filter(({ data }) => data.alerts === undefined);
  assert.deepEqual([singles.length, new Set(singles.map(({ id }) => id)).size], [4, 2]);
  const digests = messages.filter(({ data }) => data.alerts !== undefined);
  assert.deepEqual(
    digests.map(({ data }) => [data.alerts, data.first_id]),
    [[40, 3]],
  );
}

test('messages sent by a worker that died are sent again in a storm under their own ids, not in the digest', () =>
  stormAfterUnknown(async () => {
    await drain(world.worker());
    await sql`update webhook_messages set state = 'pending', finished_at = null, lease_until = clock_timestamp()`.execute(
      world.database.store.db,
    );
  }));

test('the same holds for messages sent by a worker that was stopped', () =>
  stormAfterUnknown(async () => {
    const arrived = Promise.withResolvers<void>();
    world.answer = () => {
      if (world.received.length === 2) arrived.resolve();
    };
    const stopped = world.worker();
    await stopped.tick();
    await arrived.promise;
    await stopped.close();
    world.answer = (response) => void response.writeHead(204).end();
  }));

test('an endpoint that fails holds up no other webhook of the same host', async () => {
  await world.hook('/bad');
  await world.hook('/good');
  world.answer = (response, { path }) => response.writeHead(path === '/bad' ? 500 : 204).end();
  const one = world.worker();
  for (let round = 0; round < 8; round += 1) {
    await world.alert();
    await drain(one);
  }
  const sent = (path: string) => world.received.filter((message) => message.path === path).length;
  assert.equal(sent('/good'), 8);
  assert.equal(sent('/bad'), 5, 'after five failures in a row it is left alone for a while');
});

test('what waits for a webhook is given up when it is switched off, and sent by a replay', async () => {
  const { id } = await world.hook();
  world.answer = (response) => response.writeHead(500).end();
  await world.alert();
  await drain(world.worker());
  assert.ok((await world.webhooks.change(ACCOUNT, id, { enabled: false })).ok);
  assert.deepEqual(await world.statesOf(id), ['failed']);
  world.answer = (response) => response.writeHead(204).end();
  assert.ok((await world.webhooks.change(ACCOUNT, id, { enabled: true })).ok);
  await world.dueNow();
  await drain(world.worker());
  assert.equal(world.received.length, 1);
  assert.equal((await world.webhooks.replaySince(ACCOUNT, id, SINCE))?.messages, 1);
  await drain(world.worker());
  assert.equal(world.received.length, 2);
});

test('a delivery can be replayed with its id; a test message is marked as one', async () => {
  const { id, secret } = await world.hook();
  await world.alert();
  await drain(world.worker());
  const [delivered] = (await world.webhooks.deliveries(ACCOUNT, id, { state: null, before: null, limit: 10 })) ?? [];
  assert.ok(delivered);
  assert.ok(await world.webhooks.replay(ACCOUNT, id, delivered.id));
  await drain(world.worker());
  assert.deepEqual([world.received[0]?.id, world.received[0]?.body], [world.received[1]?.id, world.received[1]?.body]);
  await world.webhooks.change(ACCOUNT, id, { enabled: false });
  assert.ok(await world.webhooks.test(ACCOUNT, id));
  await drain(world.worker());
  assert.equal(verified(secret, world.received[2]).type, 'webhook.test');
});

test('a webhook deleted at the same time gets no mute, message or replay, and causes no failure', async () => {
  const { db } = world.database.store;
  const { id } = await world.hook();
  const kept = await world.hook('/kept');
  await world.alert();
  const [locked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deletion = db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
    locked.resolve();
    await go.promise;
  });
  await locked.promise;
  const asked = Promise.all([
    world.webhooks.mute(ACCOUNT, id, { assetId: 'eip155:1/erc20:0x1', kind: null }, 3),
    world.webhooks.test(ACCOUNT, id),
    world.webhooks.replaySince(ACCOUNT, id, SINCE),
    world.alert(),
  ]);
  const waiting = () =>
    sql<{ sessions: number }>`select count(*)::int as sessions from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  for (let turn = 0; turn < 500 && ((await waiting()).rows[0]?.sessions ?? 0) < 4; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  go.resolve();
  const [mute, message, replay] = await asked;
  await deletion;
  assert.equal(mute.ok || mute.reason, 'not_found');
  assert.deepEqual([message, replay?.messages], [null, 0]);
  assert.equal((await world.statesOf(kept.id)).length, 2);
});
