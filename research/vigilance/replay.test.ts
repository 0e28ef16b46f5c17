import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../../src/methodology/index.ts';
import { limitsOf, PEG_RULES } from '../../src/monitoring/index.ts';
import { byPegRule, byRatings, summaryOf, watch } from './replay.ts';
import type { Series } from './series.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');

function seriesOf(kind: Series['kind'], prices: readonly number[]): Series {
  return {
    id: kind,
    coin: 'COIN',
    kind,
    part: 'reported',
    form: 'csv',
    path: '',
    prices: prices.map((price, hour) => ({ at: new Date(START + hour * 3_600_000).toISOString(), price })),
  };
}

test('a slow break of a peg is reported by the peg rule days before its worst, by ratings after a day; a stable coin by neither', () => {
  const slow = [...Array<number>(48).fill(1), ...Array<number>(48).fill(0.985), ...Array<number>(48).fill(0.96), 0.5];
  const broken = seriesOf('break', slow);
  const quiet = seriesOf('quiet', Array<number>(200).fill(1.001));
  const pegRule = byPegRule(limitsOf('USD', PEG_RULES), PEG_RULES);
  const ratings = byRatings(loadMethodology());
  assert.equal(watch(broken, pegRule).hoursBefore, 95);
  const late = watch(broken, ratings).hoursBefore ?? 0;
  assert.ok(late > 0 && late < 30, String(late));
  for (const detector of [pegRule, ratings]) {
    const rows = [broken, quiet].map((row) => watch(row, detector));
    assert.deepEqual([summaryOf(rows).breaks, summaryOf(rows).warned, summaryOf(rows).falseAlarms], [1, 1, 0]);
  }
});
