import { LRUCache } from 'lru-cache';
import { assetId, findChain, isQuoteToken } from '../chains/index.ts';
import type { Asset } from '../domain/index.ts';
import { tellersOf } from '../domain/index.ts';
import { type GatherTools, gather } from './gather.ts';

/** Who prices the tokens that pools are quoted in. */
const QUOTE_SOURCES: ReadonlySet<string> = new Set(tellersOf('quote_prices'));
const FRESH_MS = 60_000;
const FAILED_MS = 15_000;
const MOST_KEPT = 500;

export interface QuotePrices {
  /** Dollars per whole token of those whose price several sources or a curated one agree on. */
  pricesOf(chain: string, addresses: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
}

/** Prices of counter tokens, shared by all pools that are read within a minute. */
export function createQuotePrices(tools: GatherTools): QuotePrices {
  const kept = new LRUCache<string, { readonly until: number; readonly price: Promise<number | null> }>({
    max: MOST_KEPT,
  });

  async function ask(asset: Asset, signal: AbortSignal): Promise<number | null> {
    const gathered = await gather(asset, QUOTE_SOURCES, tools, signal);
    const price = gathered?.consensus.price_usd;
    if (price === undefined || price.status === 'missing' || typeof price.value !== 'number') return null;
    // Anybody can open a pool that gives a worthless token a price: one family alone prices only what everybody knows.
    return price.status === 'agreed' || isQuoteToken(asset.chain ?? '', asset.address ?? '') ? price.value : null;
  }

  function priceOf(chainName: string, address: string, signal: AbortSignal): Promise<number | null> {
    const chain = findChain(chainName);
    if (chain === null) return Promise.resolve(null);
    const id = assetId(chain, address);
    const known = kept.get(id);
    if (known && known.until > tools.now()) return known.price;
    const asset = { id, chain: chainName, address, symbol: null, name: address, category: null, website: null };
    const price = ask(asset, signal);
    kept.set(id, { until: tools.now() + FRESH_MS, price });
    void price.then((value) => {
      if (value === null) kept.set(id, { until: tools.now() + FAILED_MS, price });
    });
    return price;
  }

  return {
    async pricesOf(chain, addresses, signal) {
      const prices = await Promise.all(addresses.map((address) => priceOf(chain, address, signal)));
      const found = new Map<string, number>();
      for (const [index, address] of addresses.entries()) {
        const price = prices[index];
        if (price !== null && price !== undefined) found.set(address, price);
      }
      return found;
    },
  };
}
