import Type from 'typebox';
import { PlanView } from './plan.ts';
import { count, DataMode, list, noCursor, nullableText, nullableTime, time } from './vocabulary.ts';

const keyFields = {
  id: Type.String({ description: 'Id of the key; not the key itself.' }),
  account_id: Type.String({ description: 'Whose watchlist, alerts, webhooks and usage the key reaches' }),
  name: Type.String({ description: 'What it was called when it was made.' }),
  prefix: Type.String({ description: 'How the key begins, by which people recognise it.' }),
  scopes: list(
    'What it may do: score, rms:read, rms:write, chain:read; account (the keys of its account); admin (everything).',
  ),
  plan: Type.String({ description: 'Plan whose limits it has (GET /v1/plans).' }),
  created_at: time('When it was made.'),
  expires_at: nullableTime('From then on it is refused; null: never.'),
  revoked_at: nullableTime('Since when it is refused; null while it works.'),
  last_used_at: nullableTime('Its newest request; null before the first.'),
  allowed_ips: list('Addresses and CIDR ranges it may be used from; empty: any.'),
  rotated_from: nullableText('Id of the key that it replaces; null when it replaces none.'),
};
export const KeyView = Type.Object(keyFields, { title: 'Key', description: 'An API key, without the key itself.' });
export const KeyList = Type.Object(
  { data: Type.Array(KeyView, { description: 'All keys, revoked ones too.' }), next_cursor: noCursor },
  { description: 'The keys of this service.' },
);
export const NewKeyView = Type.Object(
  { ...keyFields, secret: Type.String({ description: 'The key itself. It is shown once.' }) },
  { title: 'NewKey', description: 'The key that was made.' },
);

export const AccountKeyList = Type.Object(
  {
    data: Type.Array(KeyView, { description: 'All keys of the account, revoked ones too, oldest first.' }),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'The keys of the account.' },
);
const limitUsed = (of: string) =>
  Type.Object(
    {
      used: count(`${of} that the account has now.`),
      limit: Type.Integer({ minimum: 0, description: 'As many as its plan allows.' }),
    },
    { description: `${of}: how many, of how many.` },
  );
export const AccountView = Type.Object(
  {
    account_id: Type.String({ description: 'Whose watchlist, alerts, webhooks, keys and usage this key reaches.' }),
    key: KeyView,
    plan: PlanView,
    keys: limitUsed('Keys that work'),
    webhooks: limitUsed('Webhooks'),
    watchlist: limitUsed('Assets on the watchlist'),
    indexed_assets: limitUsed('Assets requested for indexing'),
    data_mode: DataMode,
  },
  {
    title: 'Account',
    description:
      'The account of a key: its plan and what it has. Usage is under /v1/usage, webhooks under /v1/webhooks.',
  },
);
