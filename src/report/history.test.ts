import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoreReport } from '../domain/index.ts';
import { historyChart } from './charts.ts';
import { historyOf } from './committee.ts';

const DAYS = [
  { day: '2026-10-24', score: 19.9, priceUsd: 0.00000202 },
  { day: '2026-11-24', score: 19.9, priceUsd: 0.00000254 },
];

/** What the history of a report is made of; `inDefault`: the published rating is held by a default. */
function beside(inDefault: boolean) {
  const published = inDefault
    ? { default: { since: '2026-10-24T00:00:00Z' }, score: 4.9 }
    : { default: null, score: 19.9 };
  return { state: { days: DAYS }, published, decision: { published: true } } as unknown as ScoreReport;
}

test('a rating held by a default states that the line of daily scores is higher', () => {
  assert.match(historyOf(beside(true)).note, /In default the published score is held at 4\.9/);
  assert.doesNotMatch(historyOf(beside(false)).note, /default/);
});

test('a price of many digits begins inside the chart', () => {
  const svg = historyChart(historyOf(beside(false)), { bands: [{ band: 'D', from: 0 }] } as never);
  const labels = [...svg.matchAll(/<text x="([\d.]+)"[^>]*text-anchor="end"[^>]*>(0\.0000\d+)</g)];
  assert.deepEqual(
    labels.map(([, , text]) => text),
    ['0.00000254', '0.00000202'],
  );
  // Figures of the chart's font are at most 6 wide.
  for (const [, x, text = ''] of labels) assert.ok(Number(x) - 6 * text.length >= 0, `${text} ends at ${x}`);
});
