import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { clientAddressReader } from '../src/access/access.ts';
import { loadPlans } from '../src/access/plans/plans.ts';
import { createSharedLimiter } from '../src/access/plans/shared-limiter.ts';
import type { ApiContext } from '../src/api/context.ts';
import { JUP, MINT, marketSnapshot } from './support/chain-snapshots.ts';
import { memoryExports, memoryIndex, memoryReader } from './support/memory-chain.ts';
import { type RatingWorld, ratingOf, ratingWorld } from './support/rating-world.ts';

const START = '2026-11-20T12:34:56.000Z';
const now = () => Date.parse(START) + 26_000;
const MARKET = `/v1/solana/market/${MINT}/snapshot`;
const PATHS = [MARKET, `/v1/rms/${JUP.id}`, '/v1/rms/JUP'];
const PROXY = { 'x-forwarded-for': '198.51.100.7, 10.1.2.3', 'x-forwarded-proto': 'https', 'x-real-ip': '10.1.2.3' };
const FORGED = { 'x-forwarded-for': '10.1.2.3, 203.0.113.9' };
const ORIGIN = 'https://desk.example';

interface Reply {
  readonly status: number | undefined;
  readonly head: object;
  readonly body: string;
}

const DEPRECATED = ['getRating', 'getSolanaMarketSnapshot', 'batchRatings'].map((operationId) => {
  return { operationId, parameter: null, since: '2026-11-26', sunset: '2027-11-26', instead: 'Use another.' };
});

const CONFIGURATIONS: readonly (readonly [string, Partial<ApiContext>, Readonly<Record<string, string>>])[] = [
  ['without a proxy', {}, {}],
  ['behind a proxy, as the Kubernetes manifest ships it', { clientAddress: clientAddressReader(1) }, PROXY],
  ['behind proxies of known addresses', { clientAddress: clientAddressReader(['127.0.0.0/8']) }, PROXY],
  ['with allowed origins', { corsOrigins: [ORIGIN] }, { origin: ORIGIN }],
  ['of deprecated operations', { deprecations: DEPRECATED }, {}],
];

for (const [name, changes, usual] of CONFIGURATIONS)
  describe(`hot reads ${name}`, () => {
    let world: RatingWorld;
    let hot = 0;

    before(async () => {
      const reader = memoryReader(now);
      reader.assets.push(JUP);
      reader.put(marketSnapshot(JUP, START));
      const limiter = createSharedLimiter({ lease: null, now: () => 0, elapsed: () => 0 });
      const { plans } = loadPlans(null);
      const whole = plans.find((plan) => plan.name === 'INTERNAL');
      assert.ok(whole);
      const all = [
        ...plans,
        { ...whole, name: 'FEW', requestsPerMinute: 3, requestsPerDay: 20 },
        { ...whole, name: 'MANY', requestsPerMinute: 500, requestsPerDay: 5_000 },
      ];
      world = await ratingWorld(START, {
        now,
        plans: { plans: all, find: (plan) => all.find((one) => one.name === plan) ?? null, payPerCall: null },
        // Only the way past the router takes without waiting.
        limiter: {
          ...limiter,
          takeNow(accountId, plan) {
            hot += 1;
            return limiter.takeNow(accountId, plan);
          },
        },
        chain: {
          reader,
          exports: memoryExports({}),
          index: memoryIndex(reader, now),
          indexerStatus: async () => ({ lag: [], closed: [] }),
        },
        ...changes,
      });
      await world.put(ratingOf(JUP, START));
    });
    after(() => world.close());

    /** By a socket, where memory comes before the router. */
    const bySocket = (path: string, headers: Record<string, string>, method: string, body?: string) =>
      new Promise<Reply>((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const sent = httpRequest(
          `${world.url}${path}`,
          { method, headers: { ...headers, ...length } },
          async (reply) => {
            const bytes = Buffer.concat(await reply.toArray()).toString('base64');
            resolve({ status: reply.statusCode, head: reply.headers, body: bytes });
          },
        );
        sent.on('error', reject).end(body);
      });
    const byRouter = async (
      path: string,
      headers: Record<string, string>,
      method: string,
      payload?: string,
    ): Promise<Reply> => {
      const sent = { method: method as 'GET', url: path, headers };
      const reply = await world.inject(payload === undefined ? sent : { ...sent, payload });
      return { status: reply.statusCode, head: reply.headers, body: reply.rawPayload.toString('base64') };
    };
    const plain = ({ status, head, body }: Reply) => {
      const { date, connection, 'keep-alive': alive, ...rest } = head as Record<string, unknown>;
      return { status, head: rest, body };
    };
    /**
     * The same requests on both ways, each way by an account of its own, so that the counts of its limits are the same. Gives
     * the statuses and how many were answered before the router.
     */
    async function compare(
      keys: readonly [string | null, string | null],
      requests: readonly (readonly [string, Record<string, string>, string?, string?])[],
    ) {
      const statuses: (number | undefined)[] = [];
      const before = hot;
      for (const [path, more, method = 'GET', body] of requests) {
        const headersOf = (key: string | null) => ({
          ...(key === null ? {} : { 'x-api-key': key }),
          'x-request-id': 'same',
          ...usual,
          ...more,
        });
        const fast = plain(await bySocket(path, headersOf(keys[0]), method, body));
        const slow = plain(await byRouter(path, headersOf(keys[1]), method, body));
        // An injected HEAD request is given the body.
        if (method === 'HEAD') slow.body = '';
        assert.deepEqual(fast, slow, `${method} ${path} ${JSON.stringify(more)}`);
        statuses.push(fast.status);
      }
      return { statuses, hot: hot - before };
    }
    const pair = async (plan: string, scopes: Parameters<RatingWorld['key']>[1] = ['rms:read', 'chain:read']) =>
      [await world.key(plan, scopes), await world.key(plan, scopes)] as const;

    test('a batch has one status, head and body on both paths, from memory or not', async () => {
      const keys = await pair('MANY');
      const json = { 'content-type': 'application/json' };
      const ask = (assets: unknown, more = {}): [string, Record<string, string>, string, string] => [
        '/v1/rms/batch',
        { ...json, ...more },
        'POST',
        typeof assets === 'string' ? assets : JSON.stringify({ assets }),
      ];
      const first = await compare(keys, [ask([JUP.id, 'JUP', JUP.id])]);
      // The notice of a rating that was stored above may come while it is read: then that read is not kept.
      for (let turn = 0, isKept = false; turn < 20 && !isKept; turn += 1)
        isKept = (await compare(keys, [ask([JUP.id, 'JUP', JUP.id])])).hot === 1;
      const again = await compare(keys, [
        ask([JUP.id, 'JUP', JUP.id]),
        ask([JUP.id, 'JUP', JUP.id], { origin: ORIGIN }),
        ask([JUP.id, 'JUP', JUP.id], { 'content-type': 'application/json; charset=utf-8' }),
      ]);
      assert.deepEqual([first.statuses, first.hot], [[200], 0]);
      assert.deepEqual([again.statuses, again.hot], [[200, 200, 200], 3]);
      const routed = await compare(keys, [
        ask([JUP.id, 'JUP', JUP.id], { 'accept-encoding': 'gzip' }),
        ask([JUP.id, 'nobody', 'x'.repeat(40)]),
        ask([]),
        ask('{"assets": ['),
        ask([JUP.id], { 'content-type': 'text/plain' }),
        ask('x'.repeat(300_000)),
      ]);
      assert.deepEqual([routed.statuses, routed.hot], [[200, 200, 400, 400, 415, 413], 0]);
      const few = await pair('FEW');
      const limited = await compare(
        few,
        [1, 2, 3, 4, 5].map(() => ask([JUP.id, 'JUP', JUP.id])),
      );
      assert.deepEqual(limited.statuses, [200, 200, 200, 429, 429]);
      const scopeless = await compare(await pair('MANY', ['chain:read']), [ask([JUP.id, 'JUP', JUP.id])]);
      assert.deepEqual([scopeless.statuses, scopeless.hot], [[403], 0]);
    });

    for (const path of PATHS)
      test(`${path} has one status, head and body on both ways`, async () => {
        const keys = await pair('MANY');
        const warm = await compare(keys, [
          [path, {}],
          [path, {}],
        ]);
        const etag = String(
          (plain(await bySocket(path, { 'x-api-key': keys[0] }, 'GET')).head as { etag: string }).etag,
        );
        await byRouter(path, { 'x-api-key': keys[1] }, 'GET');
        assert.deepEqual(warm.statuses, [200, 200]);
        const direct = await compare(keys, [
          [path, {}],
          [path, { 'accept-encoding': 'gzip' }],
          [path, { 'accept-encoding': 'br, zstd;q=0.1' }],
          [path, { 'accept-encoding': 'identity;q=0, *;q=0' }],
          [path, { 'if-none-match': etag }],
          [path, { 'if-none-match': '*' }],
          [path, { 'if-none-match': 'W/"other", "none.1"' }],
          [path, { origin: 'https://evil.example' }],
          [path, { origin: ORIGIN }],
          [path, { 'content-type': 'application/json' }],
        ]);
        assert.deepEqual(direct.statuses, [200, 200, 200, 200, 304, 304, 200, 200, 200, 200]);
        assert.equal(direct.hot, 10, 'all of these are answered before the router');
        const routed = await compare(keys, [
          [`${path}/`, {}],
          [`${path}?as_off=1`, {}],
          [`${path}?as_of=never`, {}],
          [`${path}?api_key=${keys[0]}`, {}],
          [path, {}, 'HEAD'],
          [path, {}, 'DELETE'],
          [path.replace('JUP', 'J%55P'), {}],
          [path.replace('JUP', '%zz'), {}],
        ]);
        assert.equal(routed.hot, 0, 'none of these is');
        const { hot: refused, statuses } = await compare([null, null], [[path, {}]]);
        assert.deepEqual([refused, statuses], [0, [401]]);
        const bad = `${keys[0].slice(0, -1)}_`;
        assert.deepEqual((await compare([bad, bad], [[path, {}]])).statuses, [401]);
        const bearer = await compare([null, null], [[path, { authorization: `Bearer ${keys[0]}` }]]).catch(() => null);
        assert.equal(bearer, null, 'one account for both ways counts on, which the comparison sees');
      });

    test('scopes, plans and limits refuse alike', async () => {
      for (const path of PATHS) {
        const other = await pair('INTERNAL', [path === MARKET ? 'rms:read' : 'chain:read']);
        assert.deepEqual(
          (
            await compare(other, [
              [path, {}],
              [path, {}],
            ])
          ).statuses,
          [403, 403],
        );
        const elsewhere = await pair(path === MARKET ? 'RATING' : 'CHAIN-1500');
        assert.deepEqual(
          (
            await compare(elsewhere, [
              [path, {}],
              [path, {}],
            ])
          ).statuses,
          [403, 403],
        );
        const nowhere = await pair('NONE');
        assert.deepEqual(
          (
            await compare(nowhere, [
              [path, {}],
              [path, {}],
            ])
          ).statuses,
          [403, 403],
        );
        const few = await pair('FEW');
        const five = Array.from({ length: 5 }, () => [path, {}] as const);
        assert.deepEqual((await compare(few, five)).statuses, [200, 200, 200, 429, 429]);
      }
    });

    if (changes.clientAddress)
      test('an address that the caller wrote itself is not its address', async () => {
        const admin = await world.key('INTERNAL', ['admin']);
        const made = async () => {
          const body = { name: 'here', scopes: ['rms:read'], plan: 'INTERNAL', allowed_ips: ['10.1.0.0/16'] };
          const reply = await world.get('/v1/admin/keys', { key: admin, method: 'POST', body });
          return (await reply.json()) as { readonly id: string; readonly secret: string };
        };
        const two = [await made(), await made()] as const;
        const keys = [two[0].secret, two[1].secret] as const;
        const path = PATHS[1] ?? '';
        const seen = await compare(keys, [
          [path, {}],
          [path, {}],
          [path, FORGED],
          [path, { 'x-forwarded-for': 'unknown' }],
          [path, { 'x-forwarded-for': '10.1.2.3:4711' }],
          [path, { 'x-forwarded-for': '010.1.2.3' }],
        ]);
        assert.deepEqual(seen.statuses, [200, 200, 403, 403, 200, 403]);
        for (const { id } of two)
          assert.equal((await world.get(`/v1/admin/keys/${id}`, { key: admin, method: 'DELETE' })).status, 204);
        assert.deepEqual(
          (
            await compare(keys, [
              [path, {}],
              [path, {}],
            ])
          ).statuses,
          [401, 401],
        );
      });
  });
