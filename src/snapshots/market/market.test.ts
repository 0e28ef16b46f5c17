import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agree } from '../../consensus/agree.ts';
import type { Observation } from '../../domain/observation.ts';
import { QUANTITIES, type QuantityId } from '../../domain/quantities.ts';
import { DAY_MS } from '../../domain/statistics.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { changeOver, type PricePoint, volatilityOf } from './number.ts';
import { buildMarketSnapshot } from './snapshot.ts';

const methodology = loadMethodology();
const AS_OF = '2026-11-20T12:00:00.000Z';
const NOW = Date.parse(AS_OF);
const asset = {
  id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:So11111111111111111111111111111111111111112',
  chain: 'solana',
  address: 'So11111111111111111111111111111111111111112',
  symbol: 'X',
  name: 'X',
  category: null,
  website: null,
};

function said(source: string, quantity: QuantityId, value: number | string, scope = 'asset'): Observation {
  return {
    quantity,
    scope,
    value,
    unit: QUANTITIES[quantity].unit,
    meaning: '',
    source,
    endpoint: 'e',
    family: source,
    tier: 'aggregator',
    observedAt: AS_OF,
    fetchedAt: AS_OF,
    reliability: 0.9,
    binding: 1,
    responseId: `${source}.e#1`,
  };
}

function snapshotOf(observations: readonly Observation[], history: readonly PricePoint[] = []) {
  const consensus = agree(observations, methodology, AS_OF);
  return buildMarketSnapshot({ asset, asOf: AS_OF, consensus, observations, history, attributions: [], warnings: [] });
}

const three = (quantity: QuantityId, values: readonly number[]) =>
  values.map((value, index) => said(`s${index}`, quantity, value));

test('a source a thousand times too high does not move the value, and is named with its value and the reason', () => {
  const honest = snapshotOf(three('price_usd', [1, 1.001, 0.999]));
  const lied = snapshotOf([...three('price_usd', [1, 1.001, 0.999]), said('liar', 'price_usd', 1000)]);
  assert.ok(Math.abs((lied.price_usd ?? 0) / (honest.price_usd ?? 1) - 1) < 0.002);
  const outvoted = lied.provenance.price_usd?.outvoted ?? [];
  assert.deepEqual(
    outvoted.map((voice) => [voice.source, voice.value]),
    [['liar', 1000]],
  );
  assert.ok(!lied.provenance.price_usd?.sources.includes('liar'));
});

test('a value without observations is null and has no provenance, never 0', () => {
  const empty = snapshotOf([]);
  for (const [name, value] of Object.entries(empty))
    if (name.endsWith('_usd') || name.endsWith('_pct') || name.endsWith('supply')) assert.equal(value, null, name);
  assert.deepEqual(empty.provenance, {});
  assert.ok(empty.warnings.some((warning) => warning.includes('price')));
});

test('capitalisation and dilution are computed where no source states them, and marked so', () => {
  const told = snapshotOf([
    ...three('price_usd', [2, 2, 2]),
    ...three('circulating_supply', [50, 50, 50]),
    ...three('total_supply', [80, 80, 80]),
  ]);
  assert.deepEqual([told.market_cap_usd, told.fully_diluted_value_usd], [100, 160]);
  assert.equal(told.provenance.market_cap_usd?.method, 'derived');
  const capped = snapshotOf([
    ...three('price_usd', [2, 2, 2]),
    ...three('total_supply', [80, 80, 80]),
    ...three('max_supply', [100, 100, 100]),
  ]);
  assert.equal(capped.fully_diluted_value_usd, 200);
});

test('of a token on several chains the diluted value is that of all of them', () => {
  const [price, circulating] = [three('price_usd', [2, 2, 2]), three('circulating_supply', [90, 90, 90])];
  const read = { ...said('node', 'total_supply', 10), tier: 'chain' as const };
  const all = said('s0', 'total_supply', 100, 'chains:all');
  const { total_supply: total, fully_diluted_value_usd: diluted } = snapshotOf([...price, ...circulating, read, all]);
  assert.deepEqual([total, diluted], [10, 200]);
});

test('volume of pools alone is used for all venues, with a warning', () => {
  const pools = snapshotOf(three('volume_24h_dex_usd', [10, 10, 10]));
  assert.equal(pools.volume_24h_usd, 10);
  assert.ok(pools.warnings.some((warning) => warning.includes('decentralised')));
});

test('the drawdown is never below zero, and a price above every known high is the high', () => {
  const high = snapshotOf([...three('price_usd', [5, 5, 5]), ...three('ath_usd', [4, 4, 4])]);
  assert.deepEqual([high.ath_usd, high.drawdown_pct], [5, 0]);
  const low = snapshotOf([...three('price_usd', [1, 1, 1]), ...three('ath_usd', [4, 4, 4])]);
  assert.deepEqual([low.ath_usd, low.drawdown_pct], [4, 75]);
  const seen = snapshotOf(
    [...three('price_usd', [1, 1, 1]), ...three('ath_usd', [4, 4, 4])],
    [8, 9].map((priceUsd, hours) => ({ at: `2026-11-01T0${hours}:00:00.000Z`, priceUsd })),
  );
  assert.deepEqual([seen.ath_usd, seen.ath_at], [8, '2026-11-01T00:00:00.000Z']);
  assert.equal(snapshotOf(three('price_usd', [1, 1, 1]), [{ at: AS_OF, priceUsd: 8 }]).ath_usd, null);
});

test('one point of our own history above all others is no all-time high, however often it is read within the hour', () => {
  const points = [
    ['08:00', 2],
    ['09:00', 900],
    ['09:30', 950],
    ['10:00', 3],
    ['11:00', 3.5],
  ] as const;
  const history = points.map(([time, priceUsd]) => ({ at: `2026-11-01T${time}:00.000Z`, priceUsd }));
  const told = [...three('price_usd', [1, 1, 1]), ...three('ath_usd', [2.5, 2.5, 2.5])];
  const found = snapshotOf(told, history.toReversed());
  assert.deepEqual([found.ath_usd, found.ath_at], [3, '2026-11-01T10:00:00.000Z']);
  assert.equal(snapshotOf(told, history.slice(0, 3)).ath_usd, 2.5);
});

test('dust pools decide nothing about dispersion, and one mad pool little', () => {
  const pool = (id: string, price: number, liquidity: number) => [
    said('a', 'pool_price_usd', price, `pool:${id}`),
    said('a', 'pool_liquidity_usd', liquidity, `pool:${id}`),
    said('a', 'pool_volume_24h_usd', 10, `pool:${id}`),
  ];
  const found = snapshotOf([
    ...['p', 'q', 'r', 's'].flatMap((id, index) => pool(id, 1 + index / 1000, 1e6)),
    ...pool('mad', 900, 1e6),
    ...pool('dust', 12, 10),
  ]);
  assert.equal(found.venues.length, 5);
  assert.ok((found.price_dispersion_pct ?? 9) < 1, String(found.price_dispersion_pct));
});

test('our own prices give a change only when one is near enough to the moment', () => {
  const at = (hours: number, priceUsd: number) => ({ at: new Date(NOW - hours * 3_600_000).toISOString(), priceUsd });
  assert.equal(changeOver([at(24, 2)], NOW, 3, DAY_MS)?.value, 50);
  assert.equal(changeOver([at(20, 2)], NOW, 3, DAY_MS), null);
  assert.equal(changeOver([at(25, 4), at(23.9, 2)], NOW, 3, DAY_MS)?.value, 50);
});

test('volatility needs twenty daily returns, ignores gaps, and is independent of scale and order', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      at: new Date(NOW - index * DAY_MS).toISOString(),
      priceUsd: 10 + Math.sin(index),
    }));
  assert.equal(volatilityOf(days(20), NOW), null);
  const full = volatilityOf(days(31), NOW)?.value ?? 0;
  assert.ok(full > 0);
  assert.equal(
    volatilityOf(
      days(31).filter((_, index) => index % 2 === 0),
      NOW,
    ),
    null,
  );
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (scale) => {
      const scaled = days(31).map((point) => ({ ...point, priceUsd: point.priceUsd * scale }));
      assert.ok(Math.abs((volatilityOf(scaled.reverse(), NOW)?.value ?? 0) - full) < 1e-9);
    }),
  );
});
