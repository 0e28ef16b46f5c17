import { finite } from '../../chains/pool-math/integer.ts';
import type { PoolDepth } from '../../domain/snapshot.ts';
import { DEPTH_MOVES_PCT, type RoutedPool } from './aggregate.ts';

/** Depth from value locked alone is a guess: methodology 9 lets it count for at most this much confidence. */
export const TVL_PROXY_CONFIDENCE = 0.4;
/** Share of the value locked on each side of a 2 % move (a constant-product pool has 0.50 %: methodology 9). */
const SHARE_AT_2_PCT = 0.005;

/** Depth of a pool of which only the value locked is known, `depth_method` "tvl_proxy": linear in the move. */
export function tvlProxyDepth(tvlUsd: number): readonly PoolDepth[] {
  return DEPTH_MOVES_PCT.map((movePct) => {
    const side = finite(tvlUsd > 0 ? tvlUsd * SHARE_AT_2_PCT * (movePct / 2) : null);
    return { move_pct: movePct, down_usd: side, up_usd: side };
  });
}

/** The same guess as a curve: x * y = k with half the value on each side, so that it can be routed beside exact pools. */
export function tvlProxyPool(tvlUsd: number, priceUsd: number, feeRate: number): RoutedPool | null {
  const quote = tvlUsd / 2;
  const asset = quote / priceUsd;
  if (!(quote > 0) || !(asset > 0) || !Number.isFinite(asset)) return null;
  const price = quote / asset;
  return {
    curve: {
      price,
      toPrice(target) {
        const root = Math.sqrt(target / price);
        return { amount0: asset * (1 / root - 1), amount1: quote * (root - 1), reached: true };
      },
    },
    assetIsToken0: true,
    assetDecimals: 0,
    quoteDecimals: 0,
    quoteUsd: 1,
    feeRate,
  };
}
