import { findChain } from '../chains/index.ts';
import type { HoldersSnapshot, Snapshot } from '../contract/index.ts';
import type { Asset, Result, SnapshotKind } from '../domain/index.ts';
import { type CollectReason, createQuotePrices, type GatherTools, gather, noSnapshot } from './gather.ts';
import { HOLDER_SOURCES, holdersOf, type ListHolders } from './holders/list.ts';
import type { PricePoint } from './market/number.ts';
import { MARKET_SOURCES, marketOf } from './market/snapshot.ts';
import { POOL_SOURCES, poolsOf, type ReadPools } from './pools/snapshot.ts';

/** How one chain is read; null: it cannot be read there. */
export interface ChainWays {
  readonly listHolders: ListHolders | null;
  readonly readPools: ReadPools | null;
}

export interface CollectorTools extends GatherTools {
  readonly waysOf: (chain: string) => ChainWays;
  /** Our own kept prices of the last 400 days. */
  readonly history: (assetId: string) => Promise<readonly PricePoint[]>;
  /** The newest holders snapshot, for the change since. */
  readonly previousHolders: (assetId: string) => Promise<HoldersSnapshot | null>;
}

/** Makes snapshots from sources and chains; stores nothing. */
export function createSnapshotCollector(tools: CollectorTools): SnapshotCollector {
  const quotes = createQuotePrices(tools);

  async function market(asset: Asset, signal: AbortSignal) {
    const gathered = await gather(asset, MARKET_SOURCES, tools, signal);
    if (gathered === null) return noSnapshot('no_source_reachable', 'no source of market data answered');
    return { ok: true as const, value: marketOf(asset, gathered, await tools.history(asset.id)) };
  }

  async function pools(asset: Asset, signal: AbortSignal) {
    const gathered = await gather(asset, POOL_SOURCES, tools, signal);
    if (gathered === null) return noSnapshot('no_source_reachable', 'no source that lists pools answered');
    const { readPools } = tools.waysOf(asset.chain ?? '');
    return { ok: true as const, value: await poolsOf(asset, gathered, readPools, quotes, signal) };
  }

  async function holders(asset: Asset, signal: AbortSignal) {
    const { listHolders } = tools.waysOf(asset.chain ?? '');
    if (listHolders === null) return noSnapshot('unsupported_asset', 'holders of this chain cannot be listed');
    const gathered = await gather(asset, HOLDER_SOURCES, tools, signal);
    const listed = await listHolders(asset, gathered, signal);
    if (!listed.ok)
      return noSnapshot(listed.reason === 'not_found' ? 'not_a_token' : 'no_source_reachable', listed.detail);
    const asOf = new Date(tools.now()).toISOString();
    const previous = await tools.previousHolders(asset.id);
    return {
      ok: true as const,
      value: holdersOf(asset, listed.value, gathered, asOf, previous, tools.methodology.holders),
    };
  }

  return {
    async collect(asset, kind, signal) {
      if (asset.chain === null || asset.address === null || findChain(asset.chain) === null)
        return noSnapshot('unsupported_asset', 'only assets on a chain of ours have chain data');
      if (kind !== 'market' && asset.address === 'native')
        return noSnapshot(
          'unsupported_asset',
          'a chain has neither holders nor pools of its own coin; ask for its wrapped form',
        );
      const made = await { market, holders, pools }[kind](asset, signal);
      return signal.aborted ? noSnapshot('cancelled', 'stopped') : made;
    },
  };
}

/** Makes one snapshot of one asset. Stores nothing. */
export interface SnapshotCollector {
  collect(
    asset: Asset,
    kind: SnapshotKind,
    signal: AbortSignal,
  ): Promise<Result<Snapshot, { readonly reason: CollectReason; readonly detail: string }>>;
}
