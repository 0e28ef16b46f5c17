import { type ConsensusSet, median, type QuantityId } from '../../domain/index.ts';
import { numberAt, poolsIn, type ReportedPool } from '../../metrics/index.ts';

/** One indexer's row about one pool. Numbers it does not have are null; `tokens` are [base, quote] as it names them. */
export interface IndexedPool {
  readonly source: string;
  readonly dex: string;
  readonly protocol: string | null;
  readonly address: string;
  readonly tokens: readonly { readonly address: string; readonly symbol: string | null }[];
  /** Of the asset. */
  readonly priceUsd: number | null;
  readonly tvlUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly fees24hUsd: number | null;
  readonly feeRatePct: number | null;
  /** RFC 3339. */
  readonly createdAt: string | null;
}

/** Agreed values of one pool; numbers that no source states are null. */
export interface AgreedPool {
  readonly liquidityUsd: number | null;
  readonly priceUsd: number | null;
  readonly volume24hUsd: number | null;
  /** Independent lineage groups behind the liquidity. */
  readonly families: number;
  /** Input of its depth; null without liquidity. */
  readonly reported: ReportedPool | null;
}

/** One spelling per pool: hex addresses in lower case, base58 as it is. */
export function poolKey(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}

/** Median over the sources; null without any. */
export function middleOf(values: readonly (number | null)[]): number | null {
  return median(values.filter((value): value is number => value !== null && Number.isFinite(value) && value >= 0));
}

/** The earliest of several RFC 3339 dates. */
export function earliest(dates: readonly (string | null)[]): string | null {
  const known = dates.filter((date): date is string => date !== null && !Number.isNaN(Date.parse(date)));
  return known.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

type Row = { -readonly [Name in keyof IndexedPool]: IndexedPool[Name] };

const POOL = 'pool:';
const NUMBERS: Partial<Record<QuantityId, 'priceUsd' | 'tvlUsd' | 'volume24hUsd'>> = {
  pool_price_usd: 'priceUsd',
  pool_liquidity_usd: 'tvlUsd',
  pool_volume_24h_usd: 'volume24hUsd',
};

/** The indexers' observations of pools, one row per pool and source, values unchanged. */
export function indexedPools(consensus: ConsensusSet, asset: string): readonly IndexedPool[] {
  const rows = new Map<string, Row>();
  for (const { quantity, scope, voices } of Object.values(consensus)) {
    if (!scope.startsWith(POOL)) continue;
    const address = poolKey(scope.slice(POOL.length));
    for (const voice of voices) {
      const key = `${address} ${voice.source}`;
      const row = rows.get(key) ?? blank(voice.source, address);
      rows.set(key, row);
      const number = NUMBERS[quantity];
      if (number !== undefined && typeof voice.value === 'number') row[number] = voice.value;
      if (quantity === 'pool_fee_rate' && typeof voice.value === 'number') row.feeRatePct = voice.value * 100;
      if (typeof voice.value !== 'string') continue;
      if (quantity === 'pool_dex') row.dex = voice.value;
      if (quantity === 'pool_created_at') row.createdAt = voice.value;
      if (quantity === 'pool_pair')
        row.tokens = [
          { address: asset, symbol: null },
          { address: voice.value, symbol: null },
        ];
    }
  }
  return [...rows.values()].filter((row) => row.tvlUsd !== null || row.priceUsd !== null).sort(byPlace);
}

/** Agreed values of each pool, by its key: the numbers that ratings use. */
export function agreedPools(consensus: ConsensusSet): ReadonlyMap<string, AgreedPool> {
  const listed = new Map(poolsIn(consensus).map((pool) => [pool.scope, pool]));
  const scopes = new Set(Object.values(consensus).flatMap(({ scope }) => (scope.startsWith(POOL) ? [scope] : [])));
  return new Map(
    [...scopes].map((scope) => {
      const number = (quantity: QuantityId) => numberAt(consensus, quantity, scope);
      const liquidity = number('pool_liquidity_usd');
      return [
        poolKey(scope.slice(POOL.length)),
        {
          liquidityUsd: liquidity?.value ?? null,
          priceUsd: number('pool_price_usd')?.value ?? null,
          volume24hUsd: number('pool_volume_24h_usd')?.value ?? null,
          families: liquidity?.consensus.families ?? 0,
          reported: listed.get(scope)?.reported ?? null,
        },
      ];
    }),
  );
}

/** Addresses to read from the chain: the largest pools by the indexers' values, at most `most`. */
export function addressesOf(rows: readonly IndexedPool[], most: number): readonly string[] {
  const largest = new Map<string, number>();
  for (const row of rows) largest.set(row.address, Math.max(largest.get(row.address) ?? 0, row.tvlUsd ?? 0));
  return [...largest]
    .sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([address]) => address);
}

function blank(source: string, address: string): Row {
  return {
    source,
    dex: 'unknown',
    protocol: null,
    address,
    tokens: [],
    priceUsd: null,
    tvlUsd: null,
    volume24hUsd: null,
    fees24hUsd: null,
    feeRatePct: null,
    createdAt: null,
  };
}

function byPlace(a: IndexedPool, b: IndexedPool): number {
  const [first, second] = [`${a.address} ${a.source}`, `${b.address} ${b.source}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
