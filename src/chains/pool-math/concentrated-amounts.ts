import type { Concentrated } from './concentrated.ts';

/**
 * What the liquidity of all ticks that were read holds, in base units, rounded down: token 0 lies above the price, token 1
 * below. For pools whose tokens lie together with those of others.
 */
export function amountsWithin(pool: Concentrated): readonly [amount0: bigint, amount1: bigint] {
  if (pool.sqrtPrice <= 0n) return [0n, 0n];
  const ticks = [...pool.ticks].sort((a, b) => a.index - b.index);
  const bits = BigInt(pool.bits);
  let amount0 = 0n;
  let liquidity = pool.liquidity;
  let root = pool.sqrtPrice;
  for (const tick of [...ticks.filter((one) => one.index > pool.tick), null]) {
    const next = pool.sqrtPriceAtTick(tick?.index ?? pool.highest);
    if (next > root) {
      if (liquidity > 0n) amount0 += ((liquidity << bits) * (next - root)) / (next * root);
      root = next;
    }
    liquidity += tick?.liquidityNet ?? 0n;
  }
  let amount1 = 0n;
  liquidity = pool.liquidity;
  root = pool.sqrtPrice;
  for (const tick of [...ticks.filter((one) => one.index <= pool.tick).reverse(), null]) {
    const next = pool.sqrtPriceAtTick(tick?.index ?? pool.lowest);
    if (next < root) {
      if (liquidity > 0n) amount1 += (liquidity * (root - next)) >> bits;
      root = next;
    }
    liquidity -= tick?.liquidityNet ?? 0n;
  }
  return [amount0, amount1];
}
