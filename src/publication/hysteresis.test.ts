import assert from 'node:assert/strict';
import { test } from 'node:test';
import { last, live } from './fixtures/life.ts';

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
