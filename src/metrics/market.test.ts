import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ConsensusSet } from '../domain/consensus.ts';
import { loadMethodology } from '../methodology/load.ts';
import { consensusOf, inputOf, pool } from '../rating/fixtures/asset.ts';
import { depthOf, proxyCurve, type ReadPool } from './depth.ts';
import { shownLiquidity } from './shown-liquidity.ts';
import { effectiveVenues, priceDispersion, venuesOf, washOf } from './venues.ts';

const { metrics } = loadMethodology();
const depthIn = (set: ConsensusSet, read?: ReadonlyMap<string, ReadPool>) => depthOf(set, metrics.depth, read);

type Rows = Parameters<typeof inputOf>[0];
const setOf = (rows: Rows): ConsensusSet => inputOf(rows).consensus;

test('a constant-product pool of a million has 5,025 below and 4,975 above at 2 %', () => {
  const found = depthIn(setOf(pool('pool:a', { liquidity: 1e6, price: 1, volume: 1 })));
  assert.equal(found?.downUsd.toFixed(0), '5025');
  assert.equal(found?.upUsd.toFixed(0), '4975');
});

test('where ticks are not read a proxy is used, marked, with low confidence', () => {
  const found = depthIn(setOf(pool('pool:a', { liquidity: 1e6, price: 1, volume: 1, kind: 'concentrated' })));
  assert.equal(found?.upUsd, 5_000);
  assert.ok((found?.confidence ?? 1) <= 0.4);
  assert.match(found?.method ?? '', /0\.5 % of liquidity/);
});

test('where no source reports a book as far as 2 %, the part that an exchange shows is a lower bound of depth', () => {
  const [kraken, okx] = ['venue:kraken:TIDE-USD', 'venue:okx:TIDE-USDT'];
  const rows = [
    consensusOf('venue_depth_up_2pct_usd', 900, { scope: kraken }),
    consensusOf('venue_depth_up_2pct_min_usd', 10, { scope: kraken }),
    consensusOf('venue_depth_down_2pct_min_usd', 20, { scope: kraken }),
    consensusOf('venue_depth_up_2pct_min_usd', 5, { scope: okx }),
    consensusOf('venue_depth_down_2pct_min_usd', 6, { scope: okx }),
  ];
  const found = depthIn(setOf(rows));
  assert.deepEqual([found?.upUsd, found?.downUsd], [905, 26]);
});

test('four equal venues count as four, and one giant as about one', () => {
  const venues = (volumes: readonly number[]) =>
    effectiveVenues(
      venuesOf(setOf(volumes.flatMap((volume, i) => pool(`pool:${i}`, { liquidity: 1e6, price: 1, volume })))),
    );
  assert.equal(venues([5, 5, 5, 5])?.count, 4);
  assert.ok((venues([1e6, 1, 1, 1])?.count ?? 9) < 1.01);
});

test('one mad price among five moves the dispersion little', () => {
  const rows = [1, 1.001, 0.999, 1.002, 900].flatMap((price, i) =>
    pool(`pool:${i}`, { liquidity: 1e6, price, volume: 1 }),
  );
  assert.ok((priceDispersion(venuesOf(setOf(rows)))?.value ?? 1) < 0.01);
});

function wash(volume: number, liquidity: number, traders: number, trades: number) {
  return washOf(
    setOf([
      consensusOf('volume_24h_dex_usd', volume),
      consensusOf('liquidity_dex_usd', liquidity),
      consensusOf('traders_24h', traders),
      consensusOf('trades_24h', trades),
    ]),
    metrics.wash,
  );
}

test('one conspicuous statistic marks nothing, two do, and soft tests never exceed half', () => {
  assert.equal(wash(1e9, 1e6, 1e6, 1e6)?.share, 0);
  assert.ok((wash(1e9, 1e6, 10, 100)?.share ?? 0) > 0.3);
  const sizes = fc.double({ min: 1, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(sizes, sizes, sizes, sizes, (volume, liquidity, traders, trades) => {
      const share = wash(volume, liquidity, traders, trades)?.share ?? 0;
      assert.ok(share >= 0 && share <= 0.5);
    }),
  );
});

test('quiet trading has no wash share at all', () => {
  assert.equal(wash(1e6, 1e6, 500, 2_000)?.share, 0);
});

const volumes = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 8 });
const poolsOf = (list: readonly number[], factor = 1) =>
  venuesOf(
    setOf(list.flatMap((volume, i) => pool(`pool:${i}`, { liquidity: 1e6, price: 1, volume: volume * factor }))),
  );

test('effective venues are between one and their number, and independent of the unit of volume', () => {
  fc.assert(
    fc.property(volumes, fc.double({ min: 0.001, max: 1000, noNaN: true }), (list, factor) => {
      const found = effectiveVenues(poolsOf(list));
      assert.ok(found && found.count >= 1 - 1e-9 && found.count <= list.length + 1e-9);
      assert.ok(found.largestShare <= 1 && found.largestShare >= 1 / list.length - 1e-9);
      assert.ok(Math.abs((effectiveVenues(poolsOf(list, factor))?.count ?? 0) - found.count) < 1e-6);
    }),
  );
});

test('dispersion does not depend on the unit of price, and equal prices have none', () => {
  const prices = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 2, maxLength: 8 });
  const of = (list: readonly number[], factor = 1) =>
    priceDispersion(
      venuesOf(
        setOf(list.flatMap((price, i) => pool(`pool:${i}`, { liquidity: 1e6, price: price * factor, volume: 1 }))),
      ),
    )?.value;
  fc.assert(
    fc.property(prices, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (list, factor) => {
      const found = of(list) ?? -1;
      assert.ok(found >= 0 && Math.abs((of(list, factor) ?? -1) - found) < 1e-9);
      assert.equal(of(list.map(() => list[0] ?? 1)), 0);
    }),
  );
});

test('more liquidity in a pool never lowers the depth', () => {
  const usd = fc.double({ min: 1, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(usd, usd, usd, fc.constantFrom('constant_product', 'concentrated'), (other, less, more, kind) => {
      const of = (liquidity: number) =>
        depthIn(
          setOf([
            ...pool('pool:a', { liquidity, price: 1, volume: 1, kind }),
            ...pool('pool:b', { liquidity: other, price: 1, volume: 1 }),
          ]),
        );
      const [small, large] = [of(Math.min(less, more)), of(Math.max(less, more))];
      assert.ok((large?.upUsd ?? 0) >= (small?.upUsd ?? 0) && (large?.downUsd ?? 0) >= (small?.downUsd ?? 0));
    }),
  );
});

test('a pool that was read from the chain replaces its proxy and is named; beside it one teller is not enough', () => {
  const set = setOf([
    ...pool('pool:a', { liquidity: 1e6, price: 1, volume: 1, kind: 'concentrated' }),
    ...pool('pool:b', { liquidity: 1e6, price: 1, volume: 1, kind: 'concentrated' }),
    consensusOf('pool_liquidity_usd', 1e9, { scope: 'pool:c', families: ['alpha'] }),
  ]);
  const curve = proxyCurve(4e6, 1, 0.003);
  assert.ok(curve);
  const found = depthIn(set, new Map([['pool:a', { pool: curve, confidence: 0.85 }]]));
  assert.equal(found?.upUsd.toFixed(0), String(Math.round(2e6 * (Math.sqrt(1.02) - 1) + 5_000)));
  assert.equal(found?.method, '1 pools read from the chain, 0.5 % of liquidity over 1 pools whose ticks were not read');
  assert.ok((found?.confidence ?? 0) > 0.6);
});

test('liquidity against the token of a large launchpad is shown; of that token itself only against coins and dollars', () => {
  const VIRTUAL = '0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b';
  const TOKEN = '0x00000000000000000000000000000000000000aa';
  const scope = 'pool:0xbb';
  const ranged = pool(scope, { liquidity: 9_000, price: 1, volume: 1, kind: 'concentrated' });
  const shown = (address: string, counter: string, counterTokens = true) =>
    shownLiquidity(
      setOf([...ranged, consensusOf('pool_pair', counter, { scope })]),
      { chain: 'base', address },
      { mostOverShown: 1, counterTokens },
    );
  assert.equal(shown(TOKEN, VIRTUAL)?.pools.get(scope), 9_000);
  assert.equal(shown(TOKEN, VIRTUAL, false), null, 'methodology 1.8.0');
  assert.deepEqual([shown(VIRTUAL, TOKEN), shown(TOKEN, TOKEN)], [null, null]);
});
