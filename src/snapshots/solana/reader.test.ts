import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upstream } from '../../upstream/types.ts';
import { createSolanaReader } from './reader.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const OWNER = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const NODE = { label: 'solana_rpc', url: 'http://127.0.0.1:1/', secretHeaders: {}, secretQuery: [] };

/** The reply of a node to getMultipleAccounts, with these lamports as JSON text. */
function readerOf(lamports: string) {
  const account = `{"lamports":${lamports},"owner":"${OWNER}","data":["","base64"]}`;
  const body = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":[${account}]}}`);
  const upstream = { request: async () => ({ ok: true, status: 200, body }) } as unknown as Upstream;
  return createSolanaReader(upstream, [NODE]);
}

test('lamports that are no whole number are a malformed reply, and throw nothing', async () => {
  for (const lamports of ['1.5', '-1', '"7"', 'true', '1e400']) {
    const read = await readerOf(lamports).accounts([ADDRESS]);
    assert.equal(read.ok ? 'read' : read.reason, 'malformed', lamports);
  }
  for (const [lamports, expected] of [
    ['7', 7n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
  ] as const) {
    const read = await readerOf(lamports).accounts([ADDRESS]);
    assert.equal(read.ok && read.value.accounts[0]?.lamports, expected);
  }
});
