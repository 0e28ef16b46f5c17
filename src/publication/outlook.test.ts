import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScore } from '../methodology/bands.ts';
import { last, live } from './fixtures/life.ts';

test('an outlook needs fourteen days, and says where a steady slope leads', () => {
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
