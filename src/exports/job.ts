import type { ManifestEntry } from '../contract/index.ts';
import type { Column } from './column.ts';

/** A day to publish. */
export interface PublishJob<Row> {
  /** Folder of all exports. */
  readonly root: string;
  readonly subject: string;
  /** YYYY-MM-DD, UTC; the day must be closed. */
  readonly date: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: AsyncIterable<Row>;
  readonly now: () => number;
  /** Signs the canonical bytes of the entry. */
  readonly sign: (bytes: Uint8Array) => ManifestEntry['signature'];
}
