import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ChainList, IndexEntryReply, IndexList } from '../src/contract/chain.ts';
import { PlanList } from '../src/contract/plan.ts';
import { ProblemSchema } from '../src/contract/problem.ts';
import { StatusReply } from '../src/contract/service.ts';
import { chainApiWorld, fits, market, read } from './support/chain-api-world.ts';
import { CONTRACT, MINT } from './support/chain-snapshots.ts';
import type { ChainWorld } from './support/chain-world.ts';

let world: ChainWorld;

before(async () => {
  world = await chainApiWorld();
});

after(() => world.close());

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

test('every keyed reply states its limits; over them there is 429, and a 304 costs no quota', async () => {
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

test('the index is managed by administrators, and needs chain:read of everybody else', async () => {
  const key = await world.key('INTERNAL', ['admin']);
  const address = '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E';
  const path = `/v1/solana/index/${address}`;
  const rater = await world.key('RATING', ['rms:read']);
  for (const method of ['PUT', 'GET', 'DELETE'])
    assert.equal((await read(await world.get(path, { key: rater, method }))).code, 'missing_scope');
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
  fits(StatusReply, status);
  assert.equal(status.status, 'ok');
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
