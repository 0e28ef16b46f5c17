/** Due ratings, watchlists and alerts. */
export type { AccountAlert, AlertQuery } from './alerts/alert-book.ts';
export { type AlertBody, type AlertBook, assetOfAlert, createAlertBook, readAlertBody } from './alerts/alert-book.ts';
export { alertsOf, type Baseline, writeAlerts } from './alerts/alerts.ts';
export { notifyDrifts } from './alerts/drift-alerts.ts';
export {
  limitsOf,
  nextPeg,
  PEG_RULES,
  type PegLimits,
  type PegPrice,
  type PegRules,
  QUIET_PEG,
} from './alerts/peg-rule.ts';
export { listPlace, ratingPlace, sentPlace, writeCursor } from './cursors.ts';
export { createLaunchWatch, type KeyChain, openEventWatch } from './events.ts';
export { createMonitor, type FreshOutcome, freshRating, type Register } from './monitor.ts';
export { createPastPeers } from './past-peers.ts';
export { type RatedText, readRatedText } from './rated-text.ts';
export { createRatingBook, MONITOR_KEY } from './rating-book.ts';
export { createRatingReader, LEAST_PEERS, type StoredRatings } from './reader.ts';
export { type AccountRule, ruleKey } from './thresholds/alerts.ts';
export { createThresholdBook, type ThresholdBook, type ThresholdSet } from './thresholds/book.ts';
export { startThresholdWatch } from './thresholds/watch.ts';
export type {
  MonitoredAsset,
  PeerRank,
  RatedAsset,
  RatedFound,
  RatingReader,
  StoredRating,
  Thresholds,
} from './types.ts';
export { createWatchlist, type WatchedAsset, type Watchlist } from './watchlist/watchlist.ts';
