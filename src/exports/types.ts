import type { Result } from '../domain/index.ts';

/** The forms a day's file comes in. */
export type ExportFormat = 'json' | 'csv' | 'ndjson' | 'parquet';
export const EXPORT_FORMATS: readonly ExportFormat[] = ['json', 'csv', 'ndjson', 'parquet'];

/** How the bytes on disk are packed; `identity` always exists, the others stand beside the text forms. */
export type ExportEncoding = 'identity' | 'gzip' | 'zstd';

/** One published file. */
export interface PublishedFile {
  readonly format: ExportFormat;
  readonly encoding: ExportEncoding;
  /** Download name such as `solana-2026-11-20.csv`. */
  readonly name: string;
  readonly bytes: number;
  /** Hex, of these bytes. */
  readonly sha256: string;
  /** Strong, quoted, from the hash. */
  readonly etag: string;
  readonly path: string;
}

/** One published day of one export (`solana`, `ethereum`, ..., `rms`). */
export interface PublishedDay {
  readonly subject: string;
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  /** 1, and one more with each restatement. */
  readonly revision: number;
  readonly rows: number;
  readonly publishedAt: string;
  readonly files: readonly PublishedFile[];
}

/** One line of `.../daily/manifest`, signed. Paths of the machine never appear in it. */
export interface ManifestEntry {
  readonly date: string;
  /** 1, and one more with each restatement; days published before there were restatements have none, and are 1. */
  readonly revision?: number;
  readonly rows: number;
  readonly published_at: string;
  readonly files: readonly {
    readonly format: ExportFormat;
    readonly encoding: ExportEncoding;
    readonly name: string;
    readonly bytes: number;
    readonly sha256: string;
  }[];
  /** Set when this file set restates an earlier one of the day: SHA-256 of that one's JSON file as it lies unpacked. */
  readonly restates: { readonly sha256: string; readonly reason: string } | null;
  /** Ed25519 over the canonical JSON of the entry without this field; base64. */
  readonly signature: { readonly algorithm: 'Ed25519'; readonly key_id: string; readonly value: string };
}

export type ExportFault = {
  readonly reason: 'no_such_day' | 'no_such_revision' | 'not_published_yet';
  readonly detail: string;
};

/** Published days, read-only: what the export routes rest on. */
export interface ExportService {
  /**
   * `date` null: the newest published day; `revision` null: its newest. `encodings` by preference; the first that exists is
   * given.
   */
  open(
    subject: string,
    date: string | null,
    format: ExportFormat,
    encodings: readonly ExportEncoding[],
    revision: number | null,
  ): Promise<Result<{ readonly day: PublishedDay; readonly file: PublishedFile }, ExportFault>>;
  /** Bytes `from` (included) to `to` (not included) of a file. The stream ends early only by an error. */
  read(file: PublishedFile, from: number, to: number): AsyncIterable<Uint8Array>;
  /** All revisions of all days, the newest first. */
  manifest(subject: string): Promise<readonly ManifestEntry[]>;
}
