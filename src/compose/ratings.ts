import type { RatingServices } from '../api/index.ts';
import type { Config } from '../config/index.ts';
import type { RatingBook, ScoringService } from '../jobs/index.ts';
import { isFresh } from '../jobs/index.ts';
import { createRatingBook, createRatingReader, freshRating, writeAlerts } from '../monitoring/index.ts';
import type { Signer } from '../signing/index.ts';
import type { Reads, Store } from '../store/index.ts';
import type { Usage } from './usage.ts';

/** Where ratings are published, for every process that finishes scoring jobs. */
export function openRatingBook(config: Config, signer: Signer): RatingBook {
  return createRatingBook({
    dataMode: config.dataMode,
    sign: signer.sign,
    writeAlerts,
    monitorDays: config.monitorDays,
  });
}

/** Reads of published ratings, and ratings made anew for who asks for one. */
export function openRatings(
  store: Store,
  reads: Reads,
  scoring: ScoringService,
  now: () => number,
  onError: (error: unknown, what: string) => void,
  quotaOf: Usage['quotaOf'],
  freshSeconds: number,
): RatingServices {
  return {
    reader: createRatingReader({ store, reads, now, onError }),
    freshRating: (assetId, { accountId, plan, ...wish }) =>
      freshRating({ db: store.db, scoring, isFresh: (asOf) => isFresh(asOf, now(), freshSeconds) }, assetId, {
        ...wish,
        quota: quotaOf(accountId, 'fresh_ratings', plan.freshRatingsPerDay),
        ...(plan.concurrentScoringJobs === null ? {} : { share: { accountId, most: plan.concurrentScoringJobs } }),
      }),
  };
}
