import { createHash } from 'node:crypto';
import { ASSOCIATED_TOKEN_PROGRAM } from '../../chains/solana-programs.ts';
import { addressBytes, toBase58 } from './base58.ts';

const P = 2n ** 255n - 19n;
/** d = -121665/121666 of edwards25519 (RFC 8032 section 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * The program derived address of seeds: the first bump from 255 down whose hash is no point of edwards25519, so that no
 * key pair exists for it (Solana SDK find_program_address). A string among the seeds is UTF-8 text. Null: not addresses.
 */
export function derivedAddress(seeds: readonly (string | Uint8Array)[], program: string): string | null {
  const programBytes = addressBytes(program);
  if (programBytes === null) return null;
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    const digest = hash.update(Uint8Array.of(bump)).update(programBytes).update('ProgramDerivedAddress').digest();
    if (!isOnCurve(digest)) return toBase58(digest);
  }
  return null;
}

/** The associated token account of an owner, where wallets and lockers keep a mint's tokens. */
export function associatedTokenAddress(owner: string, mint: string, tokenProgram: string): string | null {
  const seeds = [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)];
  return seeds.some((seed) => seed === null) ? null : derivedAddress(seeds as Uint8Array[], ASSOCIATED_TOKEN_PROGRAM);
}

/** True when the bytes decompress to a point of edwards25519 (RFC 8032 section 5.1.3). */
function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (let at = 31; at >= 0; at--) y = (y << 8n) | BigInt((bytes[at] as number) & (at === 31 ? 127 : 255));
  y %= P;
  const y2 = (y * y) % P;
  const x2 = ((y2 - 1n + P) * power((D * y2 + 1n) % P, P - 2n)) % P;
  // Euler's criterion: a square has (p-1)/2-th power 1.
  return x2 === 0n || power(x2, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base % P, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % P) {
    if (rest & 1n) result = (result * square) % P;
  }
  return result;
}
