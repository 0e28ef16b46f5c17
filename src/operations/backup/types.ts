/** First frame of a backup: what it is of. */
export interface BackupHead {
  readonly format: 1;
  /** Version of Assay that wrote it. */
  readonly version: string;
  readonly dataMode: 'live' | 'sandbox';
  /** RFC 3339 UTC: everything committed before this moment is in it, nothing after. */
  readonly createdAt: string;
  /** Newest migration of the tables. */
  readonly migration: string;
  /** UTC days (YYYY-MM-DD) of the tables that are cut into days. */
  readonly days: Readonly<Record<string, readonly string[]>>;
  /** Next numbers are given after these, by `table.column`. */
  readonly sequences: Readonly<Record<string, number>>;
}

/** Begin of a table's rows: PostgreSQL's COPY text format follows. */
export interface TablePart {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Begin of a published export file. */
export interface FilePart {
  /** Below the folder of the exports of the data mode, with `/`. */
  readonly path: string;
}

/** End of a part. */
export interface PartEnd {
  readonly bytes: number;
  readonly sha256: string;
  /** Rows of a table; null for a file. */
  readonly rows: number | null;
}

/** What is in a backup, counted while it was written or read. */
export interface BackupSummary {
  readonly head: BackupHead;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
  readonly files: number;
  readonly fileBytes: number;
  /** SHA-256 of the backup file as it lies on disk. */
  readonly sha256: string;
  /** Bytes of the backup file. */
  readonly size: number;
}

/** What to show somebody who waits. */
export interface Progress {
  readonly step: 'read' | 'check' | 'write';
  /** Table or file under way. */
  readonly part: string;
  /** Bytes of content so far, uncompressed. */
  readonly bytes: number;
}

export type OnProgress = (progress: Progress) => void;
