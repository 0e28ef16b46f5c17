import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { PlanList } from '../src/api/routes/chain-plans.ts';
import { ChainList, historyOf, IndexEntryReply, IndexList, StatusView } from '../src/api/schemas/chain.ts';
import { Manifest } from '../src/api/schemas/exports.ts';
import { HoldersReply } from '../src/api/schemas/holders.ts';
import { MarketReply } from '../src/api/schemas/market.ts';
import { PoolsReply } from '../src/api/schemas/pools.ts';
import { ProblemSchema } from '../src/api/schemas/shared.ts';
import {
  type ChainWorld,
  CONTRACT,
  chainWorld,
  holdersSnapshot,
  JUP,
  MINT,
  marketSnapshot,
  memoryExports,
  pool,
  poolsSnapshot,
  SOLANA,
  solanaAsset,
  UNI,
} from './support/chain-world.ts';

const START = '2026-11-20T12:34:56.000Z';
const TWIN_A = solanaAsset('So11111111111111111111111111111111111111112', 'TWIN');
const TWIN_B = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'twin');
const HOSTILE = solanaAsset(
  'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So',
  '=cmd|x',
  '<script>alert("1")</script>\u202e=1+1',
);
const EMPTY = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'EMPTY');
const CSV = Buffer.from('a,b\r\n1,2\r\n');
const JSON_DAY = Buffer.from('[{"a":1},{"a":2}]');
let world: ChainWorld;

before(async () => {
  world = await chainWorld(
    START,
    {},
    {
      exports: memoryExports({ 'solana-2026-11-19.json': JSON_DAY, 'solana-2026-11-19.csv': CSV }),
      indexerStatus: async () => ({
        lag: [
          {
            chain: 'solana',
            kind: 'market',
            assets: 4,
            due: 0,
            running: 1,
            lateSecondsP50: 0,
            lateSecondsP99: 2,
            failing: 0,
            died: 0,
            lastStoredAt: '2026-11-20T12:34:30.000Z',
          },
        ],
        closed: [{ chain: 'solana', day: '2026-11-19' }],
      }),
    },
  );
  world.reader.assets.push(JUP, UNI, TWIN_A, TWIN_B, HOSTILE, EMPTY);
  for (const time of ['10:10:00', '11:58:00', '12:29:00', '12:34:30'])
    world.reader.put(marketSnapshot(JUP, `2026-11-20T${time}.000Z`));
  world.reader.put(marketSnapshot(UNI, '2026-11-20T12:34:00.000Z'));
  world.reader.put(marketSnapshot(HOSTILE, '2026-11-20T12:34:00.000Z'));
  world.reader.put(holdersSnapshot(JUP, '2026-11-20T11:30:00.000Z'));
  const pools = Array.from({ length: 12 }, (_, index) => pool(`pool${index}`, index * 1_000, index % 2 === 0));
  world.reader.put(poolsSnapshot(JUP, '2026-11-20T12:30:00.000Z', [...pools, pool('unknown', null, false)]));
});
after(() => world.close());

async function read<Body = Record<string, unknown>>(reply: Response): Promise<Body> {
  return (await reply.json()) as Body;
}
function fits(schema: TSchema, body: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(body), JSON.stringify([...validator.Errors(body)].slice(0, 3)));
}
const market = (asset = MINT) => `/v1/solana/market/${encodeURIComponent(asset)}/snapshot`;

test('each snapshot reply fits its documented schema and says age, mode and when to come again', async () => {
  for (const [path, schema, age] of [
    [market(), MarketReply, 26],
    [`/v1/solana/${MINT}/holders/snapshot`, HoldersReply, 3_896],
    [`/v1/solana/${MINT}/liquidity/pools`, PoolsReply, 296],
    [`/v1/ethereum/market/${CONTRACT}/snapshot`, MarketReply, 56],
  ] as const) {
    const reply = await world.get(path);
    assert.equal(reply.status, 200, path);
    const body = await read(reply);
    fits(schema, body);
    assert.equal(body.age_seconds, age);
    assert.equal(body.data_mode, 'sandbox');
    assert.match(reply.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
    assert.match(reply.headers.get('etag') ?? '', /^"[^"]+"$/);
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(reply.headers.get('assay-data-mode'), 'sandbox');
    assert.ok(reply.headers.get('x-request-id'));
  }
});

test('an asset is found by address, symbol in any case and CAIP-19 id', async () => {
  for (const text of [MINT, 'JUP', 'jUp', `${SOLANA}/token:${MINT}`, `solana:${MINT}`]) {
    const reply = await world.get(market(text));
    assert.equal(reply.status, 200, text);
    assert.equal((await read<{ asset: { id: string } }>(reply)).asset.id, JUP.id);
  }
  const upper = await world.get(`/v1/ethereum/market/0x${CONTRACT.slice(2).toUpperCase()}/snapshot`);
  assert.equal(upper.status, 200);
});

test('one tag, one set of bytes; the snapshot that has not changed gives 304 at any age', async () => {
  const first = await world.get(market());
  const etag = first.headers.get('etag') ?? '';
  const again = await world.get(market());
  assert.equal(again.headers.get('etag'), etag);
  assert.equal(await again.text(), await first.text());
  world.clock.now += 5_000;
  const later = await world.get(market(), { headers: { 'if-none-match': `"other", W/${etag}` } });
  assert.equal(later.status, 304);
  assert.equal(later.headers.get('etag'), etag);
  assert.equal(later.headers.get('assay-age-seconds'), '31');
  const fresh = await world.get(market());
  assert.notEqual(fresh.headers.get('etag'), etag);
  assert.equal((await read(fresh)).age_seconds, 31);
  world.clock.now -= 5_000;
  const packed = await world.get(market(), { headers: { 'accept-encoding': 'zstd' } });
  assert.notEqual(packed.headers.get('etag'), etag);
});

test('bodies are packed as the client likes, with the same content', async () => {
  const plain = await (await world.get(market())).text();
  const raw = (encoding: string) => world.get(market(), { headers: { 'accept-encoding': encoding } });
  for (const encoding of ['gzip', 'br', 'zstd']) {
    const reply = await raw(encoding);
    assert.equal(reply.headers.get('content-encoding'), encoding);
    assert.equal(await reply.text(), plain);
  }
  assert.equal((await raw('gzip;q=0')).headers.get('content-encoding'), null);
});

test('a plan of coarser freshness is served its last full grid point, with its honest as_of', async () => {
  const asOf = async (plan: string) =>
    (await read<{ as_of: string }>(await world.get(market(), { key: await world.key(plan) }))).as_of;
  assert.equal(await asOf('CHAIN-1500'), '2026-11-20T11:58:00.000Z');
  assert.equal(await asOf('CHAIN-3500'), '2026-11-20T12:29:00.000Z');
  assert.equal(await asOf('CHAIN-7500'), '2026-11-20T12:34:30.000Z');
  const hourly = await world.get(market(), { key: await world.key('CHAIN-1500') });
  assert.equal(hourly.headers.get('cache-control'), 'private, max-age=1504');
  const peek = await world.get(`${market()}?as_of=2026-11-20T12:33:00Z`, { key: await world.key('CHAIN-1500') });
  assert.equal((await read(peek)).as_of, '2026-11-20T11:58:00.000Z', 'as_of is no way around the grid');
  const history = await world.get(`/v1/solana/market/${MINT}/history?interval=all`, {
    key: await world.key('CHAIN-1500'),
  });
  assert.equal((await read<{ data: unknown[] }>(history)).data.length, 2, 'nor is history');
});

test('the plan decides chains and scopes, and the refusal names the plan that includes it', async () => {
  const chain = await world.get(`/v1/ethereum/market/${CONTRACT}/snapshot`, { key: await world.key('CHAIN-1500') });
  assert.equal(chain.status, 403);
  const problem = await read(chain);
  fits(ProblemSchema, problem);
  assert.equal(problem.code, 'plan_does_not_include');
  assert.deepEqual(problem.included_in, ['CHAIN-3500', 'CHAIN-7500']);
  assert.match(String(problem.detail), /CHAIN-3500/);
  const rating = await read(await world.get(market(), { key: await world.key('RATING') }));
  assert.equal(rating.code, 'plan_does_not_include');
  const scope = await read(await world.get(market(), { key: await world.key('CHAIN-7500', ['score']) }));
  assert.equal(scope.code, 'missing_scope');
  const unknown = await world.get(market(), { key: await world.key('GOLD') });
  assert.equal(unknown.status, 403);
  assert.equal((await read(unknown)).code, 'unknown_plan');
});

test('as_of answers as it was known then', async () => {
  const then = await world.get(`${market()}?as_of=2026-11-20T12:00:00Z`);
  const body = await read(then);
  fits(MarketReply, body);
  assert.equal(body.as_of, '2026-11-20T11:58:00.000Z');
  assert.equal((await read(await world.get(`${market()}?as_of=2026-11-01T00:00:00Z`))).code, 'no_snapshot_then');
});

test('pools come by scope and by size, and their totals are those of the pools listed', async () => {
  type Pools = {
    pools: { address: string }[];
    totals: { pools: number; tvl_usd: number };
    scope?: { pools_left_out: number };
  };
  const path = `/v1/solana/${MINT}/liquidity/pools`;
  const all = await read<Pools>(await world.get(path));
  assert.equal(all.pools.length, 13);
  assert.equal(all.scope, undefined);
  const verified = await read<Pools>(await world.get(`${path}?scope=verified&min_tvl_usd=4000`));
  fits(PoolsReply, verified);
  assert.deepEqual(
    verified.pools.map((row) => row.address),
    ['pool4', 'pool6', 'pool8', 'pool10'],
  );
  assert.equal(verified.totals.tvl_usd, 28_000);
  assert.equal(verified.scope?.pools_left_out, 9);
  const top = await read<Pools>(await world.get(`${path}?scope=top`));
  assert.equal(top.pools.length, 10);
  assert.equal(top.pools[0]?.address, 'pool11');
});

test('history comes in pages, oldest first, and a known page gives 304', async () => {
  type Page = { data: { as_of: string }[]; next_cursor: string | null };
  const path = `/v1/solana/market/${MINT}/history?interval=all&limit=3`;
  const reply = await world.get(path);
  const first = await read<Page>(reply);
  fits(historyOf(MarketReply), first);
  assert.equal(first.data.length, 3);
  const rest = await read<Page>(await world.get(`${path}&cursor=${first.next_cursor}`));
  assert.deepEqual([rest.data.length, rest.next_cursor], [1, null]);
  const hourly = await read<Page>(await world.get(`/v1/solana/market/${MINT}/history`));
  assert.deepEqual(
    hourly.data.map((row) => row.as_of.slice(11, 16)),
    ['10:10', '11:58', '12:34'],
  );
  world.clock.now += 1_000;
  const known = await world.get(path, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } });
  world.clock.now -= 1_000;
  assert.equal(known.status, 304);
  fits(historyOf(PoolsReply), await read(await world.get(`/v1/solana/${MINT}/liquidity/history`)));
  fits(historyOf(HoldersReply), await read(await world.get(`/v1/solana/${MINT}/holders/history`)));
});

test('every keyed reply says its limits; over them there is 429, and a 304 costs no quota', async () => {
  const key = await world.key('CHAIN-1500');
  const first = await world.get(market(), { key });
  assert.equal(first.headers.get('ratelimit-policy'), '"minute";q=120;w=60, "day";q=50000;w=86400');
  assert.match(first.headers.get('ratelimit') ?? '', /^"minute";r=119;t=60, "day";r=49999;t=\d+$/);
  assert.equal(first.headers.get('x-ratelimit-limit'), '120');
  assert.equal(first.headers.get('x-ratelimit-remaining'), '119');
  assert.match(first.headers.get('x-ratelimit-reset') ?? '', /^\d+$/);
  const etag = first.headers.get('etag') ?? '';
  const known = await world.get(market(), { key, headers: { 'if-none-match': etag } });
  assert.equal(known.status, 304);
  assert.match(known.headers.get('ratelimit') ?? '', /"day";r=49999/);
  const missing = await world.get(market('NOPE'), { key });
  assert.match(missing.headers.get('ratelimit') ?? '', /"day";r=49998/);
  let last = missing;
  for (let count = 0; count < 118; count += 1) last = await world.get(market(), { key });
  assert.equal(last.status, 429);
  const problem = await read(last);
  assert.equal(problem.code, 'rate_limited');
  assert.equal(problem.limit, 'requests_per_minute');
  assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(last.headers.get('x-ratelimit-remaining'), '0');
  assert.equal((await world.get(market())).headers.get('ratelimit-policy'), '"unlimited";q=999999999999999;w=60');
});

test('the index is managed by administrators alone', async () => {
  const key = await world.key('INTERNAL', ['admin']);
  const address = '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E';
  const path = `/v1/solana/index/${address}`;
  assert.equal((await world.get(path, { method: 'PUT' })).status, 403);
  const made = await world.get(path, { key, method: 'PUT' });
  assert.equal(made.status, 201);
  fits(IndexEntryReply, await read(made));
  assert.equal((await world.get(path, { key, method: 'PUT', body: { kinds: ['market'] } })).status, 200);
  assert.equal((await world.get(path, { key, method: 'PUT', body: { kinds: ['gold'] } })).status, 400);
  fits(IndexList, await read(await world.get('/v1/solana/index', { key })));
  assert.equal((await world.get(path, { key })).status, 200);
  assert.equal((await world.get(path, { key, method: 'DELETE' })).status, 204);
  assert.equal((await read(await world.get('/v1/solana/index/JUP', { key, method: 'PUT' }))).code, 'malformed_asset');
  const noToken = await world.get(`/v1/base/index/${CONTRACT}`, { key, method: 'PUT' });
  assert.equal(noToken.status, 422);
});

test('chains, plans and status fit their schemas; plans and status are open', async () => {
  fits(ChainList, await read(await world.get('/v1/chains')));
  const plans = await fetch(`${world.url}/v1/plans`);
  const body = await read<{ data: { name: string; price_usd_per_month: number }[] }>(plans);
  fits(PlanList, body);
  assert.deepEqual(
    body.data.slice(0, 3).map((plan) => [plan.name, plan.price_usd_per_month]),
    [
      ['CHAIN-1500', 1_500],
      ['CHAIN-3500', 3_500],
      ['CHAIN-7500', 7_500],
    ],
  );
  const status = await read(await fetch(`${world.url}/v1/status`));
  fits(StatusView, status);
  assert.equal(status.status, 'ok');
});

test('the export of a day: forms, tags, ranges', async () => {
  const path = '/v1/solana/exports/daily';
  const whole = await world.get(path);
  assert.equal(await whole.text(), JSON_DAY.toString());
  assert.equal(whole.headers.get('content-disposition'), 'attachment; filename="solana-2026-11-19.json"');
  assert.equal(whole.headers.get('accept-ranges'), 'bytes');
  const etag = whole.headers.get('etag') ?? '';
  const csv = await world.get(path, { headers: { accept: 'text/csv' } });
  assert.equal(await csv.text(), CSV.toString());
  assert.equal(await (await world.get(`${path}?format=csv&date=2026-11-19`)).text(), CSV.toString());
  assert.equal((await world.get(path, { headers: { 'if-none-match': etag } })).status, 304);
  const range = (value: string, more = {}) => world.get(path, { headers: { range: value, ...more } });
  const part = await range('bytes=1-8');
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('content-range'), `bytes 1-8/${JSON_DAY.length}`);
  assert.equal(await part.text(), JSON_DAY.subarray(1, 9).toString());
  assert.equal(await (await range('bytes=-3')).text(), JSON_DAY.subarray(-3).toString());
  assert.equal(await (await range('bytes=10-')).text(), JSON_DAY.subarray(10).toString());
  assert.equal((await range('bytes=99-')).status, 416);
  assert.equal((await range('bytes=1-2', { 'if-range': '"old"' })).status, 200);
  assert.equal((await range('bytes=1-2', { 'if-range': etag })).status, 206);
  assert.equal((await range('bytes=0-1,4-5')).status, 200);
  assert.equal((await range('lines=1-2')).status, 200);
  const first = await world.get(path, { method: 'HEAD' });
  assert.equal(first.headers.get('content-length'), String(JSON_DAY.length));
  assert.equal((await read(await world.get(`${path}?date=2026-11-01`))).code, 'no_such_export_day');
  assert.equal((await read(await world.get('/v1/base/exports/daily'))).code, 'export_not_published_yet');
  const other = await world.get('/v1/base/exports/daily', { key: await world.key('CHAIN-1500') });
  assert.equal((await read(other)).code, 'plan_does_not_include');
  fits(Manifest, await read(await world.get(`${path}/manifest`)));
});

test('what strangers named their token stays inert JSON', async () => {
  const reply = await world.get(market(HOSTILE.address ?? ''));
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  const body = await read<{ asset: { name: string; symbol: string } }>(reply);
  fits(MarketReply, body);
  assert.equal(body.asset.name, HOSTILE.name);
  assert.equal(body.asset.symbol, HOSTILE.symbol);
});

test('unknown parameters are named and do no harm', async () => {
  const reply = await world.get(`${market()}?as_off=1`);
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('assay-warnings') ?? '', /as_off was ignored; did you mean as_of\?/);
});

test('what is answered from memory, before the router, is what the routes answer, head and body', async () => {
  const key = await world.key('INTERNAL');
  const ask = async (path: string, more: Record<string, string> = {}) => {
    const reply = await fetch(`${world.url}${path}`, {
      headers: { 'x-api-key': key, 'x-request-id': 'same', ...more },
    });
    const head = Object.fromEntries([...reply.headers].filter(([name]) => !['date', 'keep-alive'].includes(name)));
    return { status: reply.status, head, body: await reply.text() };
  };
  for (const path of [market(), `/v1/solana/${MINT}/holders/snapshot`, `/v1/solana/${MINT}/liquidity/pools`])
    for (const coding of ['identity', 'gzip', 'br, zstd;q=0.1']) {
      await ask(path, { 'accept-encoding': coding });
      const fast = await ask(path, { 'accept-encoding': coding });
      // A key as a bearer, and an address with a query, go the whole way.
      const slow = await ask(`${path}?`, { 'accept-encoding': coding });
      assert.deepEqual(fast, slow, `${path} ${coding}`);
      assert.equal(fast.status, 200);
      const etag = fast.head.etag ?? '';
      const known = await ask(path, { 'accept-encoding': coding, 'if-none-match': etag });
      assert.deepEqual(known, await ask(`${path}?`, { 'accept-encoding': coding, 'if-none-match': etag }));
      assert.equal(known.status, 304);
    }
});

const ROWS: readonly (readonly [name: string, path: string, status: number, code: string])[] = [
  ['a symbol nobody has', market('NOPE'), 404, 'asset_not_indexed'],
  ['an address that is not indexed', market('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), 404, 'asset_not_indexed'],
  ['an asset without a snapshot', market('EMPTY'), 404, 'no_snapshot_yet'],
  ['a symbol of two', market('TWIN'), 409, 'ambiguous_asset'],
  ['an EVM address on Solana', market(CONTRACT), 400, 'wrong_chain'],
  ['a mint on Ethereum', `/v1/ethereum/market/${MINT}/snapshot`, 400, 'wrong_chain'],
  ['an id of another chain', market(`eip155:1/erc20:${CONTRACT}`), 400, 'wrong_chain'],
  ['an id of no chain', market(`eip155:999999/erc20:${CONTRACT}`), 400, 'malformed_asset'],
  ['half an id', market(`${SOLANA}/token:`), 400, 'malformed_asset'],
  ['a short contract', '/v1/base/market/0x1f9840a85d5af5bf1d17/snapshot', 400, 'malformed_asset'],
  ['base58 of 33 bytes', market('z'.repeat(44)), 400, 'malformed_asset'],
  ['NUL', '/v1/solana/market/a%00b/snapshot', 400, 'malformed_asset'],
  ['a newline', '/v1/solana/market/a%0d%0ab/snapshot', 400, 'malformed_asset'],
  ['bidi', market('JU\u202eP'), 400, 'malformed_asset'],
  ['invisible', market('JU\u200bP'), 400, 'malformed_asset'],
  ['only spaces', '/v1/solana/market/%20%20/snapshot', 400, 'malformed_asset'],
  ['a long symbol', market('x'.repeat(60)), 400, 'malformed_asset'],
  ['10 kB', market('x'.repeat(10_000)), 400, 'malformed_asset'],
  [
    '10 kB of bidi',
    `/v1/solana/${encodeURIComponent('\u202e'.repeat(1_000))}/holders/snapshot`,
    400,
    'malformed_asset',
  ],
  ['broken percent encoding', '/v1/solana/market/%zz/snapshot', 400, 'malformed_address'],
  ['broken UTF-8', '/v1/solana/market/%ff%fe/snapshot', 400, 'malformed_address'],
  ['SQL', market("' or 1=1 --"), 404, 'asset_not_indexed'],
  ['a path', market('../../etc/passwd'), 404, 'asset_not_indexed'],
  ['__proto__', market('__proto__'), 404, 'asset_not_indexed'],
  ['no such chain', `/v1/dogechain/market/${MINT}/snapshot`, 404, 'unknown_chain'],
  ['an alias of a chain', `/v1/eth/market/${CONTRACT}/snapshot`, 404, 'unknown_chain'],
  ['as_of is no time', `${market()}?as_of=yesterday`, 400, 'validation_failed'],
  ['as_of on a day that is none', `${market()}?as_of=2026-02-30T00:00:00Z`, 400, 'validation_failed'],
  ['as_of in the future', `${market()}?as_of=2027-01-01T00:00:00Z`, 400, 'validation_failed'],
  ['as_of before the first', `${market()}?as_of=1999-01-01T00:00:00Z`, 404, 'no_snapshot_then'],
  ['as_of twice', `${market()}?as_of=2026-11-20T12:00:00Z&as_of=2026-11-20T11:00:00Z`, 400, 'validation_failed'],
  ['min_tvl_usd of letters', `/v1/solana/${MINT}/liquidity/pools?min_tvl_usd=lots`, 400, 'validation_failed'],
  ['min_tvl_usd below 0', `/v1/solana/${MINT}/liquidity/pools?min_tvl_usd=-1`, 400, 'validation_failed'],
  ['min_tvl_usd NaN', `/v1/solana/${MINT}/liquidity/pools?min_tvl_usd=NaN`, 400, 'validation_failed'],
  ['min_tvl_usd 1e400', `/v1/solana/${MINT}/liquidity/pools?min_tvl_usd=1e400`, 400, 'validation_failed'],
  ['min_tvl_usd empty', `/v1/solana/${MINT}/liquidity/pools?min_tvl_usd=`, 400, 'validation_failed'],
  ['an unknown scope', `/v1/solana/${MINT}/liquidity/pools?scope=best`, 400, 'validation_failed'],
  [
    'history backwards',
    `/v1/solana/market/${MINT}/history?from=2026-11-20T12:00:00Z&to=2026-11-19T12:00:00Z`,
    400,
    'validation_failed',
  ],
  ['history in no interval', `/v1/solana/market/${MINT}/history?interval=3h`, 400, 'validation_failed'],
  ['history without limit', `/v1/solana/market/${MINT}/history?limit=100000`, 400, 'validation_failed'],
  ['an export of tomorrow', '/v1/solana/exports/daily?date=2026-11-21', 400, 'validation_failed'],
  ['an export of no day', '/v1/solana/exports/daily?date=2026-02-30', 400, 'validation_failed'],
  ['an export out of the folder', '/v1/solana/exports/daily?date=../../etc', 400, 'validation_failed'],
  ['an export as a table', '/v1/solana/exports/daily?format=xlsx', 400, 'validation_failed'],
];
for (const [name, path, status, code] of ROWS)
  test(`refused: ${name}`, async () => {
    const reply = await world.get(path);
    const body = await read(reply);
    assert.deepEqual([reply.status, body.code], [status, code], JSON.stringify(body).slice(0, 300));
    assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
    fits(ProblemSchema, body);
    if (body.retry === 'after') assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    if (code === 'ambiguous_asset') assert.equal((body.candidates as unknown[]).length, 2);
    if (code === 'asset_not_indexed') assert.match(String(body.detail), /PUT \/v1\/solana\/index/);
  });

test('all complaints come at once', async () => {
  const reply = await world.get(`/v1/solana/${MINT}/liquidity/pools?scope=best&min_tvl_usd=x&as_of=now`);
  const { errors } = await read<{ errors: { pointer: string }[] }>(reply);
  assert.deepEqual(errors.map((error) => error.pointer).sort(), ['/as_of', '/min_tvl_usd', '/scope']);
});

test('a new snapshot is read at once after its notice, and a lost notice is found out', async () => {
  const price = async () => (await read<{ price_usd: number }>(await world.get(market()))).price_usd;
  assert.equal(await price(), 1.25);
  world.clock.now += 10_000;
  world.reader.put(marketSnapshot(JUP, new Date(world.clock.now).toISOString(), 2));
  assert.equal(await price(), 2);
  world.clock.now += 10_000;
  world.reader.putSilently(marketSnapshot(JUP, new Date(world.clock.now).toISOString(), 3));
  await price();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await price(), 3);
});

test('many misses at the same time cost one read', async () => {
  world.clock.now += 10_000;
  world.reader.put(marketSnapshot(UNI, new Date(world.clock.now).toISOString()));
  world.reader.delayMs = 30;
  const before = world.reader.reads.latest;
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => world.get(`/v1/ethereum/market/${CONTRACT}/snapshot`)),
  );
  world.reader.delayMs = 0;
  assert.ok(replies.every((reply) => reply.status === 200));
  assert.equal(world.reader.reads.latest - before, 1);
});

test('a fault of ours costs no quota', async () => {
  const key = await world.key('CHAIN-7500');
  const { latest } = world.reader;
  world.reader.latest = () => Promise.reject(new Error('the store is away'));
  const failed = await world.get(`/v1/solana/${MINT}/liquidity/pools?min_tvl_usd=1`, { key });
  world.reader.latest = latest;
  assert.equal(failed.status, 500);
  assert.equal((await read(failed)).code, 'internal_error');
  assert.match(failed.headers.get('ratelimit') ?? '', /"day";r=1000000;/);
  const next = await world.get(market(), { key });
  assert.match(next.headers.get('ratelimit') ?? '', /"day";r=999999;/);
});

test('the OpenAPI document has the paths of the interface document', async () => {
  const { paths } = await read<{ paths: Record<string, unknown> }>(await fetch(`${world.url}/openapi.json`));
  for (const path of [
    '/v1/solana/market/{asset}/snapshot',
    '/v1/solana/{asset}/holders/snapshot',
    '/v1/solana/{asset}/liquidity/pools',
    '/v1/solana/exports/daily',
    '/v1/{chain}/exports/daily',
    '/v1/chains',
    '/v1/plans',
    '/v1/status',
  ])
    assert.ok(paths[path], path);
});
