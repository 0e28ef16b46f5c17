import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rating } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import { type Change, consensusOf, daysAgo, onChain, pool, soundProtocol } from './fixtures/asset.ts';
import { row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

/** What the rated party could buy or state alone to end a flag or lift a cap before methodology 1.7.0. */
const methodology = loadMethodology();
const earlier: Methodology = {
  ...methodology,
  featureRules: { ...methodology.featureRules, revision: 2 },
  flags: methodology.flags.map((flag) => {
    const { repaid: _, measured: __, ...thresholds } = flag.thresholds as Readonly<Record<string, number>>;
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

/** The markets and pools of the sound protocol. */
const NO_VENUES: Change['without'] = [
  'venue_price_usd',
  'venue_volume_24h_usd',
  'venue_depth_up_2pct_usd',
  'venue_depth_down_2pct_usd',
  'pool_kind',
  'pool_liquidity_usd',
  'pool_quote_reserve_usd',
  'pool_price_usd',
  'pool_volume_24h_usd',
];

test('volume and books on exchanges that do not count lift no cap on thin liquidity', () => {
  const thin = (...rows: NonNullable<Change['set']>): Change => ({
    set: [
      consensusOf('liquidity_dex_usd', 3_000),
      ...pool('pool:0xaa', { liquidity: 3_000, price: 10, volume: 500 }),
      ...rows,
    ],
    without: NO_VENUES,
  });
  const sum = consensusOf('volume_24h_cex_usd', 6_000_000, { families: ['coingecko'] });
  const at = (exchange: string) => [
    sum,
    consensusOf('venue_volume_24h_usd', 6_000_000, { scope: `venue:${exchange}:HLD-USDT` }),
  ];
  const none = rated(thin());
  assert.ok(hasCap(none, 'LIQUIDITY_GONE') || hasCap(none, 'LIQUIDITY_CRITICAL'));
  for (const bought of [thin(sum), thin(...at('lbank'))]) {
    assert.ok(hasFlag(rated(bought), 'LIQUIDITY_CRITICAL'));
    assert.ok((rated(bought).score ?? 0) <= (none.score ?? 0));
    assert.ok(!hasFlag(rated(bought, earlier), 'LIQUIDITY_CRITICAL'));
  }
  assert.ok(!hasFlag(rated(thin(...at('binance'))), 'LIQUIDITY_CRITICAL'));
  const book = (exchange: string, families: readonly string[]) =>
    thin(
      ...(['venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'] as const).map((side) =>
        consensusOf(side, 6_000, { scope: `venue:${exchange}:HLD-USDT`, families }),
      ),
    );
  assert.ok(hasFlag(rated(book('lbank', ['coingecko'])), 'LIQUIDITY_CRITICAL'));
  assert.ok(!hasFlag(rated(book('lbank', ['coingecko']), earlier), 'LIQUIDITY_CRITICAL'));
  for (const known of [book('binance', ['coingecko']), book('lbank', ['coingecko', 'lbank'])])
    assert.ok(!hasFlag(rated(known), 'LIQUIDITY_CRITICAL'));
  assert.ok(!hasFlag(rated(thin(sum, consensusOf('graded_volume_share', 0.9))), 'LIQUIDITY_CRITICAL'));
});

test('a shortfall that the chain shows raises BACKING_SHORTFALL, whatever the issuer states', () => {
  const backed = (ratio: number): Change => ({
    set: [
      consensusOf('categories', ['Wrapped-Tokens']),
      consensusOf('collateral_ratio', 1, { families: ['website'], tier: 'self_reported', confidence: 0.5 }),
      onChain('backing_ratio', ratio),
    ],
  });
  const found = rated(backed(0.8)).flags.find(({ code }) => code === 'BACKING_SHORTFALL');
  assert.equal(found?.severity, 'critical');
  assert.ok(!hasFlag(rated(backed(0.8), earlier), 'BACKING_SHORTFALL'));
  for (const ratio of [1, 0.995]) assert.ok(!hasFlag(rated(backed(ratio)), 'BACKING_SHORTFALL'));
});

test('a second pool does not lift the cap on liquidity that the creator holds', () => {
  const held = (...rows: NonNullable<Change['set']>): Change => ({
    set: [
      consensusOf('volume_24h_dex_usd', 8_000_000),
      consensusOf('lp_creator_share', 0.96),
      ...pool('pool:0xaa', { liquidity: 40_000_000, price: 10, volume: 1_000_000 }),
      ...rows,
    ],
    without: NO_VENUES,
  });
  const second = held(...pool('pool:0xbb', { liquidity: 2_000, price: 10, volume: 200_000 }));
  const alone = rated(held());
  assert.ok(hasCap(alone, 'LP_CREATOR') && hasCap(rated(second), 'LP_CREATOR'));
  assert.equal(rated(second).score, alone.score);
  assert.ok(hasCap(rated(held(), earlier), 'LP_CREATOR') && !hasCap(rated(second, earlier), 'LP_CREATOR'));
  const market = consensusOf('venue_volume_24h_usd', 1_000_000, { scope: 'venue:binance:HLD-USDT' });
  assert.ok(!hasCap(rated(held(market)), 'LP_CREATOR'));
});

test('the word "bridged" of a registry does not hide new tokens: what is locked elsewhere must be shown', () => {
  const minted = (...rows: NonNullable<Change['set']>): Change => ({
    set: rows,
    history: {
      supply: { dayAgo: { at: daysAgo(1), totalSupply: 50_000_000, isOnChain: true }, oldest: null },
    },
  });
  const word = consensusOf('categories', ['Bridged-Tokens']);
  assert.ok(hasFlag(rated(minted()), 'SUPPLY_UNEXPECTED_MINT'));
  assert.ok(hasFlag(rated(minted(word)), 'SUPPLY_UNEXPECTED_MINT'));
  assert.ok(!hasFlag(rated(minted(word), earlier), 'SUPPLY_UNEXPECTED_MINT'));
  const own = consensusOf('collateral_ratio', 1, { families: ['website'], tier: 'self_reported', confidence: 0.5 });
  assert.ok(hasFlag(rated(minted(word, own)), 'SUPPLY_UNEXPECTED_MINT'));
  for (const proof of [onChain('backing_ratio', 1), row('protocols', { kind: 'receipt' })])
    assert.ok(!hasFlag(rated(minted(word, proof)), 'SUPPLY_UNEXPECTED_MINT'));
  console.log(rated(minted()).score, rated(minted(word), earlier).score, rated(minted(word)).score);
});
