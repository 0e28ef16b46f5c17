import { encodeFunctionData, parseAbi, parseAbiItem } from 'viem/utils';
import type { Hex } from '../../chains/index.ts';
import { aggregateData, aggregateResults, type EvmCall, MULTICALL3, uintOf } from '../../chains/index.ts';
import type { AskOutcome, Json, ObservationDraft } from '../../domain/index.ts';
import { tokensOf } from '../amounts.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { evmRedemption } from '../redemption/evm-issuers.ts';
import { priceFeedOf } from '../redemption/evm-price-feeds.ts';
import { learnRate } from '../redemption/learned.ts';
import { implausibleRate } from '../redemption/terms.ts';
import { type Endpoint, endpoint, type Params } from '../source.ts';
import { fromOperator, HEX_REPLY, tokenOf } from './operators.ts';

const ABI = parseAbi([
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
]);
const ONE = 10n ** 18n;
const RATE_DECIMALS = 18;
/** A node's clock may run this far ahead of ours. */
const AHEAD_SECONDS = 120;

/**
 * Params `{base, token, underlying, basis, contract, call, feed, silenceSeconds}`: what one listed token can be redeemed for,
 * all of it read in one block. Learns the rate for the endpoint that asks the markets for the price of the underlying.
 */
export const redemptionEndpoint: Endpoint = endpoint({
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
  request: (params) =>
    rpcCall(String(params.base), 'eth_call', [{ to: MULTICALL3, data: aggregateData(callsOf(params)) }, 'latest']),
  reply: HEX_REPLY,
  classify: (reply, meta, params) => {
    const verdict = classifyRpc(reply);
    if (verdict.outcome !== 'ok') return verdict;
    const read = readRedemption(reply.result ?? '', params, meta.fetchedAt);
    return read.rate === null || read.price === null
      ? // The rate alone is worth keeping: markets may know the price of the underlying.
        { outcome: (read.rate === null ? 'empty' : 'ok') as AskOutcome, detail: read.why }
      : verdict;
  },
  observe: (reply, params, meta) => {
    const { rate, price, at } = readRedemption(reply.result ?? '', params, meta.fetchedAt);
    const value = rate === null || price === null ? null : tokensOf(rate * price.raw, RATE_DECIMALS + price.decimals);
    return value === null || at === null ? [] : fromOperator(params, [draftOf(value, params, at)]);
  },
  learn: (reply, params, meta): Readonly<Record<string, Json>> => {
    const { rate } = readRedemption(reply.result ?? '', params, meta.fetchedAt);
    return rate === null
      ? {}
      : learnRate(`evm_rpc.redemption.${String(params.base)}`, params, tokensOf(rate, RATE_DECIMALS));
  },
});

function draftOf(value: number, params: Params, at: string): ObservationDraft {
  const rate = params.call === null ? 'one for one' : String(params.call).replace(/\(.*/, '()');
  const issuer =
    params.basis === 'issuer' ? ({ family: 'issuer_disclosure', tier: 'registry', reliability: 0.8 } as const) : {};
  return {
    quantity: 'redemption_value_usd',
    value,
    observedAt: at,
    meaning: `${rate}${params.basis === 'issuer' ? ' by word of the issuer' : ''}, at Chainlink's ${String(params.underlying)} / USD`,
    ...issuer,
  };
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

function encodeRate(call: string) {
  const item = parseAbiItem(`function ${call} view returns (uint256)`) as { readonly inputs: readonly unknown[] };
  return encodeFunctionData({ abi: [item], args: item.inputs.length === 0 ? [] : [ONE] } as never);
}

interface Redemption {
  /** Underlying per token, 18 decimals; null when it is not known or cannot be true. */
  readonly rate: bigint | null;
  readonly price: { readonly raw: bigint; readonly decimals: number } | null;
  /** Block time. */
  readonly at: string | null;
  readonly why: string;
}

function readRedemption(returned: string, params: Params, fetchedAt: string): Redemption {
  const nothing = { rate: null, price: null, at: null };
  const values = aggregateResults(returned, callsOf(params).length);
  if (values === null) return { ...nothing, why: 'the reply is no answer of Multicall3' };
  const [time, places, round, answer] = values;
  const rate = params.contract === null ? ONE : uintOf(answer);
  if (rate === null) return { ...nothing, why: 'the rate contract gave no number' };
  const implausible = implausibleRate(Number(rate) / 1e18);
  if (implausible !== null) return { ...nothing, why: implausible };
  const seconds = uintOf(time);
  if (seconds === null || Number(seconds) > Date.parse(fetchedAt) / 1_000 + AHEAD_SECONDS)
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
    ? `the price feed was silent for ${now - updated} seconds`
    : { raw, decimals: Number(places) };
}
