import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReply } from '../evidence/read-reply.ts';
import { SOURCES } from './index.ts';
import type { Params } from './source.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const META = { status: 200, headers: {}, fetchedAt: '2026-11-20T12:00:00.000Z', url: 'http://127.0.0.1/' };

function outcomeOf(source: string, name: string, body: unknown, params: Params = { id: 'x', address: TOKEN }) {
  const of = SOURCES.find((row) => row.name === source);
  const endpoint = of?.endpoints.find((row) => row.name === name);
  assert.ok(of && endpoint, `${source}.${name}`);
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const { outcome, observations } = readReply(of, endpoint, params, bytes, META, 'r1');
  return `${outcome} ${observations.map(({ quantity, value }) => `${quantity} ${String(value)}`).join(' ')}`.trim();
}

const ETHERSCAN = { status: '0', message: 'NOTOK', result: 'Max rate limit reached' };
const NODES: ReadonlySet<string> = new Set(['evm_rpc', 'solana_rpc', 'consensus_sets', 'consensus_nodes']);

/** Bodies that state a spent limit with status 200. */
const LIMITS: readonly unknown[] = [
  { status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } },
  { error: 'Too many requests' },
  { error: { code: -32005, message: 'limit exceeded' } },
  { message: 'API rate limit exceeded' },
  { code: -1003, msg: 'Way too much request weight used' },
  ETHERSCAN,
  { success: false, message: 'Too many requests', data: null },
  { statusCode: 429, message: 'ThrottlerException' },
  'error code: 1015 Too Many Requests',
];

test('a body that states a spent limit is that at every JSON endpoint, whatever the status; it is no fact and not malformed', () => {
  const missed: string[] = [];
  for (const source of SOURCES)
    for (const endpoint of source.endpoints) {
      if ((endpoint.format ?? 'json') !== 'json' || endpoint.made) continue;
      for (const body of LIMITS) {
        // A node replies with JSON-RPC, of which that body has a field.
        if (body === ETHERSCAN && NODES.has(source.name)) continue;
        const params = { chain: 'ethereum', chainId: 1, id: 'x', address: TOKEN, symbol: 'AAA-USDT' };
        const heard = outcomeOf(source.name, endpoint.name, body, params);
        if (!/^(?:rate_limited|error_reply)$/.test(heard))
          missed.push(`${source.name}.${endpoint.name} ${JSON.stringify(body)} ${heard}`);
      }
    }
  assert.deepEqual(missed, []);
  for (const name of ['coins_list', 'markets', 'meme_markets', 'market_chart', 'tickers', 'contract'])
    assert.equal(outcomeOf('coingecko', name, LIMITS[0]), 'rate_limited', name);
});

test('blockscout: an error instead of a contract is not a contract without published code', () => {
  assert.equal(outcomeOf('blockscout', 'smart_contract', { message: 'Something went wrong.' }), 'error_reply');
  assert.equal(
    outcomeOf('blockscout', 'smart_contract', {
      creation_bytecode: '0x60',
      is_self_destructed: false,
      proxy_type: null,
    }),
    'ok source_verified false',
  );
});

test('exchanges: a spent limit with an error code is not a market that does not exist', () => {
  const params = { symbol: 'AAABBB' };
  assert.equal(outcomeOf('binance', 'ticker', { code: -1003, msg: 'Too many requests' }, params), 'rate_limited');
  assert.equal(outcomeOf('binance', 'ticker', { code: -1121, msg: 'Invalid symbol.' }, params), 'not_found');
  assert.equal(outcomeOf('coinbase', 'ticker', { message: 'Public rate limit exceeded' }, params), 'rate_limited');
  assert.equal(outcomeOf('coinbase', 'ticker', { message: 'NotFound' }, params), 'not_found');
});

test('a reply with data is judged by its endpoint: an odd one stays malformed, and a reported success is no error', () => {
  assert.equal(outcomeOf('coingecko', 'markets', { status: 'x', coins: [1] }), 'malformed');
  assert.equal(outcomeOf('coingecko', 'markets', { code: 1, message: 'OK' }), 'malformed');
  assert.equal(outcomeOf('coingecko', 'markets', {}), 'malformed');
  assert.equal(outcomeOf('coingecko', 'markets', '<html>rate limit exceeded</html>'.padEnd(3_000)), 'malformed');
  assert.equal(outcomeOf('coingecko', 'markets', { error: 'coin not found' }), 'error_reply');
});
