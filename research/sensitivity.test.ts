import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FACTOR_CODES } from '../src/domain/index.ts';
import { mapped, methodology } from './fixtures/made-data.ts';
import type { Member } from './mapping.ts';
import { panelOf } from './panel.ts';
import { seededRandom } from './random.ts';
import { panelError, rescore } from './rescore.ts';
import { scoreMember } from './score-member.ts';
import { sensitivityOf } from './sensitivity.ts';

const values = fc.record({
  hd_count: fc.option(fc.double({ min: 1, max: 1e7, noNaN: true }), { nil: undefined }),
  hd_top10: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  ts_tax: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  mq_depth2: fc.option(fc.double({ min: 1, max: 1e8, noNaN: true }), { nil: undefined }),
});

const DIRECT = {
  hd_count: { column: 'a' },
  hd_top10: { column: 'b', confidence: 0.4 },
  ts_tax: { column: 'c' },
  mq_depth2: { column: 'd' },
};

test('the panel of the sensitivity analyses is the rating: same scores, also after a change of the methodology', () => {
  const mapping = mapped({ features: DIRECT, quantities: {} });
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 1, maxLength: 12 }),
      fc.double({ min: 30, max: 50, noNaN: true }),
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      fc.double({ min: 0.5, max: 1.5, noNaN: true }),
      (rows, prior, shrinkConstant, multiple) => {
        // Somebody knows the feature whose weight is changed: one that nobody has is not in the panel.
        const members = [...rows, { hd_count: 500 }].map(
          (features, index): Member => ({
            id: String(index),
            group: null,
            class: index % 2 === 0 ? 'default' : 'gaming',
            failed: false,
            featureAt: null,
            outcomeAt: null,
            features: Object.fromEntries(
              Object.entries(features).filter(([, value]) => value !== undefined),
            ) as Member['features'],
            quantities: {},
          }),
        );
        const scored = members.map((member) => scoreMember(member, mapping, methodology));
        const panel = panelOf(scored, methodology);
        assert.ok(panelError(panel, scored) < 1e-9);
        const { weightTables, featureTables } = methodology;
        const changed = {
          ...methodology,
          aggregation: { ...methodology.aggregation, prior, shrinkConstant },
          weightTables: Object.fromEntries(
            Object.entries(weightTables).map(([name, table]) => [name, { ...table, HD: table.HD * multiple }]),
          ) as typeof weightTables,
          featureTables: Object.fromEntries(
            Object.entries(featureTables).map(([name, table]) => [
              name,
              Object.hasOwn(table, 'hd_count') ? { ...table, hd_count: (table.hd_count ?? 0) * multiple } : table,
            ]),
          ),
        };
        const found = rescore(panel, {
          prior,
          shrinkConstant,
          caps: false,
          factorWeights: FACTOR_CODES.map((code) => (code === 'HD' ? multiple : 1)),
          featureWeights: panel.features.map(({ id }) => (id === 'hd_count' ? multiple : 1)),
        });
        for (const [index, member] of members.entries())
          assert.ok(Math.abs(scoreMember(member, mapping, changed).uncapped - (found[index] ?? 0)) < 1e-9);
      },
    ),
    { numRuns: 25 },
  );
});

test('the panel equals the rating for lists that were searched without a result, and for classes that lack a factor', () => {
  const quantities = {
    market_cap_usd: { column: 'a' },
    volume_24h_usd: { column: 'b' },
    depeg_aged_sum: { column: 'c' },
  };
  const mapping = mapped({ features: {}, quantities, searched: ['fu_size', 'mq_vol'] });
  const classes = ['default', 'stable_fiat', 'commodity', 'lst_wrapped'] as const;
  const known: readonly Member['quantities'][] = [
    {},
    { market_cap_usd: 3e6 },
    { market_cap_usd: 3e6, volume_24h_usd: 2e5 },
    { depeg_aged_sum: 0.01 },
  ];
  const members = classes.flatMap((of) =>
    known.map(
      (quantities, index): Member => ({
        id: `${of} ${index}`,
        group: null,
        class: of,
        failed: false,
        featureAt: null,
        outcomeAt: null,
        features: {},
        quantities,
      }),
    ),
  );
  const scored = members.map((member) => scoreMember(member, mapping, methodology));
  assert.ok(scored.some(({ silent }) => silent.some(({ points }) => points !== methodology.aggregation.prior)));
  assert.ok(new Set(scored.map(({ factors }) => factors.length)).size > 1, 'some class lacks a factor');
  assert.ok(panelError(panelOf(scored, methodology), scored) < 1e-9);
});

test('one known fact orders members the same way under every judgement: nothing moves, and no judgement matters', () => {
  const mapping = mapped({ features: { hd_count: { column: 'a' } }, quantities: {} });
  const members = Array.from(
    { length: 40 },
    (_, index): Member => ({
      id: String(index),
      group: null,
      class: 'default',
      failed: index % 3 === 0,
      featureAt: null,
      outcomeAt: null,
      features: { hd_count: 200 * 1.2 ** index },
      quantities: {},
    }),
  );
  const plan = { draws: 30, base: 8, random: seededRandom(1), onProgress: () => undefined };
  const scored = members.map((member) => scoreMember(member, mapping, methodology));
  const found = sensitivityOf(panelOf(scored, methodology), null, methodology, plan);
  assert.deepEqual([found.rankShift.median, found.rankShift.high, found.auc], [0, 0, null]);
  assert.ok(found.rankCorrelation.low > 1 - 1e-12);
  assert.ok(found.indices.every((row) => row.total === 0 && row.atLow === 0 && row.atHigh === 0));
});

test('between two facts that disagree the weights decide, and the indices name the judgement', () => {
  const mapping = mapped({ features: { hd_count: { column: 'a' }, ts_tax: { column: 'b' } }, quantities: {} });
  const random = seededRandom(6);
  const members = Array.from({ length: 60 }, (_, index): Member => {
    const failed = index % 2 === 0;
    const features = { hd_count: 10 ** (2 + 3 * random()), ts_tax: failed ? 0.1 + 0.1 * random() : 0.12 * random() };
    return {
      id: String(index),
      group: null,
      class: 'default',
      failed,
      featureAt: null,
      outcomeAt: null,
      features,
      quantities: {},
    };
  });
  const scored = members.map((member) => scoreMember(member, mapping, methodology));
  const failed = members.map((member) => member.failed);
  const plan = { draws: 50, base: 64, random: seededRandom(1), onProgress: () => undefined };
  const found = sensitivityOf(panelOf(scored, methodology), failed, methodology, plan);
  const index = (name: string) => found.indices.find((row) => row.name === name);
  // Only the tax tells the outcome: the more it weighs against the count, the better.
  assert.ok((index('weight of TS')?.atHigh ?? 0) > (index('weight of TS')?.atLow ?? 1));
  assert.ok((index('weight of HD')?.atHigh ?? 1) < (index('weight of HD')?.atLow ?? 0));
  assert.ok((index('weight of TS')?.totalOnAuc ?? 0) > 0.05);
  assert.ok(found.rankShift.median > 0 && (found.auc?.low ?? 1) < (found.auc?.high ?? 0));
});
