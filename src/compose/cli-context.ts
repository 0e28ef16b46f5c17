import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createAccess } from '../access/access.ts';
import { loadPlans } from '../access/plans/load.ts';
import { createUsageService } from '../access/usage/service.ts';
import type { CliContext, Terminal } from '../cli/context.ts';
import { describeConfig } from '../config/describe.ts';
import type { Config } from '../config/types.ts';
import { CHAINS } from '../domain/chains.ts';
import type { EvidenceRecord } from '../domain/evidence.ts';
import type { SnapshotKind } from '../domain/snapshot.ts';
import { bindSources } from '../evidence/book.ts';
import { catalogueOf, probeSources } from '../evidence/catalogue.ts';
import { parseSavedReply } from '../evidence/inspect.ts';
import { reobserve } from '../evidence/reobserve.ts';
import { createRegistry } from '../indexer/registry.ts';
import { INDEXER_DEFAULTS } from '../indexer/settings.ts';
import { loadMethodology } from '../methodology/load.ts';
import { computableMethodology } from '../methodology/versions.ts';
import { followAlerts } from '../monitoring/alerts/alert-feed.ts';
import { createRatingReader } from '../monitoring/reader.ts';
import { createRegister } from '../monitoring/register.ts';
import { rebuildReport } from '../scoring/archive.ts';
import { createSigner } from '../signing/signer.ts';
import { SOURCES } from '../sources/index.ts';
import { bodyByHash, evidenceOf } from '../store/archive.ts';
import { latestSnapshot } from '../store/snapshots/read.ts';
import { openCollector } from './collector.ts';
import { createEngine, type Engine } from './engine.ts';
import { openExportTools } from './export-tools.ts';
import { exportsRoot } from './exports-root.ts';
import { judgeProjectUrl } from './judge-url.ts';
import { openOperations } from './operations.ts';
import { openRatingBook } from './ratings.ts';
import { recordContract } from './record-contract.ts';
import { scanMint } from './scan-mint.ts';
import { openScoring, openStorage, type Storage } from './scoring.ts';

/** Assets everybody lists: what `sources check` asks about. */
const WELL_KNOWN = [
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  'project:uniswap.org',
];

/** Services for commands, each opened when first asked for; `close` ends those that were. */
export function createCliContext(
  config: Config,
  terminal: Terminal,
): { readonly context: CliContext; readonly close: () => Promise<void> } {
  const book = bindSources(SOURCES, config.sources);
  const closers: (() => Promise<void>)[] = [];
  let storage: Promise<Storage> | null = null;
  let engine: Engine | null = null;

  const openedStorage = () => {
    storage ??= openStorage(config, 'visitor', () => undefined).then((opened) => {
      closers.push(opened.close);
      return opened;
    });
    return storage;
  };
  const openedEngine = () => {
    if (engine === null) {
      const made = createEngine(config);
      closers.push(made.close);
      engine = made;
    }
    return engine;
  };

  const context: CliContext = {
    terminal,
    config,
    judgeUrl: judgeProjectUrl,
    now: Date.now,
    settings: () => describeConfig(config),
    async openScoring() {
      const { store } = await openedStorage();
      const scoring = await openScoring(config, openedEngine(), store.db, {
        instanceId: `cli-${randomUUID()}`,
        now: Date.now,
        ticks: () => performance.now(),
        concurrency: config.concurrentJobs,
        book: openRatingBook(config, await createSigner(store.db, Date.now)),
        onError: (error, what) => terminal.err(`${what}: ${error instanceof Error ? error.message : 'failed'}`),
      });
      closers.push(() => scoring.close(0));
      return scoring;
    },
    async openAccess() {
      return createAccess((await openedStorage()).store.db, Date.now, randomBytes);
    },
    async openExports() {
      return openExportTools(config, (await openedStorage()).store, Date.now);
    },
    exportsRoot: exportsRoot(config),
    exportSubjects: ['rms', ...CHAINS.map((chain) => chain.name)],
    plans: () => loadPlans(config.plansFile),
    async openUsage() {
      const { db } = (await openedStorage()).store;
      const access = createAccess(db, Date.now, randomBytes);
      return createUsageService(db, access, loadPlans(config.plansFile), Date.now);
    },
    async openIndex() {
      const { db } = (await openedStorage()).store;
      return createRegistry({ db, settings: INDEXER_DEFAULTS, now: Date.now, changed: () => undefined });
    },
    async openRated() {
      const { store } = await openedStorage();
      const onError = (error: unknown, what: string) =>
        terminal.err(`${what}: ${error instanceof Error ? error.message : 'failed'}`);
      const reader = createRatingReader({ store, now: Date.now, onError });
      closers.push(reader.close);
      return { reader, register: createRegister(store.db, Date.now) };
    },
    async takeSnapshot(asset, kind, signal) {
      const { store } = await openedStorage();
      const reader = { latest: (assetId: string, wanted: SnapshotKind) => latestSnapshot(store.db, assetId, wanted) };
      return openCollector(openedEngine(), store.db, reader, Date.now).collect(asset, kind, signal);
    },
    followAlerts: async (wish, signal) => followAlerts((await openedStorage()).store.db, wish, signal),
    recordContract: (url, chain, address) => recordContract(openedEngine(), url, chain, address),
    scanMint: (url, mint, priceUsd) => scanMint(openedEngine(), url, mint, priceUsd, Date.now),
    async archiveOf(jobId) {
      const { db } = (await openedStorage()).store;
      const stored = await evidenceOf(db, jobId);
      if (!stored) return null;
      return {
        evidence: JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord,
        result: stored.result,
        bodyOf: async (sha256) => {
          const body = await bodyByHash(db, sha256);
          return body && createHash('sha256').update(body).digest('hex') === sha256 ? body : null;
        },
      };
    },
    operations: openOperations(config, Date.now, () =>
      probeSources(book, openedEngine().upstream, Date.now, WELL_KNOWN),
    ),
    sources: {
      list: () => catalogueOf(book),
      check: () => probeSources(book, openedEngine().upstream, Date.now, WELL_KNOWN),
      parse: ({ body, ...question }) =>
        parseSavedReply(SOURCES, { ...question, status: 200, headers: {}, fetchedAt: new Date().toISOString() }, body),
    },
    rebuild: (evidence) =>
      rebuildReport(evidence, computableMethodology(evidence.methodologyHash) ?? loadMethodology()),
    reobserve: (archive) => reobserve(archive.evidence, book, archive.bodyOf),
  };
  return {
    context,
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}
