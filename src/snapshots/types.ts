import type { Asset, Result, Snapshot, SnapshotKind } from '../domain/index.ts';

export type CollectReason = 'unsupported_asset' | 'not_a_token' | 'no_source_reachable' | 'cancelled';

/** Makes one snapshot of one asset, asking the world. Stores nothing. */
export interface SnapshotCollector {
  collect(
    asset: Asset,
    kind: SnapshotKind,
    signal: AbortSignal,
  ): Promise<Result<Snapshot, { readonly reason: CollectReason; readonly detail: string }>>;
}
