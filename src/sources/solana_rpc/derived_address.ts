import { sha256 } from 'viem/utils';
import { addressBytes, toBase58 } from './base58.ts';

const P = 2n ** 255n - 19n;
/** Curve constant d = -121665/121666 of edwards25519 (RFC 8032 section 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');

/**
 * The program derived address of `seeds` under `program`: the first bump from 255 down whose hash is not a point of
 * edwards25519, so that no key pair can exist for it (Solana SDK `find_program_address`). Null when an input is not an
 * address or no bump fits.
 */
export function derivedAddress(seeds: readonly Uint8Array[], program: string): string | null {
  const programBytes = addressBytes(program);
  if (programBytes === null) return null;
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = sha256(joined([...seeds, Uint8Array.of(bump), programBytes, MARKER]), 'bytes');
    if (!isOnCurve(hash)) return toBase58(hash);
  }
  return null;
}

/** True when the 32 bytes decompress to a point of edwards25519: a key pair may exist. False: only a program can sign. */
export function isOnCurve(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  let y = 0n;
  for (let at = 31; at >= 0; at -= 1) y = (y << 8n) | BigInt(at === 31 ? (bytes[at] ?? 0) & 127 : (bytes[at] ?? 0));
  // As the runtime's curve library reads it: y is reduced, and x = 0 is taken with either sign.
  y %= P;
  const y2 = (y * y) % P;
  const numerator = (y2 - 1n + P) % P;
  const denominator = (D * y2 + 1n) % P;
  const x2 = (numerator * power(denominator, P - 2n)) % P;
  if (x2 === 0n) return true;
  // Euler's criterion: x2 has a square root modulo p exactly when x2^((p-1)/2) is 1.
  return power(x2, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
