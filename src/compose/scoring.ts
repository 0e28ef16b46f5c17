import { randomBytes } from 'node:crypto';
import type { Config } from '../config/index.ts';
import type { Asset, ConsensusSet } from '../domain/index.ts';
import type { PublishedEvidence } from '../evidence/index.ts';
import type { createRatedSnapshots, RatedSnapshots, Registry, SnapshotReader } from '../indexer/index.ts';
import type {
  BulkService,
  CollectionQuota,
  JobSignals,
  RatingBook,
  ScoringService,
  SnapshotBook,
} from '../jobs/index.ts';
import {
  assetHistory,
  buildReport,
  createJobWork,
  createListedPeers,
  createScoringService,
  encodeForArchive,
  keptLaunch,
  newestHolderScan,
  openBulk,
  peerOf,
  sharedPanel,
} from '../jobs/index.ts';
import { loadMethodology } from '../methodology/index.ts';
import { createRatingBook, MONITOR_KEY, writeAlerts } from '../monitoring/index.ts';
import type { Signer } from '../signing/index.ts';
import type { ratedSnapshots } from '../snapshots/index.ts';
import {
  createSnapshotWriter,
  type Database,
  driverDays,
  evidenceOf,
  lastScore,
  previousRating,
  publishedJob,
  type ReadMoved,
  ratedCalled,
  recentPeers,
  type Store,
} from '../store/index.ts';
import type { Engine } from './engine.ts';
import { keptPrices, newestHolders } from './kept-snapshots.ts';

const FIND_SECONDS = 15;
/**
 * Time for which the panel of peers is cached. Reading two thousand assets takes a tenth of a second, and peers change
 * daily.
 */
const PANEL_AGE_MS = 60_000;

export interface ScoringHooks {
  readonly instanceId: string;
  /** Reads evidence from the object store. */
  readonly readMoved: ReadMoved;
  /** Time of jobs and their evidence, milliseconds since the epoch. */
  readonly now: () => number;
  /** Monotonic milliseconds for deadlines and durations. */
  readonly ticks: () => number;
  /** Concurrent scoring jobs in this process; 0: other processes run them. */
  readonly concurrency: number;
  readonly jobSignals?: JobSignals;
  /** Reservation from an account's quota of collections; absent: no quota. */
  readonly collectionQuota?: (keyId: string) => Promise<CollectionQuota>;
  /** Days for which a job is kept, by the plans of its callers; absent: the setting. */
  readonly keptDays?: (job: { readonly id: string; readonly keyId: string }) => Promise<number>;
  readonly book: RatingBook;
  readonly snapshots?: SnapshotBook;
  readonly onError: (error: unknown, what: string) => void;
  readonly onRequest?: (source: string, outcome: string, milliseconds: number) => void;
  readonly onRated?: (asset: Asset) => void;
  /** Called with the consensus of a collection. */
  readonly onConsensus?: (consensus: ConsensusSet) => void;
  readonly onFinished?: (state: string, seconds: number) => void;
  /** Called with the numbers of deleted expired rows. */
  readonly onDeleted?: (deleted: { readonly jobs: number; readonly bodies: number }) => void;
}

/** The scoring service. */
export function openScoring(
  config: Config,
  engine: Engine,
  db: Database,
  hooks: ScoringHooks,
): Promise<ScoringService> {
  const work = createJobWork({
    book: engine.book,
    upstream: engine.upstream,
    bulk: engine.bulk,
    methodology: engine.methodology,
    dataMode: config.dataMode,
    now: hooks.now,
    ticks: hooks.ticks,
    peers: sharedPanel((asOf) => recentPeers(db, asOf), PANEL_AGE_MS),
    listedPeers: createListedPeers(engine.bulk, engine.methodology),
    ratedCalled: (words) => ratedCalled(db, words),
    driverDays: (assetId, asOf) => driverDays(db, assetId, asOf, engine.methodology.vfr.smoothing.days - 1),
    previous: (assetId) => previousRating(db, assetId),
    lastScore: (assetId) => lastScore(db, assetId),
    published: (assetId) => publishedEvidence(db, assetId, hooks.readMoved),
    holderScan: (assetId, asOf) => newestHolderScan(db, assetId, asOf, engine.methodology),
    launch: (assetId, asOf) => keptLaunch(db, assetId, asOf),
    history: (assetId, asOf) => assetHistory(db, assetId, asOf, engine.methodology),
    ...(hooks.onRequest ? { onRequest: hooks.onRequest } : {}),
  });
  return createScoringService({
    db,
    work,
    methodologyHash: engine.methodology.hash,
    build: (evidence) => {
      const report = buildReport(evidence, engine.methodology);
      hooks.onConsensus?.(report.consensus);
      return report;
    },
    encode: encodeForArchive,
    peerOf: (report) => peerOf(report, engine.methodology.vfr),
    random: randomBytes,
    queueLimit: config.queuedJobs,
    bodyRetentionDays: config.bodyRetentionDays,
    backgroundKeyId: MONITOR_KEY,
    // At least the deadline of a caller who sets none.
    collectionSeconds: Math.max(config.collectionSeconds, config.scoreDeadlineSeconds),
    freshSeconds: config.freshSeconds,
    unpublishedDays: config.unpublishedDays,
    ...hooks,
  });
}

/** The archived evidence of the newest published rating of an asset. */
async function publishedEvidence(
  db: Database,
  assetId: string,
  readMoved: ReadMoved,
): Promise<PublishedEvidence | null> {
  const jobId = await publishedJob(db, assetId);
  const archived = jobId === null ? null : await evidenceOf(db, jobId, readMoved);
  return archived && (JSON.parse(new TextDecoder().decode(archived.record)) as PublishedEvidence);
}

/** Publication of ratings, for every process that finishes scoring jobs. */
export function openRatingBook(config: Config, signer: Signer): RatingBook {
  return createRatingBook({
    dataMode: config.dataMode,
    sign: signer.sign,
    writeAlerts,
    monitorDays: config.monitorDays,
  });
}

/**
 * Snapshots of published ratings, for every process that finishes scoring jobs. The caller passes the two functions, so
 * that a command loads only the files that it needs.
 */
export function openRatedSnapshots(parts: {
  readonly store: Pick<Store, 'db' | 'pool'>;
  readonly registry: Pick<Registry, 'rated'>;
  readonly reader: Pick<SnapshotReader, 'latest'>;
  readonly onError: (error: unknown, what: string) => void;
  readonly createRatedSnapshots: typeof createRatedSnapshots;
  readonly ratedSnapshots: typeof ratedSnapshots;
}): RatedSnapshots {
  const { store, registry, reader, onError } = parts;
  const rules = loadMethodology().holders;
  return parts.createRatedSnapshots({
    writer: createSnapshotWriter(store.pool),
    registry,
    async before(assetId, asOf) {
      const [history, holders] = await Promise.all([
        keptPrices(store.db, assetId, asOf),
        newestHolders(reader, assetId),
      ]);
      return { history, holders };
    },
    build: (report, kept) => parts.ratedSnapshots(report, kept, rules),
    onError,
  });
}

/** Bulk jobs that use the scoring of this process; `works`: this process runs them. */
export function openBulkOn(
  {
    config,
    store,
    scoring,
    now,
    onError,
  }: {
    readonly config: Config;
    readonly store: Pick<Store, 'db'>;
    readonly scoring: ScoringService;
    readonly now: () => number;
    readonly onError: (error: unknown, what: string) => void;
  },
  works: boolean,
): BulkService {
  return openBulk({
    db: store.db,
    scoring,
    now,
    random: randomBytes,
    // The deadline of a score, and the time to find the asset before it.
    deadlineSeconds: config.scoreDeadlineSeconds + FIND_SECONDS,
    works,
    onError,
  });
}
