import Type, { type TSchema } from 'typebox';
import { SNAPSHOT_KINDS } from '../../domain/index.ts';
import { CADENCES } from '../context.ts';
import {
  AssetView,
  ageSeconds,
  attributions,
  count,
  DataMode,
  list,
  nextCursor,
  noCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  sources,
  time,
  words,
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

const kinds = 'of `market`, `holders` and `pools`';
const kind = oneOf('Which kind of snapshot.', SNAPSHOT_KINDS);
export const ChainList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        chain: Type.String({ description: 'The name used in paths.', examples: ['solana'] }),
        title: Type.String({ description: 'The name as people write it.', examples: ['Solana'] }),
        kind: oneOf('Which family of chains: how its tokens, pools and addresses work.', ['solana', 'evm']),
        caip2: Type.String({ description: 'CAIP-2 id.', examples: ['eip155:1'] }),
        native_symbol: Type.String({ description: 'Ticker of the chain’s own coin.', examples: ['SOL'] }),
        included_in: list('Plans that include the chain.'),
      }),
      { description: 'Chains this service reads.' },
    ),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'The chains served.' },
);

export const StatusView = Type.Object({
  status: oneOf(
    '`lagging`: of some chain and kind, one asset in a hundred is more than five minutes behind its plan; `unknown`: nothing is indexed.',
    ['ok', 'lagging', 'unknown'],
  ),
  data_mode: DataMode,
  version: Type.String({ description: 'Version of the running service.' }),
  as_of: time('When this was read.'),
  chains: Type.Array(
    Type.Object({
      chain: Type.String({ description: 'Name of the chain.' }),
      last_closed_day: nullableText('Newest day that is closed for export, YYYY-MM-DD in UTC; null before the first.'),
      snapshots: Type.Array(
        Type.Object({
          kind,
          indexed_assets: count('Assets of which such snapshots are wanted.'),
          due: count('Assets whose time has come and nobody has begun.'),
          running: count('Assets being read now.'),
          failing: count('Assets whose last run gave no snapshot.'),
          late_seconds_p50: Type.Number({ description: 'Seconds behind the plan, median over the assets; 0 in time.' }),
          late_seconds_p99: Type.Number({ description: 'The same, 99th percentile.' }),
          last_stored_at: nullableTime('When the newest snapshot was stored; null before the first.'),
          last_stored_age_seconds: nullableNumber('Whole seconds since then; null before the first.'),
        }),
        { description: 'One row per kind of snapshot that is indexed on the chain.' },
      ),
    }),
    { description: 'How far the index of each chain is behind.' },
  ),
});

export const IndexEntry = Type.Object(
  {
    asset: AssetView,
    kinds: Type.Array(words(...SNAPSHOT_KINDS), { description: `Which ${kinds} are made of it.` }),
    cadence: oneOf('How often its readers want news; `newest`: as often as the service can.', CADENCES),
    added_by: Type.String({ description: 'configuration, api, cli, rated or watched.' }),
    added_at: time('When it was added.'),
    wanted_until: nullableTime('When the wish ends; null: until it is removed.'),
    paused: Type.Boolean({ description: 'Nothing is read of it for now.' }),
  },
  { title: 'IndexedAsset', description: 'An asset of which snapshots are made.' },
);
export const IndexEntryReply = Type.Object(
  { ...IndexEntry.properties, data_mode: DataMode },
  { description: 'The indexed asset.' },
);
export const IndexAddedReply = Type.Object(IndexEntryReply.properties, { description: 'It was not indexed before.' });
export const IndexList = Type.Object(
  {
    data: Type.Array(IndexEntry, { description: 'Indexed assets of the chain.' }),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'The index of a chain.' },
);
/** A page of history of snapshots of one kind. */
export function historyOf(snapshot: TSchema) {
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
