/** Ratings that are due, watchlists and alerts. */
export { type Alert, type AlertBook, createAlertBook } from './alerts/alert-book.ts';
export type { AccountAlert, FeedWish } from './alerts/alert-feed.ts';
export { readAlertBody } from './alerts/body.ts';
export { writeAlerts } from './alerts/write-alerts.ts';
export { readCursor, writeCursor } from './cursor.ts';
export { openEventWatch } from './events/watch.ts';
export type { KeyChain } from './events/watch-keys.ts';
export { type FreshOutcome, freshRating } from './fresh-rating.ts';
export { createMonitor } from './monitor.ts';
export { type RatedText, readRatedText } from './rated-text.ts';
export { createRatingBook, MONITOR_KEY } from './rating-book.ts';
export { createRatingReader, type StoredRatings } from './reader.ts';
export type { Register } from './register.ts';
export {
  ALERT_KINDS,
  type MonitoredAsset,
  type RatedAsset,
  type RatingListQuery,
  type RatingReader,
  type Standing,
  type StoredRating,
  type Thresholds,
} from './types.ts';
export { createWatchlist, type WatchedAsset, type Watchlist } from './watchlist/watchlist.ts';
