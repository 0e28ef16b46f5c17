/**
 * PostgreSQL: every statement of the service. A file of statements is exported whole; of a file on which other files of
 * this folder build, only the members listed here are for other folders.
 */
export * from './archive.ts';
export * from './bulk.ts';
export * from './collections.ts';
export {
  beginRestore,
  copyIn,
  copyOut,
  endRestore,
  holdStill,
  holdTables,
  type Occupancy,
  occupancy,
  otherSessions,
  partitionDays,
  pinFormats,
  sequenceValues,
  setSequence,
  type TableShape,
  tablesInOrder,
} from './contents.ts';
export {
  connect,
  type Database,
  isReachable,
  lockByName,
  openStore,
  type Store,
  watchConnections,
} from './database.ts';
export { distributionScript } from './distribution.ts';
export { hasEmbeddedDatabase, type OpenDatabase, openDatabase } from './embedded.ts';
export * from './health.ts';
export * from './idempotency.ts';
export * from './job-events.ts';
export * from './jobs.ts';
export * from './keys.ts';
export {
  createNotificationTimestamps,
  type JobNotification,
  type JobSignal,
  listenForJobs,
  notifyJobs,
} from './listening.ts';
export { applyChanges, MIGRATION_NAMES, type MigrationState, migrate, migrationState } from './migrate.ts';
export { CHANGES } from './migrations/all.ts';
export {
  analyzeTables,
  beginMove,
  copyPagesIn,
  copyPagesOut,
  type Digest,
  digestsOf,
  dropPart,
  endMove,
  forgetPart,
  moveSource,
  noteProgress,
  type Part,
  type PartProgress,
  type PartSize,
  partsInOrder,
  readProgress,
  sizesOf,
  unfinished,
} from './move.ts';
export * from './moved.ts';
export { boundEvidence } from './packed-evidence.ts';
export * from './payments.ts';
export * from './peers.ts';
export { joinProcesses, type Processes, type ProcessRow, type Role } from './processes.ts';
export * from './ratings/alerts.ts';
export * from './ratings/appeals.ts';
export * from './ratings/disclosures.ts';
export * from './ratings/drift-subscriptions.ts';
export * from './ratings/export-days.ts';
export * from './ratings/monitored.ts';
export {
  actionCounts,
  defaultsAt,
  type FlagOrDefaultRow,
  flagsInForceAt,
  type MovedRow,
  movedMost,
  type OverviewCounts,
  overviewCounts,
} from './ratings/overview.ts';
export * from './ratings/peg-watch.ts';
export * from './ratings/read.ts';
export * from './ratings/reads.ts';
export * from './ratings/replaced.ts';
export * from './ratings/watchlist.ts';
export * from './ratings/webhook-messages.ts';
export * from './ratings/write.ts';
export * from './replicas.ts';
export * from './service-minutes.ts';
export * from './snapshots/daily-close.ts';
export * from './snapshots/index-demands.ts';
export * from './snapshots/indexed-assets.ts';
export * from './snapshots/launches.ts';
export { announceReorganised, listenForSnapshots, type ReorganisedNotice } from './snapshots/notices.ts';
export {
  ensureDays,
  inTransaction,
  PARTITIONED,
  type PartitionedTable,
  runnerOf,
} from './snapshots/partitions.ts';
export { dailyPrices, lastPoints, priceAt, type StoredPrice } from './snapshots/prices.ts';
export * from './snapshots/read.ts';
export * from './snapshots/schedule.ts';
export { type NewSnapshot, snapshotRow } from './snapshots/snapshot-row.ts';
export * from './snapshots/thresholds.ts';
export * from './snapshots/write.ts';
export * from './sources.ts';
export type { Tables } from './tables.ts';
export * from './transparency.ts';
export * from './usage.ts';
export * from './webhook-mutes.ts';
export * from './webhooks.ts';
