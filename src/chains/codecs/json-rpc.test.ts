import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpcErrorKind } from '../fault.ts';

test('errors of nodes are classified by the wording of each kind of node', () => {
  for (const [error, kind] of [
    // Ranges: geth, Alchemy, Infura, QuickNode, coreth, dRPC, BSC, Tenderly.
    [{ code: -32005, message: 'query returned more than 10000 results' }, 'too_large'],
    [{ code: -32000, message: 'exceed maximum block range: 50000' }, 'too_large'],
    [{ code: -32614, message: 'eth_getLogs is limited to a 10,000 range' }, 'too_large'],
    [{ code: -32000, message: 'logs matched by query exceeds limit of 10000' }, 'too_large'],
    [{ code: -32000, message: 'requested too many blocks from 1 to 9999, maximum is set to 2048' }, 'too_large'],
    [{ code: 35, message: 'ranges over 10000 blocks are not supported on freetier' }, 'too_large'],
    [
      { code: -32602, message: 'invalid params', data: { payload: 'range 9009594 is bigger than range limit 2000' } },
      'too_large',
    ],
    [{ code: -32005, message: 'limit exceeded' }, 'rate_limited'],
    [{ code: 429, message: 'Too Many Requests' }, 'rate_limited'],
    // Reverts: geth, and those that give them a number of their own.
    [{ code: 3, message: 'execution reverted', data: '0x08c379a0' }, 'reverted'],
    [{ code: -32000, message: 'execution reverted' }, 'reverted'],
    [{ code: -32015, message: 'VM execution error', data: 'Reverted 0x' }, 'reverted'],
    [{ code: -32000, message: 'out of gas' }, 'reverted'],
    [{ code: -32601, message: 'the method does not exist' }, 'not_offered'],
    [{ code: -32000, message: 'header not found' }, 'failed'],
    // Solana: a node that lags, a key without an index; and what says nothing but that this call failed.
    [{ code: -32005, message: 'Node is behind by 42 slots' }, 'rate_limited'],
    [{ code: -32010, message: 'excluded from account secondary indexes' }, 'not_offered'],
    [{ code: -32029, message: 'slow down' }, 'rate_limited'],
    [{ code: -32000, message: 'method eth_getLogs is disabled' }, 'not_offered'],
    [{ code: 403, message: 'no' }, 'forbidden'],
    [{ code: -32602, message: 'invalid params' }, 'failed'],
    [{ code: '3' }, 'reverted'],
    [{}, 'failed'],
  ] as const) {
    assert.equal(rpcErrorKind(error), kind, JSON.stringify(error));
  }
});
