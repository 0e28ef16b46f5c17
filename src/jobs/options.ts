import type { Transaction } from 'kysely';
import type { Asset, EvidenceRecord, ScoreReport } from '../domain/index.ts';
import type { Database, PanelEntry, Tables, ToldJob } from '../store/index.ts';
import type { JobWork, RatingBook } from './types.ts';

/** News of jobs between processes. */
export interface JobSignals {
  /** Never throws, never waits. */
  tell(told: ToldJob): void;
  /** What is told, by this process too. */
  listen(onTold: (told: ToldJob) => void): { readonly close: () => Promise<void> };
}

/** One score's hold on the collections that its account may start. */
export interface CollectionQuota {
  /** Takes one. Null when there was room; else the limit and the seconds until it is full again. */
  take(): Promise<{ readonly limit: number; readonly resetSeconds: number } | null>;
  giveBack(): Promise<void>;
}

/** Stores what else the evidence of a published rating gives: the asset's snapshots. */
export interface SnapshotBook {
  /**
   * Reads what is needed before the transaction of the rating; gives what stores the snapshots inside it. A snapshot that
   * cannot be made or stored must not fail the rating.
   */
  open(
    assetId: string,
    asOf: string,
  ): Promise<(transaction: Transaction<Tables>, report: ScoreReport, at: string) => Promise<void>>;
}

/** What the job service stands on. */
export interface ScoringOptions {
  readonly db: Database;
  readonly work: JobWork;
  readonly build: (evidence: EvidenceRecord) => ScoreReport;
  /** Of the methodology that `build` rates by: what was rated by another one is read as it was stored. */
  readonly methodologyHash: string;
  readonly encode: (report: ScoreReport) => Uint8Array;
  /** What a report adds to the peer panel; null: nothing. */
  readonly peerOf: (report: ScoreReport) => PanelEntry | null;
  readonly book: RatingBook;
  /** Not given: ratings leave no snapshots. */
  readonly snapshots?: SnapshotBook;
  readonly now: () => number;
  /** Monotonic milliseconds, that deadlines and durations go by. */
  readonly ticks: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Jobs worked on at once; those that wait for a collection take no place. */
  readonly concurrency: number;
  readonly queueLimit: number;
  /** How long a collection may ask sources, whatever the patience of who started it. */
  readonly collectionSeconds: number;
  /** A score of an asset whose published rating is younger is answered with that rating; 0: none is. */
  readonly freshSeconds: number;
  /** Days that results which are not published, and jobs of callers, are kept. */
  readonly unpublishedDays: number;
  /** The hold of a key on its account's quota of collections; not given: nobody counts. */
  readonly collectionQuota?: (keyId: string) => Promise<CollectionQuota>;
  /** Name of this process among those that share the database. */
  readonly instanceId: string;
  /** Days raw bodies are kept at most. */
  readonly bodyRetentionDays: number;
  /** Jobs of this key are nobody's to wait for (the monitor's); absent: there are none. */
  readonly backgroundKeyId?: string;
  readonly onError: (error: unknown, what: string) => void;
  /** A rating of this asset was published. */
  readonly onRated?: (asset: Asset) => void;
  readonly onFinished?: (state: string, seconds: number) => void;
  /** How processes on one database hear of each other's jobs; without it they poll. */
  readonly jobSignals?: JobSignals;
}
