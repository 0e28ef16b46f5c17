import type { AccessService, PlanBook, UsageService } from '../access/index.ts';
import type { Hex } from '../chains/index.ts';
import type { Config } from '../config/index.ts';
import type { LineageReport } from '../consensus/index.ts';
import type { HoldersSnapshot, UrlJudge } from '../contract/index.ts';
import type { EvidenceRecord, Result, ScoreReport } from '../domain/index.ts';
import type { ParsedReply, ProbeResult, Reobserved, SourceRow } from '../evidence/index.ts';
import type { Restated, RestatedRating, RestateFault, VerifyingKey } from '../exports/index.ts';
import type { Registry } from '../indexer/index.ts';
import type { BulkService, ScoringService } from '../jobs/index.ts';
import type { AccountAlert, AlertQuery, RatingReader, Register } from '../monitoring/index.ts';
import type {
  BackupFault,
  BackupSummary,
  Finding,
  MoveFault,
  MoveProgress,
  MoveSummary,
  OnProgress,
  ReadFault,
  RestoreFault,
} from '../operations/index.ts';
import type { Adopted, Proof, Recorded } from '../proving/index.ts';
import type { EvmRecording, SnapshotCollector } from '../snapshots/index.ts';

/** Input and output of a command. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Overwrites the current line of an interactive terminal; does nothing otherwise. */
  readonly progress: (line: string) => void;
  /** Standard output is an interactive terminal: a person reads it. */
  readonly isTerminal?: boolean;
  /** Standard error is an interactive terminal: progress is visible. */
  readonly isWatched?: boolean;
}

/**
 * An archive written by `assay evidence`: the evidence of a job, the bytes of its result, and the bodies still stored.
 */
export interface Archive {
  readonly evidence: EvidenceRecord;
  /** Canonical bytes of the report at the end of the job. */
  readonly result: Uint8Array | null;
  readonly bodyOf: (sha256: string) => Promise<Uint8Array | null>;
}

/** Ratings in the store, and which of them are kept up to date. */
export interface RatedStore {
  readonly register: Pick<Register, 'add' | 'remove' | 'list'>;
  readonly reader: Pick<RatingReader, 'find' | 'latest' | 'latestOf' | 'history'>;
}

/** Publishes, restates and verifies the files of a day. */
export interface ExportTools {
  /**
   * Publishes the closed days that are not published yet (only `date` when given); returns which it published, which
   * are closed, and the failures.
   */
  build(
    subject: string,
    date: string | null,
    /** Called at the start of each day with the number of days done and the total. */
    onDay?: (day: string, done: number, all: number) => void,
  ): Promise<{
    readonly days: readonly string[];
    readonly closed: readonly string[];
    readonly failures: readonly string[];
  }>;
  restate(request: {
    readonly subject: string;
    readonly date: string;
    readonly reason: string;
  }): Promise<Result<Restated, RestateFault>>;
  restateRating(request: {
    readonly jobId: string;
    readonly without: readonly string[];
    readonly reason: string;
  }): Promise<Result<RestatedRating, { readonly detail: string }>>;
  /** All keys that ever signed. */
  keys(): Promise<readonly VerifyingKey[]>;
}

/** Operator functions: backups, migrations, the doctor. */
export interface OperationTools {
  backup(out: string, onProgress: OnProgress): Promise<Result<BackupSummary, BackupFault>>;
  /** Reads a backup from end to end without changes. */
  look(file: string, onProgress: OnProgress): Promise<Result<BackupSummary, ReadFault>>;
  /** Restores into the database at `to`, or the configured one. */
  restore(options: {
    readonly file: string;
    readonly to: string | null;
    readonly force: boolean;
    readonly onProgress: OnProgress;
  }): Promise<Result<BackupSummary, RestoreFault>>;
  /** State of the tables; with `apply` they are migrated. */
  migrations(apply: boolean): Promise<{
    readonly applied: readonly string[];
    readonly pending: readonly string[];
    /** Migrations of a newer version that this version is compatible with. */
    readonly newer: readonly string[];
    /** Migrations of a newer version that this version is not compatible with. */
    readonly unknown: readonly string[];
  }>;
  /** The statements that distribute the tables over the nodes of Citus. */
  readonly distribution: () => string;
  /** Moves the configured database into the one at `to`, or compares the two. */
  migrateTo(options: {
    readonly to: string;
    readonly verifyOnly: boolean;
    readonly onProgress: (progress: MoveProgress) => void;
  }): Promise<Result<MoveSummary, MoveFault>>;
  /** Findings of the doctor as they come; `offline`: without requests to sources. */
  examine(options: { readonly offline: boolean }): AsyncIterable<Finding>;
}

/** The sources that this installation uses. */
export interface SourceTools {
  readonly list: () => readonly SourceRow[];
  readonly check: () => AsyncIterable<ProbeResult>;
  readonly parse: (question: {
    source: string;
    endpoint: string;
    asset: string;
    given: Readonly<Record<string, string>>;
    body: Uint8Array;
  }) => ParsedReply;
  /**
   * Requests every endpoint about the panel (JSON text; null: the built-in one). Records the replies in `out` unless it
   * is null.
   */
  readonly prove: (wanted: {
    readonly panel: string | null;
    readonly out: string | null;
    readonly mostMs: number;
    readonly onReply: (source: string, endpoint: string) => void;
  }) => Promise<{ readonly proof: Pick<Proof, 'at' | 'endpoints'>; readonly recorded: Recorded | null }>;
  /**
   * Creates test files in `out` from a bundle; returns `panel` (JSON text) extended by the statements of the replies,
   * or null without a panel.
   */
  readonly adopt: (wanted: {
    readonly bundle: string;
    readonly out: string;
    readonly panel: string | null;
  }) => Promise<{ readonly adopted: Adopted; readonly panel: string | null }>;
  /** Checks the declared lineage groups against the errors in the evidence of the newest `jobs` jobs. */
  readonly lineage: (wanted: { readonly jobs: number }) => Promise<LineageReport>;
}

/** A downloaded public file, or why there is none. */
export type PublicReply = Result<
  { readonly body: Uint8Array; readonly sha256: string /** Header `Last-Modified`. */; readonly lastModified?: string },
  { readonly detail: string }
>;

/** Services for commands, opened at first use. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly config: Config;
  readonly judgeUrl: () => Promise<UrlJudge>;
  readonly now: () => number;
  readonly settings: () => readonly {
    readonly name: string;
    readonly value: string;
    readonly default: string;
    readonly description: string;
  }[];
  readonly openScoring: () => Promise<ScoringService>;
  /** Bulk jobs, run by this process while it lives, and by other processes on the database. */
  readonly openBulk: () => Promise<BulkService>;
  readonly openAccess: () => Promise<AccessService>;
  readonly plans: () => Promise<PlanBook>;
  readonly openUsage: () => Promise<UsageService>;
  readonly openExports: () => Promise<ExportTools>;
  /** Folder of all published exports. */
  readonly exportsRoot: string;
  /** `rms` and the chains. */
  readonly exportSubjects: readonly string[];
  /** Reads a public URL as sources do, through the address guard; a URL of the operator may be on loopback. */
  readonly fetchPublic: (url: string, isOwn: boolean) => Promise<PublicReply>;
  /** Management of indexed assets; needs no running worker. */
  readonly openIndex: () => Promise<Pick<Registry, 'add' | 'remove' | 'list'>>;
  /** Rated assets, and those that are rated again automatically. */
  readonly openRated: () => Promise<RatedStore>;
  /** The report of a job for people, as HTML or Markdown; null when its evidence is no longer kept. */
  readonly openReports: () => Promise<(jobId: string, form: 'html' | 'markdown') => Promise<string | null>>;
  /** Makes a snapshot now from the sources, without storing it. */
  readonly takeSnapshot: SnapshotCollector['collect'];
  /** The holders of a mint, read from the node at `url`. */
  readonly scanMint: (
    url: string,
    mint: string,
    priceUsd: number | null,
  ) => Promise<
    { readonly ok: true; readonly value: HoldersSnapshot } | { readonly ok: false; readonly detail: string }
  >;
  /** A contract of an EVM chain, read from the node at `url`, with a recording that reproduces the description. */
  readonly recordContract: (
    url: string,
    chain: string,
    address: Hex,
  ) => Promise<
    | {
        readonly ok: true;
        readonly value: { readonly description: Readonly<Record<string, unknown>>; readonly recording: EvmRecording };
      }
    | { readonly ok: false; readonly detail: string }
  >;
  /** Alerts as they arrive, including those stored by other processes. */
  readonly followAlerts: (feed: AlertQuery, signal: AbortSignal) => Promise<AsyncIterable<AccountAlert>>;
  readonly archiveOf: (jobId: string) => Promise<Archive | null>;
  readonly openOperations: () => Promise<OperationTools>;
  readonly openSources: () => Promise<SourceTools>;
  readonly rebuild: (
    evidence: EvidenceRecord,
  ) => Promise<
    | { readonly ok: true; readonly report: ScoreReport; readonly bytes: Uint8Array }
    | { readonly ok: false; readonly detail: string }
  >;
  readonly reobserve: (archive: Archive) => Promise<Reobserved>;
}

/** One command: its purpose, its usage and its function. Returns the exit code. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[], context: CliContext) => Promise<number>;
}

const TICK_MS = 1_000;

/**
 * Shows on the terminal what the command is waiting for, and how long, until `work` ends. `words` may change meanwhile.
 */
export async function waiting<Value>(
  terminal: Pick<Terminal, 'progress'>,
  words: () => string,
  work: () => Promise<Value>,
): Promise<Value> {
  const startedAt = performance.now();
  const report = () => terminal.progress(`${words()}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const timer = setInterval(report, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    terminal.progress('');
  }
}
