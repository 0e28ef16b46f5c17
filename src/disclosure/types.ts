import type { DISPUTE_STATES } from '../contract/index.ts';
import type { Band, Result } from '../domain/index.ts';
import type { RatedAsset } from '../monitoring/index.ts';
import type { TrackRecord } from '../publication/index.ts';
import type { Signature } from '../signing/index.ts';

export type DisputeState = (typeof DISPUTE_STATES)[number];

/** What somebody says is wrong about a rating, and what came of it. */
export interface Dispute {
  readonly id: string;
  readonly accountId: string | null;
  readonly assetId: string;
  /** The rating it is about; null once there is none of it any more. */
  readonly rating: {
    readonly jobId: string;
    readonly asOf: string;
    readonly band: Band;
    readonly score: number | null;
  } | null;
  readonly receivedAt: string;
  readonly claim: string;
  readonly contact: string | null;
  readonly state: DisputeState;
  readonly resolution: string | null;
  readonly resolvedAt: string | null;
  readonly restatementId: number | null;
}

/** A correction, for good: of a published day, or of a rating. */
export interface Restatement {
  readonly id: number;
  /** `rms`, a chain, or `rating`. */
  readonly subject: string;
  readonly date: string | null;
  readonly revision: number | null;
  readonly assetId: string | null;
  readonly madeAt: string;
  readonly reason: string;
  /** What was changed, as it was noted. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface DisputeBook {
  /** `jobId` null: the newest rating. `isNew` false: the account has sent the same before. */
  add(dispute: {
    readonly accountId: string;
    readonly assetId: string;
    readonly jobId: string | null;
    readonly claim: string;
    readonly contact: string | null;
  }): Promise<
    Result<
      { readonly dispute: Dispute; readonly isNew: boolean },
      { readonly reason: 'no_such_rating' | 'too_many_open'; readonly detail: string }
    >
  >;
  /** Newest first. A cursor that is not ours reads from the start. */
  list(query: {
    readonly accountId: string | null;
    readonly state: DisputeState | null;
    readonly cursor: string | null;
    readonly limit: number;
  }): Promise<{ readonly disputes: readonly Dispute[]; readonly nextCursor: string | null }>;
  find(id: string): Promise<Dispute | null>;
  resolve(
    id: string,
    end: {
      readonly state: Exclude<DisputeState, 'received'>;
      readonly resolution: string;
      readonly restatementId: number | null;
    },
  ): Promise<
    Result<
      Dispute,
      { readonly reason: 'no_such_dispute' | 'no_such_restatement' | 'already_ended'; readonly detail: string }
    >
  >;
}

/** The track record as it was last computed. */
export interface ComputedTrackRecord {
  readonly record: TrackRecord;
  readonly methodologyVersion: string;
  /** RFC 3339 UTC; the record counts what was published until then. */
  readonly computedAt: string;
}

/** What a rating agency discloses of itself: corrections, disputes, track record. */
export interface DisclosureServices {
  readonly disputes: DisputeBook;
  /** Newest first, below `before`. */
  readonly restatements: (query: {
    readonly before: number | null;
    readonly limit: number;
  }) => Promise<readonly Restatement[]>;
  /** Null when the first computation takes longer than a caller should wait. */
  readonly trackRecord: () => Promise<ComputedTrackRecord | null>;
  readonly sign: (bytes: Uint8Array) => Signature;
  /** Rated assets that a text may mean, best match first. */
  readonly find: (text: string) => Promise<readonly RatedAsset[]>;
}
