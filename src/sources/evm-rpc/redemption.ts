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
  const price = priceOf(round, uintOf(places), seconds, BigInt(Number(params.silenceSeconds)));
  return typeof price === 'string' ? { rate, price: null, at, why: price } : { rate, price, at, why: '' };
}

/** Chainlink's answer, or why it is none: a round that is not closed, a price that is not above zero, or one that is too old. */
function priceOf(
  returned: string | null | undefined,
  places: bigint | null,
  now: bigint,
  silenceSeconds: bigint,
): { readonly raw: bigint; readonly decimals: number } | string {
  const words = typeof returned === 'string' && /^0x[0-9a-fA-F]{320}$/.test(returned) ? returned.slice(2) : null;
  if (words === null || places === null || places > 36n) return 'the price feed gave no round';
  const [round = 0n, raw = 0n, , updated = 0n, answeredIn = 0n] = [0, 1, 2, 3, 4].map((at) =>
    BigInt(`0x${words.slice(at * 64, at * 64 + 64)}`),
  );
  // The answer is signed; from 2^255 on it is below zero.
  if (raw === 0n || raw >= 1n << 255n) return 'the price feed gave no price above zero';
  if (answeredIn < round) return 'the price feed answered with an older round';
  if (updated === 0n || updated > now) return 'the price feed gave a time that cannot be true';
  return now - updated > silenceSeconds
    ? `the price feed was not updated for ${now - updated} seconds`
    : { raw, decimals: Number(places) };
}
