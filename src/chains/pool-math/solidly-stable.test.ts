import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { solidlyStable } from './stableswap.ts';

const ONE = 10n ** 18n;
const decimals = fc.constantFrom(6, 8, 18);
const pools = fc
  .record({
    whole0: fc.integer({ min: 1_000, max: 1e9 }),
    tilt: fc.double({ min: 0.2, max: 5, noNaN: true }),
    decimals0: decimals,
    decimals1: decimals,
    fee: fc.constantFrom(0n, 1n, 5n, 30n),
  })
  .map(({ whole0, tilt, decimals0, decimals1, fee }) => ({
    reserve0: BigInt(whole0) * 10n ** BigInt(decimals0),
    reserve1: BigInt(Math.round(whole0 * tilt)) * 10n ** BigInt(decimals1),
    decimals0,
    decimals1,
    fee,
  }));
const part = fc.double({ min: 1e-6, max: 0.5, noNaN: true });

/** The invariant in exact fractions of 10^72: no rounding of the contract's in it. */
function exactK(reserve0: bigint, reserve1: bigint, decimals0: number, decimals1: number): bigint {
  const [x, y] = [reserve0 * 10n ** BigInt(18 - decimals0), reserve1 * 10n ** BigInt(18 - decimals1)];
  return x * y * (x * x + y * y);
}

test('the invariant never falls, and what is paid is all it allows but for rounding', () => {
  fc.assert(
    fc.property(pools, part, fc.boolean(), (pool, share, zeroForOne) => {
      const [from, to] = zeroForOne ? [pool.reserve0, pool.reserve1] : [pool.reserve1, pool.reserve0];
      const amountIn = (from * BigInt(Math.round(share * 1e6))) / 1_000_000n;
      const swap = solidlyStable(pool).swapExactIn(amountIn, zeroForOne);
      assert.ok(swap && swap.amountOut >= 0n && swap.amountOut < to);
      assert.equal(swap.fee, (amountIn * pool.fee) / 10_000n);
      const after = (out: bigint) => {
        const [inside, outside] = [from + amountIn - swap.fee, to - out];
        return zeroForOne
          ? exactK(inside, outside, pool.decimals0, pool.decimals1)
          : exactK(outside, inside, pool.decimals0, pool.decimals1);
      };
      const before = exactK(pool.reserve0, pool.reserve1, pool.decimals0, pool.decimals1);
      // A few units of the eighteenth decimal: the contract rounds its invariant down three times.
      const places = zeroForOne ? pool.decimals1 : pool.decimals0;
      const slack = 10n + to / ONE / 1_000n;
      assert.ok(after(swap.amountOut - slack) >= before);
      assert.ok(after(swap.amountOut + slack + (places < 18 ? 1n : 10_000n)) < before);
    }),
  );
});

test('buying and selling back never gains', () => {
  fc.assert(
    fc.property(pools, part, (pool, share) => {
      const amountIn = (pool.reserve0 * BigInt(Math.round(share * 1e6))) / 1_000_000n;
      const there = solidlyStable(pool).swapExactIn(amountIn, true);
      if (there === null || there.amountOut === 0n) return;
      const moved = {
        ...pool,
        reserve0: pool.reserve0 + amountIn - there.fee,
        reserve1: pool.reserve1 - there.amountOut,
      };
      const back = solidlyStable(moved).swapExactIn(there.amountOut, false);
      assert.ok(back === null || back.amountOut <= amountIn);
    }),
  );
});

test('equal sides trade at one, the price of a small swap is the marginal one, and toPrice agrees with swaps', () => {
  const even = solidlyStable({ reserve0: 10n ** 12n, reserve1: 10n ** 24n, decimals0: 6, decimals1: 18, fee: 0n });
  assert.ok(Math.abs(even.price / 1e12 - 1) < 1e-12);
  fc.assert(
    fc.property(pools, fc.double({ min: 0.8, max: 0.999, noNaN: true }), (pool, factor) => {
      const curve = solidlyStable({ ...pool, fee: 0n });
      const small = pool.reserve0 / 100_000n;
      const swap = curve.swapExactIn(small, true);
      assert.ok(swap && Math.abs(Number(swap.amountOut) / Number(small) / curve.price - 1) < 1e-3);
      const moved = curve.toPrice(curve.price * factor);
      assert.ok(moved.reached && moved.amount0 > 0 && moved.amount1 < 0);
      const same = curve.swapExactIn(BigInt(Math.round(moved.amount0)), true);
      assert.ok(same && Math.abs(Number(same.amountOut) / -moved.amount1 - 1) < 1e-5);
    }),
    { numRuns: 40 },
  );
});

test('an empty or absurd pool fills nothing and never throws', () => {
  for (const pool of [
    { reserve0: 0n, reserve1: 10n, decimals0: 6, decimals1: 6, fee: 1n },
    { reserve0: 1n, reserve1: 1n, decimals0: 255, decimals1: 0, fee: 1n },
    { reserve0: 1n << 250n, reserve1: 1n, decimals0: 0, decimals1: 18, fee: 10_000n },
  ]) {
    const curve = solidlyStable(pool);
    assert.doesNotThrow(() => [curve.swapExactIn(5n, true), curve.swapExactIn(1n << 200n, false), curve.toPrice(1)]);
  }
});
