import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, daysAgo, fromOneGroup, onChain, soundProtocol } from './fixtures/asset.ts';
import type { RatingInput } from './input.ts';
import { rate } from './rate.ts';

/** What `featureRules.revision` 5 (methodology 1.9.0) no longer credits, because the rated party can arrange it alone. */
const methodology = loadMethodology();
const earlier: Methodology = { ...methodology, featureRules: { ...methodology.featureRules, revision: 4 } };
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const scores = (change: Change) => [rated(change, earlier).score, rated(change).score];
/** Scores of the state without the move, of the move by the former rules, and of the move by these. */
const three = (without: Change, moved: Change) => [rated(without, earlier).score, ...scores(moved)];

test('a sell tax of nothing does not hide a tax on transfers: the token’s code says which pools are free of it', () => {
  const taxed = (transfer: number, sell = 0): Change => ({
    set: [consensusOf('sell_tax', sell), consensusOf('transfer_tax', transfer)],
  });
  const ofTransfers = (transfer: number): Change => ({
    set: [consensusOf('transfer_tax', transfer)],
    without: ['sell_tax'],
  });
  assert.deepEqual(three(ofTransfers(0.12), taxed(0.12)), [54.9, 68.8, 54.9]);
  assert.deepEqual(three(ofTransfers(0.3), taxed(0.3)), [54.9, 68.7, 19.9]);
  const flags = rated(taxed(0.3)).flags.map(({ code }) => code);
  assert.ok(
    flags.includes('SELL_TAX_EXTREME') && !rated(taxed(0.299)).flags.some(({ code }) => code === 'SELL_TAX_EXTREME'),
  );
  // A lower tax on transfers changes nothing, nor does one that a single scanner states.
  for (const change of [taxed(0.05), taxed(0.02, 0.12), { set: [fromOneGroup('transfer_tax', 0.4)] }])
    assert.deepEqual(rated(change).caps, rated(change, earlier).caps);
});

test('a receipt for a token that was never rated, and that no register has, is capped like one of unproven backing', () => {
  const of = (underlying: RatingInput['underlying'], by?: Methodology) =>
    rate(
      { ...soundProtocol({ category: 'wrapped tokens', set: [onChain('backing_ratio', 1)] }), underlying },
      by ?? methodology,
    );
  const [bad, unrated] = [
    { name: 'JUNK', score: 20 },
    { name: 'JUNK', score: null },
  ];
  assert.deepEqual([of(bad, earlier).score, of(unrated, earlier).score, of(unrated).score], [17, 70.4, 54.9]);
  assert.equal(of(unrated).caps.find(({ code }) => code === 'UNDERLYING')?.detail, 'JUNK was never rated');
  assert.equal(of(null).score, of(null, earlier).score);
  const mix = (...underlyings: NonNullable<RatingInput['underlyings']>) => {
    const input = soundProtocol({ category: 'wrapped tokens', set: [consensusOf('underlying_assets', { JUNK: 1 })] });
    return (by: Methodology) => rate({ ...input, underlyings }, by).caps.find(({ code }) => code === 'UNDERLYING')?.cap;
  };
  const unratedMix = mix({ ...unrated, share: 1 });
  assert.deepEqual([unratedMix(earlier), unratedMix(methodology), mix()(methodology)], [undefined, 54.9, undefined]);
});

test('a contract that was left unused for years is as old as its market, not as its creation', () => {
  const at = (created: number, market: number, ...more: NonNullable<Change['set']>): Change => ({
    category: null,
    without: ['venue_price_usd', 'venue_volume_24h_usd', 'venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'],
    set: [
      onChain('token_created_at', daysAgo(created)),
      consensusOf('pool_created_at', daysAgo(market), { scope: 'pool:0xaa' }),
      ...more,
    ],
  });
  assert.deepEqual(three(at(1, 1), at(730, 1)), [43.9, 55.7, 43.9]);
  assert.deepEqual(three(at(20, 20), at(730, 20)), [52.7, 55.7, 52.6]);
  const bought = rated(at(730, 1));
  assert.equal(bought.caps.find(({ code }) => code === 'AGE_7D')?.detail, 'its market opened 1.0 days ago');
  assert.ok(bought.flags.some(({ code }) => code === 'TOKEN_NEW'));
  const meme = { ...at(730, 1), category: 'Meme' };
  assert.deepEqual(scores(meme), [55.7, 43.9]);
  // The date of one registry is no trade.
  assert.equal(rated(at(730, 1, fromOneGroup('first_trade_at', daysAgo(700)))).score, 43.9);
});

test('an old asset with a new pool keeps its age: any sign of earlier trade, or an exchange, shows it', () => {
  const pools = (families: readonly string[] = ['alpha', 'beta']) =>
    consensusOf('pool_created_at', daysAgo(1), { scope: 'pool:0xaa', families });
  const without: Change['without'] = [
    'venue_price_usd',
    'venue_volume_24h_usd',
    'venue_depth_up_2pct_usd',
    'venue_depth_down_2pct_usd',
  ];
  const old: readonly Change[] = [
    { set: [pools()] },
    { without, set: [pools(['alpha'])] },
    {
      without,
      set: [pools(), consensusOf('pool_created_at', daysAgo(600), { scope: 'pool:0xbb', families: ['alpha'] })],
    },
    { without, set: [pools(), fromOneGroup('ath_at', daysAgo(500))] },
    { without, set: [pools(), fromOneGroup('price_history_days', 300)] },
    { without, set: [pools(), fromOneGroup('listed_at', daysAgo(500))] },
    { without, set: [pools(), consensusOf('first_trade_at', daysAgo(500))] },
    {
      without,
      set: [pools()],
      history: { days: [{ at: daysAgo(30), priceUsd: 10, liquidityUsd: null, volume24hUsd: null }] },
    },
    { without, category: 'wrapped tokens', set: [pools()] },
  ];
  for (const [index, change] of old.entries()) assert.deepEqual(scores(change)[0], scores(change)[1], `${index}`);
  assert.notEqual(...(scores({ without, set: [pools()] }) as [number, number]));
});

test('liquidity that the creator handed to one wallet without a name counts as the creator’s', () => {
  const held = (
    creator: number | null,
    wallet: number,
    category: string | null = 'Meme',
    ...more: NonNullable<Change['set']>
  ): Change => ({
    category,
    without: ['venue_price_usd', 'venue_volume_24h_usd', 'venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'],
    set: [
      consensusOf('volume_24h_dex_usd', 9_000_000),
      ...(creator === null ? [] : [fromOneGroup('lp_creator_share', creator)]),
      fromOneGroup('lp_locked_share', 0),
      fromOneGroup('lp_wallet_share', wallet),
      ...more,
    ],
  });
  assert.deepEqual(three(held(1, 0), held(0, 1)), [31.9, 57.6, 31.9]);
  assert.deepEqual([held(0, 0.9), held(0.3, 0.65), held(null, 1)].map(scores), [
    [57.6, 31.9],
    [57.3, 31.9],
    [56.1, 31.9],
  ]);
  const [flag] = rated(held(0, 0.98)).flags.filter(({ code }) => code === 'LP_CREATOR_CONTROLLED');
  assert.match(flag?.detail ?? '', /^98.0 % of the LP is with one wallet that no source names \(alpha alone\)$/);
  // Spread liquidity, a protocol's own, and what the creator holds less of than half stay as they were.
  for (const change of [held(0, 0.89), held(0.1, 0.7), held(0, 1, 'Decentralized Finance (DeFi)'), held(1, 0)])
    assert.deepEqual(scores(change)[0], scores(change)[1]);
});

test('a loss that one list alone calls repaid weighs as a loss for a year', () => {
  const lost = (returnedUsd: number, days = 60, families = ['alpha']): Change => ({
    set: [
      consensusOf(
        'incidents',
        [
          {
            name: 'drain',
            date: daysAgo(days).slice(0, 10),
            lossUsd: 100_000_000,
            returnedUsd,
            lockedAfterUsd: 280_000_000,
          },
        ],
        { families },
      ),
    ],
  });
  const points = (change: Change, by?: Methodology) =>
    rated(change, by).factors.find(({ code }) => code === 'SI')?.score;
  assert.deepEqual(
    [points(lost(0), earlier), points(lost(1e8), earlier), points(lost(1e8))].map((one) => Math.round(one ?? 0)),
    [32, 97, 32],
  );
  assert.deepEqual(three(lost(0), lost(1e8)), [66.5, 69.5, 66.5]);
  for (const change of [lost(0), lost(1e8, 60, ['alpha', 'beta']), lost(1e8, 366), lost(5e7, 366)])
    assert.equal(rated(change).score, rated(change, earlier).score);
});
