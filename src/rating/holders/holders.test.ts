import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../domain/json.ts';
import { loadMethodology } from '../../methodology/load.ts';
import type { Context } from '../context.ts';
import { holders, inputOf, said, voice } from '../fixtures/asset.ts';
import { analyseHolders } from './analysis.ts';

const methodology = loadMethodology();
function analysed(list: Json, labels: Json = [], others: readonly Json[] = []) {
  const voices = [list, ...others].map((value, index) => voice(`family${index}`, value));
  const input = inputOf([said('top_holders', list, { voices }), said('holder_labels', labels)]);
  const context: Context = { input, methodology, category: 'default', kind: 'solana', native: false, now: 0 };
  return analyseHolders(context);
}

test('accounts of one owner are one holder', () => {
  const found = analysed(
    holders([
      { owner: 'x', tokenAccount: 'p', sharePct: 6 },
      { owner: 'x', tokenAccount: 'q', sharePct: 7 },
    ]),
  );
  assert.ok(Math.abs((found?.top1 ?? 0) - 0.13) < 1e-12);
});

test('pools, exchanges, bridges and lockers are no holders, and burned tokens do not exist', () => {
  for (const kind of ['amm', 'pool', 'exchange', 'bridge', 'locker'])
    assert.equal(analysed(holders([{ owner: 'x', sharePct: 40 }]), [{ address: 'x', kind, label: kind }])?.top1, 0.008);
  const burned = analysed(holders([{ owner: '0x000000000000000000000000000000000000dead', sharePct: 50 }]));
  assert.ok(Math.abs((burned?.top1 ?? 0) - 0.016) < 1e-12);
});

test('team and treasury are never set aside', () => {
  assert.equal(
    analysed(holders([{ owner: 'x', sharePct: 40 }]), [{ address: 'x', kind: 'treasury', label: 't' }])?.top1,
    0.4,
  );
});

test('a contract nobody can name is not a labelled holder', () => {
  const list = Array.from({ length: 20 }, (_, index) => ({
    owner: `c${index}`,
    sharePct: 1,
    kind: 'contract_unknown',
  }));
  assert.equal(analysed(list)?.unlabelledTop20Share, 1);
});

test('one family that lies about the list is outvoted by two', () => {
  const honest = holders([{ owner: 'x', sharePct: 10 }]);
  assert.equal(analysed(honest, [], [honest, holders([{ owner: 'x', sharePct: 84 }])])?.top1, 0.1);
});

test('families that disagree lower the confidence', () => {
  const a = holders([{ owner: 'x', sharePct: 5 }]);
  const b = holders([{ owner: 'x', sharePct: 60 }]);
  assert.ok((analysed(a, [], [b])?.confidence ?? 1) < (analysed(a, [], [a])?.confidence ?? 0) / 2);
});

test('shares stay shares, ten hold at least what one holds, and order does not matter', () => {
  const row = fc.record({
    owner: fc.constantFrom(...'abcdefghijklmnop'),
    sharePct: fc.double({ min: 0, max: 6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 6, maxLength: 16 }), (list) => {
      const found = analysed(list);
      if (!found) return;
      assert.ok(found.top1 >= 0 && found.top1 <= found.top10 + 1e-12 && found.top10 <= 1);
      assert.ok(found.effective > 0);
      const again = analysed([...list].reverse());
      assert.ok(Math.abs((again?.top10 ?? 0) - found.top10) < 1e-9);
    }),
  );
});

test('hostile rows are dropped: no owner, negative, above the whole, no object', () => {
  const found = analysed(
    holders([null, 7, 'x', { owner: '', sharePct: 9 }, { owner: 'n', sharePct: -4 }, { owner: 'm', sharePct: 1e9 }]),
  );
  assert.equal(found?.top1, 0.008);
});
