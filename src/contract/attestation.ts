import Type from 'typebox';
import { SignatureView } from './rating.ts';
import { count, DataMode, nextCursor, nullableText, oneOf, time } from './vocabulary.ts';

const hex = (bytes: number, description: string) =>
  Type.String({ description: `${description} ${bytes} bytes in hexadecimal after 0x.` });
const address = (description: string) => Type.String({ description });
const integerText = (description: string) => Type.String({ description: `${description} An integer, as text.` });
const splitSignature = Type.Object(
  {
    r: hex(32, 'First half.'),
    s: hex(32, 'Second half, the lower of the two that are possible.'),
    v: Type.Integer({ description: '27 or 28.' }),
  },
  { title: 'Secp256k1Signature', description: 'Over the EIP-712 hash of the message in its domain.' },
);
const domain = Type.Object(
  {
    name: Type.Literal('EAS Attestation', { description: 'Always this one.' }),
    version: Type.String({ description: 'Version of the EAS contract of the chain.', examples: ['0.26'] }),
    chainId: count('The only chain where the record holds.'),
    verifyingContract: address('EAS contract of that chain.'),
  },
  { title: 'EasDomain', description: 'EIP-712 domain.' },
);
const field = Type.Object(
  {
    name: Type.String({ description: 'Name of the member.' }),
    type: Type.String({ description: 'Its type in Solidity.' }),
  },
  { title: 'TypedField', description: 'A member of an EIP-712 type.' },
);
const signer = address('Address of the key, one of `attestation_keys` of /.well-known/assay-keys.json.');
const asset = hex(32, 'SHA-256 of the asset’s CAIP-19 id; in a sandbox that of `sandbox:` and the id.');

const EasAttestationView = Type.Object(
  {
    signer,
    sig: Type.Object(
      {
        version: Type.Literal(2, { description: 'Version of off-chain attestations.' }),
        uid: hex(32, 'UID of the attestation; the same rating always has the same.'),
        domain,
        primaryType: Type.Literal('Attest', { description: 'Always this one.' }),
        types: Type.Object(
          { Attest: Type.Array(field, { description: 'Members of the message, in order.' }) },
          { description: 'EIP-712 types.' },
        ),
        message: Type.Object(
          {
            version: Type.Literal(2, { description: 'As above.' }),
            schema: hex(32, 'UID of the schema of `data` (EAS SchemaRegistry; no resolver, revocable).'),
            recipient: address('No recipient: the zero address.'),
            time: integerText('as_of in seconds since the epoch.'),
            expirationTime: integerText('Seconds since the epoch; refuse it from then on.'),
            revocable: Type.Literal(true, { description: 'See GET /v1/log/revocations.' }),
            refUID: hex(32, 'None: zero.'),
            data: Type.String({ description: 'ABI encoding of the members of the schema.' }),
            salt: hex(32, 'Hash of the record and the chain.'),
          },
          { description: 'What is signed.' },
        ),
        signature: splitSignature,
      },
      { description: 'As the EAS SDK writes and verifies it; integers of 64 bits are text.' },
    ),
  },
  { title: 'EasAttestation', description: 'EAS off-chain attestation, version 2.' },
);
const SolanaAttestationView = Type.Object(
  {
    message: Type.String({ description: '136 bytes as base64, laid out as docs/proofs.md describes.' }),
    signature: Type.String({ description: 'Ed25519 signature of the message, 64 bytes as base64.' }),
    key_id: Type.String({ description: '`kid` of the key.' }),
    public_key: Type.String({ description: 'The 32 bytes of that key, as base64.' }),
  },
  { title: 'SolanaAttestation', description: 'What the Ed25519 precompile of Solana checks.' },
);

/** GET /v1/rms/{asset}/attestation. */
export const AttestationView = Type.Object(
  {
    asset_id: Type.String({ description: 'CAIP-19 id.' }),
    chain: Type.String({ description: 'CAIP-2 id of the chain that it is for.' }),
    as_of: time('Of the rating.'),
    expires_at: time('From then on contracts refuse it.'),
    claim: Type.Object(
      {
        asset,
        band: count('Place of the band: AAA is 0, D is 9.'),
        score: count('In tenths of a point.'),
        trust: count('In tenths of a point.'),
        record_sha256: Type.String({
          description: 'Hash of the published record: that of its leaf in the log (GET /v1/rms/{asset}/proofs).',
        }),
      },
      { description: 'What is signed of the rating.' },
    ),
    schema: Type.String({ description: 'Schema of the EAS attestation’s data.' }),
    eas: Type.Union([EasAttestationView, Type.Null()], { description: 'For an EVM chain; null for another.' }),
    solana: Type.Union([SolanaAttestationView, Type.Null()], {
      description: 'For a cluster of Solana; null for another chain.',
    }),
    data_mode: DataMode,
  },
  { title: 'Attestation', description: 'A published rating that a contract can check.' },
);

const SolanaRevocationView = Type.Object(
  {
    message: Type.String({ description: '88 bytes as base64, laid out as docs/proofs.md describes.' }),
    signature: Type.String({ description: 'Ed25519 signature of the message, 64 bytes as base64.' }),
    key_id: Type.String({ description: '`kid` of the key.' }),
    public_key: Type.String({ description: 'The 32 bytes of that key, as base64.' }),
  },
  { title: 'SolanaRevocation', description: 'The message that any party may submit to a program.' },
);
const RevocationView = Type.Object(
  {
    asset_id: Type.String({ description: 'CAIP-19 id.' }),
    asset,
    not_before: count('Milliseconds since the epoch: every record of the asset with an earlier as_of is void.'),
    reason: oneOf('What happened: a newer rating, none any more, a default, or a correction of the newest rating.', [
      'replaced',
      'withdrawn',
      'defaulted',
      'corrected',
    ]),
    revoked_at: time('When the newest rating was published, or corrected.'),
    eas: Type.Union(
      [
        Type.Object(
          {
            signer,
            domain,
            message: Type.Object(
              { schema: hex(32, 'UID of the schema.'), asset, notBefore: integerText('As `not_before`.') },
              { description: 'Type `Revoke`: bytes32 schema, bytes32 asset, uint64 notBefore.' },
            ),
            signature: splitSignature,
          },
          { title: 'EasRevocation', description: 'The message that any party may submit to a verifier.' },
        ),
        Type.Null(),
      ],
      { description: 'For an EVM chain; null for another.' },
    ),
    solana: Type.Union([SolanaRevocationView, Type.Null()], {
      description: 'For a cluster of Solana; null for another chain.',
    }),
  },
  { title: 'Revocation', description: 'An asset whose earlier records are void.' },
);

/** GET /v1/log/revocations. */
export const RevocationList = Type.Object(
  {
    data: Type.Array(RevocationView, { description: 'In the order of the ids.' }),
    chain: Type.String({ description: 'CAIP-2 id of the chain that it is for.' }),
    as_of: time('When the list was made: it holds what was revoked until then.'),
    after: nullableText('Cursor of the request: lines up to it are on earlier pages. Null on the first page.'),
    next_cursor: nextCursor,
    data_mode: DataMode,
    signature: SignatureView,
  },
  { description: 'A page of the signed list of revocations.' },
);
