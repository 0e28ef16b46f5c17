import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { binned } from '../chains/pool-math/bins.ts';
import { constantProduct } from '../chains/pool-math/pool-curve.ts';
import { poolsDepth, proxyCurve } from './depth.ts';
import { largestExit, type RoutedPool, routedDepth, slippageOf } from './routing.ts';

/** A pool of an asset (9 decimals) and dollars (6 decimals) with `usd` on each side. */
function pool(usd: number, priceUsd: number, feeRate: number, assetIsToken0 = true): RoutedPool {
  const asset = BigInt(Math.round((usd / priceUsd) * 1e9));
  const quote = BigInt(Math.round(usd * 1e6));
  const [reserve0, reserve1] = assetIsToken0 ? [asset, quote] : [quote, asset];
  const curve = constantProduct({ reserve0, reserve1, fee: { how: 'folded', keep: 1_000n, of: 1_000n } });
  return { curve, assetIsToken0, assetDecimals: 9, quoteDecimals: 6, quoteUsd: 1, feeRate };
}

describe('depth', () => {
  it('is the closed form for one pool, whichever side the asset is', () => {
    for (const side of [true, false]) {
      const at2 = routedDepth([pool(1_000_000, 3, 0.003, side)]).find((row) => row.move_pct === 2);
      assert(Math.abs((at2?.down_usd ?? 0) - 10_050.5) < 1, String(at2?.down_usd));
      assert(Math.abs((at2?.up_usd ?? 0) - 9_950.5) < 1);
    }
  });

  it('grows with the move, and with every pool added at the same price', () => {
    const size = fc.double({ min: 1e3, max: 1e8, noNaN: true });
    fc.assert(
      fc.property(size, size, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (a, b, price) => {
        const one = routedDepth([pool(a, price, 0.003)]);
        const both = routedDepth([pool(a, price, 0.003), pool(b, price, 0.01)]);
        for (const [index, row] of both.entries()) {
          const before = both[index - 1];
          assert((row.up_usd ?? 0) >= (before?.up_usd ?? 0));
          assert((row.down_usd ?? 0) >= (before?.down_usd ?? 0));
          assert((row.up_usd ?? 0) > (one[index]?.up_usd ?? 0) * 0.99);
        }
      }),
    );
  });
});

describe('slippage', () => {
  it('is that of methodology 9 for $1M of value locked', () => {
    const rows = slippageOf([pool(500_000, 2, 0)]);
    const at10k = rows.find((row) => row.size_usd === 10_000);
    assert(Math.abs((at10k?.buy_pct ?? 0) - 2) < 0.01, String(at10k?.buy_pct));
    assert(Math.abs((at10k?.sell_pct ?? 0) - (1 - 1 / 1.02) * 100) < 0.01, String(at10k?.sell_pct));
  });

  it('over all pools is never worse than over the best one alone', () => {
    const one = fc.record({
      usd: fc.double({ min: 2e6, max: 1e9, noNaN: true }),
      fee: fc.constantFrom(0, 0.0005, 0.003, 0.01),
      side: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), (specs) => {
        const pools = specs.map(({ usd, fee, side }) => pool(usd, 5, fee, side));
        const together = slippageOf(pools);
        for (const alone of pools.map((single) => slippageOf([single]))) {
          for (const [index, row] of together.entries()) {
            assert((row.buy_pct ?? 0) <= (alone[index]?.buy_pct ?? 0) + 1e-6);
            assert((row.sell_pct ?? 0) <= (alone[index]?.sell_pct ?? 0) + 1e-6);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('does not trade in a pool whose fee is above the gain', () => {
    const cheap = pool(1e9, 1, 0.0001);
    const together = slippageOf([cheap, pool(1e9, 1, 0.05)]);
    assert(Math.abs((together[0]?.buy_pct ?? 0) - (slippageOf([cheap])[0]?.buy_pct ?? 1)) < 1e-9);
  });

  it('splits a bin, and is null when the bins are empty before the trade is filled', () => {
    const curve = binned({
      bits: 64,
      activeId: 0,
      bins: [{ id: 0, amount0: 50_000_000_000n, amount1: 50_000_000_000n, price: 1n << 64n }],
      lowest: 0,
      highest: 0,
      activePrice: 1n << 64n,
      feeScale: 1_000n,
      fee: () => 1n,
      compare: 'gross',
    });
    const bin: RoutedPool = {
      curve,
      assetIsToken0: true,
      assetDecimals: 6,
      quoteDecimals: 6,
      quoteUsd: 1,
      feeRate: 0.001,
    };
    const rows = slippageOf([bin]);
    assert(Math.abs((rows[1]?.buy_pct ?? 0) - 0.1001001) < 1e-4, String(rows[1]?.buy_pct));
    assert.equal(rows[2]?.buy_pct, null);
  });

  it('leaves out a pool whose price is far from the others', () => {
    const trap = pool(1_000, 0.01, 0.003);
    assert.deepEqual(slippageOf([pool(1e8, 5, 0.003), trap]), slippageOf([pool(1e8, 5, 0.003)]));
  });

  it('of nothing is null', () => {
    assert.equal(slippageOf([])[0]?.buy_pct, null);
    assert.equal(routedDepth([pool(0, 1, 0)])[0]?.up_usd, null);
  });
});

describe('a proxy from the value locked', () => {
  it('is half a per cent of it on each side at 2 %', () => {
    const depth = poolsDepth([], [{ basis: 'tvl_proxy', liquidityUsd: 1_000_000 }]);
    assert.equal(depth.find((row) => row.move_pct === 2)?.down_usd, 5_000);
    assert.equal(proxyCurve(0, 1, 0), null);
    const routed = proxyCurve(1_000_000, 3, 0.003);
    assert(routed);
    const at2 = routedDepth([routed]).find((row) => row.move_pct === 2);
    assert(Math.abs((at2?.down_usd ?? 0) - 5_025) < 1);
  });

  it('adds to what was read, and nothing known is null', () => {
    const read = pool(1_000_000, 3, 0.003);
    const told = { basis: 'constant_product', quoteUsd: 500_000 } as const;
    const both = poolsDepth([read], [told]);
    for (const [index, row] of routedDepth([read]).entries()) assert((both[index]?.up_usd ?? 0) > (row.up_usd ?? 0));
    assert.deepEqual(
      poolsDepth([], []).map((row) => row.up_usd),
      [null, null, null, null],
    );
  });

  it('grows with the move and in proportion to the value', () => {
    const usd = fc.double({ min: 1, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(usd, fc.double({ min: 0.01, max: 1000, noNaN: true }), (value, factor) => {
        for (const basis of ['constant_product', 'tvl_proxy'] as const) {
          const of = (amount: number) =>
            poolsDepth([], [basis === 'tvl_proxy' ? { basis, liquidityUsd: amount } : { basis, quoteUsd: amount }]);
          const [one, grown] = [of(value), of(value * factor)];
          for (const [index, row] of one.entries()) {
            assert((row.up_usd ?? 0) > (one[index - 1]?.up_usd ?? 0));
            assert((row.down_usd ?? 0) > (one[index - 1]?.down_usd ?? 0));
            const ratio = (grown[index]?.down_usd ?? 0) / (row.down_usd ?? 1);
            assert(Math.abs(ratio / factor - 1) < 1e-9);
          }
        }
      }),
    );
  });
});

describe('the largest exit', () => {
  it('is the closed form for one pool without a fee', () => {
    // A sale of s dollars into y brings y s / (y + s): it costs s / (y + s) of its value.
    const exit = largestExit([pool(1_000_000, 3, 0)], 2);
    assert(exit !== null && Math.abs(exit.sizeUsd - (1_000_000 * 0.02) / 0.98) < 1, String(exit?.sizeUsd));
    assert(Math.abs(exit.receivedUsd - exit.sizeUsd * 0.98) < 1);
  });

  it('agrees with the published slippage: a sale of a published size costs what the exit of that cost allows', () => {
    const specs = fc.array(
      fc.record({
        usd: fc.double({ min: 2e5, max: 1e8, noNaN: true }),
        fee: fc.constantFrom(0, 0.0005, 0.003, 0.01),
        side: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(specs, (rows) => {
        const pools = rows.map(({ usd, fee, side }) => pool(usd, 5, fee, side));
        for (const { size_usd: size, sell_pct: cost } of slippageOf(pools)) {
          if (cost === null || cost <= 0.01 || cost >= 99) continue;
          const exit = largestExit(pools, cost);
          assert(
            exit !== null && Math.abs(exit.sizeUsd / size - 1) < 1e-3,
            `${exit?.sizeUsd} for ${size} at ${cost} %`,
          );
          const parts = exit.parts.reduce((sum, part) => sum + part, 0);
          assert(Math.abs(parts / exit.sizeUsd - 1) < 1e-9);
        }
      }),
    );
  });

  it('is nothing where the fee alone costs more', () => {
    assert.equal(largestExit([pool(1_000_000, 3, 0.03)], 2)?.sizeUsd, 0);
    assert.equal(largestExit([], 2), null);
  });
});
