import type { Transaction } from 'kysely';
import type { JobEvent, JobState } from '../contract/index.ts';
import type {
  Asset,
  EvidenceRecord,
  Identification,
  PublicationState,
  ScoreReport,
  ScoreRequest,
} from '../domain/index.ts';
import type { Ahead, Answer } from '../evidence/index.ts';
import type { Database, PanelEntry, ReadMoved, Tables, ToldJob } from '../store/index.ts';

/** Why a job has no rating. `code` is the contract's stable word. */
export interface JobFailure {
  readonly code:
    | 'project_not_identified'
    | 'ambiguous_project'
    | 'no_source_reachable'
    | 'sources_busy'
    | 'interrupted'
    | 'cancelled'
    | 'internal_error'
    | 'unsupported_type'
    | 'quota_exhausted';
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly retry: 'no' | 'same' | 'after' | 'corrected';
  readonly candidates: readonly { readonly asset: Asset; readonly match: number; readonly why: string }[];
  /** What was tried, in plain words. */
  readonly tried: readonly string[];
  readonly retryAfterSeconds?: number;
}

/** `Omit` that keeps the members of a union apart. */
export type JobEventDraft = JobEvent extends infer Event
  ? Event extends JobEvent
    ? Omit<Event, 'seq' | 'at'>
    : never
  : never;

export interface Job {
  readonly id: string;
  /** A caller's score, or the collection of an asset, which belongs to no caller. */
  readonly kind: 'score' | 'collection';
  readonly state: JobState;
  readonly request: ScoreRequest;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly attempts: number;
  readonly failure: JobFailure | null;
  /** Null until the asset is known. */
  readonly assetId: string | null;
  /** The collection that a score waits for, or waited for; of a collection its own id. */
  readonly collectionId: string | null;
  /** What the reply to a score says besides the report; null until it succeeded. */
  readonly answer: ScoreAnswer | null;
  /** True when it succeeded and is the receipt of a published rating, which any reader of ratings may see. */
  readonly isReceipt: boolean;
}

/** How a score was answered. */
export interface ScoreAnswer {
  readonly warnings: readonly string[];
  /** From the start of the caller's job to its answer. */
  readonly seconds: number;
}

export interface SubmitOptions {
  readonly keyId: string;
  readonly idempotencyKey: string | null;
  /** Hex SHA-256 of the body that was sent, by which the uses of an idempotency key are compared; not given: of the request. */
  readonly bodySha256?: string;
  /** How long the caller waits for the answer, in seconds. What is collected does not depend on it. */
  readonly deadlineSeconds: number;
  /** Jobs that wait or run for this account at once, over all processes; not given: no limit. */
  readonly share?: { readonly accountId: string; readonly most: number };
}

export type SubmitResult =
  | { readonly ok: true; readonly job: Job; readonly joined: boolean }
  | {
      readonly ok: false;
      readonly code: 'idempotency_key_reused' | 'too_many_jobs' | 'concurrency_limited' | 'shutting_down';
      readonly detail: string;
      readonly retryAfterSeconds: number | null;
    };

/** The main job as the faces (API, CLI, MCP) see it. */
export interface ScoringService {
  /** Stores the job durably before it answers; joins an identical one under way. */
  submit(request: ScoreRequest, options: SubmitOptions): Promise<SubmitResult>;
  /**
   * Collects an asset that was rated before, whoever asks for it, or joins the collection that is under way. Null for an asset
   * that was never rated.
   */
  collect(assetId: string, options: Pick<SubmitOptions, 'keyId' | 'share'>): Promise<SubmitResult | null>;
  /** Resolves when the job is finished, or with its present state after `waitMs`. Null for an unknown job. */
  wait(jobId: string, waitMs: number, signal?: AbortSignal): Promise<Job | null>;
  get(jobId: string): Promise<Job | null>;
  /** What an account has to do with a job: it asked `first`, `joined` it under way, or (null) nothing. */
  requesterOf(jobId: string, accountId: string): Promise<'first' | 'joined' | null>;
  /** Id of a job under way that the account requested and that rates this asset; null when there is none. */
  underWay(assetId: string, accountId: string): Promise<string | null>;
  report(jobId: string): Promise<ScoreReport | null>;
  evidence(jobId: string): Promise<EvidenceRecord | null>;
  /** Number of the job's newest event; 0 when it has none. */
  newestEvent(jobId: string): Promise<number>;
  /** Events after `afterSeq`, then live ones until the job has ended or the signal fires. */
  events(jobId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<JobEvent>;
  /** False when the job is unknown or already finished. */
  cancel(jobId: string): Promise<boolean>;
  /** Those who wait for jobs, or follow their events, are answered with how things stand: they ask the next process. */
  answerWaiting(): void;
  /** Deletes results that were not published, jobs of callers and replies whose time is over; it also runs by itself every hour. */
  tidy(): Promise<void>;
  /** Stops taking jobs, lets running ones finish for at most `graceMs`, hands the rest back to the queue. */
  close(graceMs: number): Promise<void>;
}

/** What working on one job is given. */
export interface WorkTools {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly emit: (event: JobEventDraft) => void;
  /** Nobody waits for the job: at sources whose budget is short, others go first. */
  readonly isBackground?: boolean | undefined;
}

/** When the evidence of a likely asset may be requested while the asset is still being identified. */
export interface AheadTerms {
  /** True when this process would start a collection of the asset now. */
  readonly isWanted: (assetId: string) => Promise<boolean>;
  /** Milliseconds that the collection would have. */
  readonly mostMs: number;
}

/** An asset that a caller's words mean, with all that was learned on the way. */
export interface FoundAsset {
  readonly ok: true;
  readonly identification: Identification;
  readonly answers: () => readonly Answer[];
  /** What was requested for its collection while it was identified; null when nothing was. To be stopped by whoever does not begin that collection. */
  readonly ahead: Ahead | null;
  /** Evidence of what is known at this moment, for a caller who cannot wait; null when nobody answered. */
  readonly partial: (request: ScoreRequest) => Promise<EvidenceRecord | null>;
}

export interface FailedWork {
  readonly ok: false;
  readonly failure: JobFailure;
  /** Id of the one asset that was rated here under the words of the request, where no source knows them now. */
  readonly ratedAs?: string;
}

/** What the job runner calls to do the work. Built in `scoring/score.ts`. */
export interface JobWork {
  /** Finds the asset that a caller's words mean. */
  find(
    job: { readonly id: string; readonly request: ScoreRequest },
    tools: WorkTools & { readonly ahead?: AheadTerms },
  ): Promise<FoundAsset | FailedWork>;
  /** Collects an asset by its canonical request. `known`: answers of the job that started it; `ahead`: what that job requested for it. */
  collect(
    job: { readonly id: string; readonly request: ScoreRequest; readonly assetId: string },
    tools: WorkTools & {
      readonly known: readonly Answer[];
      readonly ahead: Ahead | null;
      /** Told once the asset is found: evidence of what is known whenever it is called. */
      readonly onFound: (partial: (jobId: string) => Promise<EvidenceRecord | null>) => void;
    },
  ): Promise<
    { readonly ok: true; readonly evidence: EvidenceRecord; readonly bodies: readonly ArchivedBody[] } | FailedWork
  >;
}

/** A raw reply to keep: as long as its source's terms and the operator's setting allow. */
export interface ArchivedBody {
  readonly sha256: string;
  readonly source: string;
  readonly body: Uint8Array;
  /** Days; null keeps it as long as the operator's setting says. */
  readonly keepDays: number | null;
}

/** Where the ratings of collections are published, inside the transaction that ends them. One has the statements of many. */
export interface RatingBook {
  /** Makes other ratings of the assets wait, and gives what publication remembers, by asset; nothing for one never rated. Once a transaction. */
  lock(transaction: Transaction<Tables>, assetIds: readonly string[]): Promise<ReadonlyMap<string, PublicationState>>;
  /** Stores published ratings of different assets and all they cause. `keyId` asked for the collections. Once a transaction. */
  keep(
    transaction: Transaction<Tables>,
    reports: readonly ScoreReport[],
    context: { readonly at: string; readonly keyId: string },
  ): Promise<void>;
  /** What publication remembers after a collection that is not published; nothing for an asset without a published rating. */
  hold(transaction: Transaction<Tables>, report: ScoreReport, context: { readonly at: string }): Promise<void>;
  /** Somebody asked for the rating of an asset and was answered with a published one: it stays monitored. */
  wanted(transaction: Transaction<Tables>, assetId: string, at: string): Promise<void>;
}

/** News of jobs between processes. */
export interface JobSignals {
  /** Never throws, never waits. */
  tell(told: ToldJob): void;
  /** What is told, by this process too. */
  listen(onTold: (told: ToldJob) => void): { readonly close: () => Promise<void> };
}

/** One score's hold on the collections that its account may start. */
export interface CollectionQuota {
  /** True when one could be taken at this moment. */
  hasRoom(): Promise<boolean>;
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
  /** Evidence that lies in the object store. */
  readonly readMoved: ReadMoved;
  readonly work: JobWork;
  readonly build: (evidence: EvidenceRecord) => ScoreReport;
  /** Of the methodology that `build` rates by: what was rated by another one is read as it was stored. */
  readonly methodologyHash: string;
  readonly encode: (report: ScoreReport) => { readonly record: Uint8Array; readonly result: Uint8Array };
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
  /** Days that a job of these callers is kept, by their plans; not given: `unpublishedDays` for all. */
  readonly keptDays?: (job: { readonly id: string; readonly keyId: string }) => Promise<number>;
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
  /** What was deleted because its time was over. */
  readonly onDeleted?: (deleted: { readonly jobs: number; readonly bodies: number }) => void;
  /** How processes on one database hear of each other's jobs; without it they poll. */
  readonly jobSignals?: JobSignals;
}
