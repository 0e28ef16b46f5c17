import { CHAINS, chainCalled, type NamingSource, nameAt } from '../chains/index.ts';
import { type AssetKeys, type Json, poolScope } from '../domain/index.ts';
import { textsIn } from './read.ts';
import type { Facts, Params } from './source.ts';

/** Plans `{chain, address}` for the token of a job if the source covers its chain; [] otherwise, and for a chain's own coin. */
export function tokenOn(source: NamingSource): (facts: Pick<Facts, 'chain' | 'address'>) => readonly Params[] {
  return ({ chain, address }) =>
    chain !== null && nameAt(source, chain) !== null && address !== null && address !== '' && address !== 'native'
      ? [{ chain: chain.name, address }]
      : [];
}

/** Plans `{chainId, address}`, with the source's own chain number. */
export function contractOn(source: NamingSource): (facts: Pick<Facts, 'chain' | 'address'>) => readonly Params[] {
  return (facts) =>
    tokenOn(source)(facts).map(({ address }) => ({
      chainId: facts.chain && nameAt(source, facts.chain),
      address: address ?? null,
    }));
}

/** The mint of a token on Solana; null on another chain and for the chain's own coin. */
export function mintOf({ chain, address }: Pick<Facts, 'chain' | 'address'>): string | null {
  return chain?.kind === 'solana' && address !== null && address !== '' && address !== 'native' ? address : null;
}

/** Plans `{address}` for a token on Solana. */
export function onSolana(facts: Pick<Facts, 'chain' | 'address'>): readonly Params[] {
  const address = mintOf(facts);
  return address === null ? [] : [{ address }];
}

type TextKey = Extract<
  { [Key in keyof AssetKeys]: AssetKeys[Key] extends string | null ? Key : never }[keyof AssetKeys],
  string
>;

/** Plans `{id}` (or another name) for an asset that the registry lists. */
export function byKey(key: TextKey, param = 'id'): (facts: Pick<Facts, 'keys'>) => readonly Params[] {
  return ({ keys }) => (keys[key] ? [{ [param]: keys[key] }] : []);
}

/** The source's name of the chain in `params`; '' if there is none. */
export function chainNameIn(params: Params, source: NamingSource): string {
  const chain = CHAINS.find((row) => row.name === params.chain);
  return String((chain && nameAt(source, chain)) ?? '');
}

/** Converts the source's chain name: `{chain, address}` with our chain name; null if we do not support the chain. */
export function placeOn(
  source: NamingSource,
  name: unknown,
  address: unknown,
): { readonly chain: string; readonly address: string } | null {
  const chain = chainCalled(source, name);
  return chain && typeof address === 'string' && address !== ''
    ? { chain: chain.name, address: chain.kind === 'evm' ? address.toLowerCase() : address }
    : null;
}

/** A pool as listed by an index. Liquidity in US dollars decides which pools are read. */
export interface ListedPool {
  readonly address: string;
  readonly liquidityUsd: number | null;
}

/** Maximum number of pools of one index that are read from the chain. */
const MOST_POOLS = 6;
/** The indexes whose pools are read. Both list the pools of all exchanges on a chain. */
const INDEXES = ['dexscreener', 'geckoterminal'] as const;
/** A contract, or a Solana account. Pools that are ids inside another contract are not read. */
const ADDRESS = /^(?:0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Facts learned from an index: its pools by descending liquidity, under `<index>.pools`. {} if it lists none. */
export function largestPools(
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
 * Lists of pools to read, one for each index that has replied, so that no list waits for a slower index. A pool in two lists
 * is read with each of them.
 */
export function learnedPools({ learned }: Facts): readonly (readonly string[])[] {
  const lists = INDEXES.flatMap((index) => {
    const pools = textsIn(learned[`${index}.pools`]);
    return pools.length === 0 ? [] : [pools.toSorted()];
  });
  return [...new Map(lists.map((list) => [list.join(), list])).values()];
}
