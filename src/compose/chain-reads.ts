import { randomBytes } from 'node:crypto';
import { EVM_CHAINS, type EvmChain } from '../chains/index.ts';
import type { Config } from '../config/index.ts';
import { DAY_MS, type ScoreReport, sourceFor } from '../domain/index.ts';
import type { BoundSource, SourceBook } from '../evidence/index.ts';
import type { SnapshotReader } from '../indexer/index.ts';
import type { KeyChain } from '../monitoring/index.ts';
import {
  type ChainReaders,
  contractKeys,
  createEvmReader,
  createForensics,
  createSnapshotCollector,
  createSolanaReader,
  evmHolders,
  type Forensics,
  mintKeys,
  type RpcNode,
  readEvmPools,
  readPools,
  SEARCHES_AT_ONCE,
  type SnapshotCollector,
  solanaHolders,
} from '../snapshots/index.ts';
import {
  type Database,
  firstPayments,
  keepFirstPayments,
  keepLaunch,
  keepScanLedger,
  priceAt,
  type Store,
  scanLedger,
} from '../store/index.ts';
import type { Engine } from './engine.ts';
import { keptPrices, newestHolders } from './kept-snapshots.ts';

const UNREAD: ChainReaders = { listHolders: null, readPools: null };

/** Creates the collector of snapshots; prices and earlier snapshots come from the store. */
export function openCollector(
  engine: Engine,
  db: Database,
  reader: Pick<SnapshotReader, 'latest'>,
  now: () => number,
): SnapshotCollector {
  const ways = new Map<string, ChainReaders>([
    ['solana', solanaReaders(engine, now)],
    ...EVM_CHAINS.map((chain): [string, ChainReaders] => [chain.name, evmReaders(engine, db, chain, now)]),
  ]);
  return createSnapshotCollector({
    ...engine,
    now,
    readersOf: (chain) => ways.get(chain) ?? UNREAD,
    history: (assetId) => keptPrices(db, assetId, new Date(now()).toISOString()),
    previousHolders: (assetId) => newestHolders(reader, assetId),
  });
}

function solanaReaders(engine: Engine, now: () => number): ChainReaders {
  const nodes = nodesOf(engine.book, sourceFor('solana_node'), ['main', 'second']);
  const paged = nodesOf(engine.book, sourceFor('paged_accounts'), ['main']);
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

function evmReaders(engine: Engine, db: Database, chain: EvmChain, now: () => number): ChainReaders {
  const nodes = nodesOf(engine.book, sourceFor('evm_node'), [chain.name, `${chain.name}_2`]);
  if (nodes.length === 0) return UNREAD;
  const reader = createEvmReader(
    engine.upstream,
    nodes.map(({ node }) => node),
  );
  const [blockscout] = nodesOf(engine.book, sourceFor('explorer'), [chain.name]);
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

const PRICE_WITHIN_SECONDS = 3_600;
/** Share of a public node's request budget that all searches together may use; the rest is for ratings. */
const SHARE_OF_BUDGET = 0.5;
const CAREFUL_PER_MINUTE = 100;

/** Searches through the history of chains; stored holders and past prices come from the store. */
export function openForensics(parts: {
  readonly config: Config;
  readonly engine: Engine;
  readonly store: Store;
  readonly snapshots: Pick<SnapshotReader, 'latest'>;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}): Forensics {
  const { config, engine, store, snapshots, now, onError } = parts;
  const { book } = engine;
  const llama = book.get(sourceFor('past_prices'));
  const configured = (chain: string) =>
    chain === 'solana'
      ? [
          ...nodesOf(book, sourceFor('paged_accounts'), ['main']),
          ...nodesOf(book, sourceFor('solana_node'), ['main', 'second']),
        ]
      : nodesOf(book, sourceFor('evm_node'), [chain, `${chain}_2`]);
  return createForensics({
    upstream: engine.upstream,
    nodesOf: (chain) => configured(chain).map(({ node }) => node),
    explorerOf(chain) {
      const [found] = nodesOf(book, sourceFor('explorer'), [chain]);
      return found ? { base: found.node.url, secretHeaders: found.node.secretHeaders } : null;
    },
    llamaCoins: llama?.enabled ? (llama.bases.coins ?? null) : null,
    keptPrice: async (assetId, at) => (await priceAt(store.db, assetId, at, PRICE_WITHIN_SECONDS))?.priceUsd ?? null,
    attributionOf: (source) => book.get(source)?.source.terms.attribution ?? null,
    everyMs(chain) {
      const [first] = configured(chain);
      if (config.dataMode === 'sandbox' || first === undefined || first.own) return 0;
      const perMinute = book.get(first.node.label)?.source.budget.perMinute ?? CAREFUL_PER_MINUTE;
      return (60_000 / (perMinute * SHARE_OF_BUDGET)) * SEARCHES_AT_ONCE;
    },
    seenPayments: (assetId, chain, from, to) => firstPayments(store.db, assetId, chain, from, to),
    keepPayments: (assetId, payments) => keepFirstPayments(store.db, assetId, payments, new Date(now()).toISOString()),
    keepLaunch: (assetId, launch) => keepLaunch(store.db, assetId, Buffer.from(JSON.stringify(launch)), launch.asOf),
    now,
    holders: (assetId) => newestHolders(snapshots, assetId),
    onError,
  });
}

/**
 * Maximum age of a token for reading its launch. Later, its first buyers no longer decide its price, and its launch can
 * rarely be read.
 */
const YOUNG_MS = 30 * DAY_MS;

/** Reads launches of young assets for the monitor, using the evidence of their newest ratings. */
export function openLaunchReader(
  forensics: Pick<Forensics, 'launch'>,
  reportOf: (jobId: string) => Promise<ScoreReport | null>,
  now: () => number,
): (launch: { readonly jobId: string }) => Promise<boolean | null> {
  return async ({ jobId }) => {
    const report = await reportOf(jobId);
    const born = report?.consensus.token_created_at?.value ?? report?.consensus.first_trade_at?.value;
    if (report === null || typeof born !== 'string' || now() - Date.parse(born) > YOUNG_MS) return false;
    const { asset, flags, defaultTests } = report.published;
    const subject = {
      asset,
      consensus: report.consensus,
      flags: flags.map((flag) => flag.code),
      defaultTests: defaultTests.map((test) => test.code),
    };
    const launch = await forensics.launch(subject);
    return launch === 'busy' ? null : (launch?.bundles.length ?? 0) > 0;
  };
}

/** Largest holder list that is requested from a public node, which would refuse more. */
const PUBLIC_HOLDERS = 50_000;

export interface ConfiguredNode {
  readonly node: RpcNode;
  /** True for a node that the operator configured (own or paid). */
  readonly own: boolean;
  readonly mostHolders: number;
}

/** The nodes of a source's bases, in the given order; none when the source is disabled. */
export function nodesOf(book: SourceBook, source: string, bases: readonly string[]): readonly ConfiguredNode[] {
  const bound = book.get(source);
  if (!bound?.enabled) return [];
  return bases.flatMap((base) => {
    const url = bound.bases[base];
    if (url === undefined) return [];
    const own = url !== bound.source.bases[base];
    return [{ node: nodeOf(bound, url), own, mostHolders: own ? Number.POSITIVE_INFINITY : PUBLIC_HOLDERS }];
  });
}

/** The key is sent as the source requires, and never recorded. */
function nodeOf(bound: BoundSource, url: string): RpcNode {
  const { source, key } = bound;
  const target = new URL(url);
  const secretHeaders: Record<string, string> = {};
  if (key !== null && source.key?.header) secretHeaders[source.key.header] = (source.key.prefix ?? '') + key;
  if (key !== null && source.key?.query) target.searchParams.set(source.key.query, key);
  return {
    label: source.name,
    url: target.href,
    secretHeaders,
    secretQuery: source.key?.query ? [source.key.query] : [],
  };
}

/** Mints per read; one call reads a hundred of them. */
const MINTS_AT_ONCE = 1_000;
/** Contracts per read; each needs a separate call for its implementation. */
const CONTRACTS_AT_ONCE = 25;

/** The readers of asset keys, one per chain that has a node. */
export function keyChains(engine: Pick<Engine, 'book' | 'upstream'>): readonly KeyChain[] {
  const solana = nodesOf(engine.book, sourceFor('solana_node'), ['main', 'second']).map(({ node }) => node);
  return [
    ...(solana.length === 0
      ? []
      : [{ chain: 'solana', atOnce: MINTS_AT_ONCE, read: mintKeys(createSolanaReader(engine.upstream, solana)) }]),
    ...EVM_CHAINS.flatMap(({ name }) => {
      const nodes = nodesOf(engine.book, sourceFor('evm_node'), [name, `${name}_2`]).map(({ node }) => node);
      return nodes.length === 0
        ? []
        : [{ chain: name, atOnce: CONTRACTS_AT_ONCE, read: contractKeys(createEvmReader(engine.upstream, nodes)) }];
    }),
  ];
}
