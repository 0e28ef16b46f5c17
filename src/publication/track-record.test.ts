import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BANDS, type Band } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import { accuracyRatio, countScore, emptyBins, jeffreysInterval } from './accuracy.ts';
import type { RatedSeries } from './track-record.ts';
import { openTrackRecord } from './track-record.ts';

const methodology = loadMethodology();
const START = Date.parse('2025-01-01T00:00:00.000Z');
const at = (day: number) => new Date(START + day * 86_400_000).toISOString();
const SCORES: Readonly<Record<Band, number | null>> = {
  AAA: 92,
  AA: 84,
  A: 76,
  BBB: 70,
  BB: 60,
  B: 50,
  CCC: 40,
  CC: 25,
  C: 10,
  D: 3,
  NR: null,
};

function seriesOf(assetId: string, ...points: readonly (readonly [day: number, band: Band])[]): RatedSeries {
  return {
    assetId,
    symbol: assetId,
    ratings: points.map(([day, band]) => ({ asOf: at(day), band, score: SCORES[band] })),
  };
}

/** The same band once a week. */
function weekly(from: number, to: number, band: Band): readonly (readonly [number, Band])[] {
  return Array.from({ length: Math.floor((to - from) / 7) + 1 }, (_, week) => [from + week * 7, band] as const);
}

function recordOf(series: readonly RatedSeries[], day: number) {
  const record = openTrackRecord(at(day), methodology);
  for (const one of series) record.add(one);
  return record.result();
}

function outcome(series: readonly RatedSeries[], day: number, days: number, band: Band) {
  const horizon = recordOf(series, day).horizons.find((one) => one.days === days);
  return { horizon, row: horizon?.bands.find((one) => one.band === band) };
}

test('Jeffreys intervals are those of the beta distribution', () => {
  const golden: readonly [number, number, number, number][] = [
    [0, 10, 0, 0.21719626750921],
    [1, 10, 0.011011673763161133, 0.3813147710666164],
    [5, 10, 0.22352867025270517, 0.7764713297472947],
    [3, 1000, 0.0008456348018298346, 0.007984367358403443],
    [0.4, 7.5, 0.0021198764975844057, 0.3687628764000257],
    [2000, 100000, 0.019146123388983038, 0.020881660883699363],
  ];
  for (const [failures, trials, low, high] of golden) {
    const made = jeffreysInterval(failures, trials, 0.95) ?? [Number.NaN, Number.NaN];
    assert.ok(Math.abs(made[0] - low) < 1e-9 && Math.abs(made[1] - high) < 1e-9, `${failures} of ${trials}: ${made}`);
  }
  assert.equal(jeffreysInterval(0, 0, 0.95), null);
  assert.equal(jeffreysInterval(4, 4, 0.95)?.[1], 1);
});

test('the accuracy ratio is that of the pairs, one by one', () => {
  const member = fc.record({ score: fc.integer({ min: 0, max: 1000 }), failed: fc.boolean() });
  fc.assert(
    fc.property(fc.array(member, { maxLength: 40 }), (members) => {
      const bins = emptyBins();
      for (const { score, failed } of members) countScore(bins, score / 10, failed);
      const [bad, good] = [members.filter((one) => one.failed), members.filter((one) => !one.failed)];
      const signs = bad.flatMap((one) => good.map((other) => Math.sign(other.score - one.score)));
      const expected = signs.length === 0 ? null : signs.reduce((sum, sign) => sum + sign, 0) / signs.length;
      const made = accuracyRatio(bins);
      if (expected === null) assert.equal(made, null);
      else assert.ok(Math.abs((made ?? Number.NaN) - expected) < 1e-9);
    }),
  );
});

test('a token that dies the day after its first rating is a failure of that rating', () => {
  const { row } = outcome([seriesOf('a', [10, 'B'], [11, 'D'])], 60, 30, 'B');
  assert.deepEqual([row?.rated, row?.failed, row?.rate], [1, 1, 1]);
});

test('an open outcome is in no rate, and is shown all the same', () => {
  const { row } = outcome([seriesOf('a', [0, 'B'], [5, 'D']), seriesOf('b', [0, 'B'])], 20, 30, 'B');
  assert.deepEqual([row?.rated, row?.rate, row?.young, row?.youngFailed], [0, null, 2, 1]);
});

test('withdrawn assets stay in the count; unmonitored ones are counted apart; a default counts in any case', () => {
  const { row, horizon } = outcome(
    [
      seriesOf('kept', [0, 'BB'], [60, 'BB'], [80, 'BB']),
      seriesOf('withdrawn', [0, 'BB'], [70, 'NR']),
      seriesOf('withdrawn, then failed', [0, 'BB'], [10, 'NR'], [40, 'D']),
      seriesOf('scored once', [0, 'BB']),
    ],
    100,
    90,
    'BB',
  );
  const { rated, failed, withdrawn, unfollowed } = row ?? {};
  assert.deepEqual({ rated, failed, withdrawn, unfollowed }, { rated: 4, failed: 1, withdrawn: 1, unfollowed: 1 });
  assert.equal(row?.rate, 1 / 3);
  assert.deepEqual(horizon?.transitions.BB, { BB: 1, NR: 2, D: 1 });
});

test('a cured default still counts as a default', () => {
  const life = seriesOf('a', [0, 'A'], ...weekly(7, 200, 'D'), ...weekly(201, 420, 'CCC'));
  const { horizon, row } = outcome([life], 420, 365, 'A');
  assert.deepEqual([row?.failed, horizon?.transitions.A, row?.target], [1, { D: 1 }, 0.02]);
});

test('an asset counts once a month, and once only in the width of the interval', () => {
  const { row } = outcome([seriesOf('a', ...weekly(0, 400, 'AA'))], 400, 30, 'AA');
  assert.equal(row?.rated, 12);
  assert.equal(row?.assets, 1);
  assert.deepEqual(row?.interval, jeffreysInterval(0, 1, 0.95));
});

test('assets whose outcome is unknown do not narrow the interval', () => {
  const followed = seriesOf('a', ...weekly(0, 400, 'AA'));
  const lost = Array.from({ length: 11 }, (_, index) => seriesOf(`lost${index}`, [0, 'AA']));
  const { row } = outcome([followed, ...lost], 400, 90, 'AA');
  assert.deepEqual([row?.rated, row?.assets, row?.unfollowed], [22, 12, 11]);
  assert.deepEqual(row?.interval, jeffreysInterval(0, 1, 0.95));
});

test('a default that could not be read for a while, and was withdrawn, is one default and no failure of NR', () => {
  const life = seriesOf(
    'a',
    [0, 'BBB'],
    [20, 'D'],
    [50, 'NR'],
    [62, 'NR'],
    [80, 'D'],
    [81, 'NR'],
    [100, 'BB'],
    [110, 'D'],
  );
  const record = recordOf([life], 200);
  assert.equal(record.defaults, 2, 'the second after it was rated again');
  const bands = record.horizons
    .find(({ days }) => days === 30)
    ?.bands.map(({ band, rated, failed }) => [band, rated, failed]);
  assert.deepEqual(bands, [
    ['BBB', 1, 1],
    ['BB', 1, 1],
  ]);
  assert.deepEqual(
    record.misses.map(({ defaultedAt }) => defaultedAt),
    [at(20)],
    'the good rating before the first default is not a miss of the second',
  );
});

test('an accuracy ratio needs ten failures, and states so', () => {
  const failing = (count: number) =>
    Array.from({ length: count }, (_, index) => seriesOf(`f${index}`, [0, 'CC'], [3, 'D']));
  const sound = Array.from({ length: 20 }, (_, index) => seriesOf(`s${index}`, ...weekly(0, 35, 'A')));
  const few = outcome([...failing(9), ...sound], 40, 30, 'A').horizon;
  assert.deepEqual([few?.accuracyRatio, few?.accuracyReason], [null, '9 failures of 10 that it needs']);
  const enough = outcome([...failing(10), ...sound], 40, 30, 'A').horizon;
  assert.deepEqual([enough?.accuracyRatio, enough?.accuracyReason], [1, null]);
});

test('a miss is a default of what was BBB or better within the year before, with its best band', () => {
  const { misses, defaults, firstRatedInDefault } = recordOf(
    [
      seriesOf('missed', [0, 'BBB'], [30, 'A'], [60, 'CCC'], [90, 'D'], [97, 'D']),
      seriesOf('warned', [0, 'BB'], [90, 'D']),
      seriesOf('long ago', [0, 'A'], [20, 'B'], [420, 'D']),
      seriesOf('born dead', [0, 'D']),
    ],
    500,
  );
  assert.deepEqual([defaults, firstRatedInDefault], [3, 1]);
  assert.deepEqual(misses, [
    { assetId: 'missed', symbol: 'missed', band: 'A', bandAsOf: at(30), bandBefore: 'CCC', defaultedAt: at(90) },
  ]);
});

test('nothing is removed: every member is in one cell of its row, whatever the order of assets and ratings', () => {
  const life = fc.array(fc.tuple(fc.integer({ min: 0, max: 800 }), fc.constantFrom(...BANDS)), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(life, { maxLength: 8 }), (lives) => {
      // Two ratings of one moment have no order of their own.
      const series = lives.map((points, index) => seriesOf(`a${index}`, ...new Map(points)));
      const turned = series.map((one) => ({ ...one, ratings: one.ratings.toReversed() })).toReversed();
      const record = recordOf(series, 700);
      for (const horizon of record.horizons) {
        for (const row of horizon.bands) {
          const cells = Object.values(horizon.transitions[row.band] ?? {});
          assert.equal(
            cells.reduce((sum, count) => sum + count, 0),
            row.rated,
          );
          assert.ok(row.failed + row.withdrawn + row.unfollowed <= row.rated);
          if (row.rate !== null && row.interval !== null)
            assert.ok(row.interval[0] <= row.rate && row.rate <= row.interval[1]);
        }
      }
      assert.equal(JSON.stringify(recordOf(turned, 700)), JSON.stringify(record));
    }),
    { numRuns: 200 },
  );
});
