import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Consensus } from '../domain/consensus.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import {
  type Change,
  consensusOf,
  daysAgo,
  fromOneGroup,
  observationOf,
  onChain,
  soundProtocol,
} from './fixtures/asset.ts';
import { rate } from './rate.ts';

/** What `featureRules.revision` 7 (methodology 1.11.0) no longer credits: the word of one group lifts no launch out of its rules. */
const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 6 } };
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const scores = (change: Change) => [rated(change, earlier).score, rated(change).score];

/** A launch that trades in pools only, and what makes it one to beware of. */
const launch = (created: number, ...set: readonly Consensus[]): Change => ({
  category: null,
  without: ['venue_price_usd', 'venue_volume_24h_usd', 'venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'],
  set: [
    onChain('token_created_at', daysAgo(created)),
    consensusOf('domain_registered_at', daysAgo(created + 5)),
    consensusOf('liquidity_dex_usd', 200_000),
    ...set,
  ],
});
const handedOver = launch(
  60,
  consensusOf('lp_creator_share', 0),
  consensusOf('lp_locked_share', 0),
  consensusOf('lp_wallet_share', 0.95),
);
const mintedByCode = launch(60, onChain('mint_authority_state', 'contract'));
const bought = launch(700, consensusOf('pool_created_at', daysAgo(1), { scope: 'pool:0xaa' }));

const withFacts = (change: Change, ...facts: readonly Consensus[]): Change => ({
  ...change,
  set: [...(change.set ?? []), ...facts],
});
const tagged = (change: Change, word: string) => withFacts(change, fromOneGroup('categories', [word]));

for (const [change, cap, ...taken] of [
  [handedOver, 31.9, 54.9, 65.4, 62.9],
  [mintedByCode, 43.9, 53.6, 64, 61],
  [bought, 43.9, 54.9, 43.9, 64.9],
] as const)
  test(`a tag of one registry does not lift a launch out of the cap of ${cap}`, () => {
    assert.equal(rated(change).score, cap);
    const byTag = ['Liquid Staking Tokens', 'Infrastructure', 'Layer 2 (L2)'].map((word) => tagged(change, word));
    assert.deepEqual(
      byTag.map((row) => rated(row, earlier).score),
      taken,
    );
    for (const row of byTag) assert.equal(rated(row).score, cap);
    // Its class stays that of the tag.
    assert.equal(rated(byTag[0] as Change).class, 'lst_wrapped');
  });

test('nor does any other word of one group, or what its own contract says', () => {
  for (const fact of [
    fromOneGroup('underlying_asset', 'ETH'),
    onChain('underlying_asset', 'ETH'),
    fromOneGroup('peg_mechanism', 'crypto_backed'),
    fromOneGroup('l2_stage', 'stage_1'),
    fromOneGroup('redemption_value_usd', 10),
    fromOneGroup('protocol_category', 'Lending'),
  ])
    assert.equal(rated(withFacts(handedOver, fact)).score, 31.9, fact.quantity);
});

test('a class of two groups, of two facts or of a register is judged as before', () => {
  const row = consensusOf('register_row', { kind: 'service' }, { scope: 'register:protocols', families: ['register'] });
  const two = [observationOf('alpha', ['Infrastructure']), observationOf('beta', ['Oracle'])];
  for (const change of [
    withFacts(handedOver, consensusOf('categories', ['Infrastructure'])),
    withFacts(handedOver, consensusOf('categories', ['Infrastructure'], { voices: two })),
    withFacts(handedOver, fromOneGroup('categories', ['Wrapped-Tokens']), onChain('underlying_asset', 'ETH')),
    withFacts(handedOver, row),
  ]) {
    const [before, after] = scores(change);
    assert.equal(after, before);
    assert.ok((after ?? 0) > 50, `${after}`);
  }
});

test('an asset that exchanges trade, or whose liquidity is locked, keeps its score with one tag', () => {
  const listed: Change = {
    category: null,
    set: [consensusOf('lp_wallet_share', 0.95), consensusOf('lp_locked_share', 0)],
  };
  const locked = launch(60, consensusOf('lp_creator_share', 0), consensusOf('lp_locked_share', 0.95));
  for (const change of [listed, locked]) {
    const [before, after] = scores(tagged(change, 'Infrastructure'));
    assert.equal(after, before);
  }
});
