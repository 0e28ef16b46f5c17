import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ConsensusSet } from './consensus.ts';
import { lostWorth } from './lost-worth.ts';

const TERMS = { share: 0.8, days: 7, witnesses: 2, marketEvidence: 0.6, evidence: 0.7 };

interface Scene {
  readonly price?: number;
  readonly worth?: number;
  readonly run?: number;
  readonly state?: string;
  readonly families?: number;
  readonly confidence?: number;
}
const set = ({ price, worth, run, state, families = 2, confidence = 0.9 }: Scene) =>
  Object.fromEntries(
    [
      ['price_usd', price, families],
      ['redemption_value_usd', worth, families],
      ['redemption_days_below_80', run, 1],
      ['redemption_state', state, 1],
    ]
      .filter(([, value]) => value !== undefined)
      .map(([quantity, value, heard]) => [
        quantity,
        { quantity, value, confidence, families: heard, status: 'agreed' },
      ]),
  ) as unknown as ConsensusSet;
const seen = (scene: Scene) => {
  const { byChart, bySuspension } = lostWorth(set(scene), TERMS);
  return [byChart, bySuspension];
};

test('a receipt is in default after a week of its chart or with suspended redemption, each with a price far below redemption value', () => {
  const low = { price: 45, worth: 100 };
  assert.deepEqual(seen({ ...low, run: 7, state: 'none' }), [true, true]);
  assert.deepEqual(seen({ ...low, run: 6, state: 'onchain_par' }), [false, false]);
  assert.deepEqual(seen(low), [null, null]);
  assert.deepEqual(seen({ price: 80, worth: 100, run: 30, state: 'none' }), [false, false], 'it has recovered');
  assert.deepEqual(seen({ run: 30, state: 'none' }), [null, null], 'nobody knows what it stands for');
  assert.deepEqual(seen({ ...low, run: 30, state: 'none', families: 1 }), [null, null], 'one group says it');
  assert.deepEqual(seen({ ...low, run: 30, state: 'none', confidence: 0.59 }), [null, null]);
  assert.deepEqual(
    seen({ ...low, run: 7, state: 'none', confidence: 0.69 }),
    [true, null],
    'nobody confirmed the suspension',
  );
  assert.deepEqual(seen({ price: 45, worth: 0, run: 30, state: 'none' }), [null, null]);
});

test('no chart and no suspension puts a receipt at four fifths of its redemption value in default', () => {
  const any = fc.record({
    price: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
    share: fc.double({ min: 0.8, max: 3, noNaN: true }),
    run: fc.nat({ max: 30 }),
    state: fc.constantFrom('none', 'any_holder', 'onchain_par', 'qualified'),
    families: fc.integer({ min: 1, max: 5 }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(any, ({ price, share, ...rest }) => {
      const near = seen({ price, worth: price / share, ...rest });
      // Rounding of the division may put 0.8 itself below.
      if (share > 0.8000001) assert.ok(!near.includes(true), JSON.stringify(near));
      const far = seen({ price: price * 0.5, worth: price, ...rest });
      const isHeard = rest.families >= TERMS.witnesses && rest.confidence >= TERMS.marketEvidence;
      const isSuspended = rest.state === 'none' && rest.confidence >= TERMS.evidence;
      assert.deepEqual(far.includes(true), isHeard && (rest.run >= TERMS.days || isSuspended));
    }),
  );
});
