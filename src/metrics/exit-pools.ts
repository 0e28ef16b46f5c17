import type { ConsensusSet } from '../domain/index.ts';
import { numberAt } from './agreed.ts';
import { poolsIn, proxyCurve } from './depth.ts';
import { type Place, readPools } from './read-pools.ts';
import type { RoutedPool } from './routing.ts';

/** The pools that an asset can be sold into, and how their curves are known. */
export interface ExitPools {
  /**
   * `exact`: read from the chain; `tvl_proxy`: none was read, and each is estimated from the value that indexers
   * report.
   */
  readonly method: 'exact' | 'tvl_proxy';
  readonly pools: readonly { readonly scope: string; readonly pool: RoutedPool; readonly confidence: number }[];
}

/** Fee of a listed pool, as a fraction, when no source states it. */
const USUAL_FEE = 0.003;

/**
 * Pools of the evidence over which a sale may be routed. Once a pool was read from the chain, pools that are only
 * listed are excluded: an exit must not be planned on liquidity that was not verified. Null without a pool.
 */
export function exitPools(set: ConsensusSet, place: Place): ExitPools | null {
  const read = [...readPools(set, place)].map(([scope, found]) => ({ scope, ...found }));
  if (read.length > 0) return { method: 'exact', pools: read };
  const assetUsd = numberAt(set, 'price_usd')?.value ?? null;
  const listed = poolsIn(set).flatMap(({ scope, liquidity }) => {
    const price = numberAt(set, 'pool_price_usd', scope)?.value ?? assetUsd;
    const fee = numberAt(set, 'pool_fee_rate', scope)?.value ?? USUAL_FEE;
    const pool = price === null ? null : proxyCurve(liquidity.value, price, fee);
    return pool === null ? [] : [{ scope, pool, confidence: liquidity.confidence }];
  });
  return listed.length > 0 ? { method: 'tvl_proxy', pools: listed } : null;
}
