import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock } from 'litesvm';
import { drive, factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import { serve } from './fixtures/facade.ts';
import { startChain } from './fixtures/token-programs.ts';
import { headEndpoint, solanaRpc } from './index.ts';

test('the clock of a real runtime is read, at both operators', async () => {
  const { svm } = await startChain();
  svm.setClock(new Clock(77n, 1n, 2n, 3n, 1_790_000_000n));
  const facade = await serve(svm, []);
  try {
    const heard = await drive(solanaRpc, factsOf('solana', 'native'), facade.url);
    assert.deepEqual(valuesOf(heard, 'chain_head_at'), ['2026-09-21T14:13:20.000Z', '2026-09-21T14:13:20.000Z']);
  } finally {
    await facade.close();
  }
});

test('an account that is not a clock gives nothing', () => {
  const say = (value: unknown) =>
    parseBody(headEndpoint, { base: 'main' }, { jsonrpc: '2.0', id: 1, result: { context: { slot: 1 }, value } });
  const account = (bytes: number, owner: string) => ({
    data: [Buffer.alloc(bytes).toString('base64'), 'base64'],
    owner,
  });
  assert.equal(say(null).outcome, 'empty');
  assert.equal(say(account(40, '11111111111111111111111111111111')).outcome, 'empty');
  assert.equal(say(account(39, 'Sysvar1111111111111111111111111111111111111')).outcome, 'empty');
});
