import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { digestOf, scoreRecord } from '../contract/rating.ts';
import type { PublicationState } from '../domain/published.ts';
import { BANDS, type Band } from '../domain/rating.ts';
import { toScore } from '../methodology/scales.ts';
import { ALIVE, at, DEAD, last, live, step } from './fixtures/life.ts';

/** Changes of band in a thousand days of noise, up to so many tenths of a point either way, in whatever order it comes. */
function noisyLives(tenths: number, most: number): void {
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 980 }),
      fc.infiniteStream(fc.integer({ min: -tenths, max: tenths })),
      fc.infiniteStream(fc.integer({ min: 1, max: 16 })),
      (center, noise, gaps) => {
        let state: PublicationState | null = null;
        let changes = 0;
        let day = 0;
        let seen = 0;
        while (day < 1_000) {
          const wobble = noise.next().value ?? 0;
          const made = step({ score: (center + wobble) / 10 }, at(day), state);
          state = made.state;
          seen += 1;
          if (seen > 1 && made.rating.action !== 'affirm') changes += 1;
          // From three hours to two days between two ratings.
          day += (gaps.next().value ?? 8) / 8;
        }
        assert.ok(changes <= most, `${changes}`);
      },
    ),
    { numRuns: 15 },
  );
}

// The margin is 1.5 points: noise whose whole width lies within it can lead to no other band.
test('noise of 0.7 points either way for a thousand days changes no band, wherever the score lies', () => {
  noisyLives(7, 0);
});

// The first rating may itself be noise, and stand above a cut-off that the score lies half a point below.
test('noise of one point either way corrects a band once at most, and never back and forth', () => {
  noisyLives(10, 1);
});

test('the first rating is its own band, and the same one again affirms it', () => {
  const { ratings } = live([{ score: 70 }, { score: 70 }]);
  assert.deepEqual(
    ratings.map(({ action, band, previous }) => [action, band, previous?.band ?? null]),
    [
      ['new', 'BBB', null],
      ['affirm', 'BBB', 'BBB'],
    ],
  );
});

test('up: the smoothed score has to stay above the cut-off by the margin in three daily snapshots', () => {
  const { ratings } = live([{ score: 70 }, ...Array.from({ length: 12 }, () => ({ score: 80 }))]);
  const rose = ratings.findIndex((rating) => rating.action === 'upgrade');
  const first = ratings.findIndex((rating) => (rating.smoothedScore ?? 0) >= 75.5);
  assert.equal(rose, first + 2);
  assert.equal(ratings[rose]?.band, 'A');
  // Many ratings of one day are one snapshot.
  const often = live([
    { score: 70, day: 0 },
    ...Array.from({ length: 20 }, (_, index) => ({ score: 80, day: 6 + index / 100 })),
  ]);
  assert.ok(often.ratings.every((rating) => rating.action !== 'upgrade'));
});

test('down: a fall is in the band within a day or two, a cap or a far score at once', () => {
  const slow = live([{ score: 70 }, { score: 61 }, { score: 61 }, { score: 61 }]).ratings;
  assert.ok(slow.findIndex((rating) => rating.band === 'BB') <= 2);
  const far = live([{ score: 70 }, { score: 40, day: 0.01 }]).ratings;
  assert.deepEqual([last(far).action, last(far).band], ['downgrade', 'CCC']);
  const capped = live([
    { score: 70 },
    { score: 54.9, uncapped: 70, caps: [{ code: 'SELL_TAX_10', cap: 54.9 }], day: 0.01 },
  ]).ratings;
  assert.deepEqual([last(capped).band, last(capped).actionReason], ['B', 'a cap struck']);
});

test('the contributions to a move of the score add up to its change, to the last digit', () => {
  const scores = fc.integer({ min: 50, max: 990 }).map((value) => value / 10);
  const caps = fc.option(fc.constantFrom(43.9, 54.9, 15), { nil: null });
  fc.assert(
    fc.property(fc.array(fc.tuple(scores, caps), { minLength: 2, maxLength: 8 }), (rows) => {
      const { ratings } = live(
        rows.map(([uncapped, cap]) => ({
          uncapped,
          score: cap === null ? uncapped : Math.min(uncapped, cap),
          caps: cap === null ? [] : [{ code: cap === 15 ? 'HIDDEN_OWNER' : cap === 43.9 ? 'MINT_EOA' : 'DEPEG', cap }],
        })),
      );
      for (const rating of ratings.slice(1)) {
        const sum = rating.drivers.reduce((total, driver) => toScore(total + driver.points), 0);
        assert.equal(sum, toScore((rating.score ?? 0) - (rating.previous?.score ?? 0)));
      }
    }),
    { numRuns: 200 },
  );
});

test('a whole life: new, affirmed, lower, watched, in default, cured, better', () => {
  const exploit = [{ code: 'EXPLOIT_RECENT', severity: 'high' as const }];
  const rug = [...exploit, { code: 'RUG_EXECUTED', severity: 'critical' as const }];
  const healed = { score: 60, facts: { ...ALIVE, volume_24h_usd: 5_000 } };
  const { ratings, state } = live([
    { score: 70, facts: ALIVE },
    { score: 70, facts: ALIVE },
    { score: 58, facts: ALIVE, flags: exploit },
    { score: 58, facts: ALIVE, flags: exploit },
    { score: 4, facts: DEAD, flags: rug },
    ...Array.from({ length: 190 }, () => healed),
  ]);
  const told = ratings.filter((rating, index) => index < 2 || rating.action !== 'affirm');
  assert.deepEqual(
    told.map(({ action, band }) => `${action} ${band}`),
    ['new BBB', 'affirm BBB', 'downgrade BB', 'downgrade D', 'upgrade CCC', 'upgrade BB'],
  );
  assert.equal(told[2]?.watch?.reason, 'exploit_under_investigation');
  assert.deepEqual([told[3]?.defaultTests[0]?.code, told[3]?.default?.since], ['D6', at(4)]);
  assert.equal(ratings[5]?.default?.curesAt, at(185));
  assert.deepEqual([state.default, state.band], [null, 'BB']);
});

test('a change that takes back one of the last thirty days is a reversal', () => {
  const { ratings } = live([
    { score: 70, day: 0 },
    { score: 40, day: 1 },
    { score: 90, day: 2 },
    { score: 40, day: 60 },
  ]);
  assert.deepEqual(
    ratings.map((rating) => rating.reversal),
    [false, false, false, false],
  );
  const back = live([
    { score: 66, day: 0 },
    ...[1, 2, 3, 4].map((day) => ({ score: 58, day })),
    ...[5, 6, 7, 8, 9, 10, 11, 12].map((day) => ({ score: 72, day })),
  ]).ratings;
  assert.ok(back.some((rating) => rating.action === 'downgrade' && rating.band === 'BB'));
  const change = back.find((rating) => rating.action === 'upgrade');
  assert.deepEqual([change?.band, change?.reversal], ['BBB', true]);
});

test('one high score lifts nothing; a score that stays high rises with the smoothed one and does not fall back', () => {
  const spike = live([
    { score: 30, day: 0 },
    { score: 95, day: 1 },
    ...[2, 3, 4, 5].map((day) => ({ score: 30, day })),
  ]).ratings;
  assert.deepEqual([...new Set(spike.map((rating) => rating.band))], ['CC']);
  const risen = live([
    { score: 30, day: 0 },
    ...Array.from({ length: 30 }, (_, index) => ({ score: 80, day: index + 1 })),
  ]).ratings;
  assert.deepEqual(
    risen.filter((rating) => rating.action === 'downgrade'),
    [],
  );
  assert.equal(risen.at(-1)?.band, 'A');
  assert.ok(risen.findIndex((rating) => rating.band === 'A') >= 3);
});

test('a clock that steps back turns nothing round', () => {
  const first = live([{ score: 70 }, { score: 60 }]);
  const early = step({ score: 60 }, at(0.2), first.state);
  assert.equal(early.state.asOf, first.state.asOf);
  assert.equal(early.rating.asOf, at(0.2));
  assert.deepEqual(early.state.days, first.state.days);
});

test('evidence that arrives late changes nothing, unless it shows a default', () => {
  const first = live([{ score: 70 }, { score: 70 }]);
  const late = step({ score: 20 }, at(0.9), first.state);
  assert.deepEqual([late.rating.band, late.rating.action, late.rating.indicativeBand], ['BBB', 'affirm', 'CC']);
  assert.deepEqual(late.state, first.state);
  const rug = step({ score: 4, flags: [{ code: 'RUG_EXECUTED' }] }, at(0.9), first.state);
  assert.deepEqual([rug.rating.band, rug.state.band, rug.state.asOf], ['D', 'D', first.state.asOf]);
  // A clock that stands a year back for long must not freeze the band.
  assert.equal(step({ score: 20 }, at(-365), first.state).rating.band, 'CC');
});

test('the same input gives the same bytes, states stay small, and every rating is of a band that exists', () => {
  const moments = fc.array(
    fc.record({
      score: fc.option(
        fc.integer({ min: 50, max: 1000 }).map((value) => value / 10),
        { nil: null },
      ),
      facts: fc.constantFrom(ALIVE, DEAD, {}),
      flags: fc.constantFrom([], [], [], [], [{ code: 'RUG_EXECUTED', severity: 'critical' as const }]),
      gap: fc.integer({ min: 0, max: 40 }),
    }),
    { maxLength: 150 },
  );
  fc.assert(
    fc.property(moments, (rows) => {
      let day = 0;
      const life = rows.map(({ gap, ...row }) => {
        day += gap / 4;
        return { ...row, day };
      });
      const [one, two] = [live(life), live(life)];
      assert.equal(JSON.stringify(one), JSON.stringify(two));
      assert.ok(JSON.stringify(one.state).length < 20_000);
      if (rows.length > 0) {
        const next = { score: 51.5, facts: DEAD };
        const read = JSON.parse(JSON.stringify(one.state)) as PublicationState;
        assert.deepEqual(step(next, at(day + 1), read), step(next, at(day + 1), one.state));
      }
      for (const rating of one.ratings) {
        assert.ok(BANDS.includes(rating.band as Band));
        assert.equal(rating.score === null, rating.band === 'NR');
        if (rating.scoreInterval && rating.score !== null)
          assert.ok(rating.scoreInterval[0] <= rating.score && rating.score <= rating.scoreInterval[1]);
        const record = scoreRecord(rating, 'sandbox');
        assert.deepEqual(JSON.parse(JSON.stringify(record)), record);
        assert.ok(Buffer.byteLength(JSON.stringify(digestOf(record))) < 1_000);
        if (rating.score !== null && rating.previous !== null && rating.previous.score !== null)
          assert.equal(
            toScore(rating.drivers.reduce((total, driver) => total + driver.points, 0)),
            toScore(rating.score - rating.previous.score),
          );
      }
    }),
    { numRuns: 60 },
  );
});
