import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PublicationState, PublishedRating } from '../domain/published.ts';
import { loadMethodology } from '../methodology/load.ts';
import { toScore } from '../methodology/scales.ts';
import { at, last, live, type Moment, step } from './fixtures/life.ts';

const { replacement } = loadMethodology().publication;
/** A sixth of what the standing rating rests on. */
const WEAK = { down: ['coingecko', 'goplus'] } as const;
/** Too little for any band. */
const BLIND = { down: ['coingecko', 'dexscreener', 'geckoterminal', 'goplus'] } as const;
const kept = (state: PublicationState) => JSON.parse(JSON.stringify(state)) as PublicationState;

test('a weaker collection is not published: the current rating stays, and the failed sources are remembered', () => {
  const first = step({ score: 70 }, at(0), null);
  const weak = step({ score: 20, ...WEAK }, at(0.2), kept(first.state));
  assert.equal(weak.decision.published, false);
  assert.deepEqual([...new Set(weak.decision.because.map((one) => one.code))], ['weaker_than_standing']);
  assert.match(weak.decision.because[0]?.detail ?? '', /failed: coingecko, goplus/);
  const { weak: memory, ...rest } = weak.state;
  assert.deepEqual(rest, first.state);
  assert.deepEqual(memory, { since: at(0.2), asOf: at(0.2), count: 1, sources: [...WEAK.down].sort() });
  const again = step({ score: 70 }, at(0.3), kept(weak.state));
  assert.deepEqual([again.rating.band, again.rating.action, again.state.weak], ['BBB', 'affirm', undefined]);
});

test('the first rating of an asset is not published below the floor, nor where it cannot be rated', () => {
  const weak = step({ score: 70, down: ['goplus'], unread: true }, at(0), null);
  assert.equal(weak.decision.published, false);
  assert.deepEqual([...new Set(weak.decision.because.map((one) => one.code))], ['evidence_below_floor']);
  const unrated = step({ score: null }, at(0), null);
  assert.deepEqual(unrated.decision, {
    published: false,
    because: [{ code: 'evidence_below_floor', detail: 'not known: price' }],
  });
});

test('after a day the current rating is published again on watch, after a week the newest replaces it', () => {
  const first = step({ score: 70, facts: { price_usd: 1 } }, at(0), null);
  let state = kept(first.state);
  const told: (PublishedRating | null)[] = [];
  for (const day of [0.5, 1.4, 1.6, 3, 6.9]) {
    const made = step({ score: 50, ...WEAK }, at(day), state);
    told.push(made.decision.published ? made.rating : null);
    state = kept(made.state);
  }
  assert.deepEqual(
    told.map((one) => one && [one.action, one.band, one.score, one.trust, one.watch?.reason, one.watch?.since]),
    [null, null, ...[1.6, 3, 6.9].map(() => ['affirm', 'BBB', 70, 80, 'evidence', at(0.5)])],
  );
  assert.match(told.at(-1)?.watch?.detail ?? '', /the rating of 2026-01-01T12:00:00.000Z stands; failed: coingecko/);
  const late = step({ score: 50, ...WEAK }, at(7), state);
  assert.deepEqual([late.decision.published, late.rating.band], [true, 'B']);
});

test('a current rating that could not be collected for thirty days is withdrawn', () => {
  const blind: Moment = { score: 60, unread: true, ...BLIND };
  let state = kept(step({ score: 70 }, at(0), null).state);
  const bands: string[] = [];
  for (const day of [5, 10, 20, 29, 30, 31]) {
    const made = step(blind, at(day), state);
    bands.push(made.decision.published ? `${made.rating.action} ${made.rating.band}` : 'held');
    state = kept(made.state);
  }
  assert.deepEqual(bands, ['held', 'affirm BBB', 'affirm BBB', 'affirm BBB', 'withdraw NR', 'held']);
  const back = step({ score: 70 }, at(32), state);
  assert.deepEqual([back.rating.action, back.rating.band], ['new', 'BBB']);
  assert.deepEqual(
    back.rating.previous,
    { score: null, band: 'NR', asOf: at(30) },
    'the withdrawal, not a mix of both',
  );
});

test('a proven knock-out or a new cap is published despite failed sources, downward only, and is corrected at once', () => {
  const first = kept(step({ score: 70 }, at(0), null).state);
  const trap = step(
    {
      score: 8,
      uncapped: 60,
      caps: [{ code: 'CANNOT_SELL', cap: 8, flag: 'HONEYPOT' }],
      flags: [{ code: 'HONEYPOT', severity: 'critical' }],
      ...WEAK,
    },
    at(0.1),
    first,
  );
  assert.deepEqual([trap.decision.published, trap.rating.band], [true, 'C']);
  assert.equal(trap.state.basis?.floorMet, false);
  const right = step({ score: 70 }, at(0.2), kept(trap.state));
  assert.deepEqual([right.rating.band, right.rating.reversal], ['BBB', false]);
  assert.match(right.rating.actionReason, /^correction/);
  const up = step({ score: 95, ...WEAK }, at(0.1), first);
  assert.equal(up.decision.published, false);
});

test('what was moved before floors, or with another website, is put right by the next whole collection', () => {
  const high = kept(step({ score: 82 }, at(0), null).state);
  const low = kept(step({ score: 62 }, at(1), high).state);
  assert.equal(low.band, 'BB');
  const { basis, ...before } = low;
  assert.ok(basis);
  for (const state of [before, { ...low, basis: { ...basis, website: 'https://elsewhere.example/' } }]) {
    const made = step({ score: 82 }, at(1.1), state);
    assert.deepEqual([made.rating.band, made.rating.smoothedScore, made.rating.reversal], ['AA', 82, false]);
    assert.match(made.rating.actionReason, /^correction/);
  }
  // Without anything wrong the same score has to wait.
  assert.equal(step({ score: 82 }, at(1.1), low).rating.band, 'BB');
});

test('a band held above its score is not an error: nothing is corrected', () => {
  const { ratings } = live([
    { score: 76, lost: 0.1 },
    { score: 73.5, lost: 0.18, day: 0.1 },
    { score: 73.4, lost: 0.18, day: 0.2 },
  ]);
  assert.deepEqual(
    ratings.map(({ band, indicativeBand }) => `${band} ${indicativeBand}`),
    ['A A', 'A BBB', 'A BBB'],
  );
});

test('a collection that read a little less than the current one raises no band', () => {
  const rows = Array.from({ length: 12 }, (_, day) => ({ score: 80, day: day + 1 }));
  const whole = live([{ score: 70, day: 0 }, ...rows]);
  assert.ok(whole.ratings.some((rating) => rating.action === 'upgrade'));
  const partly = live([{ score: 70, day: 0 }, ...rows.map((row, index) => ({ ...row, lost: 0.001 * (index + 1) }))]);
  assert.ok(partly.ratings.every((rating) => rating.action !== 'upgrade'));
});

test('the published band is that of the same collections without the weak ones, whatever comes between', () => {
  const moment = fc.record({
    score: fc.integer({ min: 60, max: 980 }).map((tenths) => tenths / 10),
    weak: fc.boolean(),
    hours: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(moment, { minLength: 2, maxLength: 30 }), (moments) => {
      const run = (skipWeak: boolean) => {
        let state: PublicationState | null = null;
        let hours = 0;
        let strongAt = 0;
        const bands: string[] = [];
        for (const [index, one] of moments.entries()) {
          hours += one.hours;
          // The first is whole, and no rating stands unread for as long as it may.
          const isWeak = one.weak && index > 0 && hours - strongAt < replacement.staleDays * 24;
          if (!isWeak) strongAt = hours;
          if (isWeak && skipWeak) continue;
          const made = step({ score: one.score, ...(isWeak ? WEAK : {}) }, at(hours / 24), state);
          state = kept(made.state);
          if (!isWeak)
            bands.push(`${made.rating.band} ${made.rating.score} ${toScore(made.rating.smoothedScore ?? 0)}`);
        }
        return bands;
      };
      assert.deepEqual(run(false), run(true));
    }),
    { numRuns: 200 },
  );
});

test('flags in force are not ended by a weak collection', () => {
  const flagged = { score: 60, flags: [{ code: 'TRANSFER_PAUSABLE', evidence: ['transfer_pausable'] }] };
  const made = live([flagged, { score: 60, ...WEAK, facts: { transfer_pausable: false } }, { score: 60, day: 2 }]);
  assert.deepEqual(
    last(made.ratings).flags.map((flag) => flag.code),
    ['TRANSFER_PAUSABLE'],
  );
});
