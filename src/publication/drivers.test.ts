import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicationState } from '../domain/published.ts';
import type { Factor } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { PublicationRules } from '../methodology/schema.ts';
import { driversOf } from './record.ts';

/** The detail of the driver of one factor that went from one score, weight and number of points to another. */
function detailOf(
  rules: PublicationRules,
  [before, pointsBefore]: readonly [number, number],
  [score, weight, points]: readonly [number, number, number],
): string | undefined {
  const factor = { code: 'MQ', name: 'Market quality', score, weight, points } as unknown as Factor;
  const last = { score: 50, uncappedScore: 50, capped: 50, factors: { MQ: before }, points: { MQ: pointsBefore } };
  const now = { score: 51, uncapped: 51, capped: 51, factors: [factor] };
  return driversOf(last as unknown as PublicationState['last'], now, rules).find(({ code }) => code === 'MQ')?.detail;
}

test('a driver never says that a factor went from a number to the same number', () => {
  const rules = loadMethodology().publication;
  assert.equal(detailOf(rules, [70, 5], [75.2, 0.2, 6]), '70 to 75.2 of 100');
  assert.equal(detailOf(rules, [75.16, 12], [75.24, 0.9, 12.1]), '75.16 to 75.24 of 100');
  const other = '75.2 of 100 as before; its weight or the starting point is another';
  assert.equal(detailOf(rules, [75.2, 5], [75.2, 0.2, 6]), other);
  assert.equal(detailOf(rules, [75.21, 5], [75.2, 0.2, 6]), other);
});

test('ratings of methodologies before it keep their words', () => {
  assert.equal(
    detailOf({ ...loadMethodology().publication, revision: 3 }, [75.2, 5], [75.2, 0.2, 6]),
    '75.2 to 75.2 of 100',
  );
});
