import {
  type Address,
  bytesToHex,
  concatHex,
  encodeAbiParameters,
  type Hex,
  hashTypedData,
  keccak256,
  numberToHex,
  parseAbiParameters,
  stringToHex,
  zeroAddress,
  zeroHash,
} from 'viem';
import type { DigestSigner } from '../signing/index.ts';
import { type RatingClaim, sha256 } from './claim.ts';
import type { EasTarget } from './targets.ts';

/** The schema of `data`, in the notation of EAS schema registries. It never changes: another schema has another UID. */
export const SCHEMA = 'bytes32 asset,uint8 band,uint16 score,uint16 trust,uint64 asOf,bytes32 record';
/** Members of `SCHEMA` for the ABI encoding. */
export const DATA = parseAbiParameters(SCHEMA);
/** UID of the schema without a resolver, revocable (EAS SchemaRegistry). */
export const SCHEMA_UID: Hex = keccak256(concatHex([stringToHex(SCHEMA), zeroAddress, '0x01']));

/** Version of off-chain attestations. */
export const VERSION = 2;
/** EAS off-chain attestation, version 2. */
export const ATTEST = [
  { name: 'version', type: 'uint16' },
  { name: 'schema', type: 'bytes32' },
  { name: 'recipient', type: 'address' },
  { name: 'time', type: 'uint64' },
  { name: 'expirationTime', type: 'uint64' },
  { name: 'revocable', type: 'bool' },
  { name: 'refUID', type: 'bytes32' },
  { name: 'data', type: 'bytes' },
  { name: 'salt', type: 'bytes32' },
] as const;
/**
 * Revokes all records of an asset dated before `notBefore` (milliseconds). The value only increases, so a replay
 * changes nothing.
 */
const REVOKE = [
  { name: 'schema', type: 'bytes32' },
  { name: 'asset', type: 'bytes32' },
  { name: 'notBefore', type: 'uint64' },
] as const;

interface Domain {
  readonly name: 'EAS Attestation';
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

export interface SplitSignature {
  readonly r: Hex;
  readonly s: Hex;
  readonly v: 27 | 28;
}

/**
 * An EAS off-chain attestation as its SDK writes it (`sig` and `signer` of the shared object); integers of 64 bits as
 * text.
 */
export interface EasAttestation {
  readonly signer: Address;
  readonly sig: {
    readonly version: typeof VERSION;
    readonly uid: Hex;
    readonly domain: Domain;
    readonly primaryType: 'Attest';
    readonly types: { readonly Attest: typeof ATTEST };
    readonly message: {
      readonly version: typeof VERSION;
      readonly schema: Hex;
      readonly recipient: Address;
      readonly time: string;
      readonly expirationTime: string;
      readonly revocable: true;
      readonly refUID: Hex;
      readonly data: Hex;
      readonly salt: Hex;
    };
    readonly signature: SplitSignature;
  };
}

/** A revocation that anyone may submit to a verifier. */
export interface EasRevocation {
  readonly signer: Address;
  readonly domain: Domain;
  readonly message: { readonly schema: Hex; readonly asset: Hex; readonly notBefore: string };
  readonly signature: SplitSignature;
}

/** The domain of all records for that chain. */
export function domainOf({ chainId, contract, version }: EasTarget): Domain {
  return { name: 'EAS Attestation', version, chainId, verifyingContract: contract };
}

/**
 * The claim as an EAS off-chain attestation for one chain. The salt is a hash of the record and the chain, so that the
 * same rating always has the same UID and anyone who has the record can revoke it.
 */
export function attest(claim: RatingClaim, target: EasTarget, signer: DigestSigner): EasAttestation {
  const domain = domainOf(target);
  const message = {
    version: VERSION,
    schema: SCHEMA_UID,
    recipient: zeroAddress,
    time: BigInt(Math.floor(claim.asOf / 1000)),
    expirationTime: BigInt(claim.expiresAt),
    revocable: true,
    refUID: zeroHash,
    data: encodeAbiParameters(DATA, [
      bytesToHex(claim.asset),
      claim.band,
      claim.score,
      claim.trust,
      BigInt(claim.asOf),
      bytesToHex(claim.record),
    ]),
    salt: bytesToHex(sha256(Buffer.concat([Buffer.from(`assay.eas/${target.chain}/`), claim.record]))),
  } as const;
  const digest = hashTypedData({ domain, types: { Attest: ATTEST }, primaryType: 'Attest', message });
  return {
    signer: signer.address,
    sig: {
      version: VERSION,
      uid: uidOf(message),
      domain,
      primaryType: 'Attest',
      types: { Attest: ATTEST },
      message: { ...message, time: String(message.time), expirationTime: String(message.expirationTime) },
      signature: signer.sign(digest),
    },
  };
}

/** Revokes records of an asset dated before a time, in milliseconds since the epoch. */
export function revoke(asset: Uint8Array, notBefore: number, target: EasTarget, signer: DigestSigner): EasRevocation {
  const domain = domainOf(target);
  const message = { schema: SCHEMA_UID, asset: bytesToHex(asset), notBefore: BigInt(notBefore) };
  const digest = hashTypedData({ domain, types: { Revoke: REVOKE }, primaryType: 'Revoke', message });
  return {
    signer: signer.address,
    domain,
    message: { ...message, notBefore: String(notBefore) },
    signature: signer.sign(digest),
  };
}

/** UID of an off-chain attestation, version 2: Keccak of its packed fields, with no attester and a zero bump. */
function uidOf(message: {
  readonly schema: Hex;
  readonly recipient: Address;
  readonly time: bigint;
  readonly expirationTime: bigint;
  readonly refUID: Hex;
  readonly data: Hex;
  readonly salt: Hex;
}): Hex {
  return keccak256(
    concatHex([
      numberToHex(VERSION, { size: 2 }),
      // The SDK packs the text of the UID instead of its 32 bytes.
      stringToHex(message.schema),
      message.recipient,
      zeroAddress,
      numberToHex(message.time, { size: 8 }),
      numberToHex(message.expirationTime, { size: 8 }),
      '0x01',
      message.refUID,
      message.data,
      message.salt,
      numberToHex(0, { size: 4 }),
    ]),
  );
}
