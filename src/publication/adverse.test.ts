import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicationState } from '../domain/published.ts';
import { DAY_MS } from '../domain/statistics.ts';
import { loadMethodology } from '../methodology/load.ts';
import { said, sound } from '../rating/fixtures/asset.ts';
import { rate } from '../rating/rate.ts';
import type { RatingInput } from '../rating/types.ts';
import { adverseAfter, silenced } from './adverse.ts';

const methodology = loadMethodology();
const later = (days: number) => new Date(Date.parse(sound().asOf) + days * DAY_MS).toISOString();
const TAX = said('sell_tax', 0.4, { families: ['scanner'] });
const ACCUSED = sound({ set: [TAX], without: ['buy_tax'] });
const SILENT = sound({ without: ['buy_tax', 'sell_tax'] });

function remembered(input: RatingInput): Pick<PublicationState, 'adverse' | 'standing'> {
  const rating = rate(input, methodology);
  return { adverse: adverseAfter(rating, input.consensus, null, input.asOf, methodology) };
}
const open = (input: RatingInput, days: number) =>
  silenced(rate(input, methodology), input.consensus, remembered(ACCUSED), later(days), methodology)
    .map((one) => one.feature)
    .filter((id) => id === 'ts_tax');

test('an adverse value that nobody repeats is remembered for 180 days', () => {
  const kept = remembered(ACCUSED).adverse?.find((one) => one.feature === 'ts_tax');
  assert.deepEqual([kept?.families, kept?.seenAt], [['scanner'], ACCUSED.asOf]);
  assert.ok((kept?.points ?? 100) < 40);
  assert.deepEqual([open(SILENT, 1), open(SILENT, 180), open(SILENT, 181)], [['ts_tax'], ['ts_tax'], []]);
});

test('the same lineage group, or two others, take it back; one other does not', () => {
  const says = (...families: string[]) => sound({ set: [said('sell_tax', 0, { families })], without: ['buy_tax'] });
  assert.deepEqual(open(says('scanner'), 1), []);
  assert.deepEqual(open(says('alpha', 'beta'), 1), []);
  assert.deepEqual(open(says('alpha'), 1), ['ts_tax']);
});

test('with what is remembered no score is higher than the one with the accusation repeated', () => {
  const accused = rate(ACCUSED, methodology);
  const recall = remembered(ACCUSED).adverse ?? [];
  const silent = rate(SILENT, methodology);
  const again = rate({ ...SILENT, recall: recall.filter((one) => one.feature === 'ts_tax') }, methodology);
  assert.ok((silent.uncappedScore ?? 0) > (accused.uncappedScore ?? 100), 'silence alone would pay');
  assert.ok((again.uncappedScore ?? 100) <= (accused.uncappedScore ?? 0) + 0.1);
});
