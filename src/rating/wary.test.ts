import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, fromOneGroup, soundProtocol } from './fixtures/asset.ts';
import { rate } from './rate.ts';

/** What `featureRules.revision` 6 (methodology 1.10.0) no longer credits, because the rated party can arrange it alone. */
const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 5 } };
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const scores = (change: Change) => [rated(change, earlier).score, rated(change).score];

/** Liquidity that nobody locks: with the creator, the largest plain wallet and the three largest. */
function held(creator: number, one: number, three: number, category: string | null = 'Meme'): Change {
  return {
    category,
    without: ['venue_price_usd', 'venue_volume_24h_usd', 'venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'],
    set: [
      consensusOf('volume_24h_dex_usd', 9_000_000),
      fromOneGroup('lp_creator_share', creator),
      fromOneGroup('lp_locked_share', 0),
      fromOneGroup('lp_wallet_share', one),
      fromOneGroup('lp_top3_wallets_share', three),
    ],
  };
}

test('liquidity split between two or three wallets without a name caps a launch', () => {
  assert.deepEqual(scores(held(1, 0, 0)), [31.9, 31.9], 'the creator’s own');
  assert.deepEqual(scores(held(0, 0.98, 0.98)), [31.9, 31.9], 'one wallet');
  assert.deepEqual(scores(held(0, 0.49, 0.98)), [57.6, 43.9], 'two wallets');
  assert.deepEqual(scores(held(0.3, 0.3, 0.65)), [57.3, 43.9], 'the creator and two');
  assert.deepEqual(scores(held(0, 0.49, 0.98, null)), [57.6, 43.9], 'without a class');
  const split = rated(held(0, 0.4, 0.98));
  const [flag] = split.flags.filter(({ code }) => code === 'LP_CREATOR_CONTROLLED');
  assert.match(
    flag?.detail ?? '',
    /^98.0 % of the LP is with up to three wallets that no source names \(alpha alone\)$/,
  );
  assert.ok(split.caps.some(({ code }) => code === 'LP_CREATOR_HALF'));
  // Whose they are is not known: no feature counts them as the creator's.
  assert.equal(split.uncappedScore, rated(held(0, 0.4, 0.98), earlier).uncappedScore);
});

test('liquidity of more wallets, of a protocol, or mostly of the creator is judged as before', () => {
  for (const change of [held(0, 0.3, 0.89), held(0, 0.4, 0.98, 'Decentralized Finance (DeFi)'), held(0.6, 0.2, 0.35)])
    assert.deepEqual(...(scores(change) as [number, number]));
});
