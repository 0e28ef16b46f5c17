import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drive, factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import { type Anvil, startAnvil } from './fixtures/anvil.ts';
import { evmRpc } from './index.ts';
import { headEndpoint } from './token.ts';

let anvil: Anvil | null = null;
before(async () => {
  anvil = await startAnvil();
});
after(() => anvil?.stop());

test('the newest block gives the time of the chain’s last block, at both operators, also for the chain’s own coin', async (t) => {
  if (!anvil) return t.diagnostic('skipped: anvil is not installed here');
  await anvil.rpc('evm_setNextBlockTimestamp', [4_000_000_000]);
  await anvil.rpc('evm_mine', []);
  const heard = await drive(evmRpc, factsOf('ethereum', 'native'), anvil.url);
  assert.deepEqual(valuesOf(heard, 'chain_head_at'), ['2096-10-02T07:06:40.000Z', '2096-10-02T07:06:40.000Z']);
});

test('a node without a block, or with an invalid time, gives nothing', () => {
  const say = (result: unknown) => parseBody(headEndpoint, { base: 'ethereum' }, { jsonrpc: '2.0', id: 1, result });
  assert.equal(say(null).outcome, 'empty');
  assert.equal(say({ timestamp: 'yesterday' }).outcome, 'malformed');
  assert.deepEqual(say({ timestamp: '0xffffffffffffffff' }).drafts, []);
  assert.deepEqual(say({ timestamp: '0x0' }).drafts, []);
});
