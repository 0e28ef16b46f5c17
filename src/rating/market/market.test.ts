import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadMethodology } from '../../methodology/load.ts';
import type { Context } from '../context.ts';
import { inputOf, pool, said } from '../fixtures/asset.ts';
import { depthOf } from './depth.ts';
import { effectiveVenues, priceDispersion, venuesOf } from './venues.ts';
import { washOf } from './wash.ts';

const methodology = loadMethodology();
type Rows = Parameters<typeof inputOf>[0];
function contextOf(rows: Rows): Context {
  const input = inputOf(rows);
  return { input, methodology, category: 'default', kind: 'evm', native: false, now: Date.parse(input.asOf) };
}

test('a constant-product pool of a million has 5,025 below and 4,975 above at 2 %', () => {
  const found = depthOf(contextOf(pool('pool:a', { liquidity: 1e6, price: 1, volume: 1 })));
  assert.equal(found?.downUsd.toFixed(0), '5025');
  assert.equal(found?.upUsd.toFixed(0), '4975');
});

test('where ticks are not read a proxy stands in, says so, and is trusted little', () => {
  const found = depthOf(contextOf(pool('pool:a', { liquidity: 1e6, price: 1, volume: 1, kind: 'concentrated' })));
  assert.equal(found?.upUsd, 5_000);
  assert.ok((found?.confidence ?? 1) <= 0.4);
  assert.match(found?.method ?? '', /0\.5 % of liquidity/);
});

test('four equal venues count as four, and one giant as about one', () => {
  const venues = (volumes: readonly number[]) =>
    effectiveVenues(
      venuesOf(contextOf(volumes.flatMap((volume, i) => pool(`pool:${i}`, { liquidity: 1e6, price: 1, volume })))),
    );
  assert.equal(venues([5, 5, 5, 5])?.count, 4);
  assert.ok((venues([1e6, 1, 1, 1])?.count ?? 9) < 1.01);
});

test('one mad price among five moves the dispersion little', () => {
  const rows = [1, 1.001, 0.999, 1.002, 900].flatMap((price, i) =>
    pool(`pool:${i}`, { liquidity: 1e6, price, volume: 1 }),
  );
  assert.ok((priceDispersion(venuesOf(contextOf(rows)))?.value ?? 1) < 0.01);
});

function wash(volume: number, liquidity: number, traders: number, trades: number) {
  return washOf(
    contextOf([
      said('volume_24h_dex_usd', volume),
      said('liquidity_dex_usd', liquidity),
      said('traders_24h', traders),
      said('trades_24h', trades),
    ]),
  );
}

test('one odd statistic accuses nobody, two do, and soft tests never say more than half', () => {
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
