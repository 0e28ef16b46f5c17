import type { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { AccessService, ApiKey, Limiter, Plan, PlanBook, UsageService } from '../access/index.ts';
import type { Attestations } from '../attestation/index.ts';
import type { Chain } from '../chains/index.ts';
import type {
  ClusterRecord,
  Deprecation,
  DrainRecord,
  IndexEntry,
  ReplyContext,
  SetupView,
  SourceStatusView,
  UrlJudge,
  viewOf,
} from '../contract/index.ts';
import type { DisclosureServices } from '../disclosure/index.ts';
import type {
  AwaitedSnapshot,
  Band,
  Cadence,
  ForensicSubject,
  Namesakes,
  Result,
  ScoreReport,
  SearchState,
  Severity,
  SnapshotKind,
} from '../domain/index.ts';
import type { ExportService, RatingChanges } from '../exports/index.ts';
import type { IndexerStatus, SnapshotReader } from '../indexer/index.ts';
import type { BulkService, counterfactualFor, ScoringService } from '../jobs/index.ts';
import type {
  AlertBook,
  FreshOutcome,
  RatedFound,
  StoredRatings,
  ThresholdBook,
  Watchlist,
} from '../monitoring/index.ts';
import type { Payments, Purchase } from '../payments/index.ts';
import type { CommitteeReport } from '../report/index.ts';
import type { AttestationKey, PublicKey } from '../signing/index.ts';
import type { Holdings } from '../snapshots/index.ts';
import type { TransparencyLog } from '../transparency/index.ts';
import type { Webhooks } from '../webhooks/index.ts';

/** Reports what works in this installation, and checks it on demand. */
export interface SetupService {
  readonly state: () => Parameters<typeof viewOf<typeof SetupView>>[1];
  /** Starts a check of the sources. False when one is already running or no known assets can be requested. */
  readonly prove: () => boolean;
}

/** Services that the API uses. All are passed in; the API creates none of them. */
export interface ApiContext {
  readonly dataMode: 'live' | 'sandbox';
  readonly version: string;
  readonly scoringPath: string;
  readonly scoreDeadlineSeconds: number;
  readonly scoreDeadlineMaxSeconds: number;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  /** Whether pages, objections and appeals are served without a key. */
  readonly publicPages: boolean;
  /** Client address of a request, used for limits of keys and for counting wrong keys. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly scoring: ScoringService;
  /** Titles of the sources by their names, for pages. */
  readonly sourceTitles: ReadonlyMap<string, string>;
  /** Builds the report of a rating for people. */
  readonly committee: (report: ScoreReport, ties: ReplyContext['ties']) => Promise<CommitteeReport>;
  /** Absent: bulk jobs have no routes. */
  readonly bulk?: BulkService;
  readonly access: AccessService;
  readonly judgeUrl: UrlJudge;
  /** The methodology file as served. */
  readonly methodologyJson: string;
  readonly methodologyHash: string;
  readonly now: () => number;
  /** True while the service can take work: the database is reachable and the process is not stopping. */
  readonly ready: () => Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, boolean>> }>;
  /** Called for every finished request, with its key (null without one) and the bytes of the reply body as sent. */
  readonly onRequest: (
    route: string,
    method: string,
    status: number,
    seconds: number,
    key: ApiKey | null,
    bytes: number,
  ) => void;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  /** Absent: usage and service level are not shown. */
  readonly usage?: UsageService;
  readonly chain: ChainServices;
  /** Health of the sources. Absent: it is not shown. */
  readonly sources?: () => Promise<readonly SourceStatus[]>;
  /** Absent: the installation check has no routes. */
  readonly setup?: SetupService;
  /** Aborted when the process is about to stop, so that streams of chain data ask their readers to reconnect. */
  readonly stopping?: AbortSignal;
  /**
   * Takes one of the account's `most` event streams; null when all are in use. Call the result to release the stream.
   */
  readonly takeStream: (accountId: string, most: number) => Promise<(() => void) | null>;
  /** Absent: nothing is sold without a key. */
  readonly payments?: Payments | undefined;
  /** The purchase that a receipt belongs to; null if there is none. Absent: receipts have no route. */
  readonly purchaseOf?: (receipt: string) => Promise<Purchase | null>;
  /** Public base URL of the service, without a trailing slash. Null or absent: taken from the request. */
  readonly publicUrl?: string | null;
  /** Absent: watchlists and alerts have no routes. */
  readonly alerts?: AlertServices;
  /** Absent: the exports of current ratings and of changes have no routes. */
  readonly ratingChanges?: RatingChanges;
  /** Absent: portfolios can only be given as lists. */
  readonly holdings?: HoldingsService;
  /** Deprecated operations and fields. Absent: those of the contract. */
  readonly deprecations?: readonly Deprecation[];
  /** Absent: webhooks have no routes. */
  readonly webhooks?: Webhooks;
  /** Absent: ratings have no routes. */
  readonly ratings?: RatingServices;
  /** Absent: disputes, corrections and the track record have no routes. */
  readonly disclosures?: DisclosureServices;
  /** Absent: the log of published ratings has no routes. */
  readonly log?: TransparencyLog;
  /** With read replicas: lag of the reads of the current request, in milliseconds. */
  readonly readLag?: AsyncLocalStorage<{ ms: number }>;
  /** All current and past signing keys, newest first. */
  readonly signingKeys: () => Promise<readonly PublicKey[]>;
  /** Keys of the records that EVM contracts verify. */
  readonly attestationKeys: () => Promise<readonly AttestationKey[]>;
  /** Absent: records that contracts verify have no routes. */
  readonly attestations?: Attestations;
}

/** One source as shown by `GET /v1/status`. */
export type SourceStatus = Parameters<typeof viewOf<typeof SourceStatusView>>[1];

/** Reads the holdings of addresses from the chains. */
export interface HoldingsService {
  /** Names (in Assay) of the chains that have a node. */
  readonly chains: readonly string[];
  /** `address` in the format of the chain. */
  read(chain: string, address: string): Promise<Result<Holdings, { readonly reason: string; readonly detail: string }>>;
}

/** Services for the routes of watchlists and alerts. */
export interface AlertServices {
  readonly book: AlertBook;
  readonly whitelist: WhitelistServices;
  readonly drift: DriftSubscriptions;
  readonly thresholds: ThresholdBook;
}

/** Accounts that are notified when a source drifts. */
export interface DriftSubscriptions {
  /** Null: the account is not subscribed. `sources` null: all sources. */
  read(accountId: string): Promise<{
    readonly sources: readonly string[] | null;
    readonly open: readonly { readonly source: string; readonly severity: Severity; readonly openedAt: string }[];
  } | null>;
  put(accountId: string, sources: readonly string[] | null): Promise<void>;
  remove(accountId: string): Promise<void>;
}

export interface WhitelistServices {
  readonly watchlist: Watchlist;
  /** Rated assets that match a text, best match first. */
  readonly find: (text: string) => Promise<RatedFound>;
}

/** Services for the routes of chain data. */
export interface ChainServices {
  readonly reader: SnapshotReader;
  readonly exports: ExportService;
  readonly index: AssetIndex;
  /** What registries list under a symbol. Absent: nothing is known. */
  readonly namesakes?: Namesakes;
  /** State of the index: lag per chain and kind, newest closed day per chain. */
  readonly indexerStatus: () => Promise<Pick<IndexerStatus, 'lag' | 'closed'>>;
  /** Chains served. Absent: all known ones. */
  readonly chains?: readonly Chain[];
  /** Usual interval between two snapshots of an asset; `Retry-After` is computed from it. */
  readonly refreshSeconds?: Readonly<Record<SnapshotKind, number>>;
  /** Maximum memory for hot snapshots, in bytes. */
  readonly hotBytes?: number;
}

/** An asset of the index, as the API shows it. */
export type IndexedAsset = Parameters<typeof viewOf<typeof IndexEntry>>[1];

/** The requester of an asset: an account, within its plan, or the operator. */
export type IndexRequester =
  | { readonly who: 'operator'; readonly accountId: string }
  | { readonly who: 'account'; readonly accountId: string; readonly most: number };

export interface IndexPage {
  readonly accountId: string;
  readonly mine: boolean;
  /** Id of the last asset of the previous page; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** The assets that are indexed. */
export interface AssetIndex {
  /** Ordered by asset id. */
  list(chain: string, page: IndexPage): Promise<readonly IndexedAsset[]>;
  /** Null when it is not indexed. */
  entry(assetId: string, accountId: string): Promise<IndexedAsset | null>;
  /** Assets that an account has requested. */
  used(accountId: string): Promise<number>;
  /** Adds an asset by its canonical address, or extends its entry (`created`: false). */
  add(
    chain: string,
    address: string,
    request: { readonly kinds: readonly SnapshotKind[]; readonly cadence: Cadence; readonly requester: IndexRequester },
  ): Promise<
    Result<
      { readonly entry: IndexedAsset; readonly created: boolean },
      {
        readonly reason: 'not_a_token' | 'unsupported_asset' | 'no_source_reachable' | 'index_full';
        readonly detail: string;
      }
    >
  >;
  /**
   * Ends the indexing for everybody when the operator calls it. An account only withdraws its own request, and requests
   * of others continue. False when there was nothing to end. Stored snapshots are kept.
   */
  remove(assetId: string, asker: Pick<IndexRequester, 'who' | 'accountId'>): Promise<boolean>;
  /**
   * Records that a missing snapshot of an indexed asset was requested: the first one is due at once, unless an attempt
   * failed. Null for an asset that is not indexed.
   */
  awaited(assetId: string, kind: SnapshotKind): Promise<AwaitedSnapshot | null>;
}

/**
 * Rates an already rated asset again at once, within the account's quota of fresh ratings. Null for an asset that was
 * never rated.
 */
export type FreshRating = (
  assetId: string,
  asked: {
    readonly accountId: string;
    readonly keyId: string;
    readonly plan: Plan;
    readonly waitMs: number;
  },
) => Promise<FreshOutcome | null>;

/** Searches the history of the chains. Each search waits for results for at most the given number of milliseconds. */
export interface ForensicServices {
  drains(subject: ForensicSubject, waitMs: number): Promise<SearchState<DrainRecord>>;
  clusters(subject: ForensicSubject, waitMs: number): Promise<SearchState<ClusterRecord>>;
  close(): Promise<void>;
}

/** Services for the routes of ratings. */
export interface RatingServices {
  readonly reader: StoredRatings;
  readonly freshRating: FreshRating;
  /** Absent: searches of the chains' history have no routes. */
  readonly forensics?: ForensicServices;
  /**
   * Computes what would move a published band, by the methodology of its rating; null if this code cannot compute that
   * one any more. Absent: not served.
   */
  readonly counterfactual?: (report: ScoreReport, published: Band) => ReturnType<typeof counterfactualFor> | null;
  /** Maximum memory for hot ratings, in bytes. */
  readonly hotBytes?: number;
}
