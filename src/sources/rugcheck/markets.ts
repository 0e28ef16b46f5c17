import type { ObservationDraft } from '../../domain/index.ts';
import { poolScope } from '../../domain/index.ts';
import { amount, positive, text } from '../read.ts';
import { address, type Market, NOBODY, type Report } from './reply.ts';

/** Pools beyond the largest are dust and would fill the archive (a report names 134). */
const MOST_POOLS = 40;
const SMALLEST_POOL_USD = 1;

/** Kinds by RugCheck's market types, as seen in a report. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['raydium', 'constant_product'],
  ['raydium_cpmm', 'constant_product'],
  ['pump_fun_amm', 'constant_product'],
  ['pump_fun', 'curve'],
  ['raydium_clmm', 'concentrated'],
  ['orca', 'concentrated'],
  ['tuna_fusion_amm', 'concentrated'],
  ['meteoraDlmm', 'bins'],
  ['meteora_damm_v2', 'concentrated'],
  ['meteora', 'constant_product'],
]);

/** Every pool of some size, and LP locks by value over the pools whose liquidity is a fungible token. */
export function marketDrafts(report: Report): readonly ObservationDraft[] {
  const pools = (report.markets ?? []).map((market) => poolOf(market, report.mint)).filter((pool) => pool !== null);
  const large = pools
    .filter((pool) => pool.liquidityUsd >= SMALLEST_POOL_USD)
    .sort((a, b) => b.liquidityUsd - a.liquidityUsd || (a.pool < b.pool ? -1 : 1))
    .slice(0, MOST_POOLS);
  return [...large.flatMap(poolDrafts), ...lockDrafts(pools, report)];
}

interface Pool {
  readonly pool: string;
  readonly type: string;
  readonly counter: string | null;
  readonly priceUsd: number | null;
  readonly liquidityUsd: number;
  readonly quoteReserveUsd: number;
  /** 0-1; null where liquidity is not a fungible token: positions cannot be locked by one. */
  readonly lockedShare: number | null;
  readonly market: Market;
}

function poolOf(market: Market, mint: string): Pool | null {
  const { lp } = market;
  const pool = address(market.pubkey);
  const base = amount(lp?.baseUSD);
  const quote = amount(lp?.quoteUSD);
  if (!lp || pool === null || base === null || quote === null) return null;
  // The token is the base in most pools and the quote in some (recorded: 23 of 134).
  const tokenIsBase = lp.baseMint === mint;
  if (!tokenIsBase && lp.quoteMint !== mint) return null;
  const lockedPct = amount(lp.lpLockedPct);
  return {
    pool,
    type: text(market.marketType, 40) ?? 'unknown',
    counter: address(tokenIsBase ? lp.quoteMint : lp.baseMint),
    priceUsd: positive(tokenIsBase ? lp.basePrice : lp.quotePrice),
    liquidityUsd: base + quote,
    quoteReserveUsd: tokenIsBase ? quote : base,
    lockedShare: fungible(market) && lockedPct !== null && lockedPct <= 100 ? lockedPct / 100 : null,
    market,
  };
}

/** Concentrated pools give the system program as LP mint, though some of them state a locked percentage (recorded: raydium_clmm 85). */
function fungible(market: Market): boolean {
  return address(market.mintLP) !== null && market.mintLP !== NOBODY && positive(market.lp?.lpTotalSupply) !== null;
}

function poolDrafts(pool: Pool): readonly ObservationDraft[] {
  const scope = poolScope(pool.pool);
  return [
    { quantity: 'pool_dex', value: pool.type, scope, meaning: 'marketType' },
    { quantity: 'pool_kind', value: KINDS.get(pool.type) ?? 'unknown', scope, meaning: 'by marketType' },
    ...(pool.counter === null
      ? []
      : [{ quantity: 'pool_pair' as const, value: pool.counter, scope, meaning: 'mint of the other side' }]),
    ...(pool.priceUsd === null
      ? []
      : [{ quantity: 'pool_price_usd' as const, value: pool.priceUsd, scope, meaning: 'price of the token side' }]),
    { quantity: 'pool_liquidity_usd', value: pool.liquidityUsd, scope, meaning: 'baseUSD + quoteUSD: both sides' },
    { quantity: 'pool_quote_reserve_usd', value: pool.quoteReserveUsd, scope, meaning: 'value of the other side' },
    ...(pool.lockedShare === null
      ? []
      : [
          {
            quantity: 'pool_lp_locked_share' as const,
            value: pool.lockedShare,
            scope,
            meaning: 'lpLockedPct: locked or burned',
          },
        ]),
  ];
}

function lockDrafts(pools: readonly Pool[], report: Report): readonly ObservationDraft[] {
  const standard = pools.filter((pool) => pool.lockedShare !== null);
  const value = standard.reduce((sum, pool) => sum + pool.liquidityUsd, 0);
  if (value < SMALLEST_POOL_USD) return [];
  const locked = standard.reduce((sum, pool) => sum + pool.liquidityUsd * (pool.lockedShare ?? 0), 0);
  const creators = creatorShare(standard, value, address(report.creator));
  return [
    {
      quantity: 'lp_locked_share',
      value: Math.min(1, locked / value),
      meaning: 'lpLockedPct weighted by value over pools with a fungible LP token; locked or burned',
    },
    ...(creators === null
      ? []
      : [
          {
            quantity: 'lp_creator_share' as const,
            value: creators,
            meaning: 'LP of the creator among the listed holders of those pools, by value',
          },
        ]),
  ];
}

/** Null when a pool that holds a part worth naming does not list its LP holders. */
function creatorShare(pools: readonly Pool[], value: number, creator: string | null): number | null {
  if (creator === null) return null;
  let held = 0;
  for (const pool of pools) {
    const holders = pool.market.lp?.holders;
    if (!holders) {
      if (pool.liquidityUsd > value * 0.01) return null;
      continue;
    }
    const pct = holders.filter((row) => row.owner === creator).reduce((sum, row) => sum + (amount(row.pct) ?? 0), 0);
    held += pool.liquidityUsd * Math.min(1, pct / 100);
  }
  return Math.min(1, held / value);
}
