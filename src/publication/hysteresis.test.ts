import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../domain/index.ts';
import { bandOf, loadMethodology } from '../methodology/index.ts';
import { last, live, type Moment } from './fixtures/life.ts';
import { holdBand, outlookOf, rank } from './movement.ts';

const methodology = loadMethodology();
const AT = '2026-05-01T00:00:00.000Z';

test('a cap that ended holds the score for seven days more; one that goes with age or evidence does not', () => {
  const capped = { score: 43.9, uncapped: 80, caps: [{ code: 'MINT_EOA', cap: 43.9 }] };
  const { ratings } = live([capped, ...Array.from({ length: 9 }, () => ({ score: 80 }))]);
  assert.deepEqual(
    ratings.slice(1).map((rating) => rating.score),
    [43.9, 43.9, 43.9, 43.9, 43.9, 43.9, 43.9, 80, 80],
  );
  const aged = live([{ score: 43.9, uncapped: 80, caps: [{ code: 'AGE_7D', cap: 43.9 }] }, { score: 80 }]).ratings;
  assert.equal(last(aged).score, 80);
});

test('a cap that applied when sources failed still applies when they reply again', () => {
  const capped = { score: 43.9, uncapped: 80, caps: [{ code: 'MINT_EOA', cap: 43.9 }] };
  const { ratings } = live([capped, ...Array.from({ length: 9 }, () => ({ score: null })), { score: 80 }]);
  assert.deepEqual([last(ratings).score, last(ratings).band], [43.9, 'CCC']);
});

test('a band that fell at once does not rise while the smoothed score still falls', () => {
  const capped: Moment = { score: 43.9, uncapped: 88, caps: [{ code: 'MINT_EOA', cap: 43.9 }] };
  for (const [start, now] of [
    [88, capped],
    [70, capped],
    [70, { score: 30 }],
  ] as const)
    for (const gap of [1 / 24, 0.5, 1]) {
      const days = Array.from({ length: 10 }, (_, index) => ({ ...now, day: 1 + index * gap }));
      const { ratings } = live([{ score: start }, ...days]);
      assert.deepEqual(
        ratings.slice(2).map(({ action }) => action),
        ratings.slice(2).map(() => 'affirm'),
        `${start} to ${now.score}, every ${gap} days: ${ratings.map(({ band }) => band).join(' ')}`,
      );
      assert.equal(last(ratings).band, bandOf(now.score ?? 0, methodology));
    }
});

test('no upgrade leads above the band of the score itself', () => {
  const score = fc.double({ min: 1, max: 99, noNaN: true }).map((value) => Math.round(value * 10) / 10);
  const step = fc.record({ score, hours: fc.constantFrom(1, 6, 24, 24, 72) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      let hours = 0;
      const { ratings } = live(
        steps.map((one) => {
          hours += one.hours;
          return { score: one.score, day: hours / 24 };
        }),
      );
      for (const { action, band, score: published } of ratings)
        if (action === 'upgrade')
          assert.ok(rank(band) >= rank(bandOf(published ?? 0, methodology)), `${band} at ${published}`);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('a score that stays above the next band still raises the band on the third day, and a dip only delays it', () => {
  const days = [70, 76, 77, 77, 77, 77].map((score) => ({ score }));
  const bands = (scores: readonly Moment[]) => live(scores).ratings.map(({ band }) => band);
  const raised = bands([...days, { score: 79 }, { score: 79 }, { score: 79 }]);
  assert.ok(raised.includes('A'), raised.join(' '));
  const dip = bands([...days, { score: 73 }, { score: 79 }, { score: 79 }, { score: 79 }, { score: 79 }]);
  assert.equal(last(dip), 'A', dip.join(' '));
});

test('methodologies before 1.5.1 move the band as they did, so that their ratings replay to the same bytes', () => {
  const { revision: _, ...publication } = methodology.publication;
  const earlier = { ...methodology, publication };
  const fallen = { band: 'CCC', score: 43.9, smoothed: 70, newCap: false, isCured: false, asOf: AT } as const;
  assert.deepEqual(
    [earlier, methodology].map((one) => holdBand(fallen, null, one).band),
    ['BBB', 'CCC'],
  );
  const flat = Array.from({ length: 30 }, (_, day) => ({
    day: new Date(Date.parse(AT) - day * DAY_MS).toISOString().slice(0, 10),
    score: 12,
  }));
  assert.deepEqual(
    [earlier, methodology].map((one) => outlookOf(flat as never, AT, { band: 'C', smoothed: 12, watch: null }, one)),
    ['positive', 'stable'],
  );
});
