import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agree } from '../../consensus/index.ts';
import type { Observation, QuantityId } from '../../domain/index.ts';
import { loadMethodology } from '../../methodology/index.ts';
import { AS_OF, consensusOf, soundProtocol } from '../fixtures/asset.ts';
import { inOnePool, tradedInPools } from '../fixtures/flag-cases.ts';
import { rate } from '../rate.ts';

const methodology = loadMethodology();
const SALES = 400;
const POOL = inOnePool(4e6);
const SOLD = tradedInPools(500, SALES).set ?? [];

/** A statement of one source now. */
const said = (quantity: QuantityId, source: string, value: number): Observation => ({
  quantity,
  scope: 'asset',
  value,
  unit: '',
  meaning: '',
  source,
  endpoint: 'pools',
  family: source,
  tier: 'aggregator',
  observedAt: AS_OF,
  fetchedAt: AS_OF,
  reliability: 1,
  binding: 1,
  responseId: `${source}.pools#00000000`,
});

/** The feature and the score before caps of a token in one pool, with the rows given. */
function ratedWith(rows: readonly ReturnType<typeof consensusOf>[]) {
  const rating = rate(soundProtocol({ ...POOL, set: [...(POOL.set ?? []), ...rows] }), methodology);
  const feature = rating.factors.flatMap(({ features }) => features).find(({ id }) => id === 'mq_sells');
  const { uncappedScore: uncapped } = rating;
  assert.ok(feature && uncapped !== null);
  return { feature, uncapped };
}

/** The same with 400 sales a day. */
const rated = (...rows: ReturnType<typeof consensusOf>[]) => ratedWith([...SOLD, ...rows]);

test('the lower of the sales of a day and four times those of the last six hours counts', () => {
  const of = (share: number) => rated(consensusOf('sells_6h_share', share)).feature;
  assert.deepEqual(
    [0, 0.01, 0.1, 0.25, 0.6, 1].map((share) => of(share).raw),
    [0, 16, 160, SALES, SALES, SALES],
  );
  assert.deepEqual([of(0.1).basis, of(0.6).basis], Array(2).fill(['sells_24h', 'sells_6h_share']));
  assert.match(of(0.1).method, /last six hours/);
  assert.match(of(0.6).method, /sales of a day/);
});

test('without the six hours the feature is that of the sales of a day', () => {
  const { feature } = rated();
  assert.deepEqual([feature.raw, feature.basis, feature.method], [SALES, ['sells_24h'], 'sales of a day, over pools']);
});

test('a share without the sales of a day gives no value', () => {
  assert.equal(ratedWith([consensusOf('sells_6h_share', 0.1)]).feature.status, 'unknown');
});

test('a known share never scores above an unknown one, however uncertain it is; a larger one never below a smaller', () => {
  const unknown = rated();
  assert.ok(rated(consensusOf('sells_6h_share', 0)).uncapped < unknown.uncapped);
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const confidence = fc.double({ min: 0.05, max: 0.95, noNaN: true });
  fc.assert(
    fc.property(share, share, confidence, confidence, (a, b, sure, other) => {
      const [low, high] = [
        rated(consensusOf('sells_6h_share', Math.min(a, b), { confidence: sure })),
        rated(consensusOf('sells_6h_share', Math.max(a, b), { confidence: other })),
      ];
      assert.ok(low.uncapped <= high.uncapped && high.uncapped <= unknown.uncapped);
      assert.equal(low.feature.confidence, unknown.feature.confidence);
    }),
    { numRuns: 100 },
  );
});

test('sales of a day from three sources and a share from one: the share applies to the agreed sales', () => {
  // The one source that states six hours lists a tenth of the pools: its ten late sales are half of its twenty.
  const agreed = agree(
    [
      ...(['alpha', 'beta', 'gamma'] as const).map((source, at) => said('sells_24h', source, [200, 205, 20][at] ?? 0)),
      said('sells_6h_share', 'gamma', 10 / 20),
    ],
    methodology,
    AS_OF,
  );
  const { feature } = ratedWith(Object.values(agreed));
  assert.equal(feature.raw, agreed.sells_24h?.value);
  assert.ok((agreed.sells_24h?.value as number) >= 200);
});

test('shares of sources are compared in points of a hundred: none and a few are no dispute, none and half are', () => {
  const statusOf = (...values: readonly number[]) => {
    const rows = values.map((value, at) => said('sells_6h_share', `s${at}`, value));
    const found = agree(rows, methodology, AS_OF).sells_6h_share;
    return [found?.status, found?.value];
  };
  assert.deepEqual(statusOf(0, 0.04), ['agreed', 0.02]);
  assert.deepEqual(statusOf(0, 0.5)[0], 'disputed');
  assert.deepEqual(statusOf(1.2)[0], 'missing');
});
