import type { Asset } from '../../domain/asset.ts';
import type { EvidenceRecord } from '../../domain/evidence.ts';
import type { ScoreReport } from '../../domain/report.ts';
import type { Database } from '../../store/database.ts';
import type { ToldJob } from '../../store/job-signals.ts';
import type { PanelEntry } from '../../store/peers.ts';
import type { RatingBook, RunJob } from '../types.ts';

/** News of jobs between processes. */
export interface JobNewsService {
  /** Never throws, never waits. */
  tell(told: ToldJob): void;
  /** What is told, by this process too. */
  listen(onTold: (told: ToldJob) => void): { readonly close: () => Promise<void> };
}

/** What the job service stands on. */
export interface ScoringOptions {
  readonly db: Database;
  readonly run: RunJob;
  readonly build: (evidence: EvidenceRecord) => ScoreReport;
  readonly encode: (report: ScoreReport) => Uint8Array;
  /** What a report adds to the peer panel; null: nothing. */
  readonly peerOf: (report: ScoreReport) => PanelEntry | null;
  readonly book: RatingBook;
  readonly now: () => number;
  /** Monotonic milliseconds, that deadlines and durations go by. */
  readonly ticks: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly concurrency: number;
  readonly queueLimit: number;
  /** Name of this process among those that share the database. */
  readonly instanceId: string;
  /** Days raw bodies are kept at most. */
  readonly bodyRetentionDays: number;
  /** Jobs of this key are nobody's to wait for (the monitor's); absent: there are none. */
  readonly backgroundKeyId?: string;
  readonly onError: (error: unknown, what: string) => void;
  /** A rating of this asset was stored. */
  readonly onRated?: (asset: Asset) => void;
  readonly onFinished?: (state: string, seconds: number) => void;
  /** How processes on one database hear of each other's jobs; without it they poll. */
  readonly news?: JobNewsService;
}
