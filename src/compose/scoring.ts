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
/** Reading the panel of two thousand assets takes the database a tenth of a second; peers change by the day. */
const PANEL_AGE_MS = 60_000;

export interface ScoringHooks {
  readonly instanceId: string;
  /** Evidence in the object store. */
  readonly readMoved: ReadMoved;
  /** Milliseconds since the epoch: dates jobs and their evidence. */
  readonly now: () => number;
  /** Monotonic milliseconds, that deadlines and durations go by. */
  readonly ticks: () => number;
  /** Scores worked on at once in this process; 0: others do the work. */
  readonly concurrency: number;
  readonly jobSignals?: JobSignals;
  /** Reservation from an account's quota of collections; absent: no quota. */
  readonly collectionQuota?: (keyId: string) => Promise<CollectionQuota>;
  /** Days that a job of these callers is kept, by their plans; not given: the setting. */
  readonly keptDays?: (job: { readonly id: string; readonly keyId: string }) => Promise<number>;
  readonly book: RatingBook;
  readonly snapshots?: SnapshotBook;
  readonly onError: (error: unknown, what: string) => void;
  readonly onRequest?: (source: string, outcome: string, milliseconds: number) => void;
  readonly onRated?: (asset: Asset) => void;
  /** What consensus made of a collection. */
  readonly onConsensus?: (consensus: ConsensusSet) => void;
  readonly onFinished?: (state: string, seconds: number) => void;
  /** Counts of deleted expired data. */
  readonly onDeleted?: (deleted: { readonly jobs: number; readonly bodies: number }) => void;
}

/** The scoring service on an engine and a database. */
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
    // Never less than a caller who names no deadline is given.
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

/** Where ratings are published, for every process that finishes scoring jobs. */
export function openRatingBook(config: Config, signer: Signer): RatingBook {
  return createRatingBook({
    dataMode: config.dataMode,
    sign: signer.sign,
    writeAlerts,
    monitorDays: config.monitorDays,
  });
}

/**
 * Snapshots of published ratings, for every process that finishes scoring jobs. The caller passes the two functions of the
 * rooms: a command imports their files alone.
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

/** Bulk jobs on the scoring of this process; `works`: it carries them on. */
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
    // The whole time of a score, and this to find the asset before it.
    deadlineSeconds: config.scoreDeadlineSeconds + FIND_SECONDS,
    works,
    onError,
  });
}
