import { type ArchivedPool, findChain, openArchived } from '../chains/index.ts';
import type { ConsensusSet } from '../domain/index.ts';
import { consensusAt, numberAt, scopesWith } from './agreed.ts';
import type { ReadPool } from './depth.ts';
import type { PriceCurve, RoutedPool } from './routing.ts';

/** Our name of an asset's chain, and its canonical address there; null when it is on no chain. */
export interface Place {
  readonly chain: string | null;
  readonly address: string | null;
}

/** A pool of the evidence whose state was read from the chain in this collection, with the confidence of the read. */
export interface StatedPool {
  readonly scope: string;
  readonly pool: ArchivedPool;
  readonly confidence: number;
}

const POOL = 'pool:';
/**
 * A node is a single source: indexers confirm it when their liquidity and its reserves differ at most by this factor.
 */
const CONFIRMED_RATIO = 1.25;

/** The pools that hold the asset and whose state was read in this collection, not carried over from an earlier one. */
export function statedPools(set: ConsensusSet, { address }: Place): readonly StatedPool[] {
  if (address === null) return [];
  return scopesWith(set, 'pool_state').flatMap((scope) => {
    const found = consensusAt(set, 'pool_state', scope);
    if (found === null || !found.voices.some((voice) => voice.accepted && voice.carried !== true)) return [];
    const pool = scope.startsWith(POOL) ? openArchived(scope.slice(POOL.length), found.value) : null;
    return pool?.tokens.some((token) => token.address === address)
      ? [{ scope, pool, confidence: found.confidence }]
      : [];
  });
}

/**
 * The read pools for routing, by scope. Only pools against the chain's own coin or one of its dollar tokens: anybody
 * can put any number of worthless tokens on the other side of a pool. A dollar token is worth a dollar; the coin is
 * worth the agreed price of the asset divided by its price in the pool with the largest reserve of the coin. A pool
 * that does not trade is included and adds nothing.
 */
export function readPools(set: ConsensusSet, place: Place): ReadonlyMap<string, ReadPool> {
  const stated = statedPools(set, place);
  const prices = quotePrices(set, place, stated);
  return new Map(
    stated.flatMap(({ scope, pool, confidence }) => {
      const quoteUsd = prices.get(counterOf(pool, place)?.address ?? '');
      if (quoteUsd === undefined) return [];
      const told = numberAt(set, 'pool_liquidity_usd', scope);
      const isBorneOut = told !== null && apart(told.value, heldUsd(pool, place, quoteUsd)) <= CONFIRMED_RATIO;
      const known = isBorneOut ? Math.max(confidence, told.confidence) : confidence;
      return [[scope, { pool: routed(pool, place, quoteUsd), confidence: known }] as const];
    }),
  );
}

/** Value of both sides at the pool's own price, US dollars. */
function heldUsd(pool: ArchivedPool, place: Place, quoteUsd: number): number {
  return pool.tokens.reduce((sum, token) => {
    const usd = token.address === place.address ? priceInQuote(pool, place) * quoteUsd : quoteUsd;
    return sum + (Number(token.reserve) / 10 ** token.decimals) * usd;
  }, 0);
}

/** Ratio of the larger number to the smaller; infinite when one is not above zero. */
function apart(first: number, second: number): number {
  return first > 0 && second > 0 ? Math.max(first / second, second / first) : Number.POSITIVE_INFINITY;
}

/** Price of one whole token, US dollars, for those counter tokens of the read pools that have a price. */
export function quotePrices(
  set: ConsensusSet,
  place: Place,
  stated: readonly StatedPool[],
): ReadonlyMap<string, number> {
  const chain = place.chain === null ? null : findChain(place.chain);
  if (chain === null) return new Map();
  const [coin, dollars] =
    chain.kind === 'evm'
      ? [chain.wrappedNative.address, chain.stables]
      : [
          chain.quoteTokens.find(({ symbol }) => symbol === chain.native.symbol)?.address,
          chain.quoteTokens.filter(({ symbol }) => symbol !== chain.native.symbol),
        ];
  const prices = new Map(dollars.map(({ address }) => [address, 1]));
  const deepest = stated
    .filter(({ pool }) => counterOf(pool, place)?.address === coin && pool.inactive === null)
    .toSorted((a, b) => {
      const [first, second] = [counterOf(a.pool, place)?.reserve ?? 0n, counterOf(b.pool, place)?.reserve ?? 0n];
      return first === second ? (a.scope < b.scope ? -1 : 1) : first < second ? 1 : -1;
    })[0];
  const assetUsd = numberAt(set, 'price_usd');
  if (coin === undefined || deepest === undefined || assetUsd === null) return prices;
  const coinUsd = assetUsd.value / priceInQuote(deepest.pool, place);
  if (coinUsd > 0 && Number.isFinite(coinUsd)) prices.set(coin, coinUsd);
  return prices;
}

/** Curve of a pool that does not trade: no amounts at any price. */
const CLOSED: PriceCurve = { price: 0, toPrice: () => ({ amount0: 0, amount1: 0, reached: false }) };

function routed(pool: ArchivedPool, { address }: Place, quoteUsd: number): RoutedPool {
  const [token0, token1] = pool.tokens;
  const assetIsToken0 = token0.address === address;
  return {
    curve: pool.inactive === null ? pool.curve : CLOSED,
    assetIsToken0,
    assetDecimals: (assetIsToken0 ? token0 : token1).decimals,
    quoteDecimals: (assetIsToken0 ? token1 : token0).decimals,
    quoteUsd,
    feeRate: pool.feeRate,
  };
}

function counterOf(pool: ArchivedPool, { address }: Place): ArchivedPool['tokens'][0] | undefined {
  return pool.tokens.find((token) => token.address !== address);
}

/** Whole counter tokens per whole token of the asset. */
function priceInQuote({ tokens: [token0, token1], curve }: ArchivedPool, { address }: Place): number {
  const price = curve.price * 10 ** (token0.decimals - token1.decimals);
  return token0.address === address ? price : 1 / price;
}
