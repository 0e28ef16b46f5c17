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
  RatedAsset,
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

/** What works in this installation: read, and proved on demand. */
export interface SetupService {
  readonly state: () => Parameters<typeof viewOf<typeof SetupView>>[1];
  /** Starts a check of sources unless one is running; false if there are no known assets to request. */
  readonly prove: () => boolean;
}

/** Services that the API uses. All are passed in; the API opens nothing itself. */
export interface ApiContext {
  readonly dataMode: 'live' | 'sandbox';
  readonly version: string;
  readonly scoringPath: string;
  readonly scoreDeadlineSeconds: number;
  readonly scoreDeadlineMaxSeconds: number;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  /** What needs no key about ratings is served: pages, objections, appeals. */
  readonly publicPages: boolean;
  /** The address a request comes from, which limits of keys and the count of wrong keys go by. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly scoring: ScoringService;
  /** The report of a rating for people. */
  readonly committee: (report: ScoreReport, ties: ReplyContext['ties']) => Promise<CommitteeReport>;
  /** Bulk jobs have no routes when it is absent. */
  readonly bulk?: BulkService;
  readonly access: AccessService;
  readonly judgeUrl: UrlJudge;
  /** The methodology file's bytes, as served. */
  readonly methodologyJson: string;
  readonly methodologyHash: string;
  readonly now: () => number;
  /** True while the service can take work: database reachable, not stopping. */
  readonly ready: () => Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, boolean>> }>;
  /** A finished request; whose it was, null without a key; bytes of the reply's body as sent. */
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
  /** Usage and service level are not shown when it is absent. */
  readonly usage?: UsageService;
  readonly chain: ChainServices;
  /** Health of the sources; they are not shown when it is absent. */
  readonly sources?: () => Promise<readonly SourceStatus[]>;
  /** What works in this installation; it has no routes when it is absent. */
  readonly setup?: SetupService;
  /** Aborted when the process is about to stop: streams of chain data ask their readers to reconnect. */
  readonly stopping?: AbortSignal;
  /** Takes one of an account's `most` event streams; null when all are open. Give it back by calling it. */
  readonly takeStream: (accountId: string, most: number) => Promise<(() => void) | null>;
  /** Nothing is sold without a key when it is absent. */
  readonly payments?: Payments | undefined;
  /** The purchase behind a receipt, null if it is not one; absent: receipts have no route. */
  readonly purchaseOf?: (receipt: string) => Promise<Purchase | null>;
  /** Address under which callers reach the service, without a slash at the end; null or absent: as the request says. */
  readonly publicUrl?: string | null;
  /** Watchlists and alerts have no routes when it is absent. */
  readonly alerts?: AlertServices;
  /** Absent: the exports of current ratings and of changes have no routes. */
  readonly ratingChanges?: RatingChanges;
  /** Portfolios are given as lists only when it is absent. */
  readonly holdings?: HoldingsService;
  /** Deprecated operations and fields; absent: those of the contract. */
  readonly deprecations?: readonly Deprecation[];
  /** Webhooks have no routes when it is absent. */
  readonly webhooks?: Webhooks;
  /** Ratings have no routes when it is absent. */
  readonly ratings?: RatingServices;
  /** Disputes, corrections and the track record have no routes when it is absent. */
  readonly disclosures?: DisclosureServices;
  /** The log of published ratings has no routes when it is absent. */
  readonly log?: TransparencyLog;
  /** With read replicas: how many milliseconds late the reads of the present request were. */
  readonly readLag?: AsyncLocalStorage<{ ms: number }>;
  /** All keys that ever signed, newest first. */
  readonly signingKeys: () => Promise<readonly PublicKey[]>;
  /** Those of records that EVM contracts check. */
  readonly attestationKeys: () => Promise<readonly AttestationKey[]>;
  /** Records that contracts check have no routes when it is absent. */
  readonly attestations?: Attestations;
}

/** One source as `GET /v1/status` shows it. */
export type SourceStatus = Parameters<typeof viewOf<typeof SourceStatusView>>[1];

/** What addresses hold, read from the chains. */
export interface HoldingsService {
  /** Our names of the chains that have a node. */
  readonly chains: readonly string[];
  /** `address` as the chain writes it. */
  read(chain: string, address: string): Promise<Result<Holdings, { readonly reason: string; readonly detail: string }>>;
}

/** Services of the routes of watchlists and alerts. */
export interface AlertServices {
  readonly book: AlertBook;
  readonly whitelist: WhitelistServices;
  readonly drift: DriftSubscriptions;
  readonly thresholds: ThresholdBook;
}

/** Accounts that are notified of drifting sources. */
export interface DriftSubscriptions {
  /** Null: it is not. `sources` null: of all. */
  read(accountId: string): Promise<{
    readonly sources: readonly string[] | null;
    readonly open: readonly { readonly source: string; readonly severity: Severity; readonly openedAt: string }[];
  } | null>;
  put(accountId: string, sources: readonly string[] | null): Promise<void>;
  remove(accountId: string): Promise<void>;
}

export interface WhitelistServices {
  readonly watchlist: Watchlist;
  /** Rated assets that a text may mean, best match first. */
  readonly find: (text: string) => Promise<readonly RatedAsset[]>;
}

/** Services of the routes of chain data. */
export interface ChainServices {
  readonly reader: SnapshotReader;
  readonly exports: ExportService;
  readonly index: AssetIndex;
  /** Status of the index: lag per chain and kind, newest closed day per chain. */
  readonly indexerStatus: () => Promise<Pick<IndexerStatus, 'lag' | 'closed'>>;
  /** Chains served; all known ones when not given. */
  readonly chains?: readonly Chain[];
  /** Usual time between two snapshots of an asset, from which `Retry-After` is computed. */
  readonly refreshSeconds?: Readonly<Record<SnapshotKind, number>>;
  /** Memory that hot snapshots may take. */
  readonly hotBytes?: number;
}

/** An asset of the index, as the API shows it. */
export type IndexedAsset = Parameters<typeof viewOf<typeof IndexEntry>>[1];

/** The requester of an asset: an account within what its plan allows, or the operator. */
export type IndexRequester =
  | { readonly who: 'operator'; readonly accountId: string }
  | { readonly who: 'account'; readonly accountId: string; readonly most: number };

export interface IndexPage {
  readonly accountId: string;
  readonly mine: boolean;
  /** Id of the last asset of the page before; empty for the first. */
  readonly after: string;
  readonly limit: number;
}

/** The assets that are indexed. */
export interface AssetIndex {
  /** In the order of their ids. */
  list(chain: string, page: IndexPage): Promise<readonly IndexedAsset[]>;
  /** Null when it is not indexed. */
  entry(assetId: string, accountId: string): Promise<IndexedAsset | null>;
  /** Assets that an account has requested. */
  used(accountId: string): Promise<number>;
  /** Adds an asset by its canonical address, or widens its entry (`created`: false). */
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
   * The operator ends the indexing for everybody; an account withdraws its request, and what others requested continues. False
   * when there was nothing to end. Snapshots stay.
   */
  remove(assetId: string, asker: Pick<IndexRequester, 'who' | 'accountId'>): Promise<boolean>;
  /**
   * A missing snapshot of an indexed asset was requested: its first one is due at once, unless an attempt failed. Null
   * for an asset that is not indexed.
   */
  awaited(assetId: string, kind: SnapshotKind): Promise<AwaitedSnapshot | null>;
}

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

/** Searches through the chains' past; each waits for findings for at most this number of milliseconds. */
export interface ForensicServices {
  drains(subject: ForensicSubject, waitMs: number): Promise<SearchState<DrainRecord>>;
  clusters(subject: ForensicSubject, waitMs: number): Promise<SearchState<ClusterRecord>>;
  close(): Promise<void>;
}

/** Services of the routes of ratings. */
export interface RatingServices {
  readonly reader: StoredRatings;
  readonly freshRating: FreshRating;
  /** Searches through the chains' past have no routes when it is absent. */
  readonly forensics?: ForensicServices;
  /** What would move a published band; not served when it is absent. */
  readonly counterfactual?: (report: ScoreReport, published: Band) => ReturnType<typeof counterfactualFor>;
  /** Memory that hot ratings may take. */
  readonly hotBytes?: number;
}
