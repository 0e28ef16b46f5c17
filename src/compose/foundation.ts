import { randomBytes, randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type AccessService,
  collectionQuotas,
  createAccess,
  keptDaysOfJobs,
  loadPlans,
  type PlanBook,
} from '../access/index.ts';
import { type Config, clockOf } from '../config/index.ts';
import type { ScoringService } from '../jobs/index.ts';
import { openJobSignals } from '../jobs/index.ts';
import type { Panel } from '../proving/index.ts';
import { type AttestationSigner, createAttestationSigner, createSigner, type Signer } from '../signing/index.ts';
import {
  backlog,
  isReachable,
  joinProcesses,
  openReads,
  type Processes,
  type Reads,
  type Role,
} from '../store/index.ts';
import { type BacklogReader, createLogger, createMetrics, type Metrics, serveMetrics } from '../telemetry/index.ts';
import { type Resolver, systemResolver } from '../upstream/index.ts';
import { type Chain, openChain } from './chain.ts';
import type { EarlyDatabase } from './early-database.ts';
import { createEngine, type Engine, sharedLists, sharedTurns } from './engine.ts';
import { type MovedEvidence, openMovedEvidence } from './moved-evidence.ts';
import { openRatingBook, openScoring } from './scoring.ts';
import { openSourceMonitor, type SourceMonitor } from './source-monitor.ts';
import { openStorage, type Storage } from './storage.ts';

export interface ProcessOptions {
  readonly config: Config;
  /** Resolves host names; the sandbox has its own. */
  readonly resolver?: Resolver;
  /** Log nothing below warnings. */
  readonly quiet?: boolean;
  /**
   * Known assets for the check of the sources at the first start; the sandbox has its own. Default: those of the
   * configuration.
   */
  readonly panel?: Panel;
  /**
   * Time of jobs and evidence, milliseconds since the epoch, to replay old replies at the time of their recording. Only
   * in data mode `sandbox`, which has a separate database, so that a set clock never dates a live rating.
   */
  readonly now?: () => number;
  /** The database, if it is already being opened. */
  readonly database?: EarlyDatabase;
}

/** Components of every process of the service, in any role. */
export interface Foundation {
  readonly config: Config;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly engine: Engine;
  readonly store: Storage['store'];
  readonly reads: Reads;
  readonly access: AccessService;
  readonly plans: PlanBook;
  readonly signer: Signer;
  readonly attester: AttestationSigner;
  readonly chain: Chain;
  readonly moved: MovedEvidence;
  readonly scoring: ScoringService;
  readonly processes: Processes;
  readonly sources: SourceMonitor;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
  /** `database`: it is reachable; `accepting`: the process has not been told to stop. */
  readonly ready: () => Promise<{ readonly database: boolean; readonly accepting: boolean }>;
  /** Makes the process report that it is not ready. */
  readonly stopAccepting: () => void;
  /** Port of the metrics; null without one. */
  readonly metricsPort: number | null;
  /** Gives running jobs a short time to end, and returns the others to the queue. */
  readonly endWork: () => Promise<void>;
  /** Closes the database and everything that is still open. */
  readonly close: () => Promise<void>;
}

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/**
 * Opens database, sources, scoring and chain data for a process of this role. `onReadLag` is called for reads from a
 * replica that is behind.
 */
export async function openFoundation(
  options: ProcessOptions,
  role: Role,
  onReadLag?: (lagMs: number) => void,
): Promise<Foundation> {
  if (options.now && options.config.dataMode === 'live')
    throw new Error('a clock can be set in data mode sandbox only: live ratings are dated by the real one');
  const now = options.now ?? clockOf(options.config);
  const config = options.quiet ? { ...options.config, logLevel: 'warn' } : options.config;
  const works = role !== 'api';
  const logger = createLogger(config);
  const metrics = createMetrics();
  const onError = (error: unknown, what: string) => logger.error({ err: error }, what);
  const say = (message: string) => logger.info(message);
  options.database?.setLog(say);
  const storage = await openStorage(config, 'service', say, options.database?.opened);
  const { store } = storage;
  const turns = sharedTurns(store.db, onError);
  const engine = createEngine(config, options.resolver, now, turns, sharedLists(store.db, now, onError));
  const moved = openMovedEvidence(config, engine.upstream);
  const access = createAccess(store.db, clockOf(config), randomBytes);
  const plans = loadPlans(config.plansFile);
  const signer = await createSigner(store.db, now);
  const attester = await createAttestationSigner(store.db, now);
  const instanceId = randomUUID();
  const processes = await joinProcesses(store.db, { id: instanceId, role, version }, engine.shareWith, (error) =>
    onError(error, 'telling that this process lives'),
  );
  const reads = await openReads({
    primary: store,
    urls: config.readUrls,
    dataMode: config.dataMode,
    mostLagSeconds: config.readLagSeconds,
    onError: (error) => onError(error, 'read replicas'),
    ...(onReadLag ? { onRead: onReadLag } : {}),
  });
  const chain = await openChain({
    config,
    engine,
    store,
    reads,
    resolver: options.resolver ?? systemResolver(),
    works,
    now,
    onError,
  });
  const sources = await openSourceMonitor({
    config,
    engine,
    db: store.db,
    holder: instanceId,
    now,
    onError,
    onDrift: ({ source, weight, began, ended }) => {
      const what = { source, weight, began, ended };
      if (began.length > 0) logger.warn(what, 'a source is not as usual: it has less weight');
      else logger.info(what, 'a source is as usual again');
    },
  });
  const keptDays = keptDaysOfJobs(store.db, plans, config.unpublishedDays);
  const scoring = await openScoring(config, engine, store.db, {
    instanceId,
    readMoved: moved.readMoved,
    now,
    ticks: () => performance.now(),
    concurrency: works ? config.concurrentJobs : 0,
    jobSignals: openJobSignals(store, processes.isAlone, onError),
    book: openRatingBook(config, signer),
    snapshots: chain.ratedSnapshots,
    collectionQuota: collectionQuotas(store.db, plans, clockOf(config)),
    ...(keptDays ? { keptDays } : {}),
    onError,
    onRated: chain.noteRated,
    onRequest: (source, outcome, milliseconds) => metrics.countRequest(source, outcome, milliseconds / 1000),
    onConsensus: sources.noteConsensus,
    onFinished: (state, seconds) => metrics.jobEnded(state, seconds),
    onDeleted: metrics.evidenceDeleted,
  });
  metrics.watchIndex(async () => (await chain.indexer.status()).lag);
  metrics.watchBacklog(backlogReader(store.pool, config, now));
  metrics.watchCircuits(() => engine.upstream.health());
  metrics.watchSources(sources.statuses);
  metrics.watchProcesses(processes.list);
  metrics.watchReplicas(reads.status);
  let stopping = false;
  const ready = async () => ({ database: await isReachable(store.db), accepting: !stopping });
  const isReady = async () => Object.values(await ready()).every(Boolean);
  const { metricsPort: port, metricsHost } = config;
  const metricsServer = port === null ? null : await serveMetrics(port, metrics.registry, metricsHost, isReady);
  const graceMs = config.shutdownSeconds * 1000;
  return {
    config,
    version,
    logger,
    metrics,
    engine,
    store,
    reads,
    access,
    plans,
    signer,
    attester,
    chain,
    moved,
    scoring,
    processes,
    sources,
    now,
    onError,
    ready,
    stopAccepting() {
      stopping = true;
    },
    metricsPort: metricsServer?.port ?? null,
    endWork: async () => void (await Promise.all([scoring.close(graceMs), chain.close(graceMs)])),
    async close() {
      await metricsServer?.close();
      await sources.close();
      await engine.close();
      await processes.close();
      await reads.close();
      await storage.close();
    },
  };
}

const STUCK_SECONDS = 60;

/**
 * Reads the backlogs for the metrics from the database and the free space of the data folder. Without monitoring no
 * rating is due.
 */
function backlogReader(
  pool: pg.Pool,
  { dataDir, monitorJobs }: Pick<Config, 'dataDir' | 'monitorJobs'>,
  now: () => number,
): BacklogReader {
  return async () => {
    const waiting = await backlog(pool, new Date(now()).toISOString(), STUCK_SECONDS);
    const { bavail, bsize } = await statfs(dataDir);
    const oldestDueSeconds = monitorJobs > 0 ? waiting.oldestDueSeconds : 0;
    return { ...waiting, oldestDueSeconds, freeBytes: bavail * bsize };
  };
}
