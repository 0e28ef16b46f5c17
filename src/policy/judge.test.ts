import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoreRecord } from '../contract/index.ts';
import type { EvidenceFacts, ExitFacts } from './evidence.ts';
import { judge } from './judge.ts';
import { effectiveRules } from './rules.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const RECORD = {
  as_of: '2026-11-24T11:00:00Z',
  asset: { id: 'eip155:1/erc20:0x1', chain: 'ethereum', class: 'infra' },
  stage: 'post_tge',
  band: 'A',
  score: 75,
  trust_score: 85,
  rating_action: 'affirm',
  action_reason: '',
  default: null,
  risk_flags: [],
} as unknown as ScoreRecord;
const RULES = effectiveRules('wallet', { pool_share_pct: { block: 90 }, exit: {}, evidence_age_hours: {} });

/** The outcome of the rule on pools for an exit as given. */
function ofPools(exit: Partial<ExitFacts>) {
  const facts = {
    maxCostPct: 2,
    sizeUsd: 1_000,
    receivedUsd: 980,
    method: 'exact',
    pools: 2,
    largestPool: null,
  } as const;
  const evidence = {
    exitAt: () => ({ ...facts, ...exit }),
    providerSharePct: 1,
    hasProviders: true,
    middleObservedAt: NOW,
    priceUsd: 1,
    consensus: {},
  } satisfies EvidenceFacts;
  const subject = { assetId: RECORD.asset.id, record: RECORD, absence: '', isSigned: true, evidence };
  const { fired, met } = judge(subject, RULES, null, NOW);
  const rule = fired.find((one) => one.rule === 'pool_share');
  return { outcome: rule?.outcome ?? null, decided: rule?.decided ?? null, isMet: met.includes('pool_share') };
}

test('one pool that takes more than the limit is blocked, less is met', () => {
  assert.deepEqual(ofPools({ largestPool: { scope: 'pool:a', sharePct: 95 } }), {
    outcome: 'block',
    decided: true,
    isMet: false,
  });
  assert.deepEqual(ofPools({ largestPool: { scope: 'pool:a', sharePct: 50 } }), {
    outcome: null,
    decided: null,
    isMet: true,
  });
});

test('where nothing can be sold in pools their shares are unknown, and never allowed', () => {
  assert.deepEqual(ofPools({ sizeUsd: 0, receivedUsd: 0 }), { outcome: RULES.unknown, decided: false, isMet: false });
});

test('an exit over order books alone depends on no pool', () => {
  assert.deepEqual(ofPools({ method: 'order_books', pools: 0 }), { outcome: null, decided: null, isMet: false });
});
