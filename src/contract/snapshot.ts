import Type, { type TSchema } from 'typebox';
import { ProblemSchema } from './problem.ts';
import {
  AssetView,
  ageSeconds,
  attributions,
  DataMode,
  list,
  nextCursor,
  nullableText,
  nullableTime,
  oneOf,
  type Reply,
  sources,
  time,
} from './vocabulary.ts';

/** Fields of every snapshot reply. */
export const head = {
  asset: AssetView,
  as_of: time('When the facts were true.'),
  age_seconds: ageSeconds,
  data_mode: DataMode,
  sources,
  attributions,
  warnings: list('Text that a reader should know: a fallback taken, a part that is missing.'),
};

/**
 * A snapshot as it is stored and exported: the reply without the members that are added when it is served. Unknown
 * numbers are null, never 0. Raw token amounts are decimal strings in base units; amounts in whole tokens are numbers.
 * `_pct` is 0-100, `_usd` is US dollars. A stored snapshot never changes.
 */
export type Stored<Schema extends TSchema> = Omit<Reply<Schema>, 'age_seconds' | 'data_mode'>;

/** A page of the history of snapshots of one kind. */
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

/** Validator headers of snapshot replies. */
export const NOT_MODIFIED = {
  304: {
    description: 'The snapshot named in If-None-Match is still the one to read. `Assay-Age-Seconds` states its age.',
    type: 'null',
  },
};

/**
 * The 202 reply for a requested snapshot that does not exist yet. It has the members of a problem, so that a program
 * that reads `code` and `retry` needs no special case.
 */
export const AwaitedReply = Type.Object(
  {
    ...ProblemSchema.properties,
    asset: Type.String({ description: 'Id of the asset (CAIP-19).' }),
    chain: Type.String({ description: 'Our name of the chain.' }),
    kind: oneOf('Kind of snapshot that is awaited.', ['market', 'holders', 'pools']),
    state: oneOf(
      '`queued`: its first read waits for a place; `being_made`: it is read now; `tried`: a read gave no snapshot, and it is tried again automatically; `next_grid_point`: it is there, and the plan is served it from the next full point of its grid.',
      ['queued', 'being_made', 'tried', 'next_grid_point'],
    ),
    place_in_queue: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: '1: it is the next of its kind; null where it waits for no place. Counted up to 1,001.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Reads in a row that brought nothing.' }),
    last_outcome: nullableText('What became of the last of them; null before the first.'),
    due_at: nullableTime('When the next read is planned; null where none is.'),
    retry_after_seconds: Type.Integer({ minimum: 1, description: 'The same as the header Retry-After.' }),
    data_mode: DataMode,
  },
  {
    title: 'AwaitedSnapshot',
    description:
      'The asset is indexed, and there is no such snapshot yet: repeat the request after `Retry-After` seconds.',
  },
);
