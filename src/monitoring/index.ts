/** Ratings that are due, watchlists and alerts. */
export { type AlertBook, createAlertBook } from './alerts/alert-book.ts';
export type { AccountAlert, FeedWish } from './alerts/alert-feed.ts';
export { readAlertBody } from './alerts/body.ts';
export { writeAlerts } from './alerts/write-alerts.ts';
export { readCursor, writeCursor } from './cursor.ts';
export { createExploitWatch, type ListedExploit } from './events/watch-exploits.ts';
export { type KeyChain, type ReadKeys, watchKeys } from './events/watch-keys.ts';
export { type FreshOutcome, freshRating } from './fresh-rating.ts';
export { createMonitor } from './monitor.ts';
export { type RatedText, readRatedText } from './rated-text.ts';
export { createRatingBook, MONITOR_KEY } from './rating-book.ts';
export { createRatingReader, type StoredRatings } from './reader.ts';
export type { Register } from './register.ts';
export type {
  MonitoredAsset,
  RatedAsset,
  RatingListQuery,
  RatingReader,
  Standing,
  StoredRating,
  Thresholds,
} from './types.ts';
export { createWatchlist, type WatchedAsset, type Watchlist } from './watchlist/watchlist.ts';
