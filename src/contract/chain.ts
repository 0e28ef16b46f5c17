import Type from 'typebox';
import { CADENCES, SNAPSHOT_KINDS } from '../domain/index.ts';
import {
  AssetView,
  count,
  DataMode,
  list,
  nextCursor,
  noCursor,
  nullableTime,
  oneOf,
  time,
  words,
} from './vocabulary.ts';

const kinds = 'of `market`, `holders` and `pools`';
export const ChainList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        chain: Type.String({ description: 'The name used in paths.', examples: ['solana'] }),
        title: Type.String({ description: 'Display name of the chain.', examples: ['Solana'] }),
        kind: oneOf('Kind of chain: how its tokens, pools and addresses work.', ['solana', 'evm']),
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

export const IndexEntry = Type.Object(
  {
    asset: AssetView,
    kinds: Type.Array(words(...SNAPSHOT_KINDS), { description: `Which ${kinds} are made of it.` }),
    cadence: oneOf('How often its readers need new snapshots; `newest`: as often as the service can.', CADENCES),
    added_by: Type.String({
      description:
        'configuration, api or cli: the operator; account: accounts requested it; rated: it was rated lately. The accounts are not disclosed.',
    }),
    added_at: time('When it was added.'),
    wanted_until: nullableTime('When indexing ends; null: when it is removed.'),
    paused: Type.Boolean({ description: 'Nothing is read of it for now.' }),
    is_yours: Type.Boolean({
      description: 'The account of the key has requested it: it counts towards the plan’s `indexed_assets`.',
    }),
  },
  { title: 'IndexedAsset', description: 'An asset of which snapshots are made.' },
);
/** The assets that an account has requested to index, and the limit of its plan. */
export const Coverage = Type.Object(
  {
    used: count('Assets that the account has requested, on all chains.'),
    limit: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: '`indexed_assets` of the key’s plan; null for administrators, who have no limit.',
    }),
  },
  { title: 'Coverage', description: 'How many assets the account has requested, and how many its plan allows.' },
);
export const IndexEntryReply = Type.Object(
  { ...IndexEntry.properties, coverage: Coverage, data_mode: DataMode },
  { description: 'The indexed asset.' },
);
export const IndexAddedReply = Type.Object(IndexEntryReply.properties, { description: 'It was not indexed before.' });
export const IndexList = Type.Object(
  {
    data: Type.Array(IndexEntry, { description: 'Indexed assets of the chain, in the order of their ids.' }),
    next_cursor: nextCursor,
    coverage: Coverage,
    data_mode: DataMode,
  },
  { description: 'A page of the index of a chain.' },
);
