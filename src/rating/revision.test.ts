import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdverseFeature } from '../domain/published.ts';
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
