import type { ConsensusSet } from '../domain/index.ts';
import { type Known, numberAt } from './agreed.ts';

/** A pool below this, in US dollars, has a price that nobody can trade at: it is no venue. */
export const SMALLEST_POOL_USD = 1_000;

/** Liquidity of the asset: both sides of all its pools, US dollars. Null when no source gives a total. */
export function liquidityOf(set: ConsensusSet): Known<number> | null {
  return numberAt(set, 'liquidity_dex_usd');
}
