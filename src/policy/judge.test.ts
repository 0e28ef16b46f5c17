import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoreRecord } from '../contract/index.ts';
import type { ScoreReport } from '../domain/index.ts';
import { type EvidenceFacts, type ExitFacts, evidenceFacts } from './evidence.ts';
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
  const subject = { assetId: RECORD.asset.id, record: RECORD, absence: '', isSigned: true, correction: null, evidence };
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

test('a chain that the caller denies is blocked for an asset without a rating too', () => {
  const rulesFor = (assetId: string | null, chains: object) => {
    const subject = {
      assetId,
      record: null,
      absence: 'never rated',
      isSigned: false,
      correction: null,
      evidence: null,
    };
    return judge(subject, effectiveRules('wallet', { chains }), null, NOW).fired.map(
      ({ rule, outcome }) => `${rule} ${outcome}`,
    );
  };
  const onBsc = `eip155:56/erc20:0x${'1'.repeat(40)}`;
  assert.deepEqual(rulesFor(onBsc, { deny: ['bsc'] }), ['chain block', 'not_rated caution']);
  assert.deepEqual(rulesFor(onBsc, { allow: ['ethereum'] }), ['chain block', 'not_rated caution']);
  assert.deepEqual(rulesFor(onBsc, { allow: ['bsc'] }), ['not_rated caution']);
  assert.deepEqual(rulesFor(null, { allow: ['ethereum'] }), ['not_rated caution'], 'its chain is not known');
});

test('an exit that is not known is not one that was read from the chain', () => {
  const evidence = { exitAt: () => null, hasProviders: false } as unknown as EvidenceFacts;
  const subject = { assetId: RECORD.asset.id, record: RECORD, absence: '', isSigned: true, correction: null, evidence };
  const { fired, outcome } = judge(subject, effectiveRules('agent'), null, NOW);
  assert.deepEqual(
    fired.map(({ rule, outcome: each, decided }) => [rule, each, decided]),
    [['exit_estimated', 'block', false]],
  );
  assert.equal(outcome, 'block');
});

test('pools of an unknown kind may have shares that the creator holds; pools of positions have none', () => {
  const ofKind = (kind: string | null, of: string, more: Readonly<Record<string, number>> = {}) => {
    const row = (value: unknown) => ({ value, status: 'agreed', families: 2, confidence: 0.9, voices: [] });
    const rows = {
      price_usd: 2,
      'pool_liquidity_usd@pool:a': 1e6,
      'pool_price_usd@pool:a': 2,
      ...(kind === null ? {} : { 'pool_kind@pool:a': kind }),
      ...more,
    };
    const consensus = Object.fromEntries(
      Object.entries(rows).map(([key, value]) => {
        const [quantity, scope = 'asset'] = key.split('@');
        return [key, { ...row(value), quantity, scope }];
      }),
    );
    const evidence = evidenceFacts({
      consensus,
      published: { asset: RECORD.asset, class: of },
    } as unknown as ScoreReport);
    const subject = {
      assetId: RECORD.asset.id,
      record: RECORD,
      absence: '',
      isSigned: true,
      correction: null,
      evidence,
    };
    const { fired } = judge(subject, effectiveRules('wallet', { exit: {} }), null, NOW);
    return fired.map(({ rule, outcome, decided }) => `${rule} ${outcome} ${decided}`);
  };
  const unknown = ['provider_share caution false'];
  assert.deepEqual(ofKind('constant_product', 'infra'), unknown);
  assert.deepEqual([ofKind(null, 'memecoin'), ofKind('unknown', 'default')], [unknown, unknown]);
  assert.deepEqual([ofKind('concentrated', 'memecoin'), ofKind(null, 'infra')], [[], []]);
  const held = { lp_creator_share: 0, lp_wallet_share: 0.95 };
  assert.deepEqual(ofKind('constant_product', 'memecoin', held), ['provider_share caution true']);
  assert.deepEqual(ofKind('constant_product', 'infra', held), [], 'the wallet may be the treasury of a protocol');
});

test('a rating that was shown to be wrong is not allowed', () => {
  const correction = { made_at: '2026-11-27T10:00:00.000Z', band: 'CC', score: 25 };
  const evidence = { exitAt: () => null, hasProviders: false } as unknown as EvidenceFacts;
  const of = (one: typeof correction | null) => {
    const subject = {
      assetId: RECORD.asset.id,
      record: RECORD,
      absence: '',
      isSigned: true,
      correction: one,
      evidence,
    };
    return judge(subject, effectiveRules('wallet'), null, NOW);
  };
  const names = (one: typeof correction | null) => of(one).fired.map(({ rule }) => rule);
  assert.deepEqual([names(null).includes('corrected'), names(correction).includes('corrected')], [false, true]);
  const fired = of(correction).fired.find(({ rule }) => rule === 'corrected');
  assert.deepEqual([fired?.outcome, fired?.decided, of(correction).wantsRating], ['caution', false, true]);
  assert.match(fired?.detail ?? '', /should have been CC \(25\)/);
});
