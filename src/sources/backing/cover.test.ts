import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { positionTerms } from '../../registers/index.ts';
import { coverOf, type MarketCover } from './cover.ts';

const TERMS = positionTerms();
const market = (debt: number, worth: number, said = 0): MarketCover => ({ debt, worth, stated: said });

test('one market covers its value over its debt', () => {
  assert.equal(coverOf(100, [market(100, 208)], TERMS), 2.08);
  assert.equal(coverOf(100, [market(100, 70)], TERMS), 0.7);
});

test('the surplus of one market covers no other market’s debt', () => {
  assert.equal(coverOf(100, [market(50, 500), market(50, 25)], TERMS), 0.75);
  assert.equal(coverOf(100, [market(50, 100), market(50, 50)], TERMS), 1.5);
});

test('a small uncovered debt moves the ratio by as little, so that a small loan cannot lower a coin', () => {
  const sound = Number(coverOf(1_000_000, [market(1_000_000, 1_600_000)], TERMS));
  const withGrain = Number(coverOf(1_000_100, [market(1_000_000, 1_600_000), market(100, 0)], TERMS));
  assert.ok(sound - withGrain < 0.002, `${sound} ${withGrain}`);
});

test('markets that explain too little of the debt, and collateral that is mostly only reported, give no ratio', () => {
  assert.match(String(coverOf(100, [market(94, 200)], TERMS)), /account for 94.0 %/);
  const little = Number(coverOf(100, [market(96, 200)], TERMS));
  assert.ok(Math.abs(little - (0.96 + 1.04 * (1 - 0.04 / 0.05))) < 1e-9, 'a little that no market explains is short');
  assert.match(
    String(coverOf(100, [market(49, 60), market(51, 40, 51)], TERMS)),
    /51.0 % of what is owed no collateral/,
  );
  assert.equal(typeof coverOf(100, [market(51, 60), market(49, 40, 49)], TERMS), 'number');
  assert.match(String(coverOf(0, [market(0, 0)], TERMS)), /nothing is owed/);
  assert.match(String(coverOf(100, [market(100, 6_000)], TERMS)), /another unit/);
});

test('more collateral never lowers the ratio, and one market alone never raises it above its cover by others', () => {
  const amount = fc.double({ min: 1, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.record({ debt: amount, times: fc.double({ min: 0, max: 5, noNaN: true }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.nat(5),
      amount,
      (rows, at, more) => {
        const markets = rows.map(({ debt, times }) => market(debt, debt * times));
        const owed = markets.reduce((sum, { debt }) => sum + debt, 0);
        const ratioOf = (list: readonly MarketCover[]) => coverOf(owed, list, TERMS);
        const raised = markets.map((one, index) =>
          index === at % markets.length ? { ...one, worth: one.worth + more } : one,
        );
        const [before, after] = [ratioOf(markets), ratioOf(raised)];
        if (typeof before === 'string' || typeof after === 'string') return;
        assert.ok(after >= before - 1e-9, `${before} ${after}`);
        const plain = markets.reduce((sum, { worth }) => sum + worth, 0) / owed;
        assert.ok(before <= plain + 1e-9, 'never above collateral over what is owed');
      },
    ),
  );
});
