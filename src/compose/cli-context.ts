import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { CHAINS } from '../chains/index.ts';
import type { Archive, CliContext, PublicReply, SourceTools, Terminal } from '../cli/context.ts';
import { type Config, clockOf, describeConfig, exportsRoot } from '../config/index.ts';
import type { Collection } from '../consensus/index.ts';
import type { EvidenceRecord, SnapshotKind } from '../domain/index.ts';
import type { SourceBook } from '../evidence/index.ts';
import type { ScoringService } from '../jobs/index.ts';
import type { Database, ReadMoved } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import type { Engine } from './engine.ts';
import type { Storage } from './storage.ts';

/** Well-known assets that `sources check` sends requests about. */
const WELL_KNOWN = [
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  'project:uniswap.org',
];

/** Keys of this installation, which must not appear in recordings. */
function keysOf({ sources }: Config): readonly string[] {
  return Object.values(sources).flatMap(({ key }) => key ?? []);
}

/** Services for commands, each opened at first use; `close` ends the opened ones. */
export function createCliContext(
  config: Config,
  terminal: Terminal,
): { readonly context: CliContext; readonly close: () => Promise<void> } {
  const closers: (() => Promise<void>)[] = [];
  const now = clockOf(config);
  let storage: Promise<Storage> | null = null;
  const server = Promise.withResolvers<void>();
  let engine: Promise<Engine> | null = null;
  let scoring: Promise<ScoringService> | null = null;

  const openedStorage = () => {
    storage ??= (async () => {
      const { openDatabase } = await import('../store/embedded.ts');
      const database = openDatabase({
        ...config,
        role: 'visitor',
        log: () => undefined,
        onProcess: server.resolve,
      }).finally(server.resolve);
      database.catch(() => undefined);
      // Wait until the server process is started: loading modules blocks this thread, and the server starts meanwhile.
      await server.promise;
      const { openStorage } = await import('./storage.ts');
      const opened = await openStorage(config, 'visitor', () => undefined, database);
      closers.push(opened.close);
      return opened;
    })();
    // Callers that await it get the error; until then an unhandled rejection must not end the process.
    storage.catch(() => undefined);
    return storage;
  };
  const openedDatabase = async () => (await openedStorage()).store.db;
  const openedEngine = () => {
    engine ??= import('./engine.ts').then(({ createEngine }) => {
      const made = createEngine(config, undefined, now);
      closers.push(made.close);
      return made;
    });
    return engine;
  };
  // Moved evidence is rare: the client is opened on demand.
  const movedEvidence = async () => {
    const { openMovedEvidence } = await import('./moved-evidence.ts');
    return openMovedEvidence(config, (await openedEngine()).upstream);
  };
  const readMoved: ReadMoved = async (object) => (await movedEvidence()).readMoved(object);
  const boundSources = async () => {
    const [{ bindSources }, { SOURCES }] = await Promise.all([
      import('../evidence/book.ts'),
      import('../sources/index.ts'),
    ]);
    return bindSources(SOURCES, config.sources);
  };
  const probes: SourceTools['check'] = async function* () {
    const { probeSources } = await import('../evidence/inspect.ts');
    yield* probeSources(await boundSources(), (await openedEngine()).upstream, now, WELL_KNOWN);
  };
  const openedRegistry = async () => {
    const [{ createRegistry }, { INDEXER_DEFAULTS }] = await Promise.all([
      import('../indexer/registry.ts'),
      import('../indexer/settings.ts'),
    ]);
    const db = await openedDatabase();
    return createRegistry({ db, settings: INDEXER_DEFAULTS, now, changed: () => undefined });
  };
  const openedReader = async () => {
    const { latestSnapshot } = await import('../store/snapshots/read.ts');
    const db = await openedDatabase();
    return { latest: (assetId: string, kind: SnapshotKind) => latestSnapshot(db, assetId, kind) };
  };
  const onError = (error: unknown, what: string) =>
    terminal.err(`${what}: ${error instanceof Error ? error.message : 'failed'}`);

  const openedScoring = async () => {
    const opening = openedStorage();
    await Promise.race([server.promise, opening]);
    const [
      { store },
      registry,
      reader,
      engine,
      { openRatedSnapshots, openRatingBook, openScoring },
      { createSigner },
      { createRatedSnapshots },
      { ratedSnapshots },
    ] = await Promise.all([
      opening,
      openedRegistry(),
      openedReader(),
      openedEngine(),
      import('./scoring.ts'),
      import('../signing/signer.ts'),
      import('../indexer/rated-snapshots.ts'),
      import('../snapshots/collector.ts'),
    ]);
    const opened = await openScoring(config, engine, store.db, {
      instanceId: `cli-${randomUUID()}`,
      readMoved,
      now,
      ticks: () => performance.now(),
      concurrency: config.concurrentJobs,
      book: openRatingBook(config, await createSigner(store.db, now)),
      snapshots: openRatedSnapshots({ store, registry, reader, onError, createRatedSnapshots, ratedSnapshots }),
      onError,
    });
    closers.push(() => opened.close(0));
    return opened;
  };

  const context: CliContext = {
    terminal,
    config,
    judgeUrl: async () => (await import('../upstream/guard.ts')).judgeProjectUrl,
    now,
    settings: () => describeConfig(config),
    exportsRoot: exportsRoot(config),
    exportSubjects: ['rms', ...CHAINS.map((chain) => chain.name)],
    openScoring() {
      scoring ??= openedScoring();
      return scoring;
    },
    async openBulk() {
      const scoring = await context.openScoring();
      const [{ openBulkOn }, { store }] = await Promise.all([import('./scoring.ts'), openedStorage()]);
      const bulk = openBulkOn({ config, store, scoring, now: Date.now, onError }, true);
      closers.push(bulk.close);
      return bulk;
    },
    async openAccess() {
      const { createAccess } = await import('../access/access.ts');
      return createAccess(await openedDatabase(), now, randomBytes);
    },
    async openExports() {
      const { openExportTools } = await import('./exports.ts');
      return openExportTools(config, (await openedStorage()).store, readMoved, now);
    },
    async plans() {
      const { loadPlans } = await import('../access/plans/plans.ts');
      return loadPlans(config.plansFile);
    },
    async openUsage() {
      const { createUsageService } = await import('../access/usage/service.ts');
      return createUsageService(await openedDatabase(), await context.openAccess(), await context.plans(), now);
    },
    openIndex: openedRegistry,
    async openRated() {
      const [{ createRatingReader }, { createRegister }, { openNamesakes }] = await Promise.all([
        import('../monitoring/reader.ts'),
        import('../monitoring/monitor.ts'),
        import('./namesakes.ts'),
      ]);
      const { store } = await openedStorage();
      const namesakes = openNamesakes(await openedEngine(), store.db, false, now);
      const reader = createRatingReader({ store, namesakes, now, onError });
      closers.push(reader.close);
      return { reader, register: createRegister(store.db, now) };
    },
    async openReports() {
      const [scoring, { store }, { reader }, { openCommitteeReports }, { htmlOf, markdownOf }, { replyContext }] =
        await Promise.all([
          context.openScoring(),
          openedStorage(),
          context.openRated(),
          import('./report.ts'),
          import('../report/index.ts'),
          import('../jobs/index.ts'),
        ]);
      const reportOf = openCommitteeReports(store.db, reader, (await openedEngine()).methodology, readMoved);
      return async (jobId, form) => {
        const [job, report] = await Promise.all([scoring.get(jobId), scoring.report(jobId)]);
        if (job === null || report === null) return null;
        const { ties } = replyContext(job, report, { asked: job.request, warnings: [], now: now() });
        const document = await reportOf(report, ties);
        return form === 'html' ? htmlOf(document) : markdownOf(document);
      };
    },
    async takeSnapshot(asset, kind, signal) {
      const { openCollector } = await import('./chain-reads.ts');
      const db = await openedDatabase();
      return openCollector(await openedEngine(), db, await openedReader(), now).collect(asset, kind, signal);
    },
    async followAlerts(options, signal) {
      const { followAlerts } = await import('../monitoring/alerts/alert-book.ts');
      return followAlerts(await openedDatabase(), options, signal);
    },
    async recordContract(url, chain, address) {
      const { recordContract } = await import('../snapshots/from-node.ts');
      return recordContract(await openedEngine(), url, chain, address);
    },
    async scanMint(url, mint, priceUsd) {
      const { scanMint } = await import('../snapshots/from-node.ts');
      return scanMint(await openedEngine(), url, mint, priceUsd, now);
    },
    archiveOf: async (jobId) => archiveOf(await openedDatabase(), jobId, readMoved),
    fetchPublic: async (url, isOwn) => fetchPublic((await openedEngine()).upstream, url, isOwn),
    async openOperations() {
      const { openOperations } = await import('./operations.ts');
      return openOperations(config, now, probes, movedEvidence);
    },
    async openSources() {
      return openSourceTools({
        book: await boundSources(),
        keys: keysOf(config),
        engine: openedEngine,
        database: openedDatabase,
        readMoved,
        check: probes,
      });
    },
    async rebuild(evidence) {
      const [{ rebuildReport }, { loadMethodology }, { computableMethodology }] = await Promise.all([
        import('../jobs/pipeline.ts'),
        import('../methodology/load.ts'),
        import('../methodology/versions.ts'),
      ]);
      return rebuildReport(evidence, computableMethodology(evidence.methodologyHash) ?? loadMethodology());
    },
    async reobserve(archive) {
      const { reobserve } = await import('../evidence/inspect.ts');
      return reobserve(archive.evidence, await boundSources(), archive.bodyOf);
    },
  };
  return {
    context,
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** The archive of a job, with the bodies that still have the recorded hash. */
async function archiveOf(db: Database, jobId: string, readMoved: ReadMoved): Promise<Archive | null> {
  const { bodyByHash, evidenceOf } = await import('../store/archive.ts');
  const stored = await evidenceOf(db, jobId, readMoved);
  if (!stored) return null;
  return {
    evidence: JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord,
    result: stored.result,
    bodyOf: async (sha256) => {
      const body = await bodyByHash(db, sha256, readMoved);
      return body && createHash('sha256').update(body).digest('hex') === sha256 ? body : null;
    },
  };
}

async function fetchPublic(upstream: Upstream, url: string, isOwn: boolean): Promise<PublicReply> {
  const reply = await upstream.request(
    {
      label: 'public-registers',
      trust: isOwn ? 'operator' : 'outside',
      method: 'GET',
      url,
      headers: { accept: 'text/csv, application/json' },
      secretHeaders: {},
      secretQuery: [],
      body: null,
      deadlines: { connectMs: 5_000, headersMs: 20_000, bodyMs: 30_000, totalMs: 40_000 },
      maxBytes: 8 * 1024 * 1024,
      accept: [],
      okStatuses: [],
      retries: 1,
      maxRedirects: 3,
      traceparent: null,
    },
    AbortSignal.timeout(60_000),
  );
  if (!reply.ok) return { ok: false, detail: `${reply.reason}: ${reply.detail}` };
  const lastModified = reply.headers['last-modified'];
  return {
    ok: true,
    value: { body: reply.body, sha256: reply.sha256, ...(lastModified ? { lastModified } : {}) },
  };
}

/** The functions of commands for sources. `keys`: values that no recording may contain. */
async function openSourceTools(parts: {
  readonly book: SourceBook;
  readonly keys: readonly string[];
  readonly engine: () => Promise<Engine>;
  readonly database: () => Promise<Database>;
  readonly readMoved: ReadMoved;
  readonly check: SourceTools['check'];
}): Promise<SourceTools> {
  const { book, keys, engine, database, readMoved, check } = parts;
  const [{ catalogueOf, parseSavedReply }, { SOURCES }] = await Promise.all([
    import('../evidence/inspect.ts'),
    import('../sources/index.ts'),
  ]);
  return {
    list: () => catalogueOf(book),
    check,
    parse: ({ body, ...question }) =>
      parseSavedReply(SOURCES, { ...question, status: 200, headers: {}, fetchedAt: new Date().toISOString() }, body),
    async prove({ panel, out, ...limits }) {
      const { builtInPanel, prove, readPanel, writeBundle } = await import('../proving/index.ts');
      const { upstream, methodology } = await engine();
      const assets = panel === null ? builtInPanel() : readPanel(panel);
      const proof = await prove({ book, upstream, now: Date.now, ...limits }, assets, methodology);
      const recorded = out === null ? null : await writeBundle(out, proof.readings, proof.findings, keys);
      return { proof, recorded };
    },
    async adopt({ bundle, out, panel }) {
      const { adoptBundle, readPanel, withStated } = await import('../proving/index.ts');
      const adopted = await adoptBundle(SOURCES, bundle, out, keys);
      const grown = panel === null ? null : await withStated(readPanel(panel), out);
      return { adopted, panel: grown && `${JSON.stringify(grown, null, 2)}\n` };
    },
    async lineage({ jobs }) {
      const [{ lineageOf }, { newestEvidence }, { loadMethodology }] = await Promise.all([
        import('../consensus/lineage/report.ts'),
        import('../store/archive.ts'),
        import('../methodology/load.ts'),
      ]);
      const collections: Collection[] = [];
      for await (const record of newestEvidence(await database(), jobs, readMoved)) {
        const { identification, asOf, observations } = JSON.parse(new TextDecoder().decode(record)) as EvidenceRecord;
        collections.push({ assetId: identification.asset.id, asOf, observations });
      }
      return lineageOf(collections, loadMethodology());
    },
  };
}
