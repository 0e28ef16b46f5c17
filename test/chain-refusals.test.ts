import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ProblemSchema } from '../src/contract/problem.ts';
import { AwaitedReply } from '../src/contract/snapshot.ts';
import { chainApiWorld, fits, market, read } from './support/chain-api-world.ts';
import { CONTRACT, MINT, SOLANA } from './support/chain-snapshots.ts';
import type { ChainWorld } from './support/chain-world.ts';

let world: ChainWorld;

before(async () => {
  world = await chainApiWorld();
});

after(() => world.close());

const ROWS: readonly (readonly [name: string, path: string, status: number, code: string])[] = [
  ['a symbol nobody has', market('NOPE'), 404, 'asset_not_indexed'],
  ['an address that is not indexed', market('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), 404, 'asset_not_indexed'],
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

test('an asset without a snapshot is 202 with its place in the queue, and reads like a problem', async () => {
  const reply = await world.get(market('EMPTY'));
  const body = await read(reply);
  assert.deepEqual([reply.status, body.code, body.retry], [202, 'no_snapshot_yet', 'after']);
  fits(AwaitedReply, body);
  fits(ProblemSchema, body);
  assert.deepEqual([body.state, body.place_in_queue], ['queued', 1]);
  assert.equal(reply.headers.get('retry-after'), String(body.retry_after_seconds));
});

test('so is its history, from wherever it is asked, and the history of one that was read is a list', async () => {
  for (const query of ['', '?interval=1h', '?from=2026-11-01T00:00:00Z']) {
    const reply = await world.get(`/v1/solana/market/EMPTY/history${query}`);
    const body = await read(reply);
    assert.deepEqual([reply.status, body.code, body.kind], [202, 'no_snapshot_yet', 'market'], query);
    fits(AwaitedReply, body);
    assert.deepEqual([body.state, body.place_in_queue], ['queued', 1]);
  }
  const past = '?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z';
  const known = await world.get(`/v1/solana/market/${MINT}/history${past}`);
  assert.deepEqual([known.status, (await read<{ data: unknown[] }>(known)).data], [200, []]);
});

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

test('all errors are reported at once', async () => {
  const reply = await world.get(`/v1/solana/${MINT}/liquidity/pools?scope=best&min_tvl_usd=x&as_of=now`);
  const { errors } = await read<{ errors: { pointer: string }[] }>(reply);
  assert.deepEqual(errors.map((error) => error.pointer).sort(), ['/as_of', '/min_tvl_usd', '/scope']);
});
