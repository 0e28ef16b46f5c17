import type { PoolRecord } from '../../domain/index.ts';
import { finite } from '../../domain/index.ts';
import { poolsDepth } from '../../metrics/index.ts';
import { type AgreedPool, earliest, type IndexedPool, middleOf, poolKey } from './indexed.ts';

/**
 * How far (as a ratio, either way) an indexer may stand from the chain before it is told as a conflict. Values locked
 * differ by the prices used and by fees counted or not; prices by the seconds between two readings; fees hardly.
 */
const TOLERANCES = { tvl_usd: 1.25, price_usd: 1.05, fee_rate_pct: 1.5 } as const;

/** Adds to a pool read from the chain what indexers alone know, and lists where they stand against it. */
export function withIndexers(
  record: PoolRecord,
  rows: readonly IndexedPool[],
  agreed: AgreedPool | undefined,
): PoolRecord {
  const volume = agreed?.volume24hUsd ?? null;
  return {
    ...record,
    tokens: record.tokens.map((token) => ({ ...token, symbol: token.symbol ?? symbolOf(rows, token.address) })),
    volume_24h_usd: volume,
    fees_24h_usd: fees(rows, volume, record.fee_rate_pct),
    created_at: earliest(rows.map((row) => row.createdAt)),
    sources: names([...record.sources, ...rows.map((row) => row.source)]),
    conflicts: rows.flatMap((row) => [
      ...conflict('tvl_usd', row.source, row.tvlUsd, record.tvl_usd),
      ...conflict('price_usd', row.source, row.priceUsd, record.price_usd),
      ...conflict('fee_rate_pct', row.source, row.feeRatePct, record.fee_rate_pct),
    ]),
  };
}

/** A pool that only indexers tell of: nothing verified, numbers as the consensus has them, depth by the value locked. */
export function toldByIndexers(
  rows: readonly [IndexedPool, ...IndexedPool[]],
  agreed: AgreedPool | undefined,
): PoolRecord {
  const [first] = rows;
  const volume = agreed?.volume24hUsd ?? null;
  const feeRate = middleOf(rows.map((row) => row.feeRatePct));
  const tokens = rows.find((row) => row.tokens.length === 2)?.tokens ?? first.tokens;
  const told = agreed?.told ?? null;
  return {
    dex: first.dex,
    address: poolKey(first.address),
    kind: null,
    protocol: rows.find((row) => row.protocol !== null)?.protocol ?? first.dex,
    tokens: tokens.map((token) => ({
      address: poolKey(token.address),
      symbol: token.symbol,
      decimals: null,
      reserve_raw: null,
      reserve: null,
    })),
    price_quote: null,
    price_usd: agreed?.priceUsd ?? null,
    tvl_usd: agreed?.liquidityUsd ?? null,
    volume_24h_usd: volume,
    fees_24h_usd: fees(rows, volume, feeRate),
    fee_rate_pct: feeRate,
    created_at: earliest(rows.map((row) => row.createdAt)),
    lp: null,
    verified: false,
    depth: told === null ? [] : poolsDepth([], [told]),
    slippage: [],
    depth_method: told === null ? null : 'tvl_proxy',
    sources: names(rows.map((row) => row.source)),
    conflicts: [],
    notes: ['not read from the chain'],
  };
}

function conflict(what: keyof typeof TOLERANCES, source: string, value: number | null, chain: number | null) {
  if (value === null || chain === null || !(chain > 0) || !Number.isFinite(value)) return [];
  const apart = value > 0 ? Math.max(value / chain, chain / value) : Number.POSITIVE_INFINITY;
  return apart > TOLERANCES[what] ? [{ what, source, value, chain }] : [];
}

function fees(rows: readonly IndexedPool[], volume: number | null, feeRatePct: number | null): number | null {
  const told = middleOf(rows.map((row) => row.fees24hUsd));
  return told ?? (volume === null || feeRatePct === null ? null : finite((volume * feeRatePct) / 100));
}

function symbolOf(rows: readonly IndexedPool[], address: string): string | null {
  for (const row of rows) {
    const symbol = row.tokens.find((token) => poolKey(token.address) === address)?.symbol;
    if (symbol) return symbol;
  }
  return null;
}

function names(sources: readonly string[]): readonly string[] {
  return [...new Set(sources)].sort();
}
