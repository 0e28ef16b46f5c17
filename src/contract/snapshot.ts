import Type, { type TSchema } from 'typebox';
import { AssetView, ageSeconds, attributions, DataMode, list, nextCursor, sources, time } from './vocabulary.ts';

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

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));
const asOf = moment('RFC 3339 time, not in the future: answers with what was known then.');
export const SnapshotQuery = Type.Object({ as_of: asOf });
export const PoolsQuery = Type.Object({
  as_of: asOf,
  scope: Type.Optional(
    Type.String({
      enum: ['all', 'verified', 'top'],
      default: 'all',
      description: '`all` pools; those `verified` on the chain itself; or the ten at the `top` by TVL.',
    }),
  ),
  min_tvl_usd: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'plain decimal US dollars such as 5000; pools below, and pools of unknown TVL, are left out.',
    }),
  ),
});
export const HistoryQuery = Type.Object({
  from: moment('First time, RFC 3339; default a day before `to`.'),
  to: moment('Last time, RFC 3339; default now.'),
  interval: Type.Optional(
    Type.String({
      enum: ['all', '1m', '5m', '15m', '1h', '4h', '1d'],
      default: '1h',
      description: 'The newest snapshot of each interval (UTC), or `all` of them.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'whole number from 1 to 500.' }),
  ),
  cursor: Type.Optional(
    Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$', description: '`next_cursor` of the page before.' }),
  ),
});

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
