import { type AssetClass, type ConsensusSet, consensusKey, median, type ScoreReport } from '../domain/index.ts';
import { depthOf, exitPools, largestExit } from '../metrics/index.ts';

/** The largest sale within a cost, as the evidence of a rating shows it. */
export interface ExitFacts {
  readonly maxCostPct: number;
  readonly sizeUsd: number;
  readonly receivedUsd: number;
  /**
   * `exact`: pools read from the chain; `tvl_proxy`: estimated from figures of indexers; `order_books`: no pool is
   * known, and the amount is that of bids within 2 % at exchanges, without fees.
   */
  readonly method: 'exact' | 'tvl_proxy' | 'order_books';
  /** Pools that the exit was routed over. */
  readonly pools: number;
  /** The pool that takes the largest part of the exit; null without pools, or where nothing can be sold. */
  readonly largestPool: { readonly scope: string; readonly sharePct: number } | null;
}

/** The part of a rating's evidence that rules need. It never changes after the rating is published. */
export interface EvidenceFacts {
  /** Null where no pool and no order book is known. */
  exitAt(maxCostPct: number): ExitFacts | null;
  /**
   * Share of the liquidity that the creator and linked wallets hold, for memecoins and unclassified tokens with the
   * largest plain wallet that no source names, percent; null: not known.
   */
  readonly providerSharePct: number | null;
  /** False if no pool has shares that a wallet could hold, so that the figure does not exist. */
  readonly hasProviders: boolean;
  /** Time of the median accepted observation, milliseconds; null without one. */
  readonly middleObservedAt: number | null;
  readonly priceUsd: number | null;
  readonly consensus: ConsensusSet;
}

/** Order book depth is known at this price move. */
const BOOK_MOVE_PCT = 2;
/** Depth rules that apply to pools only; not used where there are none. */
const BOOKS_ALONE = { proxyConfidence: 0, smallestPart: 0 };

/** Extracts what rules need from a report, by the definitions of `metrics`. Pure. */
export function evidenceFacts({ consensus, published }: Pick<ScoreReport, 'consensus' | 'published'>): EvidenceFacts {
  const place = published.asset;
  const found = exitPools(consensus, place);
  const creator = numberOf(consensus, 'lp_creator_share');
  // The creator hands its liquidity to other wallets for nothing.
  const wallet = LAUNCHED.has(published.class ?? 'default')
    ? (numberOf(consensus, 'lp_top3_wallets_share') ?? numberOf(consensus, 'lp_wallet_share'))
    : null;
  return {
    exitAt(maxCostPct) {
      if (found === null) return ofBooks(consensus, maxCostPct);
      const exit = largestExit(
        found.pools.map(({ pool }) => pool),
        maxCostPct,
      );
      if (exit === null) return null;
      const [largest] = exit.parts.map((usd, index) => ({ usd, index })).toSorted((a, b) => b.usd - a.usd);
      const scope = found.pools[largest?.index ?? -1]?.scope;
      return {
        maxCostPct,
        sizeUsd: exit.sizeUsd,
        receivedUsd: exit.receivedUsd,
        method: found.method,
        pools: found.pools.length,
        largestPool:
          largest === undefined || scope === undefined || exit.sizeUsd === 0
            ? null
            : { scope, sharePct: (100 * largest.usd) / exit.sizeUsd },
      };
    },
    providerSharePct: creator === null ? null : Math.min(1, creator + (wallet ?? 0)) * 100,
    hasProviders: (found?.pools ?? []).some(({ scope }) =>
      mayHaveShares(consensus[consensusKey('pool_kind', scope)]?.value, published.class),
    ),
    middleObservedAt: median(
      Object.values(consensus).flatMap(({ voices }) =>
        voices.filter(({ accepted }) => accepted).map(({ observedAt }) => Date.parse(observedAt)),
      ),
    ),
    priceUsd: numberOf(consensus, 'price_usd'),
    consensus,
  };
}

/** Bids of exchanges within 2 %. Order book depth is known only at this price move, not at lower costs. */
function ofBooks(consensus: ConsensusSet, maxCostPct: number): ExitFacts | null {
  const depth = maxCostPct < BOOK_MOVE_PCT ? null : depthOf(consensus, BOOKS_ALONE);
  const isOfBooks = depth !== null && /^\d+ order books$/.test(depth.method);
  if (depth === null || !isOfBooks) return null;
  const sizeUsd = depth.downUsd;
  const receivedUsd = sizeUsd * (1 - BOOK_MOVE_PCT / 100);
  return { maxCostPct, sizeUsd, receivedUsd, method: 'order_books', pools: 0, largestPool: null };
}

/** Classes in which one wallet often made the pools: there a pool of an unknown kind may have shares that it holds. */
const LAUNCHED: ReadonlySet<unknown> = new Set<AssetClass>(['memecoin', 'default']);

function mayHaveShares(kind: unknown, of: AssetClass | undefined): boolean {
  return kind === 'constant_product' || ((kind === undefined || kind === 'unknown') && LAUNCHED.has(of ?? 'default'));
}

function numberOf(
  consensus: ConsensusSet,
  quantity: 'price_usd' | 'lp_creator_share' | 'lp_wallet_share' | 'lp_top3_wallets_share',
): number | null {
  const row = consensus[consensusKey(quantity)];
  return row !== undefined && row.status !== 'missing' && typeof row.value === 'number' ? row.value : null;
}
