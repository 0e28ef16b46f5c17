import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agree } from '../consensus/agree.ts';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { Json, Observation } from '../domain/observation.ts';
import type { AdverseFeature } from '../domain/published.ts';
import { QUANTITIES, type QuantityId } from '../domain/quantities.ts';
import type { Rating } from '../domain/rating.ts';
import { loadMethodology } from '../methodology/load.ts';
import type { Methodology } from '../methodology/schema.ts';
import {
  type Change,
  consensusOf,
  daysAgo,
  fromOneGroup,
  observationOf,
  onChain,
  outcome,
  pool,
  soundProtocol,
} from './fixtures/asset.ts';
import { row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

/** Errors that `featureRules.revision` 2 mends, and what earlier methodologies made of the same evidence. */
const methodology = loadMethodology();
const { revision: _, ...earlierRules } = methodology.featureRules;
const earlier: Methodology = { ...methodology, featureRules: earlierRules };
const rated = (change: Change, by: Methodology = methodology) => rate(soundProtocol(change), by);
const featureOf = (rating: Rating, id: string) =>
  rating.factors.flatMap(({ features }) => features).find((feature) => feature.id === id);
const hasCap = (rating: Rating, code: string) => rating.caps.some((cap) => cap.code === code);
const hasFlag = (rating: Rating, code: string) => rating.flags.some((flag) => flag.code === code);

const CREATOR_PAST_LAUNCH: Change = {
  set: [consensusOf('volume_24h_dex_usd', 1_000_000), consensusOf('categories', ['Meme'])],
};
const ownPage = (ratio: number) =>
  consensusOf('collateral_ratio', ratio, { families: ['website'], tier: 'self_reported', confidence: 0.5 });
const wrapped = (...rows: NonNullable<Change['set']>): Change => ({
  set: [consensusOf('categories', ['Wrapped-Tokens']), ...rows],
});

test('a shortfall of a thousandth on the project’s own page proves no backing: it earns no points and lifts no cap', () => {
  const almost = wrapped(ownPage(0.999));
  assert.ok(hasCap(rated(almost), 'BACKING_UNPROVEN'));
  assert.equal(featureOf(rated(almost), 'fu_backing')?.status, 'unknown');
  assert.ok(!hasCap(rated(almost, earlier), 'BACKING_UNPROVEN'));
  // A shortfall that costs points is believed, and one that others state is.
  const large = rated(wrapped(ownPage(0.85)));
  assert.equal(featureOf(large, 'fu_backing')?.raw, 0.85);
  assert.ok(hasCap(large, 'BACKING_UNPROVEN'));
  assert.ok(!hasCap(rated(wrapped(consensusOf('backing_ratio', 0.999))), 'BACKING_UNPROVEN'));
});

test('a tax that one scanner alone states does not hide a lower one that two state', () => {
  const set = [consensusOf('sell_tax', 0.12), fromOneGroup('transfer_tax', 0.4)];
  const found = rated({ set });
  assert.ok(hasFlag(found, 'TAX_HIGH') && hasCap(found, 'SELL_TAX_10'));
  const before = rated({ set }, earlier);
  assert.ok(!hasFlag(before, 'TAX_HIGH') && !hasCap(before, 'SELL_TAX_10'));
  const alone = rated({ set: [fromOneGroup('transfer_tax', 0.4)] });
  assert.ok(!hasFlag(alone, 'TAX_HIGH') && hasFlag(alone, 'ACCUSATION_UNCONFIRMED'));
});

test('a tax on purchases that two scanners state sets no cap on a sell tax that one of them states alone', () => {
  const set = [consensusOf('buy_tax', 0.12), fromOneGroup('sell_tax', 0.15)];
  const found = rated({ set });
  assert.ok(hasFlag(found, 'TAX_HIGH') && !hasCap(found, 'SELL_TAX_10'));
  assert.ok(hasCap(rated({ set: [consensusOf('buy_tax', 0.12), consensusOf('sell_tax', 0.12)] }), 'SELL_TAX_10'));
});

test('a supply that circulates whole never scores below one that nearly does', () => {
  const pointsAt = (circulating: number, by = methodology) => {
    const set = [consensusOf('circulating_supply', circulating, { confidence: 0.4 })];
    const feature = featureOf(rated({ set }, by), 'sd_unlock');
    return { score: feature?.score, rest: feature?.rest };
  };
  const [nearly, whole] = [pointsAt(98_900_000), pointsAt(99_100_000)];
  assert.ok((whole.rest ?? 0) >= (nearly.rest ?? 100), `${whole.rest} and ${nearly.rest}`);
  assert.equal(pointsAt(99_100_000, earlier).rest, methodology.aggregation.prior);
});

test('the supply of the registries is compared with readings of the chain that count, and not with the first one', () => {
  const supply = (...voices: ReturnType<typeof observationOf>[]): Change => ({
    set: [
      consensusOf('total_supply', 100_000_000, {
        voices: [...voices, observationOf('coingecko', 100_000_000), observationOf('coinmarketcap', 100_000_000)],
      }),
    ],
  });
  const node = (family: string, value: number, change = {}) =>
    observationOf(family, value, { tier: 'chain', ...change });
  const liar = node('chain:a', 4_000_000, { accepted: false, reason: 'outlier', z: -30 });
  const honest = node('chain:b', 100_000_000);
  const stale = node('chain:a', 80_000_000, { accepted: false, reason: 'too_old' });
  for (const change of [supply(liar, honest), supply(stale, honest)]) {
    assert.ok(!hasFlag(rated(change), 'SUPPLY_MISMATCH'));
    assert.ok(hasFlag(rated(change, earlier), 'SUPPLY_MISMATCH'));
  }
  assert.equal(featureOf(rated(supply(stale)), 'sd_integrity')?.status, 'unknown');
  const float = (by: Methodology) => {
    const burned = consensusOf('burned_tokens', 20_000_000, { tier: 'chain', families: ['chain:b'] });
    const { set = [] } = supply(stale, honest);
    return featureOf(rated({ set: [...set, burned], without: ['max_supply'] }, by), 'sd_circ')?.raw;
  };
  assert.deepEqual([float(methodology), float(earlier)], [1, 0.8]);
  // A reading that lagging registries outvote is what they are compared with.
  const minted = node('chain:a', 150_000_000, { accepted: false, reason: 'outlier', z: 40 });
  assert.ok(hasFlag(rated(supply(minted)), 'SUPPLY_MISMATCH'));
});

test('a chain whose outages nobody recorded does not pass the gate to AA', () => {
  const native = (...rows: NonNullable<Change['set']>): Change => ({
    asset: { address: 'native', chain: null },
    set: [
      row('natives', { symbol: 'HLD' }),
      onChain('token_created_at', daysAgo(4_000)),
      consensusOf('consensus_entry_state', 'permissionless'),
      consensusOf('consensus_control_state', 'many_teams'),
      consensusOf('consensus_nakamoto', 8),
      ...rows,
    ],
  });
  assert.ok(hasCap(rated(native()), 'NATIVE_AA_GATE'));
  assert.ok(!hasCap(rated(native(consensusOf('outage_hours', 0))), 'NATIVE_AA_GATE'));
  assert.ok(!hasCap(rated(native(), earlier), 'NATIVE_AA_GATE'));
});

const recalled = (feature: string, points: number, confidence = 0.9): AdverseFeature => ({
  feature,
  points,
  confidence,
  seenAt: daysAgo(20),
  families: ['gamma'],
});

test('what was once said against a feature does not count once the feature does not apply', () => {
  const input = { ...soundProtocol(CREATOR_PAST_LAUNCH), recall: [recalled('ts_lp_creator', 5)] };
  const without = rate({ ...input, recall: [] }, methodology);
  assert.equal(featureOf(without, 'ts_lp_creator')?.status, 'not_applicable');
  assert.deepEqual(rate(input, methodology), without);
  assert.equal(featureOf(rate(input, earlier), 'ts_lp_creator')?.status, 'observed');
});

test('a worse statement that is hardly known does not replace an adverse one that was well known', () => {
  const set = [consensusOf('creator_share', 0.5, { families: ['alpha'], confidence: 0.1 })];
  const scoreBy = (by: Methodology, recall: readonly AdverseFeature[]) =>
    rate({ ...soundProtocol({ set }), recall }, by).uncappedScore ?? 0;
  const last = [recalled('hd_creator', 15)];
  const same = rate({ ...soundProtocol({ set: [], without: ['creator_share'] }), recall: last }, methodology);
  assert.ok(scoreBy(methodology, last) <= (same.uncappedScore ?? 0));
  assert.ok(scoreBy(earlier, last) > (same.uncappedScore ?? 0));
});

test('a list of largest owners in which nobody is a holder says nothing about the holders', () => {
  const set = [
    consensusOf('categories', ['Meme']),
    consensusOf(
      'top_holders',
      Array.from({ length: 20 }, (_, index) => ({ owner: `0xlock${index}`, sharePct: 4.9, kind: 'locker' })),
    ),
    consensusOf('holder_labels', []),
  ];
  const concentration = ['hd_top1', 'hd_top10', 'hd_neff'];
  const found = rated({ set });
  assert.deepEqual(
    concentration.map((id) => featureOf(found, id)?.status),
    ['unknown', 'unknown', 'unknown'],
  );
  const before = rated({ set }, earlier);
  assert.deepEqual(
    concentration.map((id) => featureOf(before, id)?.score),
    [100, 90, 100],
  );
});

test('one chart does not put a coin off its peg while the price that others agree on is at the peg', () => {
  const off = (price: number, families = ['alpha', 'beta', 'gamma'], held = ['coingecko']): Change => ({
    category: null,
    set: [
      consensusOf('categories', ['Stablecoins', 'Fiat-backed Stablecoin']),
      consensusOf('peg_target_usd', 1),
      consensusOf('price_usd', price, { families }),
      consensusOf('peg_deviation_24h_held', 0.04, { families: held }),
    ],
  });
  const found = rated(off(1));
  assert.ok(!hasFlag(found, 'DEPEG') && !hasCap(found, 'DEPEG') && hasFlag(found, 'ACCUSATION_UNCONFIRMED'));
  assert.ok(hasFlag(rated(off(1), earlier), 'DEPEG'));
  // The price confirms it, nobody else knows the price, or two charts say so.
  for (const change of [off(0.95), off(1, ['coingecko']), off(1, undefined, ['coingecko', 'defillama'])])
    assert.ok(hasFlag(rated(change), 'DEPEG'));
});

test('a loss is measured against the value locked where no source knows its peak', () => {
  const set = [
    consensusOf('incidents', [{ name: 'x', date: daysAgo(10).slice(0, 10), lossUsd: 20_000, returnedUsd: 0 }]),
  ];
  const without: Change['without'] = ['tvl_peak_usd', 'market_cap_usd'];
  assert.ok(!hasFlag(rated({ set, without }), 'EXPLOIT_RECENT'));
  assert.ok(hasFlag(rated({ set, without }, earlier), 'EXPLOIT_RECENT'));
});

test('a measured fact of one source caps for as long as it raises its flag, and not only in its first second', () => {
  // One source gives at most 0.5, times its freshness: `flagConfidence.ageing` is the margin for that.
  const thin = (confidence: number): Change => ({
    set: [
      consensusOf('liquidity_dex_usd', 2_000, { families: ['alpha'], confidence }),
      consensusOf('volume_24h_cex_usd', 0),
    ],
    without: ['venue_volume_24h_usd', 'venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'],
  });
  const unverified = (confidence: number): Change => ({
    set: [consensusOf('source_verified', false, { families: ['alpha'], confidence })],
  });
  for (const [change, flag, cap] of [
    [thin, 'LIQUIDITY_CRITICAL', 'LIQUIDITY_CRITICAL'],
    [unverified, 'SOURCE_UNVERIFIED', 'SOURCE_UNVERIFIED'],
  ] as const) {
    for (const confidence of [0.5, 0.49, 0.46]) {
      const found = rated(change(confidence));
      assert.ok(hasFlag(found, flag) && hasCap(found, cap), `${cap} at ${confidence}`);
    }
    assert.ok(!hasFlag(rated(change(0.45)), flag) && !hasCap(rated(change(0.45)), cap));
    assert.ok(hasFlag(rated(change(0.49), earlier), flag) && !hasCap(rated(change(0.49), earlier), cap));
  }
});

/** As the sources state it half a minute before the time of the rating. */
function heard(...rows: readonly (readonly [QuantityId, Json, string, scope?: string])[]): ConsensusSet {
  const at = daysAgo(30 / 86_400);
  const told = rows.map(
    ([quantity, value, family, scope = 'asset']): Observation => ({
      quantity,
      scope,
      value,
      unit: QUANTITIES[quantity].unit,
      meaning: '',
      source: family,
      endpoint: 'token',
      family,
      tier: 'aggregator',
      observedAt: at,
      fetchedAt: at,
      reliability: 0.8,
      binding: 1,
      responseId: `${family}.${quantity}`,
    }),
  );
  return agree(told, methodology, daysAgo(0));
}

test('the chart of a pool, or empty pools, bear out a scanner’s rug although one source alone states them', () => {
  const rug = ['rug_executed', true, 'rugcheck'] as const;
  const cases = [
    heard(rug, ['pool_lasting_fall', 0.99, 'geckoterminal', 'pool:solana:aa']),
    heard(rug, ['liquidity_dex_usd', 400, 'dexscreener']),
  ];
  for (const found of cases) {
    const input = soundProtocol();
    const said = { ...input, consensus: { ...input.consensus, ...found } };
    assert.equal(rate(said, methodology).band, 'D');
    assert.notEqual(rate(said, earlier).band, 'D');
  }
  // The scanner's own figure of the liquidity does not bear out what it says.
  for (const found of [heard(rug), heard(rug, ['liquidity_dex_usd', 400, 'rugcheck'])]) {
    const alone = { ...soundProtocol(), consensus: { ...soundProtocol().consensus, ...found } };
    assert.notEqual(rate(alone, methodology).band, 'D');
  }
});

test('a lost peg is shown by one chart beside a price that two sources agree on, and never by one source alone', () => {
  const chart = [
    ['depeg_aged_sum', 0.9, 'coingecko'],
    ['peg_deviation_24h_held', 0.95, 'coingecko'],
  ] as const;
  const band = (by: Methodology, ...families: readonly string[]) => {
    const prices = families.map((family) => ['price_usd', 0.04, family] as const);
    const input = soundProtocol({
      set: [consensusOf('categories', ['USD Stablecoin', 'Algorithmic Stablecoin']), consensusOf('peg_target_usd', 1)],
    });
    return rate({ ...input, consensus: { ...input.consensus, ...heard(...chart, ...prices) } }, by).band;
  };
  assert.equal(band(methodology, 'coingecko', 'cmc'), 'D');
  assert.notEqual(band(methodology, 'coingecko'), 'D');
  assert.notEqual(band(earlier, 'coingecko', 'cmc'), 'D');
});

test('one small pool says nothing about the depth of an asset whose other pools were not listed', () => {
  const only = (total: number): Change => ({
    set: [
      consensusOf('liquidity_dex_usd', total),
      consensusOf('volume_24h_cex_usd', 0),
      ...pool('pool:0xaa', { liquidity: 60_000, price: 10, volume: 1e5 }),
      consensusOf('pool_liquidity_usd', null, { scope: 'pool:0xbb', status: 'missing' }),
    ],
    without: ['venue_volume_24h_usd', 'venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'],
    // The source that lists both sides of all pools is away: since methodology 1.8.0 pools that it does not show count little.
    sources: soundProtocol().sources.map((row) => (row.name === 'dexscreener' ? outcome(row.name, 'timeout') : row)),
  });
  const caps = ['LIQUIDITY_CRITICAL', 'DEPTH_SHALLOW'];
  const held = (total: number, by = methodology) => caps.filter((code) => hasCap(rated(only(total), by), code));
  assert.deepEqual(held(40_000_000), []);
  assert.deepEqual(held(40_000_000, earlier), ['LIQUIDITY_CRITICAL']);
  // It is all the liquidity there is: its depth decides.
  assert.deepEqual(held(61_000), ['LIQUIDITY_CRITICAL']);
});
