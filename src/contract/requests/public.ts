import Type from 'typebox';
import { choice, cursor, pageSize, plainText } from './fields.ts';

const asset = Type.String({ maxLength: 300, description: 'As in rating reads: an id, an address, or a symbol.' });

export const ReferenceParams = Type.Object({
  reference: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Reference that the first reply gave.' }),
});
export const ObjectionBody = Type.Object(
  {
    asset,
    claim: plainText(4_000, 'What is wrong, and what shows it.'),
    contact: Type.Optional(plainText(200, 'Where inquiries may be sent. Never shown in public.')),
  },
  { additionalProperties: false, description: 'What is wrong with the newest rating.' },
);
export const AppealBody = Type.Object(
  { asset },
  { additionalProperties: false, description: 'Which asset the party controls.' },
);
export const AppealProofBody = Type.Object(
  {
    method: choice(['dns', 'eip191', 'eip712', 'eip1271', 'ed25519', 'repository'], 'Which proof is given.'),
    signature: Type.Optional(
      Type.String({
        maxLength: 8_000,
        pattern: '^[\\t\\n\\r -~]+$',
        description:
          'For all but `dns`: 65 bytes in hex with 0x for EIP-191 and EIP-712, at most 2,500 bytes for EIP-1271, 64 bytes in base58 for Ed25519, an armoured OpenPGP signature for a repository.',
      }),
    ),
    account: Type.Optional(
      Type.String({
        maxLength: 39,
        pattern: '^[A-Za-z0-9][A-Za-z0-9-]*$',
        description: 'For `repository` alone: the GitHub account whose key signed.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Proof of control over the asset.' },
);
export const AppealEvidenceBody = Type.Object(
  {
    statement: plainText(4_000, 'What is wrong with the rating, and what shows it.'),
    links: Type.Optional(
      Type.Array(Type.String({ maxLength: 500, pattern: '^https://', description: 'A public https address.' }), {
        maxItems: 10,
        description: 'Where it can be seen. Reviewers open them; the service does not.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Evidence of the party. It is a claim until a source or a register row states it.',
  },
);
export const AppealIdParams = Type.Object({
  id: Type.String({ pattern: '^apl_[0-9a-f]{20}$', description: 'Id of an appeal.' }),
});
export const AppealQuery = Type.Object({
  state: Type.Optional(
    choice(
      ['awaiting_proof', 'proved', 'under_review', 'accepted', 'rejected', 'corrected'],
      'Only appeals in this state; without it: all whose control was proved.',
    ),
  ),
  limit: pageSize(100, 50),
  cursor: cursor('^[A-Za-z0-9_-]+$', 300),
});
export const AppealReviewBody = Type.Object(
  {
    decision: choice(['accepted', 'rejected', 'corrected'], 'accepted: it will be corrected; corrected: it was.'),
    finding: plainText(4_000, 'What was found. Everybody with the reference can read it.'),
    restatement_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The correction it led to; needed for corrected.' }),
    ),
  },
  { additionalProperties: false, description: 'The opinion of one reviewer.' },
);
