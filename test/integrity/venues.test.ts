import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { driveSource, factsOf } from '../../sandbox/drive.ts';
import { createScene } from '../../sandbox/scene.ts';
import { booksOf } from '../../sandbox/world/market.ts';
import type { SandboxAsset } from '../../sandbox/world/types.ts';
import { createWorld } from '../../sandbox/world/world.ts';
import { agree } from '../../src/consensus/agree.ts';
import type { Observation } from '../../src/domain/observation.ts';
import { QUANTITIES } from '../../src/domain/quantities.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { depthOf, effectiveVenues, priceDispersion, venuesOf } from '../../src/metrics/index.ts';
import type { Context } from '../../src/rating/context.ts';
import { inputOf } from '../../src/rating/fixtures/asset.ts';
import { coingecko } from '../../src/sources/coingecko/index.ts';
import { binance } from '../../src/sources/exchanges/binance.ts';
import { coinbase } from '../../src/sources/exchanges/coinbase.ts';
import { SOURCES } from '../../src/sources/index.ts';
import type { Params, Source } from '../../src/sources/source.ts';

/**
 * Row 11 of the attacks on published ratings: one market, told by two sources under two names, counted twice in depth,
 * in volume and among the venues (docs/decisions/0026-venues.md).
 */
const NOW = Date.UTC(2026, 5, 1, 12);
const AS_OF = new Date(NOW).toISOString();
const methodology = loadMethodology();
const world = createWorld({ seed: 1, anchor: NOW });
const scene = createScene(world, NOW, () => 1);

function contextOf(observations: readonly Observation[]): Context {
  const input = { ...inputOf([]), consensus: agree(observations, methodology, AS_OF), asOf: AS_OF };
  return { input, methodology, class: 'default', category: 'default', kind: 'evm', native: false, now: NOW };
}

/** What the rating makes of the markets in these observations. */
function marketOf(observations: readonly Observation[]) {
  const { consensus } = contextOf(observations).input;
  const venues = venuesOf(consensus);
  const depth = depthOf(consensus, loadMethodology().metrics.depth);
  const effective = effectiveVenues(venues);
  return {
    markets: venues.length,
    volumeUsd: venues.reduce((sum, row) => sum + (row.volumeUsd?.value ?? 0), 0),
    upUsd: depth?.upUsd ?? 0,
    downUsd: depth?.downUsd ?? 0,
    effective: effective?.count ?? 0,
    largestShare: effective?.largestShare ?? 0,
    dispersion: priceDispersion(venues)?.value ?? 0,
  };
}

function observationsOf(asset: SandboxAsset, sources: readonly Source[] = SOURCES): readonly Observation[] {
  return sources
    .filter((source) => source.name !== 'tls')
    .flatMap((source) => driveSource(source, factsOf(asset), scene))
    .flatMap((reply) => reply.observations);
}

/** Whether two numbers are within so many percent of each other. */
function near(actual: number, expected: number, percent: number, what: string): void {
  assert.ok(Math.abs(actual / expected - 1) <= percent / 100, `${what}: ${actual}, in truth ${expected}`);
}

const exchanges = SOURCES.filter(({ provides }) => provides.own_markets !== undefined);
const listed = world.tokens.filter((asset) => asset.traits.listed && asset.traits.cex);

test('an asset on exchanges and in its pools has that number of markets, their volume, and no more effective venues', (t) => {
  assert.ok(listed.length > 10);
  for (const asset of listed) {
    const { pools, cexVolumeUsd } = world.market(asset, NOW);
    const volumes = [
      ...Object.values(booksOf(asset)).map(({ volumeShare }) => cexVolumeUsd * volumeShare),
      ...pools.map((row) => row.volume24hUsd),
    ];
    const total = volumes.reduce((sum, volume) => sum + volume, 0);
    const effective = 1 / volumes.reduce((sum, volume) => sum + (volume / total) ** 2, 0);
    const found = marketOf(observationsOf(asset));
    t.diagnostic(`${asset.slug}: effective venues ${found.effective.toFixed(2)} of ${volumes.length}`);
    assert.equal(found.markets, volumes.length, asset.slug);
    assert.ok(found.effective <= volumes.length, asset.slug);
    near(found.effective, effective, 10, `${asset.slug}, effective venues`);
    near(found.volumeUsd, total, 10, `${asset.slug}, volume`);
  }
});

test('the exchange’s own book and the registry’s row of it count as one depth', () => {
  for (const asset of listed) {
    const { cexVolumeUsd } = world.market(asset, NOW);
    const books = Object.values(booksOf(asset)).reduce((sum, { depthShare }) => sum + cexVolumeUsd * depthShare, 0);
    const found = marketOf(observationsOf(asset, [coingecko, ...exchanges]));
    near(found.upUsd, books, 10, `${asset.slug}, buying`);
    near(found.downUsd, books, 10, `${asset.slug}, selling`);
  }
});

test('the exchanges’ own replies add no market to the registry’s, and the other way round', () => {
  for (const asset of listed) {
    const registry = marketOf(observationsOf(asset, [coingecko]));
    const own = marketOf(observationsOf(asset, exchanges));
    const both = marketOf(observationsOf(asset, [coingecko, ...exchanges]));
    const { length } = Object.keys(booksOf(asset));
    assert.deepEqual([registry.markets, own.markets, both.markets], [length, length, length], asset.slug);
  }
});

test('markets that are priced in a stablecoin are not the stablecoin’s', () => {
  const dollar = listed.find((asset) => asset.category === 'stablecoin');
  assert.ok(dollar);
  const prices = observationsOf(dollar, [coingecko]).filter((row) => row.quantity === 'venue_price_usd');
  assert.ok(prices.length > 0);
  for (const { value, scope } of prices) near(Number(value), 1, 2, scope);
});

const META = { status: 200, headers: {}, fetchedAt: AS_OF, url: 'https://example.org/' };

function observe(source: Source, name: string, reply: object, params: Params): readonly Observation[] {
  const endpoint = source.endpoints.find((row) => row.name === name);
  assert.ok(endpoint);
  return endpoint.observe(reply as never, params, META).map((draft) => ({
    quantity: draft.quantity,
    scope: draft.scope ?? 'asset',
    value: draft.value,
    unit: QUANTITIES[draft.quantity].unit,
    meaning: draft.meaning ?? '',
    source: source.name,
    endpoint: name,
    family: draft.family ?? source.family,
    tier: draft.tier ?? source.tier,
    observedAt: AS_OF,
    fetchedAt: AS_OF,
    reliability: draft.reliability ?? source.reliability,
    binding: 1,
    responseId: `${source.name}.${name}#00000000`,
  }));
}

/** A market with what the registry, and what the exchange itself, say of it. */
interface Told {
  readonly exchange: 'binance' | 'gdax';
  readonly quote: string;
  readonly volumeUsd: number;
  readonly depthUsd: number;
  /** The exchange's own figures as a share of the registry's. */
  readonly own: number;
}

const PRICE = 10;

function toldByRegistry(markets: readonly Told[]): readonly Observation[] {
  const tickers = markets.map(({ exchange, quote, volumeUsd, depthUsd }) => ({
    base: 'HLD',
    target: quote,
    market: { name: exchange, identifier: exchange },
    converted_last: { usd: PRICE },
    converted_volume: { usd: volumeUsd },
    cost_to_move_up_usd: depthUsd,
    cost_to_move_down_usd: depthUsd,
    timestamp: AS_OF,
    coin_id: 'holdfast',
    target_coin_id: null,
  }));
  return observe(coingecko, 'tickers', { tickers }, { id: 'holdfast' });
}

function toldByExchanges(markets: readonly Told[]): readonly Observation[] {
  return markets.flatMap(({ exchange, quote, volumeUsd, depthUsd, own }) => {
    const size = String((depthUsd * own) / PRICE);
    const book = { bids: [[String(PRICE * 0.9999), size]], asks: [[String(PRICE * 1.0001), size]] };
    const volume = volumeUsd * own;
    if (exchange === 'gdax') {
      const params = { symbol: `HLD-${quote}` };
      const ticker = { price: String(PRICE), volume: String(volume / PRICE), time: AS_OF };
      return [...observe(coinbase, 'ticker', ticker, params), ...observe(coinbase, 'book', book, params)];
    }
    const params = { symbol: `HLD${quote}` };
    const ticker = { ...params, lastPrice: String(PRICE), quoteVolume: String(volume), closeTime: NOW };
    return [...observe(binance, 'ticker', ticker, params), ...observe(binance, 'depth', book, params)];
  });
}

const usd = fc.double({ min: 1e3, max: 1e9, noNaN: true });
const markets = (own: fc.Arbitrary<number>) =>
  fc
    .uniqueArray(
      fc.record({
        exchange: fc.constantFrom('binance' as const, 'gdax' as const),
        quote: fc.constantFrom('USD', 'USDT', 'USDC', 'FDUSD'),
        volumeUsd: usd,
        depthUsd: usd,
        own,
      }),
      { minLength: 1, maxLength: 6, selector: (row) => `${row.exchange} ${row.quote}` },
    )
    .filter((rows) => rows.every((row) => row.exchange === 'gdax' || row.quote !== 'USD'));

test('a second source that states the same of the same markets changes no depth, volume, venue or spread of prices', () => {
  fc.assert(
    fc.property(markets(fc.constant(1)), (rows) => {
      const once = marketOf(toldByRegistry(rows));
      const twice = marketOf([...toldByRegistry(rows), ...toldByExchanges(rows)]);
      assert.equal(twice.markets, rows.length);
      for (const name of ['volumeUsd', 'upUsd', 'downUsd', 'effective', 'largestShare', 'dispersion'] as const)
        assert.ok(
          Math.abs(twice[name] - once[name]) <= 1e-3 * Math.abs(once[name]) + 1e-9,
          `${name}: ${once[name]}, ${twice[name]}`,
        );
    }),
  );
});

test('a second source that contradicts moves each market at most to one of the two values', () => {
  fc.assert(
    fc.property(markets(fc.double({ min: 0.01, max: 100, noNaN: true })), (rows) => {
      const both = marketOf([...toldByRegistry(rows), ...toldByExchanges(rows)]);
      assert.equal(both.markets, rows.length);
      const least = (of: (row: Told) => number) => rows.reduce((sum, row) => sum + of(row) * Math.min(1, row.own), 0);
      const most = (of: (row: Told) => number) => rows.reduce((sum, row) => sum + of(row) * Math.max(1, row.own), 0);
      const within = (value: number, of: (row: Told) => number, what: string) =>
        assert.ok(value >= least(of) * 0.999 && value <= most(of) * 1.001, `${what} ${value}: ${JSON.stringify(rows)}`);
      within(both.volumeUsd, (row) => row.volumeUsd, 'volume');
      within(both.upUsd, (row) => row.depthUsd, 'buying');
      within(both.downUsd, (row) => row.depthUsd, 'selling');
      assert.ok(both.effective <= new Set(rows.map((row) => row.exchange)).size + 1e-9, 'exchanges, not markets');
    }),
  );
});

test('where the exchange and the registry disagree both are shown, and the exchange’s own value is taken', () => {
  const told: Told = { exchange: 'binance', quote: 'USDT', volumeUsd: 1e8, depthUsd: 1e5, own: 0.1 };
  const { consensus } = contextOf([...toldByRegistry([told]), ...toldByExchanges([told])]).input;
  const volumes = Object.values(consensus).filter((row) => row.quantity === 'venue_volume_24h_usd');
  assert.equal(volumes.length, 1);
  const [volume] = volumes;
  assert.equal(volume?.status, 'disputed');
  assert.ok(Math.abs(Number(volume?.value) / 1e7 - 1) < 1e-9);
  assert.deepEqual(
    volume?.voices.map(({ source, family, accepted, reason }) => ({ source, family, accepted, reason })),
    [
      { source: 'binance', family: 'cex', accepted: true, reason: null },
      { source: 'coingecko', family: 'coingecko', accepted: false, reason: 'lower_tier_in_dispute' },
    ],
  );
});

test('evidence archived under the names of two sources is counted once when it is rated again', () => {
  const told: readonly Told[] = [
    { exchange: 'binance', quote: 'USDT', volumeUsd: 7e6, depthUsd: 4e4, own: 1 },
    { exchange: 'gdax', quote: 'USD', volumeUsd: 3e6, depthUsd: 2e4, own: 1 },
  ];
  const earlier: Readonly<Record<string, string>> = {
    'coingecko venue:binance:HLD-USDT': 'venue:binance:HLD-USDT',
    'coingecko venue:coinbase:HLD-USD': 'venue:gdax:HLD-USD',
    'binance venue:binance:HLD-USDT': 'venue:binance:HLDUSDT',
  };
  const archived = [...toldByRegistry(told), ...toldByExchanges(told)].map((row) => ({
    ...row,
    scope: earlier[`${row.source} ${row.scope}`] ?? row.scope,
  }));
  const pool = { ...archived[0], quantity: 'venue_volume_24h_usd', scope: 'venue:raydium:HLD-SOL', value: 9e6 };
  const found = marketOf([...archived, pool as Observation]);
  assert.equal(found.markets, 2);
  near(found.volumeUsd, 1e7, 0.1, 'volume');
  near(found.upUsd, 6e4, 0.1, 'depth');
});
