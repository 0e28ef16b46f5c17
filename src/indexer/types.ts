import type { Asset, SnapshotKind } from '../domain/index.ts';

/** A snapshot as it lies in the store: immutable. */
export interface StoredSnapshot {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  /** RFC 3339 UTC, milliseconds. */
  readonly asOf: string;
  readonly storedAt: string;
  /** UTF-8 of the snapshot's JSON, as it was made. */
  readonly body: Uint8Array;
}

export interface HistoryQuery {
  /** RFC 3339, both included. */
  readonly from: string;
  readonly to: string;
  /** Newest snapshot of each interval; null: every snapshot. */
  readonly intervalSeconds: number | null;
  readonly limit: number;
  /** Given by the page before; null for the first. */
  readonly cursor: string | null;
}

/** What reads of chain data rest on. */
export interface SnapshotReader {
  latest(assetId: string, kind: SnapshotKind): Promise<StoredSnapshot | null>;
  /** The newest with `as_of` at or before `at`: what was known then. */
  asOf(assetId: string, kind: SnapshotKind, at: string): Promise<StoredSnapshot | null>;
  history(
    assetId: string,
    kind: SnapshotKind,
    query: HistoryQuery,
  ): Promise<{ readonly snapshots: readonly StoredSnapshot[]; readonly nextCursor: string | null }>;
  /** Indexed assets of a chain that `text` (address, symbol in any case, CAIP-19 id) may mean, best match first. */
  find(chain: string, text: string): Promise<readonly Asset[]>;
  /** Told of each stored snapshot, by whichever process stored it (LISTEN/NOTIFY). Returns the way to stop. */
  onStored(listener: (assetId: string, kind: SnapshotKind, asOf: string) => void): () => void;
}
