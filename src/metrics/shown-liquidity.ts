import { isTradedPair, isTradedQuote } from '../chains/index.ts';
import type { ConsensusSet } from '../domain/index.ts';
import { consensusAt, numberAt } from './agreed.ts';
import { type PoolInEvidence, poolsIn, type ShownLiquidity } from './depth.ts';
import type { Place } from './read-pools.ts';

/** How indexers write the native coin of an EVM chain. */
const NATIVE_COIN = '0x0000000000000000000000000000000000000000';

/**
 * The shown liquidity of the listed pools: twice the counter side, at most what is stated. Pools whose counter side no
 * source states, and those against tokens that are not commonly traded, are not shown; with what no pool lists they
 * count at most until the total is `mostOverShown` times what is shown. Null where no listed pool shows anything.
 * `counterTokens`: whether pools against the chain's `counterTokens` count beside those against quote tokens.
 */
export function shownLiquidity(
  set: ConsensusSet,
  place: Place,
  { mostOverShown, counterTokens }: { readonly mostOverShown: number; readonly counterTokens: boolean },
): ShownLiquidity | null {
  const pools = new Map<string, number>();
  let ownSide = 0;
  for (const pool of poolsIn(set)) {
    const counter = counterSideUsd(set, pool);
    if (counter === null || !isTraded(set, pool.scope, place, counterTokens)) continue;
    const shown = Math.min(pool.liquidity.value, counter + counter);
    pools.set(pool.scope, shown);
    ownSide += pool.liquidity.value - shown;
  }
  if (pools.size === 0) return null;
  const whole = [...pools.values()].reduce((sum, usd) => sum + usd, 0);
  return {
    pools,
    mostOf: (totalUsd) => Math.min(totalUsd, Math.max(whole, Math.min(totalUsd - ownSide, whole * mostOverShown))),
  };
}

/** Value of the side of the other token; null if unknown. Both sides of a constant product are worth the same. */
function counterSideUsd(set: ConsensusSet, { scope, reported }: PoolInEvidence): number | null {
  if (reported.basis === 'constant_product') return reported.quoteUsd;
  return numberAt(set, 'pool_quote_reserve_usd', scope)?.value ?? null;
}

/** False for a pool against a token whose price anybody can set. A token that others are priced in has no other pools. */
function isTraded(set: ConsensusSet, scope: string, { chain, address }: Place, counterTokens: boolean): boolean {
  const counter = consensusAt(set, 'pool_pair', scope)?.value;
  if (chain === null || typeof counter !== 'string') return true;
  const sides = [counter === NATIVE_COIN ? 'native' : counter, ...(address === null ? [] : [address])];
  return counterTokens ? isTradedPair(chain, address, sides) : sides.some((side) => isTradedQuote(chain, side));
}
