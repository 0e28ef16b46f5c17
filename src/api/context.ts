import type { Limiter } from '../access/plans/limiter.ts';
import type { PlanBook } from '../access/plans/types.ts';
import type { AccessService } from '../access/types.ts';
import type { Asset } from '../domain/asset.ts';
import type { Chain } from '../domain/chains.ts';
import type { Result } from '../domain/result.ts';
import type { SnapshotKind } from '../domain/snapshot.ts';
import type { ExportService } from '../exports/types.ts';
import type { IndexerStatus } from '../indexer/status.ts';
import type { SnapshotReader } from '../indexer/types.ts';
import type { UrlJudge } from '../scoring/request.ts';
import type { ScoringService } from '../scoring/types.ts';
import type { PublicKey } from '../signing/signer.ts';

/** What the API stands on. Everything is handed in; the API opens nothing itself. */
export interface ApiContext {
  readonly dataMode: 'live' | 'sandbox';
  readonly version: string;
  readonly scoringPath: string;
  readonly scoreDeadlineSeconds: number;
  readonly scoreDeadlineMaxSeconds: number;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly scoring: ScoringService;
  readonly access: AccessService;
  readonly judgeUrl: UrlJudge;
  /** The methodology file's bytes, as served. */
  readonly methodologyJson: string;
  readonly methodologyHash: string;
  readonly now: () => number;
  /** True while the service can take work: database reachable, not stopping. */
  readonly ready: () => Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, boolean>> }>;
  readonly onRequest: (route: string, method: string, status: number, seconds: number) => void;
  readonly plans: PlanBook;
  readonly limiter: Limiter;
  readonly chain: ChainServices;
  /** All keys that ever signed, newest first. */
  readonly signingKeys: () => Promise<readonly PublicKey[]>;
}

/** What the routes of chain data rest on. */
export interface ChainServices {
  readonly reader: SnapshotReader;
  readonly exports: ExportService;
  readonly index: AssetIndex;
  /** How the index stands: lag per chain and kind, newest closed day per chain. */
  readonly indexerStatus: () => Promise<Pick<IndexerStatus, 'lag' | 'closed'>>;
  /** Chains served; all known ones when not given. */
  readonly chains?: readonly Chain[];
  /** Usual time between two snapshots of an asset; tells clients when to ask again. */
  readonly refreshSeconds?: Readonly<Record<SnapshotKind, number>>;
  /** Memory that hot snapshots may take. */
  readonly hotBytes?: number;
}

/** How often an asset's readers want news: the freshness grids of the plans. */
export type Cadence = 'hourly' | 'five_minutes' | 'newest';
export const CADENCES: readonly Cadence[] = ['hourly', 'five_minutes', 'newest'];

export interface IndexedAsset {
  readonly asset: Asset;
  readonly kinds: readonly SnapshotKind[];
  readonly cadence: Cadence;
  /** `configuration`, `api`, `cli`, `rated`, or who else asked for it. */
  readonly addedBy: string;
  /** RFC 3339 UTC. */
  readonly addedAt: string;
  /** After this nobody wants it any more; null: until it is removed. */
  readonly wantedUntil: string | null;
  readonly paused: boolean;
}

/** The assets that are indexed, as an administrator manages them. */
export interface AssetIndex {
  list(chain: string): Promise<readonly IndexedAsset[]>;
  /** Adds an asset by its canonical address, or widens what is there. `created` tells the two apart. */
  add(
    chain: string,
    address: string,
    wish: { readonly kinds: readonly SnapshotKind[]; readonly cadence: Cadence },
  ): Promise<
    Result<
      { readonly entry: IndexedAsset; readonly created: boolean },
      { readonly reason: 'not_a_token' | 'unsupported_asset' | 'no_source_reachable'; readonly detail: string }
    >
  >;
  /** False when the asset was not indexed. Snapshots stay. */
  remove(assetId: string): Promise<boolean>;
}
