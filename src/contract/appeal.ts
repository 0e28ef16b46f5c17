import Type from 'typebox';
import { DISPUTE_STATES, disputedRating } from './disclosure.ts';
import {
  count,
  DataMode,
  list,
  nextCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  time,
} from './vocabulary.ts';

export const APPEAL_STATES = [
  'awaiting_proof',
  'expired',
  'proved',
  'under_review',
  'accepted',
  'rejected',
  'corrected',
] as const;

const reference = Type.String({
  description: 'Reference of the appeal; anyone who has it may read the status.',
  examples: ['3f0c1a9b8e7d6c5b4a39281706f5e4d3'],
});
const restatementId = nullableNumber('The correction it led to, see GET /v1/restatements; null without one.');

export const ObjectionView = Type.Object(
  {
    reference,
    state: oneOf('As of a dispute; `received`: not decided yet.', DISPUTE_STATES),
    asset_id: Type.String({ description: 'CAIP-19 id of the asset.' }),
    rating: disputedRating,
    received_at: time('When it came.'),
    resolution: nullableText('What the operator found; null while it is open.'),
    resolved_at: nullableTime('When that was; null while it is open.'),
    restatement_id: restatementId,
    data_mode: DataMode,
  },
  { title: 'Objection', description: 'The status of an objection. Its text and its author are not shown.' },
);

const appeal = {
  reference,
  state: oneOf(
    '`awaiting_proof` until control is proved (`expired`: it was not in time); `proved`: evidence may be sent; `under_review`; then `accepted`, `rejected` or `corrected`. No state moves a rating.',
    APPEAL_STATES,
  ),
  asset_id: Type.String({ description: 'CAIP-19 id of the asset.' }),
  rating: disputedRating,
  opened_at: time('When it was opened.'),
  expires_at: time('Until when control has to be proved.'),
  proof: Type.Union(
    [
      Type.Object({
        method: oneOf('How control was proved.', ['dns', 'eip191', 'eip712', 'eip1271', 'ed25519', 'repository']),
        role: Type.String({ description: 'What the domain, address or account is to the asset or its repository.' }),
        subject: Type.String({ description: 'The domain or address; of a repository: it, the account and the key.' }),
        proved_at: time('When it was proved.'),
      }),
      Type.Null(),
    ],
    { description: 'The proof of control; null before it.' },
  ),
  evidence_count: count('How often evidence was sent. It is read by the reviewers and not shown.'),
  review_count: count('Reviews of the present step; two that agree decide.'),
  finding: nullableText('What the reviewers found; null before.'),
  decided_at: nullableTime('When they decided; null before.'),
  restatement_id: restatementId,
};
export const AppealView = Type.Object(
  { ...appeal, data_mode: DataMode },
  { title: 'Appeal', description: 'The status of an appeal.' },
);
export const OpenedAppealView = Type.Object(
  {
    ...appeal,
    task: Type.Object(
      {
        text: Type.String({
          description: 'Text to sign as it is: `eip191` (personal_sign), `ed25519` or `repository` (OpenPGP), UTF-8.',
        }),
        typed_data: Type.Unknown({ description: 'The same for `eip712`; null for an asset on no EVM chain.' }),
        dns: Type.Union(
          [
            Type.Object({
              name: Type.String({ description: 'Name of the record.' }),
              type: Type.Literal('TXT', { description: 'Type of the record.' }),
              value: Type.String({ description: 'Text of the record.' }),
            }),
            Type.Null(),
          ],
          { description: 'Record to publish for `dns`; null where no website is tied to the asset.' },
        ),
        signers: Type.Array(
          Type.Object({
            role: Type.String({ description: 'What the address is to the asset.' }),
            address: Type.String({ description: 'The address.' }),
          }),
          { description: 'Addresses whose signature proves control, by the evidence of the rating.' },
        ),
        repository: nullableText(
          'GitHub repository (`owner/name`) that the evidence of the rating ties to the asset: its owner, or a public member of the organisation that owns it, signs for `repository`; null: none is.',
        ),
      },
      { description: 'What proves control, one of them is enough.' },
    ),
    data_mode: DataMode,
  },
  { title: 'OpenedAppeal', description: 'An appeal with its challenge.' },
);

const reviewed = {
  id: Type.String({ description: 'Id of the appeal.', examples: ['apl_5f0c1a9b8e7d6c5b4a39'] }),
  ...appeal,
  evidence: Type.Array(
    Type.Object({
      received_at: time('When it came.'),
      statement: Type.String({ description: 'What the party states; outside text.' }),
      links: list('Where it points; outside addresses that were not opened.'),
    }),
    { description: 'What the party sent, oldest first.' },
  ),
  reviews: Type.Array(
    Type.Object({
      key_id: Type.String({ description: 'Key of the reviewer.' }),
      decision: oneOf('The opinion of the reviewer.', ['accepted', 'rejected', 'corrected']),
      finding: Type.String({ description: 'The reason, as text.' }),
      restatement_id: restatementId,
      reviewed_at: time('When.'),
    }),
    { description: 'Reviews of the present step.' },
  ),
};
export const AdminAppealView = Type.Object(
  { ...reviewed, data_mode: DataMode },
  { title: 'ReviewedAppeal', description: 'An appeal as its reviewers see it.' },
);
export const AdminAppealList = Type.Object(
  {
    data: Type.Array(Type.Object(reviewed, { title: 'ListedAppeal', description: 'An appeal of the list.' }), {
      description: 'Newest first.',
    }),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'A page of appeals.' },
);
