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
import type { EarlyRequests, RecordedReply } from '../evidence/index.ts';
import type { Database, JobNotification, PanelEntry, ReadMoved, Tables } from '../store/index.ts';

/** Why a job has no rating. `code` is a stable code of the contract. */
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
  /** The attempts, as text. */
  readonly tried: readonly string[];
  readonly retryAfterSeconds?: number;
}

/** An event to record. `at`: when it happened; absent: now. `Omit` distributes over the members of the union. */
export type JobEventDraft = JobEvent extends infer Event
  ? Event extends JobEvent
    ? Omit<Event, 'seq' | 'at'> & { readonly at?: string }
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
  /** Fields of the reply to a score besides the report; null until it succeeded. */
  readonly answer: ResultOrigin | null;
  /** True when it succeeded and is the receipt of a published rating, which any reader of ratings may see. */
  readonly isReceipt: boolean;
}

/** How the result of a score was obtained. */
export interface ResultOrigin {
  readonly warnings: readonly string[];
  /** From the start of the caller's job to its result. */
  readonly seconds: number;
}

export interface SubmitOptions {
  readonly keyId: string;
  readonly idempotencyKey: string | null;
  /** Hex SHA-256 of the request body, which identifies repeated uses of an idempotency key; absent: of the request. */
  readonly bodySha256?: string;
  /** How long the caller waits for the reply, in seconds. The collected data do not depend on it. */
  readonly deadlineSeconds: number;
  /** Limit of queued or running jobs of this account, over all processes; absent: no limit. */
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

/** A scoring job as API, CLI and MCP show it. */
export interface ScoringService {
  /** Stores the job durably before it returns; joins an identical running one. */
  submit(request: ScoreRequest, options: SubmitOptions): Promise<SubmitResult>;
  /**
   * Collects an asset that was rated before, for any caller, or joins the running collection. Null for an asset that
   * was never rated.
   */
  collect(assetId: string, options: Pick<SubmitOptions, 'keyId' | 'share'>): Promise<SubmitResult | null>;
  /** Resolves when the job has ended, or with its state after `waitMs`. Null for an unknown job. */
  wait(jobId: string, waitMs: number, signal?: AbortSignal): Promise<Job | null>;
  get(jobId: string): Promise<Job | null>;
  /** Relation of an account to the job: it requested it `first`, `joined` it while it ran, or (null) none. */
  requesterOf(jobId: string, accountId: string): Promise<'first' | 'joined' | null>;
  /** Id of a running job that the account requested and that rates this asset; null when there is none. */
  underWay(assetId: string, accountId: string): Promise<string | null>;
  report(jobId: string): Promise<ScoreReport | null>;
  evidence(jobId: string): Promise<EvidenceRecord | null>;
  /** Number of the job's newest event; 0 when it has none. */
  newestEvent(jobId: string): Promise<number>;
  /** Events after `afterSeq`, then live ones until the job has ended or the signal fires. */
  events(jobId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<JobEvent>;
  /** False when the job is unknown or already finished. */
  cancel(jobId: string): Promise<boolean>;
  /**
   * Replies to all callers that wait for jobs, or follow their events, with the current state: they continue at the
   * next process.
   */
  answerWaiting(): void;
  /** Deletes unpublished results, jobs of callers and replies that have expired; this also runs every hour. */
  tidy(): Promise<void>;
  /** Accepts no further jobs, lets running ones finish for at most `graceMs`, and returns the rest to the queue. */
  close(graceMs: number): Promise<void>;
}

/** Input for the work on one job. */
export interface WorkTools {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly emit: (event: JobEventDraft) => void;
  /** No caller waits for the job: it has lower priority at sources whose budget is short. */
  readonly isBackground?: boolean | undefined;
}

/** When the evidence of a likely asset may be requested while the asset is still being identified. */
export interface EarlyRequestTerms {
  /** True when this process would start a collection of the asset now. */
  readonly isWanted: (assetId: string) => Promise<boolean>;
  /** Milliseconds that the collection would have. */
  readonly mostMs: number;
}

/** The asset that a request refers to, with the responses received during identification. */
export interface FoundAsset {
  readonly ok: true;
  readonly identification: Identification;
  readonly replies: () => readonly RecordedReply[];
  /**
   * Early requests for its collection, sent during identification; null without any. If that collection does not start,
   * the caller stops them.
   */
  readonly early: EarlyRequests | null;
  /** Partial evidence, for a caller whose time is over; null when no source replied. */
  readonly partial: (request: ScoreRequest) => Promise<EvidenceRecord | null>;
}

export interface FailedWork {
  readonly ok: false;
  readonly failure: JobFailure;
  /** Id of the one asset that was rated here under the name of the request, where no source has it now. */
  readonly ratedAs?: string;
}

/** What the job runner calls to do the work. Built in `jobs/score.ts`. */
export interface JobWork {
  /** Identifies the asset of a request. */
  find(
    job: { readonly id: string; readonly request: ScoreRequest },
    tools: WorkTools & { readonly early?: EarlyRequestTerms },
  ): Promise<FoundAsset | FailedWork>;
  /**
   * Collects an asset by its canonical request. `known`: responses of the job that started it; `early`: what that job
   * requested for it.
   */
  collect(
    job: { readonly id: string; readonly request: ScoreRequest; readonly assetId: string },
    tools: WorkTools & {
      readonly known: readonly RecordedReply[];
      readonly early: EarlyRequests | null;
      /** Called once the asset is found, with a function that returns the partial evidence. */
      readonly onFound: (partial: (jobId: string) => Promise<EvidenceRecord | null>) => void;
    },
  ): Promise<
    { readonly ok: true; readonly evidence: EvidenceRecord; readonly bodies: readonly ArchivedBody[] } | FailedWork
  >;
}

/** A raw reply to store: for as long as its source's terms and the operator's setting allow. */
export interface ArchivedBody {
  readonly sha256: string;
  readonly source: string;
  readonly body: Uint8Array;
  /** Days; null: as long as the operator's setting allows. */
  readonly keepDays: number | null;
}

/**
 * Publishes the ratings of collections, inside the transaction that ends these. The number of statements does not
 * depend on the number of ratings.
 */
export interface RatingBook {
  /**
   * Locks other ratings of the assets, and returns publication's state, by asset; nothing for one never rated. Once per
   * transaction.
   */
  lock(transaction: Transaction<Tables>, assetIds: readonly string[]): Promise<ReadonlyMap<string, PublicationState>>;
  /**
   * Stores published ratings of different assets with all their effects. `keyId` requested the collections. Once per
   * transaction.
   */
  keep(
    transaction: Transaction<Tables>,
    reports: readonly ScoreReport[],
    context: { readonly at: string; readonly keyId: string },
  ): Promise<void>;
  /** Publication's state after a collection that is not published; nothing for an asset without a published rating. */
  hold(transaction: Transaction<Tables>, report: ScoreReport, context: { readonly at: string }): Promise<void>;
  /** The rating of an asset was requested and returned from a published one: it stays monitored. */
  wanted(transaction: Transaction<Tables>, assetId: string, at: string): Promise<void>;
}

/** Notifications about jobs between processes. */
export interface JobSignals {
  /** Never throws, never waits. */
  notify(told: JobNotification): void;
  /** Called with each notification, including those of this process. */
  listen(onNotification: (told: JobNotification) => void): { readonly close: () => Promise<void> };
}

/** A score's reservation of the quota of collections of its account. */
export interface CollectionQuota {
  /** True when one could be reserved now. */
  hasCapacity(): Promise<boolean>;
  /** Reserves one. Null on success; else the limit and the seconds until the quota resets. */
  take(): Promise<{ readonly limit: number; readonly resetSeconds: number } | null>;
  giveBack(): Promise<void>;
}

/** Stores further results from the evidence of a published rating: the asset's snapshots. */
export interface SnapshotBook {
  /**
   * Reads its input before the transaction of the rating; returns a function that stores the snapshots inside it. A
   * snapshot that cannot be made or stored must not fail the rating.
   */
  open(
    assetId: string,
    asOf: string,
  ): Promise<(transaction: Transaction<Tables>, report: ScoreReport, at: string) => Promise<void>>;
}

/** Dependencies of the job service. */
export interface ScoringOptions {
  readonly db: Database;
  /** Evidence in the object store. */
  readonly readMoved: ReadMoved;
  readonly work: JobWork;
  readonly build: (evidence: EvidenceRecord) => ScoreReport;
  /** Hash of the methodology of `build`: a rating by another one is read as stored. */
  readonly methodologyHash: string;
  readonly encode: (report: ScoreReport) => { readonly record: Uint8Array; readonly result: Uint8Array };
  /** The contribution of a report to the peer panel; null: none. */
  readonly peerOf: (report: ScoreReport) => PanelEntry | null;
  readonly book: RatingBook;
  /** Absent: ratings store no snapshots. */
  readonly snapshots?: SnapshotBook;
  readonly now: () => number;
  /** Monotonic milliseconds, for deadlines and durations. */
  readonly ticks: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Jobs that run at once; those that wait for a collection occupy no slot. */
  readonly concurrency: number;
  readonly queueLimit: number;
  /** Time limit of a collection's requests, whatever the time limit of the score that started it. */
  readonly collectionSeconds: number;
  /** A score of an asset whose published rating is younger returns that rating; 0: never. */
  readonly freshSeconds: number;
  /** Days that unpublished results, and jobs of callers, are kept. */
  readonly unpublishedDays: number;
  /** Days that a job of these callers is kept, by their plans; absent: `unpublishedDays` for all. */
  readonly keptDays?: (job: { readonly id: string; readonly keyId: string }) => Promise<number>;
  /** Reservation of a key's account quota of collections; absent: no quota. */
  readonly collectionQuota?: (keyId: string) => Promise<CollectionQuota>;
  /** Name of this process among those on the database. */
  readonly instanceId: string;
  /** Days raw bodies are kept at most. */
  readonly bodyRetentionDays: number;
  /** No caller waits for jobs of this key (the monitor's); absent: there is none. */
  readonly backgroundKeyId?: string;
  readonly onError: (error: unknown, what: string) => void;
  /** A rating of this asset was published. */
  readonly onRated?: (asset: Asset) => void;
  readonly onFinished?: (state: string, seconds: number) => void;
  /** Counts of deleted expired data. */
  readonly onDeleted?: (deleted: { readonly jobs: number; readonly bodies: number }) => void;
  /** How processes on one database notify each other of jobs; without it they poll. */
  readonly jobSignals?: JobSignals;
}
