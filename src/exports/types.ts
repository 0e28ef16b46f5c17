import type { ExportEncoding, ExportFormat, ManifestEntry } from '../contract/index.ts';
import type { Result } from '../domain/index.ts';

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
