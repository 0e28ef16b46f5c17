/**
 * Every reply, event, export row and message of the service: its schema, its type and its view, one file for each
 * resource.
 */

export { absenceOf, gapIds } from './absence.ts';
export {
  ALERT_KINDS,
  type AlertDetail,
  type AlertDetails,
  type AlertKind,
  AlertList,
  AlertReply,
  AlertView,
  DriftSubscriptionView,
} from './alert.ts';
export { AccountKeyList, AccountView, KeyList, KeyView, NewKeyView } from './api-key.ts';
export {
  AdminAppealList,
  AdminAppealView,
  APPEAL_STATES,
  AppealView,
  ObjectionView,
  OpenedAppealView,
} from './appeal.ts';
export * from './attestation.ts';
export { BreakdownView, breakdownView } from './breakdown.ts';
export {
  BulkAccepted,
  BulkJobList,
  BulkJobReply,
  BulkJobView,
  BulkResult,
  BulkRowError,
  BulkRowList,
  BulkRowView,
  bulkCsv,
} from './bulk.ts';
export {
  ChainList,
  Coverage,
  IndexAddedReply,
  IndexEntry,
  IndexEntryReply,
  IndexList,
} from './chain.ts';
export { ChangelogFeed } from './changelog.ts';
export { CounterfactualView, type PeersReply, PeersView } from './comparison.ts';
export { DEPRECATIONS, type Deprecation } from './deprecation.ts';
export {
  AdminDisputeList,
  DISPUTE_STATES,
  DisputeList,
  DisputeView,
  KnownDispute,
  Miss,
  MissList,
  RestatementList,
  RestatementView,
  TrackRecord,
  TrackRecordView,
} from './disclosure.ts';
export { type Dossier, DossierView } from './dossier.ts';
export {
  EXPORT_FORMATS,
  type ExportEncoding,
  type ExportFormat,
  Manifest,
  type ManifestEntry,
} from './export.ts';
export { ChainExportRow } from './export-chain.ts';
export { CurrentRatings, RatingChangeList, RatingChangeRow, RatingExportRow } from './export-rating.ts';
export { FailureProbabilityView, failureWords } from './failure.ts';
export {
  type ClusterRecord,
  ClustersView,
  type DrainRecord,
  ForensicsView,
  type LaunchRecord,
  SearchingView,
} from './forensics.ts';
export { type HistogramRecord, HoldersReply, type HoldersSnapshot, type HolderTier } from './holders.ts';
export {
  AcceptedJob,
  type JobEvent,
  JobEventStream,
  JobEventView,
  JobEvidence,
  type JobState,
  JobView,
} from './job.ts';
export {
  type MarketNumbers,
  MarketReply,
  type MarketSnapshot,
  type Provenance,
  type Snapshot,
  type SnapshotHead,
} from './market.ts';
export { OverviewView } from './overview.ts';
export { PlanList, PlanView } from './plan.ts';
export {
  type JudgedReply,
  PolicyVerdict,
  type PolicyVerdictReply,
  PortfolioVerdict,
  type PortfolioVerdictReply,
  PresetList,
} from './policy.ts';
export { type PoolRecord, PoolsReply, type PoolsSnapshot } from './pools.ts';
export { DONE, KEYED, ProblemSchema, problems } from './problem.ts';
export {
  BatchReply,
  type Correction,
  correctionWords,
  DigestView,
  digestOf,
  NotRatedEntry,
  RatingView,
  RecordPage,
  RiskFlag,
  ratedAsset,
  type ScoreRecord,
  scoreRecord,
} from './rating.ts';
export { ReceiptParams, ReceiptView } from './receipt.ts';
export {
  RegisterList,
  RegisterRows,
  RegisterRowView,
  RegisterSchemaData,
  RegisterView,
} from './register.ts';
export * from './requests/account.ts';
export { requestNaming } from './requests/asset-text.ts';
export * from './requests/bulk.ts';
export * from './requests/chain.ts';
export { EventHeaders, WaitHeaders } from './requests/fields.ts';
export * from './requests/policy.ts';
export * from './requests/public.ts';
export * from './requests/rating.ts';
export { createReader, type FieldError, type Input, type ReadInput } from './requests/reader.ts';
export * from './requests/registers.ts';
export * from './requests/score.ts';
export * from './requests/transparency.ts';
export { MinimalScore, StandardScore } from './score.ts';
export { FullScore, fullFormat } from './score-full.ts';
export { minimalFormat, type ReplyContext, standardFormat } from './score-view.ts';
export {
  CalibrationData,
  KeySet,
  Live,
  MethodologyChanges,
  MethodologyData,
  Ready,
  ServiceLevelView,
  SourceStatusView,
  StatusReply,
} from './service.ts';
export { SetupView } from './setup.ts';
export { AwaitedReply, historyOf, NOT_MODIFIED } from './snapshot.ts';
export {
  ChainEventStream,
  StreamBye,
  StreamGap,
  StreamOpened,
  StreamReorganised,
  StreamSkipped,
} from './stream.ts';
export {
  FIGURE_NAMES,
  THRESHOLD_CONDITIONS,
  THRESHOLD_FIGURES,
  type ThresholdCondition,
  type ThresholdCrossed,
  ThresholdEntry,
  ThresholdEntryReply,
  type ThresholdFigure,
  ThresholdList,
} from './threshold.ts';
export {
  type ComparedRating,
  ComparisonResult,
  ExplanationResult,
  HoldersResult,
  IndexResult,
  MARKET_FIGURES,
  MarketResult,
  marketFigures,
  type OutsideTextView,
  PolicyResult,
  PoolsResult,
  PortfolioResult,
  RatingResult,
  ScoreResult,
  type ToolAsset,
  type ToolConcentration,
  WatchlistResult,
} from './tool-result.ts';
export * from './transparency.ts';
export { StatementReply, UsageReply } from './usage.ts';
export { round, viewOf } from './view.ts';
export { AssetView, type Reply } from './vocabulary.ts';
export {
  DeliveryList,
  DeliveryReply,
  DeliveryView,
  MuteList,
  MuteView,
  NewWebhookView,
  ReplayReply,
  type WebhookFormat,
  WebhookList,
  WebhookView,
} from './webhook.ts';
export {
  type AlertMessage,
  type DigestMessage,
  MessageHeaders,
  type TestMessage,
  WEBHOOK_EXAMPLES,
  WebhookMessages,
} from './webhook-message.ts';
export { AddedEntry, ChangedEntry, WhitelistEntry, WhitelistReply } from './whitelist.ts';
