import type { Plan } from '../../access/index.ts';
import type { ClusterRecord, DrainRecord } from '../../contract/index.ts';
import type { ForensicSubject, SearchState } from '../../domain/index.ts';
import type { FreshOutcome, StoredRatings } from '../../monitoring/index.ts';

/** Rates an asset that is rated already once more, now, within the account's own quota for it; null for one never rated. */
export type FreshRating = (
  assetId: string,
  asked: {
    readonly accountId: string;
    readonly keyId: string;
    readonly plan: Plan;
    readonly waitMs: number;
  },
) => Promise<FreshOutcome | null>;

/** Searches through the chains' past; each waits so many milliseconds for what is found. */
export interface ForensicServices {
  drains(subject: ForensicSubject, waitMs: number): Promise<SearchState<DrainRecord>>;
  clusters(subject: ForensicSubject, waitMs: number): Promise<SearchState<ClusterRecord>>;
  close(): Promise<void>;
}

/** What the routes of ratings rest on. */
export interface RatingServices {
  readonly reader: StoredRatings;
  readonly freshRating: FreshRating;
  /** Searches through the chains' past have no routes when it is absent. */
  readonly forensics?: ForensicServices;
  /** Memory that hot ratings may take. */
  readonly hotBytes?: number;
}
