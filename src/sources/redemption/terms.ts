import Type from 'typebox';
import { CHAINS, EVM_CHAINS } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { dated, observed } from '../observations.ts';
import { fieldsOf, Loose, LooseOptional, namesOf, num, positive, tokensOf } from '../read.ts';
import { type Endpoint, endpoint, type Params } from '../source.ts';

/** Underlying of an issuer's token: the symbol of a chain's own coin, or another key of `COIN_OF`. */
export type Underlying = string;

/** What a listed token can be redeemed for, and where that is read. Only listed tokens are read, so no token can claim a rate. */
export interface RedemptionTerms {
  readonly token: string;
  readonly name: string;
  readonly underlying: Underlying;
  /**
   * `contract`: a protocol computes the rate from its holdings, and every holder may redeem on chain. `issuer`: a company
   * states the rate and redeems for its own customers (decision 0016).
   */
  readonly basis: 'contract' | 'issuer';
  /** Where the addresses can be checked. */
  readonly source: string;
}

/** CoinGecko ids of the underlyings, for their market prices. */
export const COIN_OF: ReadonlyMap<Underlying, string> = new Map([
  ...CHAINS.map(({ native }) => [native.symbol, native.coingeckoId] as const),
  ['BTC', 'bitcoin'],
  ['DAI', 'dai'],
  ['USDS', 'usds'],
  ['USDe', 'ethena-usde'],
]);

/**
 * Plausible range of units of the underlying per listed token: all started at one, earn a few percent a year and lose only
 * by slashing. A rate outside the range indicates a broken or replaced contract.
 */
const LEAST_RATE = 0.8;
const MOST_RATE = 2.5;

/** Why a rate is invalid, or null if it is plausible. */
export function implausibleRate(rate: number): string | null {
  return rate >= LEAST_RATE && rate <= MOST_RATE
    ? null
    : `a rate of ${rate} is not between ${LEAST_RATE} and ${MOST_RATE}`;
}

/** 1 with the 18 decimals of a rate. */
export const ONE = 10n ** 18n;
const RATE_DECIMALS = 18;
/** A node's clock may run this far ahead of ours. */
const AHEAD_SECONDS = 120;

/** Redemption terms of a token from one node, all read in one block. */
export interface Redemption {
  /** Underlying per token, 18 decimals. */
  readonly rate: bigint;
  readonly price: { readonly raw: bigint; readonly decimals: number } | null;
  /** Time of the block. */
  readonly at: string | null;
  /** Why the price is missing; null if there is one. Without it the rate is still used with the market price of the underlying. */
  readonly why: string | null;
}

/** True if the time of a block (seconds) is in the future. */
export function isAhead(seconds: bigint, fetchedAt: string): boolean {
  return Number(seconds) > Date.parse(fetchedAt) / 1_000 + AHEAD_SECONDS;
}

/** The redemption value in dollars if rate and price are known. */
export function redemptionDrafts(
  { rate, price, at }: Redemption,
  change: Omit<ObservationDraft, 'quantity' | 'value'>,
): readonly ObservationDraft[] {
  if (rate === null || price === null || at === null) return [];
  const value = tokensOf(rate * price.raw, RATE_DECIMALS + price.decimals);
  return observed('redemption_value_usd', value, { observedAt: at, ...change });
}

interface LearnedRate {
  readonly coin: string;
  readonly rate: number;
}

/** Maximum relative difference of two nodes' rates: they may be a block or two apart, and a rate may change in between. */
const MOST_APART = 0.001;

/** The fact under `key` with the units of the underlying per token, as read at one node. */
export function learnRate(key: string, params: Params, { rate }: Redemption): Readonly<Record<string, Json>> {
  const coin = COIN_OF.get(String(params.underlying));
  const units = rate === null ? null : tokensOf(rate, RATE_DECIMALS);
  return coin === undefined || units === null ? {} : { [key]: { coin, rate: units } };
}

/**
 * The rate on which all nodes agree, at least two; null until then. A single node is not trusted, because its false rate
 * would reappear as a second observation, attributed to the market.
 */
export function agreedRate(learned: Readonly<Record<string, Json>>): LearnedRate | null {
  const rates = namesOf(learned)
    .filter((key) => /^(evm_rpc|solana_rpc)\.redemption\./.test(key))
    .sort()
    .flatMap((key) => readRate(learned[key]));
  const [first, ...others] = rates;
  const agree = others.every(
    (other) => other.coin === first?.coin && Math.abs(other.rate / first.rate - 1) <= MOST_APART,
  );
  return first !== undefined && others.length > 0 && agree ? { coin: first.coin, rate: first.rate } : null;
}

function readRate(value: Json | undefined): readonly LearnedRate[] {
  const { coin, rate } = fieldsOf(value);
  return typeof coin === 'string' && typeof rate === 'number' && rate > 0 ? [{ coin, rate }] : [];
}

/** The Chainlink feed of an underlying in dollars on this chain, or null. */
export function priceFeedOf(
  chain: string,
  underlying: Underlying,
): { readonly address: string; readonly silenceSeconds: number } | null {
  return EVM_CHAINS.find((row) => row.name === chain)?.priceFeeds[underlying] ?? null;
}

const PRICES = Type.Object({
  coins: Type.Record(Type.String(), Type.Object({ price: Loose, timestamp: LooseOptional, confidence: LooseOptional })),
});
/** Minimum confidence of DefiLlama in a price. */
export const LEAST_CONFIDENCE = 0.9;

/**
 * Params `{coin, rate}`: the redemption value at the market price of the underlying, in addition to the value at the
 * price of the on-chain oracle. The rate is the one read on chain at two nodes.
 */
export const redemptionAtMarketPrice: Endpoint = endpoint({
  name: 'redemption',
  doc: '/prices/current/coingecko:{coin} on coins.llama.fi: the price of what a staked or wrapped token stands for, times the rate read on chain',
  plan: ({ learned }) => {
    const agreed = agreedRate(learned);
    return agreed === null ? [] : [{ coin: agreed.coin, rate: agreed.rate }];
  },
  request: (params) => ({
    base: 'coins',
    path: `/prices/current/${encodeURIComponent(`coingecko:${String(params.coin)}`)}`,
  }),
  reply: PRICES,
  classify: (reply) => ({ outcome: Object.keys(reply.coins).length === 0 ? 'empty' : 'ok' }),
  observe: (reply, params) => {
    const row = reply.coins[`coingecko:${String(params.coin)}`];
    const price = positive(row?.price);
    if (price === null || (num(row?.confidence) ?? 0) < LEAST_CONFIDENCE || typeof params.rate !== 'number') return [];
    return observed('redemption_value_usd', price * params.rate, {
      family: 'coingecko',
      meaning: `the rate read on chain, at CoinGecko's price of ${String(params.coin)}`,
      ...dated(num(row?.timestamp)),
    });
  },
});
