import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScore } from '../methodology/scales.ts';
import { at, last, live } from './fixtures/life.ts';

test('an outlook needs fourteen days, and extrapolates a steady slope', () => {
  const slope = (perDay: number, days: number) =>
    live(Array.from({ length: days }, (_, index) => ({ score: toScore(60 + perDay * index) }))).ratings;
  assert.equal(last(slope(0.2, 13)).outlook, null);
  assert.equal(last(slope(0.2, 20)).outlook, 'positive');
  assert.equal(last(slope(-0.2, 20)).outlook, 'negative');
  assert.equal(last(slope(0.01, 20)).outlook, 'stable');
});

test('a few wild days do not turn the outlook', () => {
  const wild = Array.from({ length: 30 }, (_, day) => ({ score: day % 6 === 5 ? 35 + day : 60 }));
  assert.equal(last(live(wild.slice(0, 29)).ratings).outlook, 'stable');
});

test('an asset that cannot be rated keeps its band for a week under a watch, and is then withdrawn', () => {
  const { ratings } = live([{ score: 70 }, ...Array.from({ length: 9 }, () => ({ score: null }))]);
  assert.deepEqual(
    ratings.map((rating) => rating.band),
    ['BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'BBB', 'NR', 'NR'],
  );
  assert.equal(ratings[1]?.watch?.reason, 'source_conflict');
  assert.deepEqual([ratings[8]?.action, ratings[8]?.score], ['withdraw', null]);
  assert.equal(live([{ score: null }]).ratings[0]?.action, 'new');
});

test('a watch begins with its cause, is renewed with a reason, and ends with it', () => {
  const flags = [{ code: 'EXPLOIT_RECENT', severity: 'high' as const, detail: '5 USD lost' }];
  const { ratings } = live([
    { score: 60, day: 0 },
    { score: 60, day: 1, flags },
    { score: 60, day: 20, flags },
    { score: 60, day: 32, flags },
    { score: 60, day: 33 },
  ]);
  assert.deepEqual(
    ratings.map((rating) => rating.watch?.since ?? null),
    [null, at(1), at(1), at(1), null],
  );
  assert.match(ratings[3]?.watch?.detail ?? '', /renewed/);
  const keys = live([
    { score: 60, facts: { mint_authority_state: 'multisig' } },
    { score: 60, facts: { mint_authority_state: 'eoa' } },
    { score: 60, facts: { mint_authority_state: 'eoa' } },
  ]).ratings;
  assert.deepEqual(
    keys.map((rating) => rating.watch?.reason ?? null),
    [null, 'authority_change', 'authority_change'],
  );
});

test('a flat score has a stable outlook in every band, the lowest too', () => {
  for (const score of [8, 12, 18, 25, 40, 50, 60, 70, 78, 86, 95]) {
    const rating = last(live(Array.from({ length: 20 }, () => ({ score }))).ratings);
    assert.equal(rating.outlook, 'stable', `${rating.band} at ${score}`);
  }
  const rising = last(live(Array.from({ length: 20 }, (_, day) => ({ score: 8 + day / 4 }))).ratings);
  assert.deepEqual([rising.band, rising.outlook], ['C', 'positive']);
});
