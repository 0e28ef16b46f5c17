import { bytesOfBase64 } from './base64.ts';
import type { VerifyingKey } from './verify-record.ts';

/** Requirements on a record. */
export interface ExpectedRating {
  /** CAIP-19 id of the asset. */
  readonly asset: string;
  /** `sandbox`: accepts only records of a sandbox, whose ratings are fictional; otherwise rejects them. */
  readonly dataMode?: 'live' | 'sandbox';
  /** Rank of the worst accepted band: AAA 0, AA 1, A 2, BBB 3, BB 4, B 5, CCC 6, CC 7, C 8, D 9. */
  readonly worstBand: number;
  /** Milliseconds since the epoch; the caller's clock. */
  readonly now: number;
  /** `not_before` of the asset in GET /v1/log/revocations; absent: the asset is not in the list. */
  readonly notBefore?: number;
}

/** Content of a valid record. */
export interface AttestedRating {
  readonly band: number;
  /** 0 to 100. */
  readonly score: number;
  readonly trust: number;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
  readonly expiresAt: number;
  /** SHA-256 of the published record in hexadecimal, equal to that of its leaf in the log. */
  readonly recordSha256: string;
}

export type AttestationVerified =
  | { readonly valid: true; readonly rating: AttestedRating }
  | {
      readonly valid: false;
      readonly reason:
        | 'malformed'
        | 'unknown_key'
        | 'wrong_signature'
        | 'other_chain'
        | 'other_asset'
        | 'other_schema'
        | 'not_yet_valid'
        | 'expired'
        | 'revoked'
        | 'band_too_low';
    };

type Bytes = Uint8Array<ArrayBuffer>;
type Refused = Extract<AttestationVerified, { readonly valid: false }>['reason'];

const MESSAGE_BYTES = 136;
const HEADER = 'assay.rating.v1\0';

/**
 * Checks that an Ed25519 record (`solana` of GET /v1/rms/{asset}/attestation) meets the requirements on the cluster with that genesis
 * hash (32 bytes). Keys delivered with the record prove nothing. Rejects where WebCrypto has no Ed25519.
 */
export async function verifyEd25519Record(
  record: { readonly message: string; readonly signature: string; readonly key_id: string },
  expected: ExpectedRating & { readonly genesis: Uint8Array },
  keys: readonly VerifyingKey[],
): Promise<AttestationVerified> {
  const [message, signature] = [bytesOfBase64(record.message), bytesOfBase64(record.signature)];
  if (message?.length !== MESSAGE_BYTES || signature?.length !== 64) return refused('malformed');
  const key = keys.find((one) => one.kid === record.key_id && one.crv === 'Ed25519');
  const point = key === undefined ? null : bytesOfBase64(key.x);
  if (point?.length !== 32) return refused('unknown_key');
  const imported = await crypto.subtle.importKey('raw', point, { name: 'Ed25519' }, false, ['verify']);
  if (!(await crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, message)))
    return refused('wrong_signature');
  if (new TextDecoder().decode(message.subarray(0, 16)) !== HEADER) return refused('malformed');
  if (hexOf(message.subarray(16, 48)) !== hexOf(expected.genesis)) return refused('other_chain');
  const view = new DataView(message.buffer);
  if (view.getUint8(81) !== 0 || view.getUint16(86) !== 0) return refused('malformed');
  return judged(
    {
      asset: hexOf(message.subarray(48, 80)),
      band: view.getUint8(80),
      score: view.getUint16(82, true),
      trust: view.getUint16(84, true),
      asOf: view.getBigUint64(88, true),
      expiresAt: view.getBigUint64(96, true),
      record: hexOf(message.subarray(104, 136)),
    },
    expected,
  );
}

/** An EAS off-chain attestation, as `eas` of GET /v1/rms/{asset}/attestation has it. */
export interface EasRecord {
  readonly sig: {
    readonly uid: string;
    readonly domain: {
      readonly name: string;
      readonly version: string;
      readonly chainId: number;
      readonly verifyingContract: string;
    };
    readonly message: {
      readonly version: number;
      readonly schema: string;
      readonly recipient: string;
      readonly time: string;
      readonly expirationTime: string;
      readonly revocable: boolean;
      readonly refUID: string;
      readonly data: string;
      readonly salt: string;
    };
    readonly signature: { readonly r: string; readonly s: string; readonly v: number };
  };
}

/** Two functions of viem, or equivalents: the client itself has no dependencies. */
export interface EthereumFunctions {
  readonly keccak256: (bytes: Uint8Array) => `0x${string}`;
  readonly recoverAddress: (of: { readonly hash: `0x${string}`; readonly signature: `0x${string}` }) => Promise<string>;
}

const ATTEST =
  'Attest(uint16 version,bytes32 schema,address recipient,uint64 time,uint64 expirationTime,bool revocable,bytes32 refUID,bytes data,bytes32 salt)';
const DOMAIN = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const SCHEMA = 'bytes32 asset,uint8 band,uint16 score,uint16 trust,uint64 asOf,bytes32 record';
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Checks that an EAS attestation meets the requirements, on the chain and for the EAS contract of `domain`, signed by one of the addresses
 * in `signers`. The two functions have the names and signatures of viem's.
 */
export async function verifyAttestation(
  { sig }: EasRecord,
  expected: ExpectedRating & {
    readonly domain: { readonly version: string; readonly chainId: number; readonly verifyingContract: string };
    readonly signers: readonly string[];
  },
  { keccak256, recoverAddress }: EthereumFunctions,
): Promise<AttestationVerified> {
  const { message, domain, signature } = sig;
  const hash = (text: string) => keccak256(new TextEncoder().encode(text));
  const isHere =
    domain.name === 'EAS Attestation' &&
    domain.version === expected.domain.version &&
    domain.chainId === expected.domain.chainId &&
    same(domain.verifyingContract, expected.domain.verifyingContract);
  if (!isHere) return refused('other_chain');
  if (!same(message.schema, keccak256(bytesOf(`${hexOfText(SCHEMA)}${'00'.repeat(20)}01`))))
    return refused('other_schema');
  const words = /^0x([0-9a-f]{384})$/i.exec(message.data)?.[1]?.match(/.{64}/g);
  const isPlain =
    message.version === 2 &&
    message.revocable &&
    /^0x0{40}$/.test(message.recipient) &&
    /^0x0{64}$/.test(message.refUID);
  const isSplit = [signature.r, signature.s, message.salt].every((part) => /^0x[0-9a-f]{64}$/i.test(part));
  if (words?.length !== 6 || !isPlain || !isSplit || ![27, 28].includes(signature.v)) return refused('malformed');
  if (![message.time, message.expirationTime].every((seconds) => /^\d{1,12}$/.test(seconds)))
    return refused('malformed');
  if (BigInt(signature.s) > HALF_ORDER) return refused('malformed');
  const domainHash = keccak256(
    bytesOf(
      [
        hash(DOMAIN),
        hash(domain.name),
        hash(domain.version),
        word(domain.chainId),
        word(domain.verifyingContract),
      ].join(''),
    ),
  );
  const messageHash = keccak256(
    bytesOf(
      [
        hash(ATTEST),
        word(2),
        message.schema,
        word(message.recipient),
        word(message.time),
        word(message.expirationTime),
        word(1),
        message.refUID,
        keccak256(bytesOf(message.data)),
        message.salt,
      ].join(''),
    ),
  );
  const digest = keccak256(bytesOf(`1901${domainHash}${messageHash}`));
  const joined = `${signature.r}${signature.s.slice(2)}${signature.v.toString(16)}` as `0x${string}`;
  const signer = await recoverAddress({ hash: digest, signature: joined }).catch(() => '');
  if (!expected.signers.some((one) => same(one, signer))) return refused('unknown_key');
  if (Number(message.time) * 1000 > expected.now) return refused('not_yet_valid');
  const [asset = '', band, score, trust, asOf, record = ''] = words;
  const number = (text: string | undefined) => Number(BigInt(`0x${text}`));
  return judged(
    {
      asset: asset.toLowerCase(),
      band: number(band),
      score: number(score),
      trust: number(trust),
      asOf: BigInt(`0x${asOf}`),
      expiresAt: BigInt(message.expirationTime),
      record: record.toLowerCase(),
    },
    expected,
  );
}

interface Claim {
  readonly asset: string;
  readonly band: number;
  readonly score: number;
  readonly trust: number;
  readonly asOf: bigint;
  readonly expiresAt: bigint;
  readonly record: string;
}

/** Decodes bytes whose signature was verified. */
async function judged(claim: Claim, expected: ExpectedRating): Promise<AttestationVerified> {
  const meant = expected.dataMode === 'sandbox' ? `sandbox:${expected.asset}` : expected.asset;
  const asset = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(meant)));
  if (claim.asset !== hexOf(asset)) return refused('other_asset');
  const [asOf, expiresAt] = [Number(claim.asOf), Number(claim.expiresAt) * 1000];
  if (asOf > expected.now) return refused('not_yet_valid');
  if (expiresAt <= expected.now) return refused('expired');
  if (expected.notBefore !== undefined && asOf < expected.notBefore) return refused('revoked');
  if (claim.band > expected.worstBand) return refused('band_too_low');
  const { band, score, trust, record } = claim;
  return { valid: true, rating: { band, score: score / 10, trust: trust / 10, asOf, expiresAt, recordSha256: record } };
}

const refused = (reason: Refused): AttestationVerified => ({ valid: false, reason });
const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** 32 bytes of a number or an address. */
function word(value: number | string): string {
  return BigInt(value).toString(16).padStart(64, '0');
}

/** Bytes of hexadecimal text; 0x may precede any of its parts. */
function bytesOf(text: string): Bytes {
  return Uint8Array.from(text.replaceAll('0x', '').match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function hexOfText(text: string): string {
  return hexOf(new TextEncoder().encode(text));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
