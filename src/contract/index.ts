/** Every reply, event, export row and message as it leaves the service: its schema, its type and its view, one file for each resource. */
export { ALERT_KINDS, type AlertKind, AlertList, AlertParams, AlertQuery, AlertReply } from './alert.ts';
export { KeyList, KeyView, NewKeyView } from './api-key.ts';
export { BreakdownView, breakdownView } from './breakdown.ts';
export {
  AssetParams,
  CADENCES,
  ChainAssetParams,
  ChainList,
  ChainParams,
  IndexAddedReply,
  IndexEntryReply,
  IndexList,
  IndexWish,
} from './chain.ts';
export {
  AdminDisputeList,
  DISPUTE_STATES,
  DisputeBody,
  DisputeList,
  DisputeParams,
  DisputeQuery,
  DisputeView,
  KnownDispute,
  Miss,
  MissList,
  MissQuery,
  Resolution,
  RestatementList,
  RestatementQuery,
  RestatementView,
  TrackRecord,
  TrackRecordView,
} from './disclosure.ts';
export {
  EXPORT_FORMATS,
  type ExportEncoding,
  type ExportFormat,
  ExportQuery,
  Manifest,
  type ManifestEntry,
} from './export.ts';
export {
  type ClusterRecord,
  ClustersView,
  type DrainRecord,
  ForensicsQuery,
  ForensicsView,
  SearchingView,
} from './forensics.ts';
export { HoldersReply } from './holders.ts';
export { AcceptedJob, JobEvidence, JobView } from './job.ts';
export { MarketReply } from './market.ts';
export { PlanList, PlanView } from './plan.ts';
export { PoolsReply } from './pools.ts';
export { DONE, EventHeaders, KEYED, ProblemSchema, problems, WaitHeaders } from './problem.ts';
export {
  BatchReply,
  DigestView,
  digestOf,
  NotRatedEntry,
  RatingView,
  RecordPage,
  RiskFlag,
  type ScoreRecord,
  scoreRecord,
} from './rating.ts';
export {
  ActionsQuery,
  AssetActionsQuery,
  BatchBody,
  BreakdownQuery,
  INTERVALS,
  RatedIdParams,
  RatedParams,
  RatingHistoryQueryView,
  RatingListQueryView,
  RatingQuery,
} from './rating-requests.ts';
export { documentOf, htmlOf, markdownOf } from './report-document.ts';
export {
  type AnswerView,
  MinimalScore,
  minimalFormat,
  ScoreBody,
  ScoreHeaders,
  StandardScore,
  standardFormat,
} from './score.ts';
export { FullScore, fullFormat } from './score-full.ts';
export {
  KeySet,
  Live,
  MethodologyChanges,
  MethodologyData,
  Ready,
  ServiceLevelView,
  SourceStandingView,
  StatusReply,
} from './service.ts';
export { HistoryQuery, historyOf, NOT_MODIFIED, PoolsQuery, SnapshotQuery } from './snapshot.ts';
export { StatementQuery, StatementReply, UsageQuery, UsageReply } from './usage.ts';
export { viewOf } from './view.ts';
export { AssetView, type Reply } from './vocabulary.ts';
export {
  AlertMessage,
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  DeliveryReply,
  DeliveryView,
  DigestMessage,
  NewWebhookView,
  ReplayReply,
  ReplayWish,
  RotateWish,
  TestMessage,
  WebhookChangeWish,
  WebhookList,
  WebhookParams,
  WebhookView,
  WebhookWish,
} from './webhook.ts';
export { AddedEntry, ChangedEntry, WhitelistEntry, WhitelistReply, WhitelistWish } from './whitelist.ts';
