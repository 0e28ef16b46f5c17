/** Words of the field and their types, and the small maths every room shares. Imports nothing. */

export type {
  CanonicalRecord,
  Identification,
  IdentityContradiction,
  IdentityLink,
  RecordChange,
  ScoreRequest,
  Sourced,
} from './asset.ts';
export { type Asset, type AssetKeys, NO_KEYS, type Stage } from './asset.ts';
export {
  type Consensus,
  type ConsensusSet,
  type ConsensusStatus,
  type ConsensusVoice,
  consensusKey,
  type RejectionReason,
} from './consensus.ts';
export {
  ANSWERED,
  type AskOutcome,
  type Attribution,
  type EvidenceRecord,
  isNotAsked,
  type ResponseRecord,
  type ScoreReport,
  type SourceOutcome,
  type Underlying,
} from './evidence.ts';
export { type ForeignPeg, foreignPeg } from './foreign-peg.ts';
export type { AssetHistory, ForensicSubject, HistoryPoint, SearchState, SupplyPoint } from './history.ts';
export { canonicalIpRange, isAllowedFrom, readAddress, type TrustedProxies } from './ip-range.ts';
export { nearestName } from './nearest-name.ts';
export { type Carried, type Observation, type ObservationDraft, TIER_ORDER, type Tier } from './observation.ts';
export {
  type AdverseFeature,
  type DayPoint,
  type DefaultTest,
  type Driver,
  NOT_PUBLISHED_CODES,
  type NotPublishedCode,
  type Outlook,
  type PendingWebsite,
  type PublicationDecision,
  type PublicationState,
  type PublishedFlag,
  type PublishedRating,
  type RatingActionKind,
  type Watch,
} from './published.ts';
export { QUANTITIES, type QuantityId, type QuantityKind } from './quantities.ts';
export {
  type AdversePoints,
  ALL_FACTOR_CODES,
  type AssetClass,
  BANDS,
  type Band,
  CATEGORIES,
  type CapApplied,
  type Category,
  CLASSES,
  type DriverDay,
  type DriverReadings,
  FACTOR_CODES,
  type Factor,
  type FactorCode,
  type Feature,
  type FeatureInput,
  type Flag,
  type FundingRound,
  type PeerRow,
  type PostTgeFactorCode,
  PRE_TGE_FACTOR_CODES,
  type PreviousRating,
  type Rating,
  SEVERITIES,
  type Severity,
  type TrustScore,
  type Vfr,
  type VfrDriver,
  type VfrZone,
} from './rating.ts';
export type { Json } from './result.ts';
export { ok, type Result } from './result.ts';
export { escapeHtml, escapeMarkdown } from './shown-text.ts';
export {
  DISCLOSURE_ITEMS,
  isStronger,
  type SiteFact,
  type SiteFactKind,
  siteFacts,
  type Tie,
  type TieKind,
  type TieState,
  tiesIn,
} from './site-fact.ts';
export {
  CADENCES,
  type Cadence,
  type Concentration,
  type HistogramRecord,
  HOLDER_SCAN,
  type HolderLabel,
  type HolderMethod,
  type HoldersSnapshot,
  type HolderTier,
  LABEL_KINDS,
  type LabelKind,
  type MarketNumbers,
  type MarketSnapshot,
  type PoolDepth,
  type PoolKind,
  type PoolRecord,
  type PoolSlippage,
  type PoolsSnapshot,
  type Provenance,
  SNAPSHOT_KINDS,
  type Snapshot,
  type SnapshotHead,
  type SnapshotKind,
} from './snapshot.ts';
export {
  DAY_MS,
  dailyVolatility,
  finite,
  HOUR_MS,
  MAD_TO_SD,
  median,
  medianHigh,
  quantile,
  robustSd,
} from './statistics.ts';
export { type Tells, tellerOf, tellersOf } from './tells.ts';
export { BLANK_RECORD, type TokenDraft, type TokenRecord } from './token-record.ts';
export {
  canonicalScope,
  isDollar,
  type Market,
  marketNamed,
  marketOf,
  marketOfScope,
  marketScope,
  poolScope,
} from './venue-scopes.ts';
export { exchangeCalled, isListedExchange } from './venues.ts';
