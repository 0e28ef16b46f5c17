import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { ASSOCIATED_TOKEN_PROGRAM } from '../solana-programs.ts';
import { addressBytes, toBase58 } from './base58.ts';

/**
 * The program derived address of seeds: the first bump from 255 down whose hash is no point of edwards25519, so that no
 * key pair exists for it (Solana SDK find_program_address). A string among the seeds is UTF-8 text. Null when the program
 * is not an address or no bump fits.
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

/**
 * True when the 32 bytes decompress to a point of edwards25519: a key pair may exist. False: only a program can sign. Read
 * by the rules of ZIP 215, as the runtime's library does: y is reduced, and x = 0 is taken with either sign.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(Uint8Array.from(bytes), true);
    return true;
  } catch {
    return false;
  }
}
