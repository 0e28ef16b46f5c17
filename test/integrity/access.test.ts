import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createAccess } from '../../src/access/access.ts';
import type { NewApiKey } from '../../src/access/keys.ts';
import { newKeyText } from '../../src/access/keys.ts';
import { HOUR_MS } from '../../src/domain/statistics.ts';
import { type TestDatabase, testDatabase } from '../../src/store/fixtures/database.ts';
import { routeList } from '../security/route-list.ts';
import { type TestService, testService } from '../support/service.ts';

const options: NewApiKey = {
  name: 'desk',
  scopes: ['rms:read'],
  plan: 'RATING',
  expiresAt: null,
  accountId: null,
  allowedIps: [],
};

interface MadeKey {
  readonly id: string;
  readonly account_id: string;
  readonly secret: string;
  readonly expires_at: string | null;
}

async function makeKey(world: TestService, requested: object = {}): Promise<MadeKey> {
  const reply = await world.call('/v1/admin/keys', {
    json: { name: 'desk', scopes: ['rms:read'], plan: 'RATING', ...requested },
  });
  assert.equal(reply.status, 201);
  return (await reply.json()) as MadeKey;
}

describe('rotation of a key', () => {
  let world: TestService;
  before(async () => {
    world = await testService();
  });
  after(() => world.close());

  const rotate = (id: string) => world.call(`/v1/admin/keys/${id}/rotate`, { json: { overlap_seconds: 600 } });

  test('gives exactly one successor for concurrent requests; the others get its id', async () => {
    const old = await makeKey(world);
    const replies = await Promise.all(Array.from({ length: 8 }, () => rotate(old.id)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
    const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as Record<string, unknown>[];
    const successor = bodies.find(({ secret }) => secret !== undefined);
    for (const problem of bodies.filter((body) => body !== successor))
      assert.deepEqual([problem.code, problem.successor_id], ['key_already_rotated', successor?.id]);
    const { data } = (await (await world.call('/v1/admin/keys')).json()) as {
      data: { id: string; account_id: string; rotated_from: string | null; expires_at: string | null }[];
    };
    const ofAccount = data.filter(({ account_id: account }) => account === old.account_id);
    assert.deepEqual(
      ofAccount.map(({ id, rotated_from: from }) => [id, from]),
      [
        [old.id, null],
        [successor?.id, old.id],
      ],
    );
    assert.equal((await rotate(old.id)).status, 409, 'nor a second time, one after the other');
    for (const key of [old.secret, String(successor?.secret)])
      assert.equal((await world.call('/v1/rms/whitelist', { key })).status, 200, 'both work during the overlap');
  });

  test('can be made again when the successor was revoked, and the new one ends when the old would have', async () => {
    const expiresAt = new Date(Date.now() + 30 * 24 * HOUR_MS).toISOString();
    const old = await makeKey(world, { expires_at: expiresAt });
    const lost = (await (await rotate(old.id)).json()) as MadeKey;
    assert.equal((await world.call(`/v1/admin/keys/${lost.id}`, { method: 'DELETE' })).status, 204);
    const again = await rotate(old.id);
    assert.equal(again.status, 201);
    const made = (await again.json()) as MadeKey;
    assert.deepEqual([made.account_id, Date.parse(made.expires_at ?? '')], [old.account_id, Date.parse(expiresAt)]);
  });

  test('keeps the account: its limits and its usage continue', async () => {
    const old = await makeKey(world);
    const left = async (key: string) => {
      const reply = await world.call('/v1/rms/whitelist', { key });
      await reply.arrayBuffer();
      return Number(reply.headers.get('x-ratelimit-remaining'));
    };
    const first = await left(old.secret);
    const successor = (await (await rotate(old.id)).json()) as MadeKey;
    assert.equal(await left(successor.secret), first - 1);
    assert.equal(await left(old.secret), first - 2);
    const usage = await world.call('/v1/usage', { key: successor.secret });
    assert.equal(((await usage.json()) as { account_id: string }).account_id, old.account_id);
  });
});

describe('a key revoked by another process', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.close());

  test('is refused within a second, wherever the wall clock is set', async () => {
    let wall = Date.now();
    let elapsed = 0;
    const process = () =>
      createAccess(
        database.store.db,
        () => wall,
        randomBytes,
        () => elapsed,
      );
    const [here, there] = [process(), process()];
    const { key, secret } = await here.create(options);
    assert.equal((await there.authenticate(secret, '203.0.113.9')).ok, true);
    wall -= HOUR_MS;
    await here.revoke(key.id);
    for (const seconds of [1, 60, 1_740]) {
      elapsed += seconds * 1_000;
      wall += seconds * 1_000;
      const seen = await there.authenticate(secret, '203.0.113.9');
      assert.equal(seen.ok, false, `accepted ${elapsed / 1_000} s after it was revoked`);
    }
  });

  test('addresses that guess keys stay slowed when the wall clock is set forward', async () => {
    let wall = Date.now();
    const access = createAccess(
      database.store.db,
      () => wall,
      randomBytes,
      () => 0,
    );
    for (let i = 0; i < 300; i += 1) await access.authenticate(newKeyText(randomBytes), '203.0.113.9');
    wall += HOUR_MS;
    const seen = await access.authenticate(newKeyText(randomBytes), '203.0.113.9');
    assert.equal(!seen.ok && seen.code, 'too_many_wrong_keys');
  });
});

for (const [trust, name] of [
  [1, 'one proxy in a row'],
  [['127.0.0.0/8'], 'the address of the proxy'],
] as const)
  describe(`behind a proxy, trusted as ${name}`, () => {
    let world: TestService;
    before(async () => {
      world = await testService({ trustProxy: trust });
    });
    after(() => world.close());

    /** What the proxy in front hands on: whatever the caller sent, then the caller's own address. */
    const from = (address: string, sent?: string) => ({
      'x-forwarded-for': sent === undefined ? address : `${sent}, ${address}`,
    });

    test('an allow-list uses the address the proxy saw, not the one the caller states', async () => {
      const { secret: key } = await makeKey(world, { allowed_ips: ['10.1.0.0/16'] });
      const statusFor = async (headers: Record<string, string>, path = '/v1/rms/whitelist') =>
        (await world.call(path, { key, headers })).status;
      assert.equal(await statusFor(from('10.1.2.3')), 200);
      for (const forged of ['10.1.2.3', '10.1.2.3, 10.1.2.3', ' , ', '::ffff:10.1.2.3', 'x'.repeat(4_000)])
        assert.equal(await statusFor(from('203.0.113.9', forged)), 403, forged.slice(0, 40));
      assert.equal(await statusFor({}), 403, 'the proxy itself is not in the list');
      assert.equal(await statusFor(from('10.1.2.3:4711')), 200, 'with its port');
      assert.equal(await statusFor(from('unknown')), 403);
    });

    test('replies from memory are held to the same address', async () => {
      await world.call('/v1/score', {
        json: { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' },
      });
      const { address } = world.sandbox.world.assets.find((asset) => asset.name === 'Tidewell') ?? { address: '' };
      const path = `/v1/rms/solana:${address}`;
      const { secret: key } = await makeKey(world, { allowed_ips: ['10.1.0.0/16'] });
      for (let i = 0; i < 4; i += 1) {
        assert.equal((await world.call(path, { key, headers: from('10.1.2.3') })).status, 200);
        assert.equal((await world.call(path, { key, headers: from('203.0.113.9', '10.1.2.3') })).status, 403);
      }
    });

    test('wrong keys are counted by the address the proxy saw, so that guessing is slowed and others are not', async () => {
      const codes: Record<string, number> = {};
      for (let i = 0; i < 320; i += 1) {
        const reply = await world.call('/v1/rms/whitelist', {
          key: newKeyText(randomBytes),
          headers: from('203.0.113.77', `198.51.100.${i % 256}, 10.0.0.${i % 256}`),
        });
        const { code } = (await reply.json()) as { code: string };
        codes[code] = (codes[code] ?? 0) + 1;
      }
      assert.deepEqual(codes, { invalid_api_key: 300, too_many_wrong_keys: 20 });
      const other = await world.call('/v1/rms/whitelist', {
        key: newKeyText(randomBytes),
        headers: from('203.0.113.78'),
      });
      assert.equal(other.status, 401);
    });
  });

describe('replies for a key', () => {
  let world: TestService;
  before(async () => {
    world = await testService();
  });
  after(() => world.close());

  test('an allow-list accepts addresses in one notation only, and names the invalid entry', async () => {
    const ask = (ranges: readonly unknown[]) =>
      world.call('/v1/admin/keys', { json: { name: 'a', scopes: ['score'], allowed_ips: ranges } });
    const refused = [
      '1.2.3.4/33',
      '1.2.3.4/',
      '1.2.3.4/08',
      '1.2.3.4/-1',
      '010.0.0.1',
      '0x0a.0.0.1',
      '0xa000001',
      '10.1',
      '167772161',
      '1.2.3.4.5',
      '1.2.3.256',
      'fe80::1%eth0',
      '2001:db8::/129',
      '::ffff:10.0.0.1/95',
      '::ffff:010.0.0.1',
      '10.0.0.1/8/8',
      'localhost',
      7,
    ];
    // Ten errors at most are named at once.
    for (const some of [refused.slice(0, 9), refused.slice(9)]) {
      const reply = await ask(some);
      assert.equal(reply.status, 400);
      const { errors } = (await reply.json()) as { errors: { pointer: string }[] };
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        some.map((_range, index) => `/allowed_ips/${index}`),
      );
    }
    const made = await ask([
      '10.1.2.3/16',
      '::ffff:192.0.2.7',
      '::ffff:10.0.0.0/104',
      '2001:DB8:0:0::5/32',
      '192.0.2.1',
    ]);
    assert.deepEqual(((await made.json()) as { allowed_ips: string[] }).allowed_ips, [
      '10.1.0.0/16',
      '192.0.2.7',
      '10.0.0.0/8',
      '2001:db8::/32',
      '192.0.2.1',
    ]);
  });

  test('are never kept by a cache where they show keys, accounts or administration, on any route', async () => {
    const { secret } = await makeKey(world, { scopes: ['rms:read', 'rms:write', 'score', 'chain:read'] });
    const cached: string[] = [];
    const filled = (path: string) => path.replaceAll(/:(\w+)/g, (_all, part) => (part === 'chain' ? 'solana' : 'none'));
    const routes = await routeList();
    assert.ok(routes.length > 50, `${routes.length} routes`);
    const mine = /\/(admin|keys|usage|webhooks|alerts|whitelist|jobs|disputes|score|index|mcp)(\/|$)/;
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      if (!mine.test(path) || path.endsWith('/stream') || path.includes('*')) continue;
      for (const key of [world.key, secret, null]) {
        const reply = await world.call(filled(path), {
          method,
          key,
          headers: { 'content-type': 'application/json' },
          ...(method === 'POST' || method === 'PUT' ? { body: '{}' } : {}),
        });
        await reply.arrayBuffer();
        // Public records of corrections and disputes, and pages of the dashboard, belong to nobody.
        const isOpen = key === null && reply.status < 400;
        const said = reply.headers.get('cache-control') ?? '';
        if (!isOpen && !/\bno-store\b/.test(said)) cached.push(`${route} ${reply.status} ${said}`);
      }
    }
    assert.deepEqual(cached, []);
  });

  test('that contain a secret have no-store', async () => {
    const key = await world.call('/v1/admin/keys', { json: { name: 'a', scopes: ['score'] } });
    const { id } = (await key.json()) as MadeKey;
    const rotated = await world.call(`/v1/admin/keys/${id}/rotate`, { json: {} });
    const webhook = await world.call('/v1/webhooks', {
      json: { url: 'https://receiver.example/hook', kinds: ['score_change'] },
    });
    for (const reply of [key, rotated, webhook, await world.call('/v1/admin/keys'), await world.call('/v1/usage')]) {
      assert.ok(reply.status < 300, `${reply.url} ${reply.status}`);
      assert.match(reply.headers.get('cache-control') ?? '', /\bno-store\b/, reply.url);
    }
  });
});
