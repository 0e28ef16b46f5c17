import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadMethodology, type Methodology } from '../../methodology/index.ts';
import { type Change, consensusOf, daysAgo, onChain, soundProtocol } from '../fixtures/asset.ts';
import { inOnePool } from '../fixtures/flag-cases.ts';
import { rate } from '../rate.ts';

const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 3 } };
const young = onChain('token_created_at', daysAgo(20));
const old = onChain('token_created_at', daysAgo(1_500));
const counts = (buys: number, sells: number) => [consensusOf('buys_24h', buys), consensusOf('sells_24h', sells)];

/** A token that is traded in one pool, with the rows given; the share of pools in its volume is left to them. */
function ratedWith(rows: readonly ReturnType<typeof consensusOf>[], by: Methodology = methodology) {
  const pool: Change = inOnePool(4e6);
  const without = [...(pool.without ?? []), 'volume_24h_dex_usd'] as const;
  const rating = rate(soundProtocol({ ...pool, without, set: [...(pool.set ?? []), ...rows] }), by);
  const of = (id: string) => rating.factors.flatMap(({ features }) => features).find((feature) => feature.id === id);
  const [volume, depth] = [of('mq_vol'), of('mq_depth2')];
  assert.ok(volume && depth && rating.uncappedScore !== null);
  return { volume, depth, uncapped: rating.uncappedScore };
}

const raws = (...given: Parameters<typeof ratedWith>) => {
  const { volume, depth } = ratedWith(...given);
  return [Number(volume.raw), Number(depth.raw)];
};

test('volume and depth of a launch count as far as sales face the purchases', () => {
  const [volume = 0, depth = 0] = raws([young]);
  assert.ok(volume > 0 && depth > 0);
  for (const [buys, sells, factor] of [
    [100, 0, 0],
    [100, 20, 0.2],
    [100, 100, 1],
    [100, 300, 1],
    [0, 0, 1],
  ] as const) {
    const [less = -1, shallow = -1] = raws([young, ...counts(buys, sells)]);
    assert.ok(Math.abs(less - volume * factor) < 1e-6 * volume, `${buys} purchases, ${sells} sales: ${less}`);
    assert.ok(Math.abs(shallow - depth * factor) < 1e-6 * depth, `${buys} purchases, ${sells} sales: ${shallow}`);
  }
  const found = ratedWith([young, ...counts(100, 20)]);
  assert.match(found.volume.method, /times 0\.20: sales over purchases/);
  assert.deepEqual(found.volume.basis.slice(-2), ['buys_24h', 'sells_24h']);
  assert.equal(found.volume.confidence, ratedWith([young]).volume.confidence);
});

test('one count without the other changes nothing; nor do both for a token past its launch', () => {
  assert.deepEqual(raws([young, consensusOf('buys_24h', 100)]), raws([young]));
  assert.deepEqual(raws([young, consensusOf('sells_24h', 1)]), raws([young]));
  const exchanges = [old, consensusOf('graded_volume_share', 0.8)];
  assert.deepEqual(raws([...exchanges, ...counts(100, 1)]), raws(exchanges));
});

test('volume outside pools counts whole', () => {
  const mixed = [young, consensusOf('graded_volume_share', 0.5)];
  const [volume = 0] = raws(mixed);
  const [less = 0] = raws([...mixed, ...counts(100, 0)]);
  assert.ok(Math.abs(less - volume / 2) < 1e-6 * volume, `${less} of ${volume}`);
});

test('before methodology 1.8.0 volume and depth do not read purchases and sales', () => {
  assert.deepEqual(raws([young, ...counts(100, 1)], earlier), raws([young], earlier));
});

test('more sales never lower volume and depth, more purchases never raise them, and no pair earns anything', () => {
  const [volume = 0, depth = 0] = raws([young]);
  const count = fc.integer({ min: 0, max: 5_000 });
  const sure = fc.double({ min: 0.05, max: 0.95, noNaN: true });
  fc.assert(
    fc.property(count, count, count, sure, (buys, a, b, confidence) => {
      const of = (purchases: number, sales: number) =>
        raws([
          young,
          consensusOf('buys_24h', purchases, { confidence }),
          consensusOf('sells_24h', sales, { confidence }),
        ]);
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      for (const at of [0, 1] as const) {
        assert.ok((of(buys, low)[at] ?? 0) <= (of(buys, high)[at] ?? 0));
        assert.ok((of(high, buys)[at] ?? 0) <= (of(low, buys)[at] ?? 0));
        assert.ok((of(buys, a)[at] ?? 0) <= ([volume, depth][at] ?? 0));
      }
    }),
    { numRuns: 60 },
  );
});
