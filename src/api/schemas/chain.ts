import Type, { type TSchema } from 'typebox';
import { CHAINS } from '../../domain/chains.ts';
import { SNAPSHOT_KINDS } from '../../domain/snapshot.ts';
import { CADENCES } from '../context.ts';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
export const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
export const percent = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} 0-100; null when not known.` });
export const words = (...names: readonly string[]) => Type.Union(names.map((name) => Type.Literal(name)));

export const AssetView = Type.Object(
  {
    id: Type.String({
      description: 'CAIP-19 id.',
      examples: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
    }),
    chain: nullableText('Our name of the chain.'),
    address: nullableText('Mint or contract; `native` for a chain’s own coin.'),
    symbol: nullableText('Ticker, as the token itself says: text of strangers, not unique.'),
    name: Type.String({ description: 'Name, as the token itself says: text of strangers.' }),
    category: nullableText('Category, when known.'),
    website: nullableText('The project’s own site, when known.'),
  },
  { title: 'Asset' },
);

/** What every snapshot reply carries. */
export const head = {
  asset: AssetView,
  as_of: Type.String({
    description: 'When the facts were true, RFC 3339 UTC.',
    examples: ['2026-11-20T12:00:00.000Z'],
  }),
  age_seconds: Type.Integer({ minimum: 0, description: 'Whole seconds since `as_of` when the reply was made.' }),
  data_mode: words('live', 'sandbox'),
  sources: Type.Array(Type.String(), { description: 'Names of the sources the snapshot rests on.' }),
  attributions: Type.Array(Type.Object({ source: Type.String(), text: Type.String(), url: Type.String() }), {
    description: 'Texts and links that sources’ terms ask to be shown.',
  }),
  warnings: Type.Array(Type.String(), { description: 'What a reader should know, in plain words.' }),
};

const assetText = Type.String({
  description:
    'Mint or contract address, symbol in any case (of indexed assets), or CAIP-19 id (with `/` written as %2F).',
  examples: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP'],
});
export const chainText = Type.String({
  enum: CHAINS.map((chain) => chain.name),
  description: 'Name of a chain, see GET /v1/chains.',
});
export const AssetParams = Type.Object({ asset: assetText });
export const ChainAssetParams = Type.Object({ chain: chainText, asset: assetText });
export const ChainParams = Type.Object({ chain: chainText });

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));
const asOf = time('RFC 3339 time, not in the future: answers with what was known then.');
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
  from: time('First time, RFC 3339; default a day before `to`.'),
  to: time('Last time, RFC 3339; default now.'),
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

export const ChainList = Type.Object({
  data: Type.Array(
    Type.Object({
      chain: Type.String({ description: 'The name used in paths.', examples: ['solana'] }),
      title: Type.String({ examples: ['Solana'] }),
      kind: words('solana', 'evm'),
      caip2: Type.String({ description: 'CAIP-2 id.', examples: ['eip155:1'] }),
      native_symbol: Type.String({ examples: ['SOL'] }),
      included_in: Type.Array(Type.String(), { description: 'Plans that include the chain.' }),
    }),
  ),
  next_cursor: Type.Null(),
  data_mode: head.data_mode,
});

export const StatusView = Type.Object({
  status: words('ok', 'lagging', 'unknown'),
  data_mode: head.data_mode,
  version: Type.String(),
  as_of: Type.String(),
  chains: Type.Array(
    Type.Object({
      chain: Type.String(),
      last_closed_day: nullableText('Newest day that is closed for export, UTC; null before the first.'),
      snapshots: Type.Array(
        Type.Object({
          kind: words(...SNAPSHOT_KINDS),
          indexed_assets: Type.Integer(),
          due: Type.Integer({ description: 'Assets whose time has come and nobody has begun.' }),
          running: Type.Integer(),
          failing: Type.Integer({ description: 'Assets whose last run gave no snapshot.' }),
          late_seconds_p50: Type.Number({ description: 'Seconds behind the plan, median over the assets; 0 in time.' }),
          late_seconds_p99: Type.Number({ description: 'The same, 99th percentile.' }),
          last_stored_at: nullableText('When the newest snapshot was stored; null before the first.'),
          last_stored_age_seconds: nullableNumber('How long ago that was.'),
        }),
      ),
    }),
  ),
});

export const IndexEntry = Type.Object(
  {
    asset: AssetView,
    kinds: Type.Array(words(...SNAPSHOT_KINDS)),
    cadence: words(...CADENCES),
    added_by: Type.String({ description: 'configuration, api, cli, rated or watched.' }),
    added_at: Type.String(),
    wanted_until: nullableText('When the wish ends; null: until it is removed.'),
    paused: Type.Boolean(),
  },
  { title: 'IndexedAsset' },
);
export const IndexEntryReply = Type.Object({ ...IndexEntry.properties, data_mode: head.data_mode });
export const IndexList = Type.Object({
  data: Type.Array(IndexEntry),
  next_cursor: Type.Null(),
  data_mode: head.data_mode,
});
export const IndexWish = Type.Object({
  kinds: Type.Optional(
    Type.Array(words(...SNAPSHOT_KINDS), { minItems: 1, maxItems: 3, description: 'Default: all three.' }),
  ),
  cadence: Type.Optional(
    Type.String({ enum: [...CADENCES], default: 'newest', description: 'How often readers want news.' }),
  ),
});

/** A page of history of snapshots of one kind. */
export function historyOf(snapshot: TSchema) {
  return Type.Object({
    data: Type.Array(snapshot, { description: 'Oldest first.' }),
    next_cursor: nullableText('Ask again with `cursor` set to this; null on the last page.'),
    data_mode: head.data_mode,
  });
}

/** Validators that replies of a snapshot carry. */
export const NOT_MODIFIED = {
  304: {
    description: 'The snapshot named in If-None-Match is still the one to read. `Assay-Age-Seconds` says its age.',
    type: 'null',
  },
};
