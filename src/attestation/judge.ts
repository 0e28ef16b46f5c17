import {
  type Address,
  decodeAbiParameters,
  type Hex,
  hashTypedData,
  isHex,
  recoverAddress,
  zeroAddress,
  zeroHash,
} from 'viem';
import { isSignedBy, type PublicKey } from '../signing/index.ts';
import { assetHash, type Mode } from './claim.ts';
import { ATTEST, DATA, domainOf, SCHEMA_UID, VERSION } from './eas.ts';
import { MESSAGE_BYTES } from './solana-message.ts';
import { targetOf } from './targets.ts';

/** Requirements that a record must meet. */
export interface Expected {
  /** CAIP-19 id. */
  readonly assetId: string;
  readonly mode: Mode;
  /** CAIP-2 id of the chain of the record. */
  readonly chain: string;
  /** Index of the worst accepted band: AAA is 0, D is 9. */
  readonly worstBand: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Every record dated before is void; milliseconds since the epoch, null without a revocation. */
  readonly notBefore: number | null;
}

/** Content of a verified record. */
export type Judged =
  | {
      readonly holds: true;
      readonly band: number;
      /** In tenths of a point. */
      readonly score: number;
      readonly trust: number;
      /** Milliseconds since the epoch. */
      readonly asOf: number;
      readonly expiresAt: number;
      /** SHA-256 of the published record, hexadecimal. */
      readonly record: string;
    }
  | { readonly holds: false; readonly reason: Reason };
type Reason =
  | 'malformed'
  | 'other_chain'
  | 'other_asset'
  | 'unknown_key'
  | 'wrong_signature'
  | 'not_yet_valid'
  | 'expired'
  | 'revoked'
  | 'band_too_low';

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** An EAS attestation from a reply: untrusted JSON. */
export interface ShownEas {
  readonly sig: {
    readonly domain: { readonly version: string; readonly chainId: number; readonly verifyingContract: string };
    readonly message: Readonly<
      Record<'schema' | 'recipient' | 'refUID' | 'data' | 'salt' | 'time' | 'expirationTime', string>
    >;
    readonly signature: { readonly r: string; readonly s: string; readonly v: number };
  };
}

/** Checks an EAS attestation against the requirements; `signers` are the trusted addresses. */
export async function judgeEas({ sig }: ShownEas, expected: Expected, signers: readonly string[]): Promise<Judged> {
  const target = targetOf(expected.chain);
  if (target?.kind !== 'eas') return refused('other_chain');
  const domain = domainOf(target);
  const { message, signature } = sig;
  const isHere =
    sig.domain.chainId === domain.chainId &&
    sig.domain.version === domain.version &&
    same(sig.domain.verifyingContract, domain.verifyingContract);
  if (!isHere) return refused('other_chain');
  const isPlain =
    same(message.schema, SCHEMA_UID) && same(message.recipient, zeroAddress) && same(message.refUID, zeroHash);
  const [r, s, salt] = [bytes32(signature.r), bytes32(signature.s), bytes32(message.salt)];
  const { data, time, expirationTime } = message;
  const isShaped =
    isHex(data) &&
    data.length === 2 + 64 * DATA.length &&
    [time, expirationTime].every((one) => /^\d{1,12}$/.test(one));
  if (!isPlain || r === null || s === null || salt === null || !isShaped) return refused('malformed');
  if (BigInt(s) > HALF_ORDER || ![27, 28].includes(signature.v)) return refused('malformed');
  const signed = {
    version: VERSION,
    schema: SCHEMA_UID,
    recipient: zeroAddress,
    time: BigInt(time),
    expirationTime: BigInt(expirationTime),
    revocable: true,
    refUID: zeroHash,
    data,
    salt,
  } as const;
  const hash = hashTypedData({ domain, types: { Attest: ATTEST }, primaryType: 'Attest', message: signed });
  const signer = await recovered(hash, r, s, signature.v);
  if (signer === null || !signers.some((one) => same(one, signer))) return refused('unknown_key');
  let values: readonly [Hex, number, number, number, bigint, Hex];
  try {
    values = decodeAbiParameters(DATA, data);
  } catch {
    return refused('malformed');
  }
  const [asset, band, score, trust, asOf, record] = values;
  const said = { asset: asset.slice(2), band, score, trust, asOf, expiresAt: signed.expirationTime };
  return judged({ ...said, record: record.slice(2) }, expected);
}

/** Checks an Ed25519 message for Solana against the requirements. Keys inside the record prove nothing. */
export function judgeSolana(
  { message, signature, key_id }: { readonly message: string; readonly signature: string; readonly key_id: string },
  expected: Expected,
  keys: readonly Pick<PublicKey, 'kid' | 'x'>[],
): Judged {
  const target = targetOf(expected.chain);
  if (target?.kind !== 'solana') return refused('other_chain');
  const bytes = Buffer.from(message, 'base64');
  if (bytes.length !== MESSAGE_BYTES) return refused('malformed');
  if (!keys.some(({ kid }) => kid === key_id)) return refused('unknown_key');
  if (!isSignedBy(keys, bytes, { algorithm: 'Ed25519', key_id, value: signature })) return refused('wrong_signature');
  if (bytes.toString('latin1', 0, 16) !== 'assay.rating.v1\0') return refused('malformed');
  if (!bytes.subarray(16, 48).equals(target.genesis)) return refused('other_chain');
  return judged(
    {
      asset: bytes.toString('hex', 48, 80),
      band: bytes.readUInt8(80),
      score: bytes.readUInt16LE(82),
      trust: bytes.readUInt16LE(84),
      asOf: bytes.readBigUInt64LE(88),
      expiresAt: bytes.readBigUInt64LE(96),
      record: bytes.toString('hex', 104, 136),
    },
    expected,
  );
}

interface RecordContent {
  /** Hexadecimal. */
  readonly asset: string;
  readonly band: number;
  readonly score: number;
  readonly trust: number;
  readonly asOf: bigint;
  /** Seconds since the epoch. */
  readonly expiresAt: bigint;
  /** Hexadecimal. */
  readonly record: string;
}

function judged(said: RecordContent, { assetId, mode, worstBand, now, notBefore }: Expected): Judged {
  const [asOf, expiresAt] = [Number(said.asOf), Number(said.expiresAt) * 1000];
  if (said.asset.toLowerCase() !== assetHash(assetId, mode).toString('hex')) return refused('other_asset');
  if (asOf > now) return refused('not_yet_valid');
  if (expiresAt <= now) return refused('expired');
  if (notBefore !== null && asOf < notBefore) return refused('revoked');
  if (said.band > worstBand) return refused('band_too_low');
  const { band, score, trust, record } = said;
  return { holds: true, band, score, trust, asOf, expiresAt, record: record.toLowerCase() };
}

async function recovered(hash: Hex, r: Hex, s: Hex, v: number): Promise<Address | null> {
  try {
    return await recoverAddress({ hash, signature: { r, s, v: BigInt(v) } });
  } catch {
    return null;
  }
}

const refused = (reason: Reason): Judged => ({ holds: false, reason });
const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const bytes32 = (text: string): Hex | null => (isHex(text) && text.length === 66 ? text : null);
