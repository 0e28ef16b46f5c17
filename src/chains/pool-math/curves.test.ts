import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Bin, binned } from './bins.ts';
import { concentrated } from './concentrated.ts';
import { constantProduct, divideUp, type PoolCurve } from './pool-curve.ts';
import { stableswap } from './stableswap.ts';
import { raydiumSqrtPriceAtTick, uniswapSqrtPriceAtTick, whirlpoolSqrtPriceAtTick } from './tick-math.ts';

const U64 = 2n ** 64n - 1n;
const reserve = fc.bigInt({ min: 1_000_000n, max: U64 });

const product = (reserve0: bigint, reserve1: bigint, millionths = 3_000n) =>
  constantProduct({
    reserve0,
    reserve1,
    fee: { how: 'separate', input: (amount) => divideUp(amount * millionths, 1_000_000n), output: () => 0n },
  });

/** A pool with liquidity everywhere it was read, and more near the price. */
function ranged(liquidity: bigint, tick: number, feeMillionths = 3_000n, bits: 64 | 96 = 64) {
  const sqrtPriceAtTick = bits === 96 ? uniswapSqrtPriceAtTick : whirlpoolSqrtPriceAtTick;
  const at = Math.floor(tick / 64) * 64;
  return concentrated({
    bits,
    sqrtPrice: sqrtPriceAtTick(tick),
    tick,
    liquidity: liquidity * 3n,
    feeMillionths,
    ticks: [
      { index: at - 6_400, liquidityNet: liquidity },
      { index: at - 640, liquidityNet: liquidity * 2n },
      { index: at + 640, liquidityNet: -liquidity * 2n },
      { index: at + 6_400, liquidityNet: -liquidity },
    ],
    lowest: at - 12_800,
    highest: at + 12_800,
    wordTicks: bits === 96 ? 256 * 64 : null,
    tickSpacing: 64,
    sqrtPriceAtTick,
  });
}

function bins(step: number, amounts: readonly bigint[], rate: bigint) {
  const all: Bin[] = amounts.map((amount, index) => {
    const id = index - 10;
    const price = BigInt(Math.round((1 + step / 10_000) ** id * 2 ** 64));
    return { id, price, amount0: id >= 0 ? amount : 0n, amount1: id <= 0 ? amount : 0n };
  });
  return binned({
    bits: 64,
    activeId: 0,
    bins: all,
    lowest: -10,
    highest: 10,
    activePrice: 1n << 64n,
    feeScale: 1_000_000_000n,
    fee: () => rate,
    compare: 'net',
  });
}

const curve2 = (x: bigint, y: bigint, amplification: bigint) =>
  stableswap({
    balances: [x, y],
    rates: [10n ** 30n, 10n ** 30n],
    amplification: amplification * 100n,
    amplificationPrecision: 100n,
    fee: 4_000_000n,
    rounding: 'classic',
    pair: [0, 1],
  });

describe('constant product', () => {
  it('is the closed form of methodology 9 for a 2 % move', () => {
    const pool = product(10n ** 15n, 10n ** 15n);
    assert(Math.abs(-pool.toPrice(0.98).amount1 / 1e15 - 0.010051) < 1e-6);
    assert(Math.abs(pool.toPrice(1.02).amount1 / 1e15 - 0.00995) < 1e-6);
  });

  it('is Uniswap v2 when the fee is folded in', () => {
    // UniswapV2Library.getAmountOut(1e18, 100e18, 200e18), worked by hand: 997e18*200e18/(100000e18+997e18).
    const pool = constantProduct({
      reserve0: 100n * 10n ** 18n,
      reserve1: 200n * 10n ** 18n,
      fee: { how: 'folded', keep: 997n, of: 1_000n },
    });
    assert.equal(pool.swapExactIn(10n ** 18n, true)?.amountOut, 1_974_316_068_794_122_597n);
  });

  it('never lets k fall, and a round trip never gains', () => {
    fc.assert(
      fc.property(reserve, reserve, fc.bigInt({ min: 1n, max: U64 }), fc.boolean(), (x, y, amountIn, zeroForOne) => {
        const swap = product(x, y).swapExactIn(amountIn, zeroForOne);
        assert(swap);
        const [x2, y2] = zeroForOne ? [x + amountIn, y - swap.amountOut] : [x - swap.amountOut, y + amountIn];
        assert(x2 * y2 >= x * y);
        const back = swap.amountOut > 0n ? product(x2, y2).swapExactIn(swap.amountOut, !zeroForOne) : null;
        assert((back?.amountOut ?? 0n) <= amountIn);
      }),
    );
  });

  it('stops at what is really there when reserves are virtual', () => {
    const pool = constantProduct({
      reserve0: 1_000_000n,
      reserve1: 1_000_000n,
      available0: 100_000n,
      available1: 50_000n,
      capOutput0: true,
      fee: { how: 'separate', input: () => 0n, output: () => 0n },
    });
    assert.equal(pool.swapExactIn(10n ** 9n, false)?.amountOut, 100_000n);
    assert.equal(pool.swapExactIn(10n ** 9n, true), null);
    const flow = pool.toPrice(100);
    assert.equal(flow.reached, false);
    assert.equal(-flow.amount0, 100_000);
  });
});

describe('every kind of curve', () => {
  const kinds: readonly [string, (feeless: boolean) => PoolCurve, bigint][] = [
    ['constant product', (feeless) => product(10n ** 15n, 3n * 10n ** 15n, feeless ? 0n : 3_000n), 10n ** 13n],
    ['ticks, Q64', (feeless) => ranged(10n ** 15n, -1_000, feeless ? 0n : 3_000n), 10n ** 13n],
    ['ticks, Q96', (feeless) => ranged(10n ** 15n, 1_234, feeless ? 0n : 3_000n, 96), 10n ** 13n],
    ['stableswap', () => curve2(10n ** 13n, 2n * 10n ** 13n, 200n), 10n ** 12n],
  ];

  for (const [name, make, size] of kinds) {
    it(`${name}: a price is reached by exactly the stated amounts (swapExactIn agrees)`, () => {
      fc.assert(
        fc.property(fc.double({ min: 0.6, max: 1.6, noNaN: true }), (factor) => {
          const pool = make(true);
          const flow = pool.toPrice(pool.price * factor);
          const zeroForOne = factor < 1;
          const amountIn = zeroForOne ? flow.amount0 : flow.amount1;
          if (!flow.reached || amountIn < 1e6) return;
          const out = pool.swapExactIn(BigInt(Math.round(amountIn)), zeroForOne)?.amountOut ?? 0n;
          const told = -(zeroForOne ? flow.amount1 : flow.amount0);
          // Stableswap keeps its fee of 0.04 %.
          const tolerance = name === 'stableswap' ? 5e-4 : 1e-6;
          assert(Math.abs(Number(out) / told - 1) < tolerance, `${out} against ${told}`);
        }),
        { numRuns: 60 },
      );
    });

    it(`${name}: a larger input never gives a smaller output, nor a price better than the marginal one`, () => {
      fc.assert(
        fc.property(
          fc.bigInt({ min: 1_000n, max: size }),
          fc.bigInt({ min: 1n, max: size }),
          fc.boolean(),
          (a, b, down) => {
            const pool = make(false);
            const less = pool.swapExactIn(a, down);
            const more = pool.swapExactIn(a + b, down);
            assert(less && more && more.amountOut >= less.amountOut);
            const marginal = down ? pool.price : 1 / pool.price;
            assert(Number(less.amountOut) <= Number(a) * marginal * (1 + 1e-9));
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  it('bins: constant sum inside a bin, one bin after another', () => {
    const pool = bins(25, new Array<bigint>(21).fill(1_000_000n), 0n);
    assert.equal(pool.price, 1);
    assert.equal(pool.swapExactIn(500_000n, true)?.amountOut, 500_000n);
    // The second bin costs 0.25 % more.
    assert.equal(pool.swapExactIn(1_500_000n, true)?.amountOut, 1_000_000n + 498_753n);
    const flow = pool.toPrice(0.99);
    // Bins 0 to -4 (0.99006) lie above 0.99, bin -5 (0.98759) does not.
    assert.equal(-flow.amount1, 5_000_000);
    assert.equal(pool.swapExactIn(10n ** 9n, true), null);
    assert.equal(pool.toPrice(0.5).reached, false);
  });

  it('bins: a round trip through a fee never gains', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 21, maxLength: 21 }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (held, input) => {
          const pool = bins(10, held, 2_000_000n);
          const out = pool.swapExactIn(input, true);
          if (out === null) return;
          assert(Number(out.amountOut) <= Number(input) * pool.price);
          assert(out.fee <= input);
        },
      ),
    );
  });
});

describe('stableswap', () => {
  it('exchanges one for one, less the contract’s rounding unit, in a balanced pool of three', () => {
    const pool = stableswap({
      balances: [10n ** 24n, 10n ** 24n, 10n ** 24n],
      rates: [10n ** 18n, 10n ** 18n, 10n ** 18n],
      amplification: 2_000n,
      amplificationPrecision: 1n,
      fee: 0n,
      rounding: 'classic',
      pair: [0, 2],
    });
    assert(Math.abs(pool.price - 1) < 1e-12);
    const swap = pool.swapExactIn(10n ** 18n, true);
    assert(swap && swap.amountOut < 10n ** 18n && swap.amountOut > 10n ** 18n - 10n ** 12n);
  });

  it('never gains by a round trip', () => {
    const balance = fc.bigInt({ min: 10n ** 8n, max: 10n ** 15n });
    fc.assert(
      fc.property(
        balance,
        balance,
        fc.bigInt({ min: 1n, max: 5_000n }),
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        (x, y, a, dx) => {
          const swap = curve2(x, y, a).swapExactIn(dx, true);
          if (swap === null || swap.amountOut === 0n || swap.amountOut >= y) return;
          const back = curve2(x + dx, y - swap.amountOut, a).swapExactIn(swap.amountOut, false);
          assert((back?.amountOut ?? 0n) <= dx);
        },
      ),
    );
  });
});

describe('square roots of prices', () => {
  it('begin and end at the programs’ bounds', () => {
    assert.equal(uniswapSqrtPriceAtTick(-887_272), 4_295_128_739n);
    assert.equal(uniswapSqrtPriceAtTick(887_272), 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n);
    assert.equal(whirlpoolSqrtPriceAtTick(443_636), 79_226_673_515_401_279_992_447_579_055n);
    assert.equal(raydiumSqrtPriceAtTick(-443_636), 4_295_048_016n);
    assert.equal(raydiumSqrtPriceAtTick(443_636), 79_226_673_521_066_979_257_578_248_091n);
  });
});

describe('nothing a chain can hold makes a curve throw', () => {
  const any = fc.oneof(fc.constantFrom(0n, 1n, U64, 2n ** 128n - 1n), fc.bigInt({ min: 0n, max: U64 }));
  const target = fc.oneof(fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e-300, 1e300), fc.double());
  it('whatever the reserves, the amount and the target', () => {
    fc.assert(
      fc.property(
        any,
        any,
        any,
        target,
        fc.boolean(),
        fc.integer({ min: -887_272, max: 887_272 }),
        (a, b, amount, to, side, tick) => {
          const safeTick = Math.max(-443_000, Math.min(443_000, tick));
          const curves = [
            product(a, b),
            ranged(a, safeTick),
            bins(1, new Array<bigint>(21).fill(a), b % 1_000_000_001n),
            curve2(a, b, 100n),
            curve2(a, b, 0n),
          ];
          for (const curve of curves) {
            const swap = curve.swapExactIn(amount, side);
            assert(swap === null || (swap.amountOut >= 0n && swap.amountIn === amount));
            assert(Number.isFinite(curve.price) && curve.price >= 0);
            const flow = curve.toPrice(to);
            assert(!Number.isNaN(flow.amount0) && !Number.isNaN(flow.amount1));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
