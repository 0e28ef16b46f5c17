import { LRUCache } from 'lru-cache';
import type { Chain } from '../../chains/index.ts';
import type { Asset, Namesakes } from '../../domain/index.ts';
import type { SnapshotReader } from '../../indexer/index.ts';
import { nameOfId, namesBearing } from '../../registers/index.ts';
import { type AssetText, readAssetText } from '../chain/asset-text.ts';

export type AssetOutcome =
  | { readonly ok: true; readonly asset: Asset }
  | { readonly ok: false; readonly code: 'not_indexed'; readonly read: AssetText }
  | { readonly ok: false; readonly code: 'ambiguous'; readonly candidates: readonly Asset[] }
  | { readonly ok: false; readonly code: 'malformed'; readonly detail: string }
  | { readonly ok: false; readonly code: 'wrong_chain'; readonly detail: string; readonly chain: string | null };

export interface AssetLookup {
  /** The result if it is cached; otherwise undefined. */
  peek(chain: Chain, text: string): AssetOutcome | undefined;
  find(chain: Chain, text: string): Promise<AssetOutcome>;
}

/** Cache time. Assets added or removed by another process become visible after this time. */
const BELIEVE_MS = 1_000;
const MOST_REMEMBERED = 10_000;
const MOST_CANDIDATES = 20;

/** Finds indexed assets by the caller's text. Results are cached for a second, so that a hot read needs no query. */
export function createAssetLookup(
  reader: Pick<SnapshotReader, 'find'>,
  now: () => number,
  namesakes: Namesakes = async () => null,
): AssetLookup {
  const believed = new LRUCache<string, { readonly outcome: AssetOutcome; readonly until: number }>({
    max: MOST_REMEMBERED,
  });
  const asking = new Map<string, Promise<AssetOutcome>>();

  async function ask(chain: Chain, text: string): Promise<AssetOutcome> {
    const read = readAssetText(chain, text);
    if (!read.ok) return read;
    const wanted = read.value.kind === 'address' ? read.value.assetId : read.value.text;
    const found = (await reader.find(chain.name, wanted)).filter((asset) => fits(asset, read.value));
    if (found.length === 0) return { ok: false, code: 'not_indexed', read: read.value };
    const [first, ...others] =
      read.value.kind === 'symbol' ? await bearersOf(read.value.text, found, chain, namesakes) : found;
    return first !== undefined && others.length === 0
      ? { ok: true, asset: first }
      : { ok: false, code: 'ambiguous', candidates: found.slice(0, MOST_CANDIDATES) };
  }

  return {
    peek(chain, text) {
      const known = believed.get(`${chain.name} ${text}`);
      return known && known.until > now() ? known.outcome : undefined;
    },
    find(chain, text) {
      const known = this.peek(chain, text);
      if (known) return Promise.resolve(known);
      const key = `${chain.name} ${text}`;
      const running = asking.get(key);
      if (running) return running;
      const until = now() + BELIEVE_MS;
      const asked = ask(chain, text)
        .then((outcome) => {
          // Text that names no asset is recognised without the store and must not fill the cache. A result of "not
          // indexed" is
          // never cached: the next request may follow the rating that had the asset indexed.
          if (outcome.ok || outcome.code === 'ambiguous') believed.set(key, { outcome, until });
          return outcome;
        })
        .finally(() => asking.delete(key));
      asking.set(key, asked);
      return asked;
    },
  };
}

/**
 * The assets that a symbol can mean, since anybody can give a token the symbol of another and have it indexed: where the
 * registers have it, those of their rows alone; otherwise those that registries list under it, and only if no other
 * listed one on the chain may be meant. Without the registries' lists: all.
 */
async function bearersOf(
  symbol: string,
  found: readonly Asset[],
  chain: Chain,
  namesakes: Namesakes,
): Promise<readonly Asset[]> {
  const registered = namesBearing(symbol);
  if (registered.length > 0) return found.filter(({ id }) => registered.includes(nameOfId(id) ?? ''));
  const judged = await Promise.all(
    found.map(async (asset) => ({ asset, standing: await namesakes(symbol, asset, { chain: chain.name }) })),
  );
  if (judged.some(({ standing }) => standing === null)) return found;
  const meant = judged.filter(({ standing }) => standing?.isListed && standing.rivals.length === 0);
  return meant.map(({ asset }) => asset);
}

/** The store may return further matches: an address must match exactly that address, a symbol that symbol. */
function fits(asset: Asset, read: AssetText): boolean {
  if (read.kind === 'symbol') return asset.symbol?.toLowerCase() === read.text.toLowerCase();
  return asset.id === read.assetId;
}
