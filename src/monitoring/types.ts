import type { Asset, Band, Category, Severity } from '../domain/index.ts';
import type { Signature } from '../signing/index.ts';
import type { MonitoredEntry, RatedFilter, RatingRow, RatingSpan } from '../store/index.ts';

/** A published rating as stored: immutable. */
export type StoredRating = Omit<RatingRow, 'signature'> & {
  readonly signature: Signature;
  /** The newest correction of this rating; null: none. Lists and histories do not read it (undefined). */
  readonly correction?: RatingCorrection | null;
};

/** What a rating that was shown to be wrong should have been (`GET /v1/restatements`). */
export interface RatingCorrection {
  readonly restatement_id: number;
  /** RFC 3339 UTC. */
  readonly made_at: string;
  readonly reason: string;
  readonly band: Band;
  readonly score: number | null;
}

/** Percentile of a score among its peers. */
export interface PeerRank {
  readonly category: Category;
  /** 0-100: share of rated peers of the category that score lower, ties by half. Null with fewer than five peers. */
  readonly categoryPercentile: number | null;
  readonly categoryPeers: number;
  /** Decade of the market capitalisation, such as `1e6-1e7 USD`; null when it is not known. */
  readonly sizeGroup: string | null;
  readonly sizePercentile: number | null;
  readonly sizePeers: number;
}

export interface RatedAsset {
  readonly asset: Asset;
  readonly band: Band;
  readonly score: number | null;
  readonly trust: number;
  readonly asOf: string;
}

/** What a text means among the rated assets. */
export interface RatedFound {
  /** The asset that the text identifies; null when it identifies none. */
  readonly meant: RatedAsset | null;
  /**
   * Rated assets that the text may refer to, best match first. Without `meant` even a single one is only a candidate:
   * it has a name that anybody can give a token.
   */
  readonly candidates: readonly RatedAsset[];
}

/** An invalid cursor, or one of another list, reads from the start. */
interface Paged {
  readonly limit: number;
  readonly cursor: string | null;
}

type RatingPage = Promise<{ readonly ratings: readonly StoredRating[]; readonly nextCursor: string | null }>;

/** Interface of rating reads. */
export interface RatingReader {
  /** Rated assets that `text` (CAIP-19, `chain:address`, address, symbol or name in any case) may refer to. */
  find(text: string): Promise<RatedFound>;
  latest(assetId: string): Promise<StoredRating | null>;
  /** Of many assets at once, in no order, with one query. */
  latestOf(assetIds: readonly string[]): Promise<readonly StoredRating[]>;
  /** The newest with `as_of` at or before `at`. */
  asOf(assetId: string, at: string): Promise<StoredRating | null>;
  /** The newest made with a version of the methodology; `at`: with `as_of` at or before it. */
  byMethodology(assetId: string, version: string, at: string | null): Promise<StoredRating | null>;
  history(assetId: string, query: RatingSpan & Paged): RatingPage;
  /** Rating actions of all assets from `from` to `to` (RFC 3339, both included), newest first. */
  actions(query: Paged & { readonly from: string; readonly to: string }): RatingPage;
  list(
    query: RatedFilter &
      Paged & {
        /** RFC 3339: each asset by its newest rating at or before this time; null: by its newest. */
        readonly at: string | null;
        readonly sort: 'score' | '-score' | 'trust' | '-trust' | 'as_of' | '-as_of' | 'symbol' | '-symbol';
      },
  ): RatingPage;
  standing(assetId: string): Promise<PeerRank | null>;
  /**
   * Called for each stored rating, by whichever process stored it (LISTEN/NOTIFY `assay_ratings`). Returns a function
   * that stops it.
   */
  onRated(listener: (assetId: string) => void): () => void;
}

/** One entry of the register of monitored assets. */
export type MonitoredAsset = Omit<MonitoredEntry, 'asset' | 'assetId'> & { readonly asset: Asset };

/** When an entry of a watchlist alerts. */
export interface Thresholds {
  /** Points since the last alert (or since it was added); 0 < x <= 100. */
  readonly minScoreChange: number;
  /** Severities of flags that count. */
  readonly flagSeverities: readonly Severity[];
  /** Bands whose transitions count; null: every transition. */
  readonly bands: readonly Band[] | null;
}
