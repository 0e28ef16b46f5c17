import { fieldsOf, positive, text } from './read.ts';

/** Lists of all assets from which peers are selected, by source and endpoint. They are fetched for all jobs, never for a single asset. */
export const ASSET_LISTS = [
  { source: 'coingecko', endpoint: 'markets' },
  { source: 'defillama', endpoint: 'protocols' },
  { source: 'defillama', endpoint: 'all_fees' },
  { source: 'defillama', endpoint: 'all_chains' },
  { source: 'defillama', endpoint: 'all_stablecoin_chains' },
  { source: 'coingecko', endpoint: 'meme_markets' },
] as const;

/** What the lists of all assets state about one asset. Amounts in US dollars; null if no list states the value. */
export interface ListedAsset {
  /** Id in the registry of coins, and the name by which panels of peers know it. */
  readonly registryId: string;
  readonly alias: string;
  readonly marketCapUsd: number;
  readonly volume24hUsd: number | null;
  readonly tvlUsd: number | null;
  readonly fees30dUsd: number | null;
  /** Category of its largest protocol; null for coins of chains and for assets without a protocol. */
  readonly protocolCategory: string | null;
  /** True if the registry of coins lists it as a memecoin. */
  readonly isMeme: boolean;
}

type Row = Readonly<Record<string, unknown>>;
type Use = Pick<ListedAsset, 'tvlUsd' | 'fees30dUsd' | 'protocolCategory'>;

/** Assets of the market lists, without duplicates, with values from the other lists. `replies`: in the order of `ASSET_LISTS`, undefined for an unavailable list. */
export function listedAssets(replies: readonly unknown[]): readonly ListedAsset[] {
  const [markets, protocols, fees, chains, stablecoins, memes] = replies;
  const feeRows = rowsIn((fees as Row | undefined)?.protocols);
  const uses = new Map([
    ...protocolUses(rowsIn(protocols), feeRows),
    ...chainUses(rowsIn(chains), rowsIn(stablecoins), feeRows),
  ]);
  const memeIds = new Set(rowsIn(memes).map((row) => text(row.id)));
  const seen = new Set<string>();
  return [...rowsIn(markets), ...rowsIn(memes)].filter(isValuedByItself).flatMap((row) => {
    const [registryId, marketCapUsd] = [text(row.id), positive(row.market_cap)];
    if (registryId === null || marketCapUsd === null || seen.has(registryId)) return [];
    seen.add(registryId);
    const { tvlUsd = null, fees30dUsd = null, protocolCategory = null } = uses.get(registryId) ?? {};
    const volume24hUsd = positive(row.total_volume);
    const alias = `coingecko:${registryId}`;
    const isMeme = memeIds.has(registryId);
    return [{ registryId, alias, marketCapUsd, volume24hUsd, tvlUsd, fees30dUsd, protocolCategory, isMeme }];
  });
}

/** False for a wrapped or staked token, which CoinGecko ranks only in its second list: it is worth what it stands for, whatever its protocol earns. */
function isValuedByItself({ market_cap_rank: own, market_cap_rank_with_rehypothecated: among }: Row): boolean {
  return positive(own) !== null || positive(among) === null;
}

/** Protocols grouped by token, with the category of the largest and the sums of all. */
function protocolUses(rows: readonly Row[], fees: readonly Row[]): ReadonlyMap<string, Use> {
  const feesOf = new Map(fees.flatMap((row) => pair(text(row.defillamaId), positive(row.total30d))));
  const tokenOf = new Map(rows.flatMap((row) => pair(text(row.parentProtocol), text(row.gecko_id))));
  const uses = new Map<string, Use>();
  for (const row of [...rows].sort((a, b) => (positive(b.tvl) ?? 0) - (positive(a.tvl) ?? 0))) {
    const id = text(row.gecko_id) ?? tokenOf.get(text(row.parentProtocol) ?? '');
    if (id === undefined) continue;
    const before = uses.get(id);
    uses.set(id, {
      protocolCategory: before === undefined ? text(row.category) : before.protocolCategory,
      tvlUsd: sum(before?.tvlUsd ?? null, positive(row.tvl)),
      fees30dUsd: sum(before?.fees30dUsd ?? null, feesOf.get(text(row.id) ?? '') ?? null),
    });
  }
  return uses;
}

/** Chains by their coin: value locked plus stablecoins on the chain, as `chain_value` counts it, and the chain's own fees. */
function chainUses(rows: readonly Row[], stablecoins: readonly Row[], fees: readonly Row[]): ReadonlyMap<string, Use> {
  const stableOn = new Map(stablecoins.flatMap((row) => pair(text(row.name), stableIn(row.totalCirculatingUSD))));
  const ofChains = fees.filter((row) => text(row.defillamaId)?.startsWith('chain#'));
  const feesOf = new Map(ofChains.flatMap((row) => pair(text(row.name), positive(row.total30d))));
  return new Map(
    rows.flatMap((row) => {
      const name = text(row.name) ?? '';
      const use = {
        protocolCategory: null,
        tvlUsd: sum(positive(row.tvl), stableOn.get(name) ?? null),
        fees30dUsd: feesOf.get(name) ?? null,
      };
      return pair(text(row.gecko_id), use);
    }),
  );
}

const rowsIn = (rows: unknown): readonly Row[] =>
  Array.isArray(rows) ? rows.filter((row): row is Row => typeof row === 'object' && row !== null) : [];
const sum = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);
const stableIn = (byPeg: unknown): number | null =>
  Object.values(fieldsOf(byPeg)).reduce<number | null>((all, usd) => sum(all, positive(usd)), null);
const pair = <Value>(key: string | null, value: Value | null): readonly (readonly [string, Value])[] =>
  key === null || value === null ? [] : [[key, value]];
