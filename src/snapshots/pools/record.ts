import { type ArchivedPool, type PoolToken, wholeTokens } from '../../chains/index.ts';
import type { PoolRecord } from '../../contract/index.ts';
import { finite } from '../../domain/index.ts';
import { poolsDepth, type RoutedPool, routedDepth, slippageOf } from '../../metrics/index.ts';
import { type AgreedPool, earliest, type IndexedPool, middleOf, poolKey } from './indexed.ts';

/** Prices for a pool: the asset, and dollars per whole token of the tokens that have a known price. */
export interface PoolPrices {
  /** Address of the asset, spelled as in the readings. */
  readonly asset: string;
  readonly usd: ReadonlyMap<string, number>;
  readonly symbols: ReadonlyMap<string, string>;
}

/**
 * Protocols of contracts that no known factory or registry confirms and whose reserves are read from nothing but their own statement (those
 * of pairs and ranges are limited by the tokens that they hold): anybody can make one that states any value.
 */
const STATED_ONLY: ReadonlySet<string> = new Set(['curve_like', 'liquidity_book_like']);

/** A pool read from its chain, as served. Volume and age are not on the chain: an indexer may add them. */
export function describePool(reading: ArchivedPool, prices: PoolPrices): PoolRecord {
  const routed = routedPool(reading, prices);
  const view = sides(reading, prices);
  const priceQuote = view && priceInQuote(reading, view.assetIsToken0);
  const quoteUsd = view && priceUsd(prices, view.quote.address);
  const depth = routed ? routedDepth([routed]) : [];
  return {
    dex: reading.dex,
    address: reading.address,
    kind: reading.kind,
    protocol: reading.protocol,
    tokens: reading.tokens.map((token) => ({
      address: token.address,
      symbol: prices.symbols.get(token.address) ?? null,
      decimals: token.decimals,
      reserve_raw: token.reserve.toString(),
      reserve: wholeTokens(token.reserve, token.decimals),
    })),
    price_quote: finite(priceQuote),
    price_usd: priceQuote === null || quoteUsd === null ? null : finite(priceQuote * quoteUsd),
    tvl_usd:
      view === null || STATED_ONLY.has(reading.protocol)
        ? null
        : valueLocked(view, priceQuote, quoteUsd, priceUsd(prices, prices.asset)),
    volume_24h_usd: null,
    fees_24h_usd: null,
    fee_rate_pct: finite(reading.feeRate * 100),
    created_at: null,
    lp: reading.lp && {
      burned_pct: percent(reading.lp.burned),
      locked_pct: percent(reading.lp.locked),
      locker: reading.lp.locker,
      unlocks_at: reading.lp.unlocksAt,
      source: reading.lp.source,
    },
    verified: true,
    depth,
    slippage: routed ? slippageOf([routed]) : [],
    depth_method: routed ? 'exact' : null,
    sources: ['chain'],
    conflicts: [],
    notes: [...reading.notes, ...remarks(reading, view, quoteUsd)],
  };
}

/** The pool as a curve for routing; null when it does not trade, does not hold the asset or has no price in dollars. */
export function routedPool(reading: ArchivedPool, prices: PoolPrices): RoutedPool | null {
  const view = sides(reading, prices);
  const priceQuote = view && priceInQuote(reading, view.assetIsToken0);
  const quoteUsd = view && priceUsd(prices, view.quote.address);
  if (view === null || quoteUsd === null || priceQuote === null || reading.inactive !== null || reading.unsure)
    return null;
  return {
    curve: reading.curve,
    assetIsToken0: view.assetIsToken0,
    assetDecimals: view.asset.decimals,
    quoteDecimals: view.quote.decimals,
    quoteUsd,
    feeRate: reading.feeRate,
  };
}

interface Sides {
  readonly assetIsToken0: boolean;
  readonly asset: PoolToken;
  readonly quote: PoolToken;
}

function sides(reading: ArchivedPool, prices: PoolPrices): Sides | null {
  const [token0, token1] = reading.tokens;
  if (token0.address === prices.asset) return { assetIsToken0: true, asset: token0, quote: token1 };
  if (token1.address === prices.asset) return { assetIsToken0: false, asset: token1, quote: token0 };
  return null;
}

/** Whole quote tokens per whole asset token. */
function priceInQuote(reading: ArchivedPool, assetIsToken0: boolean): number | null {
  const [token0, token1] = reading.tokens;
  const price = reading.curve.price * 10 ** (token0.decimals - token1.decimals);
  const inQuote = assetIsToken0 ? price : 1 / price;
  return inQuote > 0 && Number.isFinite(inQuote) ? inQuote : null;
}

function priceUsd(prices: PoolPrices, address: string): number | null {
  const price = prices.usd.get(address);
  return price !== undefined && price > 0 && Number.isFinite(price) ? price : null;
}

/**
 * Value of both sides at the pool's own price, so that one external price is sufficient. If the other token has no
 * price, only the asset's side counts: anybody can put any number of worthless tokens on the other.
 */
function valueLocked(
  view: Sides,
  priceQuote: number | null,
  quoteUsd: number | null,
  assetUsd: number | null,
): number | null {
  const asset = wholeTokens(view.asset.reserve, view.asset.decimals);
  const quote = wholeTokens(view.quote.reserve, view.quote.decimals);
  if (asset === null || quote === null) return null;
  if (quoteUsd === null) return assetUsd === null ? null : finite(asset * assetUsd);
  return priceQuote === null ? null : finite((asset * priceQuote + quote) * quoteUsd);
}

function remarks(reading: ArchivedPool, view: Sides | null, quoteUsd: number | null): readonly string[] {
  const notes: string[] = [];
  if (reading.inactive !== null) notes.push(`does not trade: ${reading.inactive}`);
  if (reading.unsure) notes.push(`depth and slippage are not told: ${reading.unsure}`);
  if (view === null) notes.push('the asset is not one of the two tokens');
  else if (quoteUsd === null) notes.push("the other token has no known price: only the asset's side is counted");
  return notes;
}

function percent(fraction: number | null): number | null {
  return fraction === null ? null : finite(Math.min(Math.max(fraction, 0), 1) * 100);
}

/**
 * Ratio, in either direction, by which an indexer may differ from the chain before this is listed as a conflict. Values
 * locked differ by the prices used and by whether fees count; prices by the seconds between two reads; fees hardly
 * differ.
 */
const TOLERANCES = { tvl_usd: 1.25, price_usd: 1.05, fee_rate_pct: 1.5 } as const;

/** Adds the numbers that only indexers have to a pool read from the chain, and lists contradictions. */
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

/**
 * A pool that only indexers list: not verified, with the numbers of the consensus, and depth estimated from the value
 * locked.
 */
export function reportedByIndexers(
  rows: readonly [IndexedPool, ...IndexedPool[]],
  agreed: AgreedPool | undefined,
): PoolRecord {
  const [first] = rows;
  const volume = agreed?.volume24hUsd ?? null;
  const feeRate = middleOf(rows.map((row) => row.feeRatePct));
  const tokens = rows.find((row) => row.tokens.length === 2)?.tokens ?? first.tokens;
  const told = agreed?.reported ?? null;
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
