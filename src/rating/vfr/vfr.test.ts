import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PeerRow } from '../../domain/rating.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { AS_OF, type Change, consensusOf, daysAgo, observationOf, soundProtocol } from '../fixtures/asset.ts';
import { rate } from '../rate.ts';

const methodology = loadMethodology();
const vfr = (change: Change) => rate(soundProtocol(change), methodology).vfr;

function peers(count: number, scale = 1, category: PeerRow['category'] = 'defi_protocol'): readonly PeerRow[] {
  return Array.from({ length: count }, (_, index) => ({
    assetId: `eip155:1/erc20:0x${index}`,
    category,
    asOf: AS_OF,
    marketValueUsd: scale * 1e8 * (1 + index),
    drivers: {
      fees_30d_usd: scale * 4e5 * (1 + index) * (index % 2 === 0 ? 0.8 : 1.2),
      tvl_usd: scale * 4e7 * (1 + index) * (index % 3 === 0 ? 0.9 : 1.1),
    },
  }));
}

/** The asset and its peers in another currency; counts stay counts. */
function inCurrency(k: number): Change {
  return {
    set: [consensusOf('price_usd', 10 * k), consensusOf('fees_30d_usd', 3e6 * k), consensusOf('tvl_usd', 3e8 * k)],
    peers: peers(12, k),
  };
}

test('a change of currency leaves the ratio, its interval and its zone', () => {
  const base = vfr(inCurrency(1));
  assert.equal(base.method, 'multiples_and_regression');
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (k) => {
      const found = vfr(inCurrency(k));
      assert.ok(Math.abs((found.value ?? 0) / (base.value ?? 1) - 1) < 1e-3);
      assert.equal(found.zone, base.zone);
    }),
    { numRuns: 40 },
  );
});

test('the interval holds the value, and the driver weights add up to one', () => {
  const found = vfr(inCurrency(1));
  assert.ok(found.interval && found.value !== null);
  assert.ok(found.interval[0] < found.value && found.value < found.interval[1]);
  assert.ok(Math.abs(found.drivers.reduce((sum, row) => sum + row.weight, 0) - 1) < 1e-3);
});

test('the dearer the asset, the higher the ratio, through all zones', () => {
  const at = (price: number) => vfr({ ...inCurrency(1), set: [consensusOf('price_usd', price)] });
  const zones = [0.01, 4, 9, 20, 1_000].map((price) => at(price).zone);
  assert.equal(zones[0], 'DEEP_DISCOUNT');
  assert.equal(zones.at(-1), 'EXTREME_PREMIUM');
  assert.ok((at(10).value ?? 0) < (at(11).value ?? 0));
});

test('no value with a reason: thin panel, no driver, little trust, default', () => {
  const none = (change: Change, why: RegExp) => {
    const found = vfr(change);
    assert.equal(found.value, null);
    assert.equal(found.zone, 'INDETERMINATE');
    assert.match(found.reason ?? '', why);
  };
  none({ peers: peers(7) }, /7 peers with the driver, 8 are needed/);
  none({ peers: [...peers(7), ...peers(20, 1, 'memecoin')] }, /7 peers/);
  none(
    {
      peers: peers(12),
      set: ['fees_30d_usd', 'tvl_usd', 'active_addresses_24h'].map((q) =>
        consensusOf(q as 'tvl_usd', 5, { confidence: 0.3 }),
      ),
    },
    /no driver/,
  );
  none({ peers: peers(12), identification: { match: 0.35 } }, /trust/);
  none({ peers: peers(12), set: [consensusOf('rug_executed', true)] }, /defaulted/);
  const off = (power: (index: number) => number) =>
    peers(24).map((row, i) => ({ ...row, marketValueUsd: (row.marketValueUsd ?? 0) * 10 ** power(i) }));
  none({ peers: off((i) => 3 * (i % 4)) }, /explain too little/);
  none({ peers: off((i) => (i % 2) * (i / 8)) }, /spread|explain/);
});

test('an asset is not its own peer', () => {
  const own = { ...(peers(1)[0] as PeerRow), assetId: soundProtocol().identification.asset.id };
  assert.match(vfr({ peers: [...peers(7), own] }).reason ?? '', /7 peers/);
});

test('an asset is not its own peer under another name, on another chain or as a wrapped form', () => {
  const asset = soundProtocol().identification;
  const [first] = peers(1);
  const forms: readonly Partial<PeerRow>[] = [
    { aliases: ['coingecko:holdfast'] },
    { aliases: ['base:0xabc'] },
    { category: 'lst_wrapped' },
    { category: 'stablecoin' },
    { trust: 20 },
  ];
  const keys = { ...asset.keys, deployments: [{ chain: 'base', address: '0xABC' }] };
  for (const form of forms) {
    const row = { ...(first as PeerRow), assetId: 'another', ...form };
    assert.match(
      vfr({ identification: { keys }, peers: [...peers(7), row] }).reason ?? '',
      /7 peers/,
      JSON.stringify(form),
    );
  }
});

test('a project that is there several times counts once', () => {
  const copies = peers(9).map((row) => ({ ...row, aliases: ['coingecko:one'] }));
  assert.match(vfr({ peers: copies }).reason ?? '', /^1 peer with/);
});

test('drivers are medians over the days we read them: a spike of one day moves nothing', () => {
  const days = Array.from({ length: 29 }, (_, index) => ({
    day: daysAgo(29 - index).slice(0, 10),
    readings: { tvl_usd: 3e8, active_addresses_24h: 4_000 },
  }));
  const calm = vfr({ ...inCurrency(1), driverDays: days });
  const spiked = vfr({ ...inCurrency(1), set: [consensusOf('tvl_usd', 9e9)], driverDays: days });
  assert.equal(spiked.value, vfr({ ...inCurrency(1), set: [consensusOf('tvl_usd', 3e8)], driverDays: days }).value);
  assert.equal(calm.drivers.find((row) => row.quantity === 'tvl_usd')?.days, 30);
  assert.deepEqual(calm.notes, []);
});

test('a short history is used and marked', () => {
  const day = (days: number, tvl: number) => ({ day: daysAgo(days).slice(0, 10), readings: { tvl_usd: tvl } });
  const found = vfr({ ...inCurrency(1), driverDays: [day(40, 1), day(2, 1e8), day(1, 2e8), day(0, 1), day(-1, 1)] });
  const tvl = found.drivers.find((row) => row.quantity === 'tvl_usd');
  assert.deepEqual([tvl?.value, tvl?.days], [2e8, 3], 'neither older days nor the day itself nor later ones count');
  assert.match(found.notes.join(), /fewer than 30 days.*: tvl_usd \(3\)\.$/);
});

test('dilution is in the numerator, and the plain ratios are given beside', () => {
  const found = vfr({
    ...inCurrency(1),
    set: [consensusOf('price_usd', 10), consensusOf('unlock_next_12m_share', 0.5)],
  });
  const { circulating, fullyDiluted } = found.variants;
  assert.ok(Math.abs((found.value ?? 0) / (circulating ?? 1) - 1.5) < 1e-3);
  assert.ok(Math.abs((fullyDiluted ?? 0) / (circulating ?? 1) - 1.25) < 1e-3, '100 of 80 million circulate');
  assert.ok(Math.abs((10 * 80e6 * 1.5) / (found.fairValueUsd ?? 1) / (found.value ?? 1) - 1) < 1e-3);
});

test('a stablecoin is fair within half a percent of its redemption value, and mild to two percent', () => {
  const zone = (price: number) =>
    vfr({ category: null, set: [consensusOf('peg_target_usd', 1), consensusOf('price_usd', price)] }).zone;
  assert.deepEqual([0.97, 0.99, 0.996, 1, 1.004, 1.01, 1.03].map(zone), [
    'DEEP_DISCOUNT',
    'DISCOUNT',
    'FAIR',
    'FAIR',
    'FAIR',
    'PREMIUM',
    'EXTREME_PREMIUM',
  ]);
});

test('a staked asset is measured by its redemption value, and has none where that is unknown', () => {
  const staked = (...set: Change['set'] & object) => vfr({ category: 'liquid staking', set });
  assert.equal(staked(consensusOf('redemption_value_usd', 10.05)).zone, 'FAIR');
  assert.match(staked().reason ?? '', /redemption value is not known/);
});

test('a redemption value disputed by more than two percent gives no vfr, and one false source of three changes nothing', () => {
  const found = (...values: readonly number[]) => {
    const voices = values.map((value, index) => observationOf(`chain:${index}`, value, { tier: 'chain' }));
    return vfr({
      category: 'liquid staking',
      set: [consensusOf('redemption_value_usd', values[0] ?? 0, { voices, confidence: 0.8 })],
    });
  };
  assert.equal(found(10, 10.02).value, 1);
  assert.equal(found(10, 9.99, 14).zone, 'FAIR');
  for (const none of [found(10, 10.5), found(10, 9.5), found(10, 14, 7)]) {
    assert.deepEqual([none.value, none.zone], [null, 'INDETERMINATE']);
    assert.match(none.reason ?? '', /disagree/);
  }
  const market = observationOf('coingecko', 12, { accepted: false, reason: 'outlier' });
  const voices = [
    observationOf('chain:a', 10, { tier: 'chain' }),
    observationOf('chain:b', 10, { tier: 'chain' }),
    market,
  ];
  const oracle = consensusOf('redemption_value_usd', 10, { voices, confidence: 0.8 });
  assert.match(
    vfr({ category: 'liquid staking', set: [oracle] }).reason ?? '',
    /disagree/,
    'two nodes with one oracle against the market',
  );
  const disputed = consensusOf('redemption_value_usd', 10, { status: 'disputed' });
  const unsure = consensusOf('redemption_value_usd', 10, { confidence: 0.39 });
  for (const one of [disputed, unsure])
    assert.match(vfr({ category: 'liquid staking', set: [one] }).reason ?? '', /disagree/);
});

test('vfr never enters the score', () => {
  const score = (panel: readonly PeerRow[]) => rate(soundProtocol({ peers: panel }), methodology).score;
  assert.equal(score(peers(12)), score([]));
});
