import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Consensus, consensusKey } from '../domain/consensus.ts';
import type { Observation } from '../domain/observation.ts';
import type { QuantityId } from '../domain/quantities.ts';
import { loadMethodology } from '../methodology/load.ts';
import { agree } from './agree.ts';

/** What errors in the evidence may do to a value and to its confidence (methodology 2.4). */
const methodology = loadMethodology();
const asOf = '2026-01-01T12:00:00.000Z';
/** Of a thin price. */
const NOISE = methodology.consensus.classes.price_thin?.noise ?? 0;

interface Said {
  readonly value: number | string | boolean;
  readonly ageSeconds: number;
  readonly reliability: number;
}

function row(family: string, said: Said, quantity: QuantityId = 'price_usd'): Observation {
  return {
    quantity,
    scope: 'asset',
    value: said.value,
    unit: '',
    meaning: '',
    source: family,
    endpoint: 'e',
    family,
    tier: family.startsWith('chain:') ? 'chain' : 'aggregator',
    observedAt: new Date(Date.parse(asOf) - 1000 * said.ageSeconds).toISOString(),
    fetchedAt: asOf,
    reliability: said.reliability,
    binding: 1,
    responseId: `${family}#1`,
  };
}

function settled(rows: readonly Observation[], quantity: QuantityId = 'price_usd'): Consensus {
  const found = agree(rows, methodology, asOf)[consensusKey(quantity)];
  assert.ok(found);
  return found;
}

const lnRatio = (a: Consensus, b: Consensus) => Math.abs(Math.log(Number(a.value) / Number(b.value)));
const price = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
const ageSeconds = fc.integer({ min: 0, max: 1_200 });
const reliability = fc.double({ min: 0.5, max: 1, noNaN: true });
/** Honest lineage groups: each is at most half a noise floor from the true value. */
const honest = (minLength: number, maxLength = 7) =>
  fc
    .tuple(
      price,
      fc.array(fc.record({ off: fc.double({ min: -0.5, max: 0.5, noNaN: true }), ageSeconds, reliability }), {
        minLength,
        maxLength,
      }),
    )
    .map(([truth, voices]) =>
      voices.map((voice, index) => row(`f${index}`, { ...voice, value: truth * Math.exp(voice.off * NOISE) })),
    );

test('a new lineage group that agrees with the published value never lowers the confidence', () => {
  fc.assert(
    fc.property(honest(1), (rows) => {
      const before = settled(rows);
      const freshest = Math.max(...rows.map((one) => Date.parse(one.observedAt)));
      const added = {
        ...row('new', { value: Number(before.value), ageSeconds: 0, reliability: 1 }),
        observedAt: new Date(freshest).toISOString(),
      };
      const after = settled([...rows, added]);
      assert.ok(after.confidence >= before.confidence - 1e-9, `${before.confidence} to ${after.confidence}`);
    }),
  );
});

test('one false lineage group among four or more, each up to twenty minutes old, moves the value by less than the noise floor', () => {
  const lie = fc.oneof(
    fc.constantFrom(-18, -9, -6, -3, -2, 2, 3, 6, 9, 18).map((power) => 10 ** power),
    fc.double({ min: 0.05, max: 0.6, noNaN: true }),
    fc.double({ min: 1.6, max: 50, noNaN: true }),
  );
  fc.assert(
    fc.property(honest(4), lie, fc.nat(), (rows, factor, pick) => {
      const before = settled(rows);
      const liar = rows[pick % rows.length];
      assert.ok(liar);
      const after = settled(rows.map((one) => (one === liar ? { ...one, value: Number(one.value) * factor } : one)));
      assert.ok(lnRatio(before, after) < NOISE, `moved by ${lnRatio(before, after)}`);
      assert.equal(after.voices.find((voice) => voice.family === liar.family)?.accepted, false);
    }),
  );
});

test('a power of ten in one of four fresh families or more lowers the confidence, always', () => {
  fc.assert(
    fc.property(honest(4), fc.constantFrom(-9, -6, -3, -2, 2, 3, 6, 8), fc.nat(), (rows, power, pick) => {
      const fresh = rows.map((one) => ({ ...one, observedAt: asOf }));
      const liar = fresh[pick % fresh.length];
      const after = settled(
        fresh.map((one) => (one === liar ? { ...one, value: Number(one.value) * 10 ** power } : one)),
      );
      assert.ok(after.confidence < settled(fresh).confidence);
      assert.equal(after.voices.find((voice) => voice.family === liar?.family)?.reason, 'unit_mismatch');
    }),
  );
});

test('one false observation beside three or more that agree changes no vote', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.integer({ min: 3, max: 7 }), (truth, families) => {
      const rows = Array.from({ length: families }, (_, index) =>
        row(`f${index}`, { value: truth, ageSeconds: 0, reliability: 0.9 }, 'honeypot'),
      );
      const before = settled(rows, 'honeypot');
      const after = settled(
        [...rows, row('liar', { value: !truth, ageSeconds: 0, reliability: 0.9 }, 'honeypot')],
        'honeypot',
      );
      assert.equal(after.value, truth);
      assert.ok(after.confidence < before.confidence);
    }),
  );
});

test('echoes of one family, however many and whatever names they go by, add nothing', () => {
  fc.assert(
    fc.property(honest(1), fc.integer({ min: 1, max: 6 }), fc.nat(), (rows, times, pick) => {
      const echoed = rows[pick % rows.length];
      assert.ok(echoed);
      const echoes = Array.from({ length: times }, (_, index) => ({
        ...echoed,
        source: `${echoed.source}-mirror-${index}`,
        responseId: `echo${index}`,
      }));
      const [before, after] = [settled(rows), settled([...rows, ...echoes])];
      assert.equal(after.value, before.value);
      assert.equal(after.confidence, before.confidence);
    }),
  );
});

test('a family that copies another one adds less than an independent one', () => {
  const said = { value: 10, ageSeconds: 0, reliability: 0.9 };
  const alone = settled([row('coingecko', said)]);
  const copied = settled([row('coingecko', said), row('cmc', said)]);
  const independent = settled([row('coingecko', said), row('cex', said)]);
  assert.ok(alone.parts.independence < copied.parts.independence);
  assert.ok(copied.parts.independence < independent.parts.independence);
});

test('older evidence never raises the confidence of what is published', () => {
  fc.assert(
    fc.property(honest(1), fc.integer({ min: 1, max: 20_000 }), (rows, seconds) => {
      const before = settled(rows);
      const after = settled(
        rows.map((one) => ({
          ...one,
          observedAt: new Date(Date.parse(one.observedAt) - 1000 * seconds).toISOString(),
        })),
      );
      assert.ok(after.confidence <= before.confidence + 1e-9);
    }),
  );
});

test('fewer lineage groups of the same age and weight never make a value more certain', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 2, max: 7 }), ageSeconds, reliability, (value, families, age, trusted) => {
      const rows = Array.from({ length: families }, (_, index) =>
        row(`f${index}`, { value, ageSeconds: age, reliability: trusted }),
      );
      assert.ok(settled(rows.slice(1)).confidence < settled(rows).confidence);
    }),
  );
});

test('where one of two families errs the value is not called agreed, and the doubt is in the confidence', () => {
  fc.assert(
    fc.property(honest(2, 2), fc.double({ min: 1.2, max: 1e6, noNaN: true }), (rows, factor) => {
      const [first, second] = rows;
      assert.ok(first && second);
      const found = settled([first, { ...second, value: Number(second.value) * factor }]);
      assert.equal(found.status, 'disputed');
      assert.ok(found.confidence <= methodology.consensus.disputedConfidenceCap);
    }),
  );
});

test('the published interval holds the published value, and is never narrower than the noise allows', () => {
  fc.assert(
    fc.property(honest(1), (rows) => {
      const found = settled(rows);
      const [low, high, value] = [Number(found.low), Number(found.high), Number(found.value)];
      assert.ok(low <= value && value <= high);
      assert.ok(Math.log(high / low) > 0);
    }),
  );
});
