/** PostgreSQL: every statement of the service. */
export {
  type ApiKeyRow,
  allKeys,
  insertFirstKey,
  insertKey,
  keyById,
  keyBySecret,
  replaceKey,
  revokeKey,
  touchKey,
} from './api-keys.ts';
export {
  evidenceOf,
  hasEvidence,
  type KeptBody,
  knownBodies,
  packBody,
  purgeBodies,
  storeBodies,
  storeEvidence,
} from './archive.ts';
export {
  collectionHash,
  deleteExpired,
  noteCollection,
  outlive,
  ratedSubject,
  type StandingJob,
  standingJob,
  waitingScore,
} from './collections.ts';
export { watchConnections } from './connection-watchdog.ts';
export {
  copyIn,
  copyOut,
  dropEverything,
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
export { connect, type Database, isReachable, openStore, type Store } from './database.ts';
export { distributionScript } from './distribution.ts';
export { hasEmbeddedDatabase, type OpenDatabase, openDatabase } from './embedded.ts';
export {
  type Backlog,
  backlog,
  daysToBePublished,
  type Marks,
  marks,
  type ServerFacts,
  serverFacts,
} from './health.ts';
export { accountOf, lockName, namedJob, nameJob } from './idempotency.ts';
export { noteJoined, ownershipOf as requesterOf } from './job-owners.ts';
export { type JobSignal, listenForJobs, type ToldJob, tellJobs } from './job-signals.ts';
export {
  activeJob,
  appendEvents,
  appendEventsIn,
  claimJob,
  countWaiting,
  eventsAfter,
  exceedsShare,
  finishJob,
  type Holder,
  insertOrJoin,
  type JobOutcome,
  type JobRow,
  jobById,
  type LostJobOutcomes,
  lockShare,
  newestEventNumber,
  reapJobs,
  releaseJobs,
  renewLeases,
  requestCancel,
  withdrawJob,
} from './jobs.ts';
export { applyChanges, MIGRATION_NAMES, type MigrationState, migrate, migrationState } from './migrate.ts';
export { CHANGES } from './migrations/all.ts';
export {
  beginMove,
  copyPagesIn,
  copyPagesOut,
  type Digest,
  digestOf,
  dropPart,
  endMove,
  forgetPart,
  moveSource,
  noteProgress,
  type Part,
  type PartProgress,
  pagesOf,
  partsInOrder,
  readProgress,
} from './move.ts';
export { createNotificationTimestamps } from './notification-timestamps.ts';
export { driverDays, type PanelEntry, recentPeers, storePeer } from './peers.ts';
export { joinProcesses, type Processes, type ProcessRow, type Role } from './processes.ts';
export {
  type AlertFilter,
  type AlertRow,
  acknowledgeAlert,
  alertsAfter,
  alertsOfAccount,
  alertsOfAll,
  hasOpenAlerts,
  insertAlerts,
  lastAlertNumber,
  newestNumbers,
} from './ratings/alerts.ts';
export {
  addDispute,
  type DisputePlace,
  type DisputeRow,
  disputeById,
  disputedRating,
  listDisputes,
  resolveDispute,
} from './ratings/disputes.ts';
export {
  type DriftChange,
  type DriftSubscription,
  driftSubscription,
  driftSubscriptions,
  lockDriftSubscriptions,
  noteDriftAlerts,
  type OpenDrift,
  subscribeToDrift,
  unsubscribeFromDrift,
} from './ratings/drift-subscriptions.ts';
export {
  boundsNow,
  boundsOf,
  closedRatingDaysBy,
  type DayBounds,
  ratedDayRows,
  storeBounds,
} from './ratings/export-days.ts';
export { monitoredByName, noteKeys, unreadKeys } from './ratings/key-sightings.ts';
export { type ListColumn, listRated } from './ratings/list.ts';
export { type AlertListener, listenForAlerts } from './ratings/listen-alerts.ts';
export {
  countUnderWay,
  drainedSince,
  endedWithout,
  forgetUnwanted,
  hastenAsset,
  listMonitored,
  monitorAsset,
  noteJob,
  planNext,
  prolongStay,
  putOff,
  takeDueRatings,
  unmonitorAsset,
} from './ratings/monitored.ts';
export {
  type AssetName,
  findRated,
  methodologiesOf,
  newestActions,
  newestRatings,
  type PeerCount,
  peerCounts,
  peerOf,
  publishedJob,
  type RatingRow,
  ratedSeries,
  ratingAsOf,
  ratingByMethodology,
  ratingsBetween,
} from './ratings/read.ts';
export {
  knownRevisions,
  listRestatements,
  ratingOfJob,
  restatementExists,
  storeDayRestatement,
  storeRatingRestatement,
} from './ratings/restatements.ts';
export {
  entriesOfAccount,
  entriesOfAsset,
  newestRatingId,
  putEntry,
  removeEntry,
  setBaselines,
  type WatchlistRow,
  type WatchlistView,
} from './ratings/watchlist.ts';
export {
  type AttemptOutcome,
  addTestMessage,
  DIGEST_KIND,
  type DueMessage,
  endAttempt,
  type Folded,
  foldedInto,
  foldStorms,
  keepPayload,
  type MessageRow,
  messagesOf,
  pruneMessages,
  replayMessage,
  replaySince,
  TEST_KIND,
  takeMessages,
} from './ratings/webhook-messages.ts';
export { listenForRatings, lockAsset, previousRating, storePublished, storeState } from './ratings/write.ts';
export { openReads, primaryReads, type Reads } from './replicas.ts';
export { keepScanLedger, scanLedger } from './scan-ledgers.ts';
export {
  dropServiceMinutesBefore,
  type FreshnessSpan,
  firstServiceMinute,
  freshnessBetween,
  measureFreshness,
  type ServiceMinute,
  saveServiceMinutes,
  serviceBetween,
} from './service-minutes.ts';
export { claimList, keepSilent, readList, releaseList, takeTurn, writeList } from './shared-sources.ts';
export { offerSigningKey, replaceSigningKey, type SigningKeyRow, signingKeys } from './signing-keys.ts';
export { closeDays, closedDays, dayRows, dropOldDays, prepareDays } from './snapshots/daily-close.ts';
export { type IndexLag, indexLag, type TroubledAsset, troubledAssets } from './snapshots/index-status.ts';
export {
  findIndexedAssets,
  type IndexedAsset,
  indexedChains,
  learnAssets,
  listIndexedAssets,
  pauseIndexedAsset,
  putIndexedAsset,
  ratedNotIndexed,
  removeIndexedAsset,
} from './snapshots/indexed-assets.ts';
export { listenForSnapshots } from './snapshots/notices.ts';
export {
  ensureDays,
  inTransaction,
  PARTITIONED,
  type PartitionedTable,
  runnerOf,
} from './snapshots/partitions.ts';
export { dailyPrices, priceAt } from './snapshots/prices.ts';
export {
  lastPoints,
  latestSnapshot,
  methodsBetween,
  type StandingMethod,
  type StoredPoint,
  snapshotAsOf,
  snapshotHistory,
} from './snapshots/read.ts';
export {
  type AwaitedSnapshot,
  awaitSnapshot,
  endRuns,
  handBack,
  type Planned,
  planRuns,
  prolongRuns,
  type RunEnd,
  replanAhead,
  type TakenSnapshot,
  takeDueSnapshots,
} from './snapshots/schedule.ts';
export { type NewSnapshot, snapshotRow } from './snapshots/snapshot-row.ts';
export { createSnapshotWriter, type SnapshotWriter, storeWithin } from './snapshots/write.ts';
export {
  type DueSource,
  endSources,
  releaseSources,
  type SourceHealth,
  type SourceTally,
  sourceHealth,
  sourceWeights,
  takeDueSources,
  tallySources,
  turnsLeft,
  type WatchedSource,
  watchSources,
} from './source-watch.ts';
export type { Tables } from './tables.ts';
export {
  accountsWithout,
  addUsage,
  dropFlushesBefore,
  dropWindowsBefore,
  keepStatement,
  keptStatement,
  leaseWindows,
  returnToWindow,
  takeFromWindow,
  type UsageRow,
  usageOf,
} from './usage.ts';
export {
  changeWebhook,
  deleteWebhook,
  insertWebhook,
  noteFailure,
  noteSuccess,
  rotateSecret,
  type WebhookChange,
  type WebhookRow,
  webhookOfAccount,
  webhooksOfAccount,
} from './webhooks.ts';
