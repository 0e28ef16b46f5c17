import Type, { type TSchema } from 'typebox';
import {
  AssetView,
  ageSeconds,
  attributions,
  DataMode,
  list,
  nextCursor,
  type Reply,
  sources,
  time,
} from './vocabulary.ts';

/** What every snapshot reply carries. */
export const head = {
  asset: AssetView,
  as_of: time('When the facts were true.'),
  age_seconds: ageSeconds,
  data_mode: DataMode,
  sources,
  attributions,
  warnings: list('What a reader should know, in plain words: a fallback taken, a part that is missing.'),
};

/**
 * A snapshot as it is stored and exported: the reply, but for what is added when it is served. Numbers not known are null, never 0.
 * Raw token amounts are decimal strings in base units; the same amount in whole tokens is a number. `_pct` is 0-100, `_usd` is US
 * dollars. A stored snapshot never changes.
 */
export type Stored<Schema extends TSchema> = Omit<Reply<Schema>, 'age_seconds' | 'data_mode'>;

/** A page of history of snapshots of one kind. */
export function historyOf<Snapshot extends TSchema>(snapshot: Snapshot) {
  return Type.Object(
    {
      data: Type.Array(snapshot, { description: 'Snapshots as they were made, oldest first.' }),
      next_cursor: nextCursor,
      data_mode: DataMode,
    },
    { description: 'A page of snapshots.' },
  );
}

/** Validators that replies of a snapshot carry. */
export const NOT_MODIFIED = {
  304: {
    description: 'The snapshot named in If-None-Match is still the one to read. `Assay-Age-Seconds` says its age.',
    type: 'null',
  },
};
