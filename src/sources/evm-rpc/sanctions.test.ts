import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drive, factsOf, parseBody, valuesOf } from '../fixtures/drive.ts';
import { type Anvil, startAnvil } from './fixtures/anvil.ts';
import { evmRpc } from './index.ts';
import { sanctionsEndpoint } from './token.ts';

const ORACLE = '0x40c57923924b5c5c5455c48d93317139addac8fb';
const TOKEN = '0x1000000000000000000000000000000000000001';
const CREATOR = '0x2000000000000000000000000000000000000007';
/** A list of one: whether the first argument is that address. */
const LIST_OF_ONE = `0x60043573${CREATOR.slice(2)}1460005260206000f3`;

let anvil: Anvil | null = null;
before(async () => {
  anvil = await startAnvil();
});
after(() => anvil?.stop());

test('a token whose creator is on the oracle’s list on chain is sanctioned; others get no observation', async (t) => {
  if (!anvil) return t.diagnostic('skipped: anvil is not installed here');
  await anvil.rpc('anvil_setCode', [ORACLE, LIST_OF_ONE]);
  const ask = async (learned = {}) =>
    valuesOf(await drive(evmRpc, factsOf('ethereum', TOKEN, learned), anvil?.url ?? ''), 'sanctioned');
  assert.deepEqual(await ask(), []);
  assert.deepEqual(await ask({ 'goplus.creator': CREATOR }), [true]);
});

test('a chain without the oracle, and a reply other than yes, give nothing', () => {
  const say = (result: string) => parseBody(sanctionsEndpoint, { base: 'base', account: TOKEN }, { id: 1, result });
  assert.equal(say('0x').outcome, 'empty');
  assert.deepEqual(say(`0x${'0'.repeat(64)}`).drafts, []);
  assert.deepEqual(say(`0x${'f'.repeat(64)}`).drafts, []);
});
