import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { assetId, type Chain, findChain, isQuoteToken } from '../chains/index.ts';
import { agree } from '../consensus/index.ts';
import type { SnapshotHead } from '../contract/index.ts';
import {
  type Asset,
  type AssetKeys,
  type ConsensusSet,
  NO_KEYS,
  type Observation,
  ok,
  type QuantityId,
  type Result,
  sourcesFor,
} from '../domain/index.ts';
import { assemble, type BulkLists, collect, createJobRequester, type SourceBook } from '../evidence/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { Upstream } from '../upstream/index.ts';

/** Why there is no snapshot. */
export type CollectReason = 'unsupported_asset' | 'not_a_token' | 'no_source_reachable' | 'cancelled';

export function noSnapshot(reason: CollectReason, detail: string) {
  return { ok: false as const, reason, detail };
}

export interface GatherTools {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly bulk: BulkLists;
  readonly methodology: Methodology;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Observations of an asset and their consensus. */
export interface Gathered {
  readonly consensus: ConsensusSet;
  /** The observations of the consensus. */
  readonly observations: readonly Observation[];
  /** RFC 3339: when the last source had replied. */
  readonly asOf: string;
  readonly attributions: SnapshotHead['attributions'];
  /** Sources whose own values may not be redistributed, by their terms. */
  readonly notRedistributable: ReadonlySet<string>;
  /** Failed sources, as text. */
  readonly warnings: readonly string[];
}

const DEADLINE_MS = 30_000;

/** Queries the named sources about one asset in parallel under one deadline. Null when none of them replied. */
export async function gather(
  asset: Asset,
  sources: ReadonlySet<string>,
  tools: GatherTools,
  signal: AbortSignal,
): Promise<Gathered | null> {
  const book: SourceBook = new Map([...tools.book].filter(([name]) => sources.has(name)));
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const requester = createJobRequester({
    ...tools,
    book,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + DEADLINE_MS,
    signal: AbortSignal.any([signal, deadline]),
    traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    onReply: () => undefined,
    isSpare: true,
  });
  await collect(requester, book, {
    project: asset.name,
    symbol: asset.symbol,
    chain: asset.chain === null ? null : findChain(asset.chain),
    address: asset.address,
    websiteUrl: asset.website,
    registrableDomain: null,
    keys: keysOf(asset),
    learned: {},
  });
  const parts = assemble(requester.replies(), book);
  // Replies shared with a request that was made shortly before count as replies here.
  if (parts.isUnanswered && parts.observations.length === 0) return null;
  const asOf = new Date(tools.now()).toISOString();
  return {
    consensus: agree(parts.observations, tools.methodology, asOf),
    observations: parts.observations,
    asOf,
    attributions: parts.attributions,
    notRedistributable: new Set(parts.notRedistributable),
    warnings: parts.sources
      .filter((source) => source.asked > 0 && source.answered < source.asked)
      .map((source) => `${source.name}: ${source.detail ?? source.outcome}`),
  };
}

/** Keys of an indexed asset: registries find it by its address, and a chain's own coin by its known names. */
function keysOf(asset: Asset): AssetKeys {
  const chain = asset.chain === null ? null : findChain(asset.chain);
  return {
    ...NO_KEYS,
    coingeckoId: asset.address === 'native' ? (chain?.native.coingeckoId ?? null) : null,
    deployments: asset.chain && asset.address ? [{ chain: asset.chain, address: asset.address }] : [],
  };
}

/** Sources of names, in their order of precedence: the chain first. */
const NAMING_SOURCES: readonly string[] = sourcesFor('names');
/** Names are untrusted text; longer ones are cut. */
const LONGEST_NAME = 120;
const LONGEST_SYMBOL = 40;

/** The asset at an address: whether it is a token, and its name. */
export async function describeAsset(
  chain: Chain,
  address: string,
  tools: GatherTools,
  signal: AbortSignal,
): Promise<Result<Asset, { readonly reason: CollectReason; readonly detail: string }>> {
  const blank = {
    id: assetId(chain, address),
    chain: chain.name,
    address,
    symbol: null,
    name: address,
    category: null,
    website: null,
  };
  if (address === 'native') return ok({ ...blank, symbol: chain.native.symbol, name: chain.title });
  const gathered = await gather(blank, new Set(NAMING_SOURCES), tools, signal);
  if (gathered === null) return noSnapshot('no_source_reachable', 'no source answered');
  const { consensus } = gathered;
  const known = ['decimals', 'total_supply', 'token_standard'].some((quantity) => isStated(consensus, quantity));
  if (!known && nameIn(consensus, 'registry_name') === null)
    return noSnapshot('not_a_token', `there is no token at this address of ${chain.title}`);
  const symbol = nameIn(consensus, 'registry_symbol');
  const name = nameIn(consensus, 'registry_name');
  return ok({
    ...blank,
    symbol: symbol === null ? null : [...symbol].slice(0, LONGEST_SYMBOL).join(''),
    name: name === null ? address : [...name].slice(0, LONGEST_NAME).join(''),
  });
}

function isStated(consensus: ConsensusSet, quantity: string): boolean {
  const found = consensus[quantity];
  return found !== undefined && found.status !== 'missing' && found.value !== null;
}

function nameIn(consensus: ConsensusSet, quantity: QuantityId): string | null {
  const said = Object.values(consensus)
    .filter((row) => row.quantity === quantity && typeof row.value === 'string' && row.value.trim() !== '')
    .map((row) => ({ rank: rankOf(row.voices[0]?.source), value: String(row.value) }))
    .sort((a, b) => a.rank - b.rank || (a.value < b.value ? -1 : 1));
  return said[0]?.value ?? null;
}

function rankOf(source: string | undefined): number {
  const rank = NAMING_SOURCES.indexOf(source ?? '');
  return rank === -1 ? NAMING_SOURCES.length : rank;
}

/** Sources of prices of the tokens in which pools are quoted. */
const QUOTE_SOURCES: ReadonlySet<string> = new Set(sourcesFor('quote_prices'));
const FRESH_MS = 60_000;
const FAILED_MS = 15_000;
const MOST_KEPT = 500;

export interface QuotePrices {
  /** Dollars per whole token, for the tokens on whose price several sources agree, or which a curated source prices. */
  pricesOf(chain: string, addresses: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
}

interface KeptPrice {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly price: Promise<number | null>;
  /** The signal of the snapshot that asked for it. */
  readonly asker: AbortSignal;
}

/** Prices of counter tokens, shared by all pools that are read within a minute. */
export function createQuotePrices(tools: GatherTools): QuotePrices {
  const kept = new LRUCache<string, KeptPrice>({ max: MOST_KEPT });

  async function ask(asset: Asset, signal: AbortSignal): Promise<number | null> {
    const gathered = await gather(asset, QUOTE_SOURCES, tools, signal);
    const price = gathered?.consensus.price_usd;
    if (price === undefined || price.status === 'missing' || typeof price.value !== 'number') return null;
    // Anybody can give a worthless token a price by opening a pool: the price of a single lineage group counts only for
    // known quote tokens.
    return price.status === 'agreed' || isQuoteToken(asset.chain ?? '', asset.address ?? '') ? price.value : null;
  }

  /** Asks for a price, which all who want it while it is fresh share. */
  function begin(asset: Asset, asker: AbortSignal): KeptPrice {
    const entry = { until: tools.now() + FRESH_MS, price: ask(asset, asker), asker };
    kept.set(asset.id, entry);
    const replace = (next: KeptPrice | null) => {
      if (kept.get(asset.id) !== entry) return;
      if (next === null) kept.delete(asset.id);
      else kept.set(asset.id, next);
    };
    entry.price.then(
      (value) => {
        if (value === null) replace(asker.aborted ? null : { ...entry, until: tools.now() + FAILED_MS });
      },
      () => replace(null),
    );
    return entry;
  }

  async function priceOf(chainName: string, address: string, signal: AbortSignal): Promise<number | null> {
    const chain = findChain(chainName);
    if (chain === null) return null;
    const id = assetId(chain, address);
    const known = kept.get(id);
    const asset = { id, chain: chainName, address, symbol: null, name: address, category: null, website: null };
    const entry = known !== undefined && known.until > tools.now() ? known : begin(asset, signal);
    const price = await entry.price;
    // The snapshot that asked was stopped, and this one was not: it asks itself.
    return price === null && entry.asker.aborted && !signal.aborted ? priceOf(chainName, address, signal) : price;
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
