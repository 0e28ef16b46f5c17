import type { PlanBook } from '../access/plans/types.ts';
import type { AccessService } from '../access/types.ts';
import type { UsageService } from '../access/usage/service.ts';
import type { EvmRecording } from '../chain/evm/recording.ts';
import type { Hex } from '../chain/evm/types.ts';
import type { Config } from '../config/types.ts';
import type { EvidenceRecord } from '../domain/evidence.ts';
import type { ScoreReport } from '../domain/report.ts';
import type { Result } from '../domain/result.ts';
import type { HoldersSnapshot } from '../domain/snapshot.ts';
import type { ProbeResult, SourceRow } from '../evidence/catalogue.ts';
import type { ParsedReply } from '../evidence/inspect.ts';
import type { Reobserved } from '../evidence/reobserve.ts';
import type { Restated, RestateFault } from '../exports/restate.ts';
import type { RestatedRating } from '../exports/restatement-policy.ts';
import type { VerifyingKey } from '../exports/verify/verify.ts';
import type { Registry } from '../indexer/registry.ts';
import type { SnapshotCollector } from '../indexer/types.ts';
import type { AccountAlert, FeedWish } from '../monitoring/alerts/alert-feed.ts';
import type { Register } from '../monitoring/register.ts';
import type { RatingReader } from '../monitoring/types.ts';
import type { UrlJudge } from '../scoring/request.ts';
import type { ScoringService } from '../scoring/types.ts';

/** Where a command reads and writes. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Overwrites the present line when somebody watches; nothing otherwise. */
  readonly progress: (line: string) => void;
}

/** An archive as `assay evidence` writes it: a job's evidence, the result's bytes, and the bodies still kept. */
export interface Archive {
  readonly evidence: EvidenceRecord;
  /** Canonical bytes of the report as they were when the job ended. */
  readonly result: Uint8Array | null;
  readonly bodyOf: (sha256: string) => Promise<Uint8Array | null>;
}

/** Ratings in the store, and which of them are kept up. */
export interface RatedStore {
  readonly register: Pick<Register, 'add' | 'remove' | 'list'>;
  readonly reader: Pick<RatingReader, 'find' | 'latest' | 'history'>;
}

/** What writes, corrects and checks the published files of a day. */
export interface ExportTools {
  /** Publishes the closed days that are not yet (only `date` when given); says which, which are closed, and what failed. */
  build(
    subject: string,
    date: string | null,
  ): Promise<{
    readonly days: readonly string[];
    readonly closed: readonly string[];
    readonly failures: readonly string[];
  }>;
  restate(wish: {
    readonly subject: string;
    readonly date: string;
    readonly reason: string;
  }): Promise<Result<Restated, RestateFault>>;
  restateRating(wish: {
    readonly jobId: string;
    readonly without: readonly string[];
    readonly reason: string;
  }): Promise<Result<RestatedRating, { readonly detail: string }>>;
  /** All keys that ever signed. */
  keys(): Promise<readonly VerifyingKey[]>;
}

/** The services that commands use, opened when a command first asks for them. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly config: Config;
  readonly judgeUrl: UrlJudge;
  readonly now: () => number;
  readonly settings: () => readonly {
    readonly name: string;
    readonly value: string;
    readonly default: string;
    readonly description: string;
  }[];
  readonly openScoring: () => Promise<ScoringService>;
  readonly openAccess: () => Promise<AccessService>;
  readonly plans: () => PlanBook;
  readonly openUsage: () => Promise<UsageService>;
  readonly openExports: () => Promise<ExportTools>;
  /** Folder of all published exports. */
  readonly exportsRoot: string;
  /** `rms` and the chains. */
  readonly exportSubjects: readonly string[];
  /** What is indexed; no worker has to run. */
  readonly openIndex: () => Promise<Pick<Registry, 'add' | 'remove' | 'list'>>;
  /** What is rated, and what is rated again by itself. */
  readonly openRated: () => Promise<RatedStore>;
  /** Makes a snapshot now, asking the world; stores nothing. */
  readonly takeSnapshot: SnapshotCollector['collect'];
  /** The holders of a mint, read from the node at `url`. */
  readonly scanMint: (
    url: string,
    mint: string,
    priceUsd: number | null,
  ) => Promise<
    { readonly ok: true; readonly value: HoldersSnapshot } | { readonly ok: false; readonly detail: string }
  >;
  /** A contract of an EVM chain, read from the node at `url`, with what gives the same description again. */
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
  /** Alerts as they come, also those that other processes store. */
  readonly followAlerts: (wish: FeedWish, signal: AbortSignal) => Promise<AsyncIterable<AccountAlert>>;
  readonly archiveOf: (jobId: string) => Promise<Archive | null>;
  readonly sources: {
    readonly list: () => readonly SourceRow[];
    readonly check: () => AsyncIterable<ProbeResult>;
    readonly parse: (question: {
      source: string;
      endpoint: string;
      asset: string;
      given: Readonly<Record<string, string>>;
      body: Uint8Array;
    }) => ParsedReply;
  };
  readonly rebuild: (
    evidence: EvidenceRecord,
  ) =>
    | { readonly ok: true; readonly report: ScoreReport; readonly bytes: Uint8Array }
    | { readonly ok: false; readonly detail: string };
  readonly reobserve: (archive: Archive) => Promise<Reobserved>;
}
