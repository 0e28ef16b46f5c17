import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assetId, CHAINS } from '../../chains/index.ts';
import { readAssetText } from './asset-text.ts';

const chain = (name: string) => {
  const found = CHAINS.find((row) => row.name === name);
  assert.ok(found);
  return found;
};
const [solana, ethereum, base] = ['solana', 'ethereum', 'base'].map(chain) as [
  (typeof CHAINS)[0],
  (typeof CHAINS)[0],
  (typeof CHAINS)[0],
];
const contract = fc.stringMatching(/^0x[0-9a-fA-F]{40}$/);

test('any contract in any case, and its CAIP-19 id, mean the same asset', () => {
  fc.assert(
    fc.property(contract, (given) => {
      const id = assetId(base, given.toLowerCase());
      for (const text of [given, id, `base:${given}`, ` ${given} `]) {
        const read = readAssetText(base, text);
        assert.ok(read.ok && read.value.kind === 'address' && read.value.assetId === id, text);
      }
      const other = readAssetText(ethereum, id);
      assert.ok(!other.ok && other.code === 'wrong_chain' && other.chain === 'base');
      const onSolana = readAssetText(solana, given);
      assert.equal(!onSolana.ok && onSolana.code, 'wrong_chain');
    }),
  );
});

test('any text gives a reading or a reason, and a reading has no invisible characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom(...CHAINS), (given, asked) => {
      const read = readAssetText(asked, given);
      if (!read.ok) return assert.ok(read.detail.length > 0 && read.detail.length < 300);
      assert.doesNotMatch(read.value.text, /[\p{C}]/u);
      assert.ok(read.value.text.length <= 150);
    }),
    { numRuns: 500 },
  );
});

test('a mint is base58 of exactly 32 bytes', () => {
  const kind = (text: string) => {
    const read = readAssetText(solana, text);
    return read.ok ? read.value.kind : read.code;
  };
  assert.equal(kind('11111111111111111111111111111111'), 'address');
  assert.equal(kind('So11111111111111111111111111111111111111112'), 'address');
  assert.equal(kind('111111111111111111111111111111111'), 'malformed');
  assert.equal(kind('z'.repeat(44)), 'malformed');
  assert.equal(kind('WIF'), 'symbol');
});
