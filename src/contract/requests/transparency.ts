import Type from 'typebox';
import { choice, cursor, pageSize, plainText, withDefault } from './fields.ts';

const PLACE = '^(0|[1-9][0-9]*)$';

export const CheckpointQuery = Type.Object({
  limit: pageSize(1_000, 100),
  cursor: cursor(PLACE, 15),
});
export const LogEntryQuery = Type.Object({
  from: withDefault(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Place of the first leaf, from 0.' }),
    0,
  ),
  limit: pageSize(1_000, 256),
});
export const ConsistencyQuery = Type.Object({
  from: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Size of the older tree.' }),
  to: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Size of the newer tree.' }),
});
export const ProofQuery = Type.Object({ limit: pageSize(200, 50), cursor: cursor(PLACE, 15) });
export const CosignatureBody = Type.Object(
  {
    note: plainText(16_384, 'Text of a checkpoint with the line of a witness below (C2SP tlog-cosignature).'),
  },
  { additionalProperties: false, description: 'A checkpoint that a witness signed.' },
);

/** Chains that ratings are signed for: EVM chains with an EAS contract, and clusters of Solana. */
const ATTESTED = [
  'eip155:1',
  'eip155:10',
  'eip155:8453',
  'eip155:42161',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
] as const;
const chain = withDefault(choice(ATTESTED, 'CAIP-2 id of the chain whose contracts read it.'), 'eip155:1');

export const AttestationQuery = Type.Object({ chain });
export const RevocationQuery = Type.Object({
  chain,
  limit: pageSize(200, 50),
  cursor: cursor('^[a-z0-9]{3,8}:[\\x21-\\x7e]+$', 300),
});
