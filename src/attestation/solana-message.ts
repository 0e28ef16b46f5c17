import type { RatingClaim } from './claim.ts';
import type { SolanaTarget } from './targets.ts';

/**
 * The claim as bytes that Ed25519 signs and a Solana program reads at fixed offsets; integers are little-endian.
 *
 * | offset | bytes | content |
 * |---|---|---|
 * | 0 | 16 | `assay.rating.v1` and a zero byte |
 * | 16 | 32 | genesis hash of the cluster |
 * | 48 | 32 | `assetHash` of the asset |
 * | 80 | 1 | index of the band: AAA 0, D 9 |
 * | 81 | 1 | zero |
 * | 82 | 2 | score in tenths |
 * | 84 | 2 | trust in tenths |
 * | 86 | 2 | zero |
 * | 88 | 8 | as_of, milliseconds since the epoch |
 * | 96 | 8 | expires_at, seconds since the epoch |
 * | 104 | 32 | SHA-256 of the published record |
 */
export function solanaMessage(claim: RatingClaim, { genesis }: Pick<SolanaTarget, 'genesis'>): Buffer {
  const bytes = Buffer.alloc(MESSAGE_BYTES);
  bytes.write('assay.rating.v1', 0, 'latin1');
  bytes.set(genesis, 16);
  bytes.set(claim.asset, 48);
  bytes.writeUInt8(claim.band, 80);
  bytes.writeUInt16LE(claim.score, 82);
  bytes.writeUInt16LE(claim.trust, 84);
  bytes.writeBigUInt64LE(BigInt(claim.asOf), 88);
  bytes.writeBigUInt64LE(BigInt(claim.expiresAt), 96);
  bytes.set(claim.record, 104);
  return bytes;
}

export const MESSAGE_BYTES = 136;

/**
 * A revocation as bytes that Ed25519 signs: every record of the asset dated before `notBefore` (milliseconds) is void.
 * 16 bytes `assay.revoke.v1` and a zero byte, 32 bytes genesis hash, 32 bytes `assetHash`, 8 bytes `notBefore`.
 */
export function solanaRevocation(
  asset: Uint8Array,
  notBefore: number,
  { genesis }: Pick<SolanaTarget, 'genesis'>,
): Buffer {
  const bytes = Buffer.alloc(REVOCATION_BYTES);
  bytes.write('assay.revoke.v1', 0, 'latin1');
  bytes.set(genesis, 16);
  bytes.set(asset, 48);
  bytes.writeBigUInt64LE(BigInt(notBefore), 80);
  return bytes;
}

const REVOCATION_BYTES = 88;
