import { hash } from 'node:crypto';
import type { Snapshot } from '../../contract/index.ts';
import type { SnapshotKind } from '../../domain/index.ts';

/** A snapshot to be stored. */
export interface NewSnapshot {
  readonly assetId: string;
  readonly chain: string;
  readonly kind: SnapshotKind;
  /** RFC 3339 UTC, to the millisecond. */
  readonly asOf: string;
  /** Method, for listings: of holders the method, of pools the depth method. */
  readonly method: string | null;
  /** UTF-8 JSON, stored and returned to the byte. */
  readonly body: Uint8Array;
  readonly sha256: Uint8Array;
  /** Only of market snapshots. */
  readonly price: PricePoint | null;
}

/** Values of a market snapshot in the price history, in US dollars. */
export interface PricePoint {
  readonly priceUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly marketCapUsd: number | null;
  readonly liquidityUsd: number | null;
}

/** The row of a snapshot. `chain` is the short chain name, or `none` for an asset on no chain. */
export function snapshotRow(snapshot: Snapshot): NewSnapshot {
  const body = Buffer.from(JSON.stringify(snapshot), 'utf8');
  return {
    assetId: snapshot.asset.id,
    chain: snapshot.asset.chain ?? 'none',
    kind: snapshot.kind,
    asOf: snapshot.as_of,
    method: methodOf(snapshot),
    body,
    sha256: hash('sha256', body, 'buffer'),
    price:
      snapshot.kind === 'market'
        ? {
            priceUsd: snapshot.price_usd,
            volume24hUsd: snapshot.volume_24h_usd,
            marketCapUsd: snapshot.market_cap_usd,
            liquidityUsd: snapshot.liquidity_usd,
          }
        : null,
  };
}

function methodOf(snapshot: Snapshot): string | null {
  if (snapshot.kind === 'holders') return snapshot.method;
  return snapshot.kind === 'pools' ? snapshot.depth_method : null;
}

/** Columns in the order in which `copyChunks` writes them. */
export const COPY_COLUMNS = 'asset_id, kind, as_of, chain, stored_at, method, body, sha256';

/** Large enough that the protocol's cost per message is negligible, small enough to stay in the processor's cache. */
const CHUNK_BYTES = 256 * 1024;
const FIELDS = 8;
/** PostgreSQL counts from 2000-01-01. */
const EPOCH_MS = 946_684_800_000;
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);

/**
 * Rows in PostgreSQL's binary COPY format (documentation of COPY, "Binary Format"): bodies are sent unchanged, where
 * the text format would double them. `storedAt` in milliseconds since the epoch.
 */
export function* copyChunks(rows: Iterable<NewSnapshot>, storedAt: number): Generator<Buffer> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let at = HEADER.copy(chunk);
  for (const row of rows) {
    const most = 96 + 3 * (row.assetId.length + row.chain.length + (row.method?.length ?? 0)) + row.body.byteLength;
    if (at + most > chunk.byteLength) {
      yield chunk.subarray(0, at);
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, most));
      at = 0;
    }
    at = writeRow(chunk, at, row, storedAt);
  }
  yield chunk.subarray(0, at);
  yield TRAILER;
}

function writeRow(chunk: Buffer, start: number, row: NewSnapshot, storedAt: number): number {
  let at = chunk.writeInt16BE(FIELDS, start);
  at = writeText(chunk, at, row.assetId);
  at = writeText(chunk, at, row.kind);
  at = writeTime(chunk, at, Date.parse(row.asOf));
  at = writeText(chunk, at, row.chain);
  at = writeTime(chunk, at, storedAt);
  at = row.method === null ? chunk.writeInt32BE(-1, at) : writeText(chunk, at, row.method);
  at = writeBytes(chunk, at, row.body);
  return writeBytes(chunk, at, row.sha256);
}

function writeText(chunk: Buffer, at: number, text: string): number {
  const bytes = chunk.write(text, at + 4, 'utf8');
  chunk.writeInt32BE(bytes, at);
  return at + 4 + bytes;
}

function writeBytes(chunk: Buffer, at: number, bytes: Uint8Array): number {
  chunk.writeInt32BE(bytes.byteLength, at);
  chunk.set(bytes, at + 4);
  return at + 4 + bytes.byteLength;
}

function writeTime(chunk: Buffer, at: number, milliseconds: number): number {
  const microseconds = (milliseconds - EPOCH_MS) * 1000;
  const high = Math.floor(microseconds / 2 ** 32);
  chunk.writeInt32BE(8, at);
  chunk.writeInt32BE(high, at + 4);
  return chunk.writeUInt32BE(microseconds - high * 2 ** 32, at + 8);
}
