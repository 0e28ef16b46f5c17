import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rating } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, daysAgo, soundProtocol } from './fixtures/asset.ts';
import { rate } from './rate.ts';

/** What the rated party could buy or state alone to end a flag or lift a cap before methodology 1.7.0. */
const methodology = loadMethodology();
const earlier: Methodology = {
  ...methodology,
  featureRules: { ...methodology.featureRules, revision: 2 },
  flags: methodology.flags.map((flag) => {
    if (flag.code !== 'EXPLOIT_UNRESOLVED') return flag;
    const { repaid: _, ...thresholds } = flag.thresholds as Readonly<Record<string, number>>;
    return { ...flag, thresholds };
  }) as Methodology['flags'],
};
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const hasFlag = (rating: Rating, code: string) => rating.flags.some((flag) => flag.code === code);
const hasCap = (rating: Rating, code: string) => rating.caps.some((cap) => cap.code === code);

test('a repayment of a part does not resolve an exploit', () => {
  const stolen = (returnedUsd: number): Change => ({
    set: [
      consensusOf('tvl_usd', 10_000_000),
      consensusOf('incidents', [{ name: 'x', date: daysAgo(60).slice(0, 10), lossUsd: 400_000_000, returnedUsd }]),
    ],
  });
  assert.ok(hasCap(rated(stolen(0), earlier), 'EXPLOIT_UNRESOLVED'));
  assert.ok(!hasCap(rated(stolen(1), earlier), 'EXPLOIT_UNRESOLVED'));
  const [none, token] = [rated(stolen(0)), rated(stolen(1))];
  assert.ok(hasCap(token, 'EXPLOIT_UNRESOLVED') && hasFlag(token, 'EXPLOIT_UNRESOLVED'));
  assert.equal(token.score, none.score);
  assert.ok(!hasCap(rated(stolen(365_000_000)), 'EXPLOIT_UNRESOLVED'));
});
