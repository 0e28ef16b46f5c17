import { CHAINS } from '../../chains/index.ts';

/** What one token of an issuer stands for: a chain's own coin by its symbol, or one of the others in `COIN_OF`. */
export type Underlying = string;

/** What a listed token can be redeemed for, and where that is read. Only tokens on the lists are asked: a token cannot claim a rate. */
export interface RedemptionTerms {
  readonly token: string;
  readonly name: string;
  readonly underlying: Underlying;
  /**
   * `contract`: a protocol computes the rate from what it holds, and every holder may redeem on chain. `issuer`: a company
   * states it, and redeems for its own customers (decision 0016).
   */
  readonly basis: 'contract' | 'issuer';
  /** Where the addresses can be checked. */
  readonly source: string;
}

/** CoinGecko ids, for the price that markets give. */
export const COIN_OF: ReadonlyMap<Underlying, string> = new Map([
  ...CHAINS.map(({ native }) => [native.symbol, native.coingeckoId] as const),
  ['BTC', 'bitcoin'],
  ['DAI', 'dai'],
  ['USDS', 'usds'],
  ['USDe', 'ethena-usde'],
]);

/**
 * Units of the underlying per token that can be true of the listed ones: all began at one, earn a few percent a year and
 * lose by slashing only. Anything else is a broken or replaced contract, not a rate.
 */
const LEAST_RATE = 0.8;
const MOST_RATE = 2.5;

/** Why a rate is none, or null when it can be true. */
export function implausibleRate(rate: number): string | null {
  return rate >= LEAST_RATE && rate <= MOST_RATE
    ? null
    : `a rate of ${rate} is not between ${LEAST_RATE} and ${MOST_RATE}`;
}
