import { randomBytes } from 'node:crypto';
import { EVM_CHAINS, type EvmChain } from '../chains/index.ts';
import { tellerOf } from '../domain/index.ts';
import type { SnapshotReader } from '../indexer/index.ts';
import type { SnapshotCollector } from '../snapshots/index.ts';
import {
  type ChainWays,
  createEvmReader,
  createSnapshotCollector,
  createSolanaReader,
  evmHolders,
  readEvmPools,
  readPools,
  solanaHolders,
} from '../snapshots/index.ts';
import type { Database } from '../store/index.ts';
import { keepScanLedger, scanLedger } from '../store/index.ts';
import type { Engine } from './engine.ts';
import { keptPrices, newestHolders } from './kept-snapshots.ts';
import { nodesOf } from './nodes.ts';

const UNREAD: ChainWays = { listHolders: null, readPools: null };

/** The collector on an engine; prices and earlier snapshots come from the store. */
export function openCollector(
  engine: Engine,
  db: Database,
  reader: Pick<SnapshotReader, 'latest'>,
  now: () => number,
): SnapshotCollector {
  const ways = new Map<string, ChainWays>([
    ['solana', solanaWays(engine, now)],
    ...EVM_CHAINS.map((chain): [string, ChainWays] => [chain.name, evmWays(engine, db, chain, now)]),
  ]);
  return createSnapshotCollector({
    ...engine,
    now,
    waysOf: (chain) => ways.get(chain) ?? UNREAD,
    history: (assetId) => keptPrices(db, assetId, new Date(now()).toISOString()),
    previousHolders: (assetId) => newestHolders(reader, assetId),
  });
}

function solanaWays(engine: Engine, now: () => number): ChainWays {
  const nodes = nodesOf(engine.book, tellerOf('solana_node'), ['main', 'second']);
  const paged = nodesOf(engine.book, tellerOf('paged_accounts'), ['main']);
  const reader = createSolanaReader(
    engine.upstream,
    [...nodes, ...paged].map(({ node }) => node),
  );
  const lists = [
    ...paged.flatMap(({ node }) =>
      (['paged', 'das'] as const).map((form) => ({ node, form, most: Number.POSITIVE_INFINITY })),
    ),
    ...nodes.map(({ node, mostHolders }) => ({ node, form: 'plain' as const, most: mostHolders })),
  ];
  const random = () => randomBytes(4).readUInt32LE();
  return {
    listHolders: solanaHolders({ upstream: engine.upstream, reader, nodes: lists, random, now }),
    async readPools(asset, addresses, signal) {
      const read = await readPools(reader, addresses, asset.address === null ? [] : [asset.address], signal);
      if (!read.ok) return read;
      const failures = read.value.failures.map(({ address, fault }) => ({ address, detail: fault.detail }));
      return { ok: true, value: { readings: read.value.readings, failures } };
    },
  };
}

function evmWays(engine: Engine, db: Database, chain: EvmChain, now: () => number): ChainWays {
  const nodes = nodesOf(engine.book, tellerOf('evm_node'), [chain.name, `${chain.name}_2`]);
  if (nodes.length === 0) return UNREAD;
  const reader = createEvmReader(
    engine.upstream,
    nodes.map(({ node }) => node),
  );
  const [blockscout] = nodesOf(engine.book, tellerOf('explorer'), [chain.name]);
  return {
    listHolders: evmHolders({
      upstream: engine.upstream,
      reader,
      ownNodes: nodes.filter(({ own }) => own).map(({ node }) => createEvmReader(engine.upstream, [node])),
      reorgDepth: chain.reorgDepth,
      blockscout: blockscout ? { base: blockscout.node.url, secretHeaders: blockscout.node.secretHeaders } : null,
      savedLedger: (assetId) => scanLedger(db, assetId),
      keepLedger: (assetId, pages) => keepScanLedger(db, assetId, pages, new Date(now()).toISOString()),
      now,
    }),
    readPools: (asset, addresses, signal) => readEvmPools(reader, chain.exchanges, addresses, asset.address, signal),
  };
}
