import type { AssetIndex, ChainServices } from '../api/index.ts';
import { CHAINS, findChain } from '../chains/index.ts';
import { type Config, exportsRoot } from '../config/index.ts';
import { completeRestatements } from '../disclosure/index.ts';
import type { Asset } from '../domain/index.ts';
import { createExportService, createPublisher, type Publisher } from '../exports/index.ts';
import type { RatedSnapshots, Registry, SnapshotReader } from '../indexer/index.ts';
import {
  createRatedSnapshots,
  createSnapshotReader,
  type Indexer,
  openChainWatch,
  startIndexer,
} from '../indexer/index.ts';
import type { SnapshotCollector } from '../snapshots/index.ts';
import { describeAsset, EVM_WATCH, ratedSnapshots, SOLANA_WATCH, watchNode } from '../snapshots/index.ts';
import type { Reads, Store } from '../store/index.ts';
import { closedDays } from '../store/index.ts';
import { createNodeSockets, type Resolver } from '../upstream/index.ts';
import { openCollector } from './chain-reads.ts';
import type { Engine } from './engine.ts';
import { closingClock } from './exports.ts';
import { createPublishingThread } from './publishing-thread.ts';
import { openRatedSnapshots } from './scoring.ts';

export interface Chain {
  readonly services: ChainServices;
  readonly collector: SnapshotCollector;
  readonly indexer: Indexer;
  readonly publisher: Publisher;
  /** Where snapshots of published ratings are stored. */
  readonly ratedSnapshots: RatedSnapshots;
  /** A rating of this asset was published, which makes its indexed snapshots due. */
  readonly noteRated: (asset: Asset) => void;
  readonly close: (graceMs: number) => Promise<void>;
}

export interface ChainOptions {
  readonly config: Config;
  readonly engine: Engine;
  readonly store: Store;
  readonly reads: Reads;
  /** Resolves host names of nodes. */
  readonly resolver: Resolver;
  /** False: this process only serves requests; others read the chains and publish. */
  readonly works: boolean;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}

const PUBLISH_EVERY_MS = 60_000;
const DESCRIBE_MS = 20_000;

/** Indexer, reads and daily exports of chain data in this process. */
export async function openChain(options: ChainOptions): Promise<Chain> {
  const { config, engine, store, works, now, onError } = options;
  const reader = createSnapshotReader({ store, reads: options.reads, onError });
  const collector = openCollector(engine, store.db, reader, now);
  const indexer = await startIndexer({
    store,
    collector,
    works,
    now,
    closesBy: closingClock(config, store, now),
    onError,
    settings: { retentionDays: config.snapshotRetentionDays },
  });
  for (const text of works ? await indexer.configured(config.indexedAssets) : [])
    onError(new Error(`ASSAY_INDEX names no asset: ${text}`), 'configuration');
  const root = exportsRoot(config);
  const exports = createExportService(root);
  const thread = createPublishingThread({
    databaseUrl: store.url,
    dataMode: config.dataMode,
    root,
    isLowPriority: true,
  });
  const publisher = createPublisher({
    subjects: CHAINS.map((chain) => chain.name),
    closedDays: async (chain) => (await closedDays(store.db, chain)).map((row) => row.day),
    service: exports,
    complete: (chain) => completeRestatements({ config, store, now }, chain),
    publish: (subject, date, signal) => thread.publish({ subject, date, at: now() }, signal),
    onError,
  });
  if (works) publisher.start(PUBLISH_EVERY_MS);
  const watch = works
    ? openWatch({ sockets: config.nodeSockets, resolver: options.resolver, store, reader, now, onError }, indexer)
    : null;
  return {
    services: { reader, exports, index: assetIndex(indexer, engine, now), indexerStatus: () => indexer.status() },
    collector,
    indexer,
    publisher,
    ratedSnapshots: openRatedSnapshots({
      store,
      registry: indexer,
      reader,
      onError,
      createRatedSnapshots,
      ratedSnapshots,
    }),
    noteRated: (asset) => indexer.noteRated(asset.id),
    async close(graceMs) {
      await watch?.close();
      await publisher.close();
      await indexer.close(graceMs);
      await reader.close();
    },
  };
}

/** Management of indexed assets, also available in processes without a worker. */
function assetIndex(registry: Registry, engine: Engine, now: () => number): AssetIndex {
  return {
    list: (chain, page) => registry.listOf({ chain, ...page }),
    entry: (assetId, accountId) => registry.entry(assetId, accountId),
    used: (accountId) => registry.wanted(accountId),
    async add(chainName, address, { requester, ...wanted }) {
      const chain = findChain(chainName);
      if (chain === null) return { ok: false, reason: 'unsupported_asset', detail: `${chainName} is no chain of ours` };
      const described = await describeAsset(chain, address, { ...engine, now }, AbortSignal.timeout(DESCRIBE_MS));
      if (!described.ok)
        return described.reason === 'cancelled'
          ? { ...described, reason: 'no_source_reachable' }
          : { ...described, reason: described.reason };
      const { accountId } = requester;
      const noKind = {
        ok: false,
        reason: 'unsupported_asset',
        detail: 'none of these kinds can be made of this asset',
      } as const;
      if (requester.who === 'account') {
        const added = await registry.want(described.value, { accountId, ...wanted, most: requester.most });
        if (added === null) return noKind;
        if (added === 'full')
          return { ok: false, reason: 'index_full', detail: `The account has asked for ${requester.most} assets` };
        return { ok: true, value: added };
      }
      const before = await registry.entry(described.value.id, accountId);
      const [entry] = await registry.add([described.value], { ...wanted, addedBy: 'api' });
      if (entry === undefined) return noKind;
      return { ok: true, value: { entry: { ...entry, isYours: before?.isYours ?? false }, created: before === null } };
    },
    remove: (assetId, { who, accountId }) =>
      who === 'operator' ? registry.remove(assetId) : registry.unwant(assetId, accountId),
    awaited: (assetId, kind) => registry.awaited(assetId, kind),
  };
}

/** Watches the chains whose nodes have a configured websocket. */
function openWatch(
  {
    sockets,
    resolver,
    store,
    reader,
    now,
    onError,
  }: Pick<ChainOptions, 'store' | 'now' | 'onError' | 'resolver'> & {
    readonly sockets: Config['nodeSockets'];
    readonly reader: SnapshotReader;
  },
  indexer: Pick<Indexer, 'wake'>,
): { readonly close: () => Promise<void> } | null {
  const known = CHAINS.map(({ name }) => name);
  for (const { chain } of sockets)
    if (!known.includes(chain))
      onError(new Error(`ASSAY_NODE_SOCKETS names no chain of ours: ${chain}`), 'configuration');
  const watched = sockets.filter(({ chain }) => known.includes(chain));
  if (watched.length === 0) return null;
  const connections = createNodeSockets(resolver);
  const watch = openChainWatch({
    store,
    reader,
    now,
    wake: indexer.wake,
    onError,
    chains: watched.map(({ chain, url }) => ({
      chain,
      watch: (seen) =>
        watchNode({
          sockets: connections,
          url,
          protocol: chain === 'solana' ? SOLANA_WATCH : EVM_WATCH,
          seen,
          onError: (error) => onError(error, `subscription to the node of ${chain}`),
        }),
    })),
  });
  return {
    async close() {
      await watch.close();
      await connections.close();
    },
  };
}
