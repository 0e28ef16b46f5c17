import { EVM_CHAINS } from '../../chains/index.ts';
import type { Underlying } from './terms.ts';

/** The Chainlink feed of an underlying in dollars on this chain, or null. */
export function priceFeedOf(
  chain: string,
  underlying: Underlying,
): { readonly address: string; readonly silenceSeconds: number } | null {
  return EVM_CHAINS.find((row) => row.name === chain)?.priceFeeds[underlying] ?? null;
}
