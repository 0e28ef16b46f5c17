import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toHex } from 'viem/utils';
import { factsOf, parseBody } from '../fixtures/drive.ts';
import { expectNothingOfGarbage } from '../fixtures/hostile-replies.ts';
import type { Endpoint } from '../source.ts';
import { readCode } from './accounts.ts';
import { evmRpc } from './index.ts';

const HEX = fc.uint8Array({ maxLength: 400 }).map((bytes) => toHex(bytes));

test('opcodes inside push data are not code', () => {
  assert.equal(readCode('0x60f400')?.canDelegate, false);
  assert.equal(readCode('0x60f4f4')?.canDelegate, true);
  assert.equal(readCode('0x61f4ff00')?.canSelfDestruct, false);
});

test('a delegated account is still a plain key', () => {
  assert.equal(readCode(`0xef0100${'11'.repeat(20)}`)?.isContract, false);
});

test('any bytes are read without an exception', () => {
  fc.assert(fc.property(HEX, (hex) => readCode(hex) !== null));
  assert.equal(readCode('0x0'), null);
  assert.equal(readCode('not hex'), null);
});

const WSTETH = '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0';
const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84';
const TUSD = '0x0000000000085d4780b73119b644ae5ecd22b376';
const WBTC = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
const LUSD = '0x5f98805a4e8be255a32880fdec7f6728c6568ba0';

test('no reply makes an endpoint throw, and a malformed one gives no observation', () => {
  const facts = factsOf('base', '0x1000000000000000000000000000000000000001', {
    'evm_rpc.owner': '0x2000000000000000000000000000000000000001',
    'evm_rpc.delegates.base': true,
    'evm_rpc.vault_asset': '0x4000000000000000000000000000000000000001',
    'evm_rpc.contract.0x2000000000000000000000000000000000000001': 'safe_proxy',
    'dexscreener.pools': ['0x3000000000000000000000000000000000000001'],
    'evm_rpc.pools.0x3000000000000000000000000000000000000001': [
      {
        address: '0x3000000000000000000000000000000000000001',
        form: 'uniswap_v2',
        token0: '0x1000000000000000000000000000000000000001',
        token1: '0x4200000000000000000000000000000000000006',
        factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
        stable: false,
        fee: null,
        tickSpacing: null,
        tick: null,
      },
    ],
  });
  const bodies = fc.oneof(
    fc.jsonValue(),
    HEX.map((result) => ({ result })),
    fc.record({ error: fc.record({ code: fc.integer(), message: fc.string() }) }),
  );
  // Only listed tokens are asked for a rate, and for contracts that hold them or what stands behind them.
  const listed = [facts, ...[WSTETH, STETH, TUSD, WBTC, LUSD].map((token) => factsOf('ethereum', token))];
  const paramsOf = (endpoint: Endpoint) => listed.flatMap((one) => endpoint.plan(one))[0];
  expectNothingOfGarbage(evmRpc.endpoints, paramsOf, bodies);
});

test('the coin of a chain has no contract to read: only the chain itself is read', () => {
  const asked = evmRpc.endpoints.filter((endpoint) => endpoint.plan(factsOf('ethereum', 'native')).length > 0);
  assert.deepEqual(
    asked.map((endpoint) => endpoint.name),
    ['head'],
  );
});

test('errors of nodes have their class', () => {
  const endpoint = evmRpc.endpoints[0];
  const params = endpoint?.plan(factsOf('base', '0x1000000000000000000000000000000000000001'))[0];
  assert.ok(endpoint && params);
  const outcome = (code: number, message: string) =>
    parseBody(endpoint, params, { jsonrpc: '2.0', id: 1, error: { code, message } }).outcome;
  assert.equal(outcome(-32005, 'limit exceeded'), 'rate_limited');
  assert.equal(outcome(429, 'slow down'), 'rate_limited');
  assert.equal(outcome(-32601, 'the method does not exist'), 'unsupported');
  assert.equal(outcome(-32602, 'invalid params'), 'error_reply');
  assert.equal(parseBody(endpoint, params, { result: 12 }).outcome, 'malformed');
});
