import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Flag, PublishedFlag } from '../domain/index.ts';
import { whyPublishedDiffers } from './score-view.ts';

const since = '2026-11-03T09:00:17.290Z';
const halted: PublishedFlag = {
  code: 'CHAIN_HALT',
  severity: 'high',
  title: 'Chain halted',
  detail: 'not the case any more since 2026-11-13; cleared when that has held for 30 days',
  since,
};
const unlabelled: PublishedFlag = { ...halted, code: 'HOLDERS_UNLABELLED', severity: 'low' };
const raised = (flag: PublishedFlag): Flag => ({ ...flag, confidence: 1, evidence: [], value: null });
const now = { band: 'BBB', score: 70.2, flags: [raised(unlabelled)] } as const;
const actionReason = 'the score stays near its band';

test('a published rating that is the rating of the moment needs no reason', () => {
  assert.equal(whyPublishedDiffers(now, { ...now, flags: [halted], actionReason }), null);
});

test('flags that still count after they were raised are the reason; those that move nothing, or are raised now, are not', () => {
  const published = { band: 'BB', score: 64.9, flags: [halted, unlabelled], actionReason } as const;
  assert.equal(whyPublishedDiffers(now, published), `Chain halted: ${halted.detail}`);
  const both = { ...now, flags: [raised(unlabelled), raised(halted)] };
  assert.equal(whyPublishedDiffers(both, published), actionReason);
});
