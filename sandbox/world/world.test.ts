import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { getAddress } from 'viem';
import { addressBytes } from '../../src/chains/codecs/accounts.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { createWorld } from './world.ts';

const ANCHOR = Date.UTC(2026, 5, 1);
const moments = fc.record({
  seed: fc.integer({ min: 0, max: 1000 }),
  hours: fc.integer({ min: -24 * 30, max: 24 * 30 }),
});

test('the world has at least forty assets, eight of them DeFi protocols with fees and value locked', () => {
  const { assets, tokens } = createWorld({ seed: 1, anchor: ANCHOR });
  assert.ok(tokens.length >= 40);
  assert.ok(assets.filter((asset) => asset.category === 'defi' && asset.tvlUsd && asset.feesPerDayUsd).length >= 8);
  assert.deepEqual([...new Set(tokens.map((asset) => asset.chain))].sort(), ['base', 'bsc', 'ethereum', 'solana']);
});

test('every name ends in .example and every address is well formed and used once', () => {
  const { assets, tokens } = createWorld({ seed: 7, anchor: ANCHOR });
  for (const asset of assets) assert.match(asset.domain, /\.example$/);
  for (const { chain, address } of tokens) {
    if (chain === 'solana') assert.equal(addressBytes(address)?.length, 32);
    else assert.equal(getAddress(address).toLowerCase(), address);
  }
  assert.equal(new Set(tokens.map((asset) => asset.address)).size, tokens.length);
});

test('at any moment the numbers of an asset agree with each other', () => {
  fc.assert(
    fc.property(moments, ({ seed, hours }) => {
      const world = createWorld({ seed, anchor: ANCHOR });
      const at = ANCHOR + hours * 3_600_000;
      for (const asset of world.tokens) {
        const market = world.market(asset, at);
        near(market.priceUsd * market.circulatingSupply, market.marketCapUsd);
        near(market.dexVolumeUsd + market.cexVolumeUsd, market.volumeUsd);
        near(
          market.pools.reduce((sum, pool) => sum + pool.volume24hUsd, 0),
          market.dexVolumeUsd,
        );
        for (const pool of market.pools) {
          near(pool.baseAmount * market.priceUsd + pool.quoteAmount * pool.quoteUsd, pool.liquidityUsd);
        }
        const holders = world.holders(asset, at);
        const held = holders.reduce((sum, holder) => sum + holder.share, 0);
        assert.ok(held <= 1, `${asset.slug}: holders hold ${held}`);
        const kinds = new Set(holders.map((holder) => holder.kind));
        assert.ok(kinds.has('pool') || holders.length >= 20, `${asset.slug}: no pool among the holders`);
        assert.ok(market.circulatingSupply <= market.totalSupply * 1.0000001);
      }
    }),
    { numRuns: 15 },
  );
});

test('the same seed gives the same world, another seed another', () => {
  const snapshot = (seed: number) => {
    const world = createWorld({ seed, anchor: ANCHOR });
    return JSON.stringify(world.tokens.map((asset) => [asset.address, world.market(asset, ANCHOR + 5e7)]));
  };
  assert.equal(snapshot(3), snapshot(3));
  assert.notEqual(snapshot(3), snapshot(4));
});

test('prices move with time, without jumps from one minute to the next', () => {
  const world = createWorld({ seed: 1, anchor: ANCHOR });
  for (const asset of world.tokens) {
    const now = world.price(asset, ANCHOR);
    assert.notEqual(now, world.price(asset, ANCHOR - 3 * DAY_MS));
    assert.ok(Math.abs(Math.log(world.price(asset, ANCHOR + 60_000) / now)) < 0.01, asset.slug);
  }
});

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}`);
}
