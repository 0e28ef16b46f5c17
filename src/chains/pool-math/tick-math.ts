/**
 * Square root of the price at a tick, with each program's rounding. The price at tick t is 1.0001^t; a program multiplies
 * factors 1.0001^(2^i / 2), one per bit of |t|, and rounds after each.
 */
type TickTable = (tick: number) => bigint;

const WORKING_BITS = 600n;
const FACTORS = 20;

/** 1.0001^(2^i / 2), `WORKING_BITS` fraction bits. */
const ROOTS: readonly bigint[] = roots();

/** Uniswap v3-core TickMath.getSqrtRatioAtTick: factors below one rounded to 128 bits, result Q64.96 rounded up. */
export const uniswapSqrtPriceAtTick: TickTable = uniswapTable();

/** Whirlpool: factors above one with 96 bits for ticks from 0, below one with 64 bits for negative ticks; Q64.64. */
export const whirlpoolSqrtPriceAtTick: TickTable = whirlpoolTable();

/** Raydium CLMM (libraries/tick_math.rs): factors below one, 64 bits, of lower precision; Q64.64. */
export const raydiumSqrtPriceAtTick: TickTable = raydiumTable();

function uniswapTable(): TickTable {
  const one = 1n << 128n;
  const factors = ROOTS.map((root) => ((1n << (WORKING_BITS + 129n)) / root + 1n) >> 1n);
  return (tick) => {
    const below = product(Math.abs(tick), factors, 128n);
    const ratio = tick > 0 ? ((1n << 256n) - 1n) / below : below;
    return (ratio >> 32n) + (ratio % (one >> 96n) === 0n ? 0n : 1n);
  };
}

function whirlpoolTable(): TickTable {
  const above = ROOTS.map((root) => root >> (WORKING_BITS - 96n));
  const below = ROOTS.map((root) => (1n << (WORKING_BITS + 64n)) / root);
  return (tick) => (tick >= 0 ? product(tick, above, 96n) >> 32n : product(-tick, below, 64n));
}

/** The program's published factors. They are not the exact roots and cannot be computed. */
const RAYDIUM_FACTORS: readonly bigint[] = [
  0xfffcb933bd6fb800n,
  0xfff97272373d4000n,
  0xfff2e50f5f657000n,
  0xffe5caca7e10f000n,
  0xffcb9843d60f7000n,
  0xff973b41fa98e800n,
  0xff2ea16466c9b000n,
  0xfe5dee046a9a3800n,
  0xfcbe86c7900bb000n,
  0xf987a7253ac65800n,
  0xf3392b0822bb6000n,
  0xe7159475a2caf000n,
  0xd097f3bdfd2f2000n,
  0xa9f746462d9f8000n,
  0x70d869a156f31c00n,
  0x31be135f97ed3200n,
  0x9aa508b5b85a500n,
  0x5d6af8dedc582cn,
  0x2216e584f5fan,
];

function raydiumTable(): TickTable {
  return (tick) => {
    const below = product(Math.abs(tick), RAYDIUM_FACTORS, 64n);
    return tick > 0 ? ((1n << 128n) - 1n) / below : below;
  };
}

function product(magnitude: number, factors: readonly bigint[], bits: bigint): bigint {
  let ratio = 1n << bits;
  for (const [bit, factor] of factors.entries()) if ((magnitude >>> bit) & 1) ratio = (ratio * factor) >> bits;
  return ratio;
}

function roots(): readonly bigint[] {
  let root = integerRoot((10_001n << (2n * WORKING_BITS)) / 10_000n);
  return Array.from({ length: FACTORS }, () => {
    const present = root;
    root = (root * root) >> WORKING_BITS;
    return present;
  });
}

function integerRoot(value: bigint): bigint {
  let root = 1n << (WORKING_BITS + 1n);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
