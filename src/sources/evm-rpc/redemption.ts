import { type EvmCall, MULTICALL3, uintOf } from '../../chains/index.ts';
import { multicallEndpoint, Refusal, type Returned } from '../json-rpc.ts';
import { evmRedemption } from '../redemption/evm-issuers.ts';
import {
  implausibleRate,
  isAhead,
  learnRate,
  ONE,
  priceFeedOf,
  type Redemption,
  redemptionDrafts,
} from '../redemption/terms.ts';
import type { Params, ReplyMeta } from '../source.ts';
import { answerOf } from './feed-round.ts';
import { callOf, tokenOf } from './operators.ts';

/**
 * Params `{base, token, underlying, basis, contract, call, feed, silenceSeconds}`: redemption value of one listed token, all
 * read in one block. Learns the rate for the endpoint that requests the market price of the underlying.
 */
export const redemptionEndpoint = multicallEndpoint({
  name: 'redemption',
  doc: "One eth_call to Multicall3 aggregate3: block time, the issuer's rate, and Chainlink's price of the underlying with its time. https://docs.chain.link/data-feeds/api-reference; checked on a local chain.",
  plan: (facts) => {
    const asset = tokenOf(facts);
    const terms = asset && evmRedemption(asset.chain, asset.token);
    const feed = terms && priceFeedOf(terms.chain, terms.underlying);
    if (!asset || !terms || !feed) return [];
    const { underlying, basis, rate } = terms;
    const { address, silenceSeconds } = feed;
    return asset.bases.map((base) => ({
      base,
      token: asset.token,
      underlying,
      basis,
      contract: rate?.contract ?? null,
      call: rate?.call ?? null,
      feed: address,
      silenceSeconds,
    }));
  },
  calls: callsOf,
  withoutValues: 'empty',
  read: readRedemption,
  incomplete: ({ why }) => why,
  observe: (read, params) =>
    redemptionDrafts(read, {
      meaning: `${rateName(params)}, at Chainlink's ${String(params.underlying)} / USD`,
      ...(params.basis === 'issuer' && { family: 'issuer_disclosure', tier: 'registry', reliability: 0.8 }),
    }),
  learn: (read, params) => learnRate(`evm_rpc.redemption.${String(params.base)}`, params, read),
});

function rateName({ call, basis }: Params): string {
  const rate = call === null ? 'one for one' : String(call).replace(/\(.*/, '()');
  return basis === 'issuer' ? `${rate} as stated by the issuer` : rate;
}

function callsOf({ feed, contract, call }: Params): readonly EvmCall[] {
  return [
    ...roundCalls(feed),
    ...(typeof contract === 'string' && typeof call === 'string' ? [rateCall(contract, call)] : []),
  ];
}

/** Block time, and the decimals and newest round of a Chainlink feed. */
export function roundCalls(feed: unknown): readonly EvmCall[] {
  return [
    callOf(MULTICALL3, 'getCurrentBlockTimestamp()'),
    callOf(feed, 'decimals()'),
    callOf(feed, 'latestRoundData()'),
  ];
}

/** Call of a rate. If the getter takes an argument, it is the amount of one token. */
export function rateCall(contract: unknown, call: string): EvmCall {
  return callOf(contract, call, ...(call.endsWith('()') ? [] : [ONE]));
}

function readRedemption(
  [time, places, round, answer]: Returned,
  params: Params,
  { fetchedAt }: ReplyMeta,
): Redemption | Refusal {
  const rate = params.contract === null ? ONE : uintOf(answer);
  if (rate === null) return new Refusal('empty', 'the rate contract gave no number');
  const implausible = implausibleRate(Number(rate) / 1e18);
  if (implausible !== null) return new Refusal('empty', implausible);
  const seconds = uintOf(time);
  if (seconds === null || isAhead(seconds, fetchedAt))
    return { rate, price: null, at: null, why: 'the block has no plausible time' };
  const at = new Date(Number(seconds) * 1_000).toISOString();
  const price = answerOf(round, uintOf(places), seconds, BigInt(Number(params.silenceSeconds)));
  return typeof price === 'string' ? { rate, price: null, at, why: price } : { rate, price, at, why: null };
}
