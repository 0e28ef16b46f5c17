import type { Json } from '../domain/index.ts';
import { poolScope } from '../domain/index.ts';
import type { Facts } from './source.ts';

/** A pool as an index lists it; liquidity in US dollars decides which ones are read. */
export interface ListedPool {
  readonly address: string;
  readonly liquidityUsd: number | null;
}

/** Pools that one index may have read from the chain. */
const MOST_POOLS = 6;
/** The indexes whose pools are read: both list the pools of all exchanges of a chain. */
const INDEXES = ['dexscreener', 'geckoterminal'] as const;
/** A contract, or an account of Solana. Pools that are numbers inside another contract are not read. */
const ADDRESS = /^(?:0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** What an index teaches: its pools with the most liquidity, largest first, under `<index>.pools`. Nothing where it has none. */
export function teachPools(
  index: (typeof INDEXES)[number],
  rows: readonly ListedPool[],
): Readonly<Record<string, Json>> {
  const largest = new Map<string, number>();
  for (const { address, liquidityUsd } of rows) {
    const bare = poolScope(address.slice(0, 100)).slice('pool:'.length);
    const liquidity = liquidityUsd ?? 0;
    if (ADDRESS.test(bare) && Number.isFinite(liquidity))
      largest.set(bare, Math.max(largest.get(bare) ?? 0, liquidity));
  }
  const pools = [...largest]
    .sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .slice(0, MOST_POOLS)
    .map(([address]) => address);
  return pools.length === 0 ? {} : { [`${index}.pools`]: pools };
}

/**
 * Lists of pools to read, one for each index that has answered: a list is asked as soon as it is there, and an index that is
 * slow is not waited for. A pool in two lists is read with each of them.
 */
export function taughtPools({ learned }: Facts): readonly (readonly string[])[] {
  const lists = INDEXES.flatMap((index) => {
    const pools = learned[`${index}.pools`];
    return Array.isArray(pools) ? [pools.filter((one) => typeof one === 'string').toSorted()] : [];
  });
  return [...new Map(lists.map((list) => [list.join(), list])).values()];
}
