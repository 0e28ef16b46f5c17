import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { constantProduct, type PoolReading } from '../../chains/pool-math/pool-curve.ts';
import type { Asset } from '../../domain/asset.ts';
import { type AgreedPool, type IndexedPool, middleOf } from './indexed.ts';
import { describePool, type PoolPrices } from './record.ts';
import { buildPoolsSnapshot, type PoolsInput } from './snapshot.ts';

const ASSET: Asset = {
  id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:asset',
  chain: 'solana',
  address: 'asset',
  symbol: 'AST',
  name: 'Asset',
  category: null,
  website: null,
};
const HEAD: PoolsInput['head'] = {
  asset: ASSET,
  as_of: '2026-11-21T00:00:00.000Z',
  sources: [],
  attributions: [],
  warnings: [],
};
const PRICES: PoolPrices = {
  asset: 'asset',
  usd: new Map([
    ['asset', 2],
    ['usd', 1],
  ]),
  symbols: new Map([['usd', 'USDC']]),
};

function reading(address: string, usd: number, changes: Partial<PoolReading> = {}): PoolReading {
  const asset = BigInt(usd / 2) * 10n ** 9n;
  const quote = BigInt(usd) * 10n ** 6n;
  return {
    dex: 'raydium',
    protocol: 'raydium_cpmm',
    kind: 'constant_product',
    address,
    tokens: [
      { address: 'asset', decimals: 9, reserve: asset },
      { address: 'usd', decimals: 6, reserve: quote },
    ],
    feeRate: 0.0025,
    curve: constantProduct({ reserve0: asset, reserve1: quote, fee: { how: 'folded', keep: 9_975n, of: 10_000n } }),
    lp: { burned: 0.9, locked: 0.05, locker: 'Raydium burn and earn', unlocksAt: null, source: 'chain' },
    height: 100,
    inactive: null,
    notes: [],
    ...changes,
  };
}

function row(source: string, address: string, changes: Partial<IndexedPool> = {}): IndexedPool {
  return {
    source,
    dex: 'raydium',
    protocol: null,
    address,
    tokens: [
      { address: 'asset', symbol: 'AST' },
      { address: 'usd', symbol: 'USDC' },
    ],
    priceUsd: 2,
    tvlUsd: null,
    volume24hUsd: null,
    fees24hUsd: null,
    feeRatePct: null,
    createdAt: null,
    ...changes,
  };
}

type SnapshotInput = Omit<PoolsInput, 'agreed'>;

/** The snapshot of these rows, on which all who tell of a pool agree in the middle. */
function build(input: SnapshotInput) {
  const agreed = [...Map.groupBy(input.rows, (told) => told.address)].map(([address, told]): [string, AgreedPool] => {
    const liquidityUsd = middleOf(told.map((one) => one.tvlUsd));
    return [
      address,
      {
        liquidityUsd,
        priceUsd: middleOf(told.map((one) => one.priceUsd)),
        volume24hUsd: middleOf(told.map((one) => one.volume24hUsd)),
        families: told.length,
        reported: liquidityUsd === null ? null : { basis: 'tvl_proxy', liquidityUsd },
      },
    ];
  });
  return buildPoolsSnapshot({ ...input, agreed: new Map(agreed) });
}

describe('a pools snapshot', () => {
  it('takes reserves, price and fee from the chain, volume and age from indexers', () => {
    const snapshot = build({
      head: HEAD,
      readings: [reading('a', 1_000_000)],
      rows: [
        row('dexscreener', 'a', { volume24hUsd: 100, createdAt: '2024-02-01T00:00:00Z' }),
        row('geckoterminal', 'a', { volume24hUsd: 300, createdAt: '2024-01-01T00:00:00Z' }),
      ],
      prices: PRICES,
    });
    const [pool] = snapshot.pools;
    assert.equal(pool?.price_usd, 2);
    assert.equal(pool?.tvl_usd, 2_000_000);
    assert.equal(pool?.volume_24h_usd, 200);
    assert.equal(pool?.fees_24h_usd, 0.5);
    assert.equal(pool?.created_at, '2024-01-01T00:00:00Z');
    assert.equal(pool?.tokens[0]?.symbol, 'AST');
    assert.equal(pool?.lp?.burned_pct, 90);
    assert.equal(pool?.depth_method, 'exact');
    assert.deepEqual(pool?.sources, ['chain', 'dexscreener', 'geckoterminal']);
    assert.equal(snapshot.depth_method, 'exact');
    assert.equal(snapshot.height, 100);
  });

  it('prices the asset the same whichever side of the pool it is', () => {
    const straight = reading('a', 1_000_000);
    const [asset, usd] = straight.tokens;
    const turned = reading('a', 1_000_000, {
      tokens: [usd, asset],
      curve: constantProduct({
        reserve0: usd.reserve,
        reserve1: asset.reserve,
        fee: { how: 'folded', keep: 9_975n, of: 10_000n },
      }),
    });
    const [a, b] = [straight, turned].map((pool) => describePool(pool, PRICES));
    assert.equal(a?.price_usd, b?.price_usd);
    assert.equal(a?.tvl_usd, b?.tvl_usd);
    for (const [index, depth] of (a?.depth ?? []).entries()) {
      assert(Math.abs((depth.up_usd ?? 0) / (b?.depth[index]?.up_usd ?? 1) - 1) < 1e-9);
      assert(Math.abs((depth.down_usd ?? 0) / (b?.depth[index]?.down_usd ?? 1) - 1) < 1e-9);
    }
  });

  it('has no value of a pool that only states its reserves and that nobody confirms', () => {
    const stated = (protocol: string) =>
      build({
        head: HEAD,
        readings: [reading('a', 1_000_000), { ...reading('b', 900_000_000), protocol }],
        rows: [],
        prices: PRICES,
      }).totals.tvl_usd;
    assert.equal(stated('curve_like'), 2_000_000);
    assert.equal(stated('liquidity_book_like'), 2_000_000);
    assert.equal(stated('curve_stable_ng'), 1_802_000_000);
  });

  it('names the indexer that contradicts the chain', () => {
    const snapshot = build({
      head: HEAD,
      readings: [reading('a', 1_000_000)],
      rows: [row('liar', 'a', { tvlUsd: 50_000_000, priceUsd: 2.01 }), row('honest', 'a', { tvlUsd: 2_100_000 })],
      prices: PRICES,
    });
    assert.deepEqual(snapshot.pools[0]?.conflicts, [
      { what: 'tvl_usd', source: 'liar', value: 50_000_000, chain: 2_000_000 },
    ]);
    assert.equal(snapshot.pools[0]?.tvl_usd, 2_000_000);
  });

  it('lets no single indexer add depth with a pool that was not read', () => {
    const input = { head: HEAD, readings: [reading('a', 1_000_000)], prices: PRICES };
    const without = build({ ...input, rows: [] });
    const one = build({ ...input, rows: [row('x', 'b', { tvlUsd: 1e9 })] });
    const two = build({
      ...input,
      rows: [row('x', 'b', { tvlUsd: 1e9 }), row('y', 'b', { tvlUsd: 1e9 })],
    });
    assert.deepEqual(one.depth, without.depth);
    assert.equal(one.depth_method, 'exact');
    assert.equal(two.depth_method, 'mixed');
    assert.equal(one.totals.verified_pools, 1);
    assert.equal(one.totals.pools, 2);
  });

  it('falls back to the value locked when nothing was read', () => {
    const snapshot = build({
      head: HEAD,
      readings: [],
      rows: [row('x', 'b', { tvlUsd: 1e6 })],
      prices: PRICES,
    });
    assert.equal(snapshot.depth_method, 'tvl_proxy');
    assert.equal(snapshot.pools[0]?.verified, false);
    assert.equal(snapshot.pools[0]?.depth.find((depth) => depth.move_pct === 2)?.up_usd, 5_000);
    assert.equal(snapshot.height, null);
  });

  it('counts nothing of a token without a price: not its value, not its depth', () => {
    const tokens = reading('a', 1_000_000).tokens;
    const worthless = reading('a', 1_000_000, { tokens: [tokens[0], { ...tokens[1], address: 'worthless' }] });
    const snapshot = build({ head: HEAD, readings: [worthless], rows: [], prices: PRICES });
    assert.equal(snapshot.pools[0]?.tvl_usd, 1_000_000);
    assert.equal(snapshot.pools[0]?.price_usd, null);
    assert.deepEqual(snapshot.depth, []);
  });

  it('gives a pool without trades no depth', () => {
    const snapshot = build({
      head: HEAD,
      readings: [reading('a', 1_000_000, { inactive: 'swaps are turned off' })],
      rows: [],
      prices: PRICES,
    });
    assert.deepEqual(snapshot.depth, []);
    assert.equal(snapshot.depth_method, null);
    assert(snapshot.pools[0]?.notes.includes('does not trade: swaps are turned off'));
  });

  it('makes JSON without NaN or infinity from absurd pools', () => {
    for (const decimals of [0, 255]) {
      const snapshot = build({
        head: HEAD,
        readings: [
          reading('a', 1_000_000, {
            tokens: [
              { address: 'asset', decimals, reserve: 2n ** 64n - 1n },
              { address: 'usd', decimals: 255 - decimals, reserve: 0n },
            ],
          }),
          reading('b', 2, {
            curve: constantProduct({ reserve0: 0n, reserve1: 0n, fee: { how: 'folded', keep: 1n, of: 1n } }),
          }),
        ],
        rows: [row('x', 'c', { tvlUsd: Number.POSITIVE_INFINITY, priceUsd: 0 })],
        prices: PRICES,
      });
      const numbers: number[] = [];
      JSON.stringify(snapshot, (_, value) => {
        if (typeof value === 'number') numbers.push(value);
        return value;
      });
      assert(numbers.every(Number.isFinite));
    }
  });

  it('lists the largest value locked first', () => {
    const snapshot = build({
      head: HEAD,
      readings: [reading('a', 1_000_000), reading('b', 1_000)],
      rows: [row('x', 'c', { tvlUsd: 5e6 })],
      prices: PRICES,
    });
    assert.deepEqual(
      snapshot.pools.map((pool) => pool.address),
      ['c', 'a', 'b'],
    );
  });
});
