import { encodeFunctionData, parseAbi, parseAbiItem } from 'viem/utils';
import { type EvmCall, type Hex, MULTICALL3, uintOf } from '../../chains/index.ts';
import { multicallEndpoint } from '../json-rpc.ts';
import { evmRedemption } from '../redemption/evm-issuers.ts';
import {
  implausibleRate,
  isAhead,
  learnRate,
  ONE,
  priceFeedOf,
  type Redemption,
  redemptionDrafts,
  redemptionVerdict,
} from '../redemption/terms.ts';
import type { Params } from '../source.ts';
import { answerOf } from './feed-round.ts';
import { tokenOf } from './operators.ts';

const ABI = parseAbi([
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
]);

/**
 * Params `{base, token, underlying, basis, contract, call, feed, silenceSeconds}`: what one listed token can be redeemed for,
 * all of it read in one block. Learns the rate for the endpoint that asks the markets for the price of the underlying.
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
  refuse: (values, params, meta) => redemptionVerdict(readRedemption(values, params, meta.fetchedAt)),
  observe: (values, params, meta) =>
    redemptionDrafts(readRedemption(values, params, meta.fetchedAt), {
      meaning: `${rateName(params)}, at Chainlink's ${String(params.underlying)} / USD`,
      ...(params.basis === 'issuer' && { family: 'issuer_disclosure', tier: 'registry', reliability: 0.8 }),
    }),
  learn: (values, params, meta) =>
    learnRate(`evm_rpc.redemption.${String(params.base)}`, params, readRedemption(values, params, meta.fetchedAt)),
});

function rateName({ call, basis }: Params): string {
  const rate = call === null ? 'one for one' : String(call).replace(/\(.*/, '()');
  return basis === 'issuer' ? `${rate} by word of the issuer` : rate;
}

function callsOf(params: Params): readonly EvmCall[] {
  const feed = String(params.feed) as Hex;
  return [
    { to: MULTICALL3, data: encodeFunctionData({ abi: ABI, functionName: 'getCurrentBlockTimestamp' }) },
    { to: feed, data: encodeFunctionData({ abi: ABI, functionName: 'decimals' }) },
    { to: feed, data: encodeFunctionData({ abi: ABI, functionName: 'latestRoundData' }) },
    ...(typeof params.contract === 'string' && typeof params.call === 'string'
      ? [{ to: params.contract as Hex, data: encodeRate(params.call) }]
      : []),
  ];
}

/** Call data of a rate: `call` is a signature without what it returns; its argument is one token. */
export function encodeRate(call: string) {
  const item = parseAbiItem(`function ${call} view returns (uint256)`) as { readonly inputs: readonly unknown[] };
  return encodeFunctionData({ abi: [item], args: item.inputs.length === 0 ? [] : [ONE] } as never);
}

function readRedemption(values: readonly (Hex | null)[], params: Params, fetchedAt: string): Redemption {
  const nothing = { rate: null, price: null, at: null };
  const [time, places, round, answer] = values;
  const rate = params.contract === null ? ONE : uintOf(answer);
  if (rate === null) return { ...nothing, why: 'the rate contract gave no number' };
  const implausible = implausibleRate(Number(rate) / 1e18);
  if (implausible !== null) return { ...nothing, why: implausible };
  const seconds = uintOf(time);
  if (seconds === null || isAhead(seconds, fetchedAt))
    return { ...nothing, rate, why: 'the block has no time that can be true' };
  const at = new Date(Number(seconds) * 1_000).toISOString();
  const price = answerOf(round, uintOf(places), seconds, BigInt(Number(params.silenceSeconds)));
  return typeof price === 'string' ? { rate, price: null, at, why: price } : { rate, price, at, why: '' };
}
