/** Every reply, event, export row and message as it leaves the service: its schema, its type and its view, one file for each resource. */
export { AlertList, AlertParams, AlertQuery, AlertReply, alertView } from './alert.ts';
export { BreakdownView } from './breakdown.ts';
export {
  AssetParams,
  ChainAssetParams,
  ChainList,
  ChainParams,
  IndexAddedReply,
  IndexEntryReply,
  IndexList,
  IndexWish,
  StatusView,
} from './chain.ts';
export {
  AdminDisputeList,
  DisputeBody,
  DisputeList,
  DisputeParams,
  DisputeQuery,
  DisputeView,
  KnownDispute,
  MissList,
  MissQuery,
  Resolution,
  RestatementList,
  RestatementQuery,
  TrackRecordView,
} from './disclosure.ts';
export { ExportQuery, Manifest } from './export.ts';
export { ClustersView, ForensicsQuery, ForensicsView, SearchingView } from './forensics.ts';
export { HoldersReply } from './holders.ts';
export { MarketReply } from './market.ts';
export { PoolsReply } from './pools.ts';
export { DONE, EventHeaders, KEYED, problems, WaitHeaders } from './problem.ts';
export { BatchReply, DigestView, RatingView, RecordPage } from './rating.ts';
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
export { AcceptedJob, MinimalScore, ScoreBody, ScoreHeaders, StandardScore } from './score.ts';
export { FullScore } from './score-full.ts';
export { ServiceLevelView } from './service-level.ts';
export { HistoryQuery, historyOf, NOT_MODIFIED, PoolsQuery, SnapshotQuery } from './snapshot.ts';
export { StatementQuery, StatementReply, UsageQuery, UsageReply } from './usage.ts';
export {
  count,
  DataMode,
  list,
  noCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  time,
} from './vocabulary.ts';
export {
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  DeliveryReply,
  NewWebhookView,
  ReplayReply,
  ReplayWish,
  RotateWish,
  WebhookChangeWish,
  WebhookList,
  WebhookParams,
  WebhookView,
  WebhookWish,
} from './webhook.ts';
export { AddedEntry, ChangedEntry, WhitelistReply, WhitelistWish } from './whitelist.ts';
