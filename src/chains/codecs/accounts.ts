import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { LRUCache } from 'lru-cache';
import { ASSOCIATED_TOKEN_PROGRAM } from '../solana.ts';

/** Little-endian fields of account data. Callers check the length first; a read past the end is 0. */
export function u8(data: Uint8Array, at: number): number {
  return data[at] ?? 0;
}

export function u16(data: Uint8Array, at: number): number {
  return u8(data, at) | (u8(data, at + 1) << 8);
}

export function u32(data: Uint8Array, at: number): number {
  return u16(data, at) + u16(data, at + 2) * 65_536;
}

export function i32(data: Uint8Array, at: number): number {
  return u32(data, at) | 0;
}

export function u64(data: Uint8Array, at: number): bigint {
  return BigInt(u32(data, at)) | (BigInt(u32(data, at + 4)) << 32n);
}

export function i64(data: Uint8Array, at: number): bigint {
  return BigInt.asIntN(64, u64(data, at));
}

export function u128(data: Uint8Array, at: number): bigint {
  return u64(data, at) | (u64(data, at + 8) << 64n);
}

export function i128(data: Uint8Array, at: number): bigint {
  return BigInt.asIntN(128, u128(data, at));
}

export function f64(data: Uint8Array, at: number): number {
  return new DataView(data.buffer, data.byteOffset + at, 8).getFloat64(0, true);
}

/** An address. */
export function key(data: Uint8Array, at: number): string {
  return toBase58(data.subarray(at, at + 32));
}

/** An address field in which 32 zero bytes mean "none". */
export function keyOrNull(data: Uint8Array, at: number): string | null {
  for (let offset = 0; offset < 32; offset++) if (u8(data, at + offset) !== 0) return key(data, at);
  return null;
}

/** True when the data begins with these eight bytes, written as hex. */
export function startsWith(data: Uint8Array, discriminator: string): boolean {
  return data.length >= 8 && data.subarray(0, 8).toHex() === discriminator;
}

/** Length-prefixed (u32) text without trailing NULs, and the offset after it; null if the length is invalid or the text is not UTF-8. */
export function textAt(
  data: Uint8Array,
  at: number,
  longest: number,
): { readonly value: string; readonly next: number } | null {
  if (at + 4 > data.length) return null;
  const length = u32(data, at);
  if (length > longest || at + 4 + length > data.length) return null;
  try {
    const value = new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(at + 4, at + 4 + length));
    return { value: value.replace(/\0+$/, ''), next: at + 4 + length };
  } catch {
    return null;
  }
}

/** Bytes of base64 text; null when it is not base64. */
export function fromBase64(value: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(value);
  } catch {
    return null;
  }
}

/** Base58 (Bitcoin alphabet) of bytes, as Solana writes addresses. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** The 32 bytes of a Solana address; null for any other text. */
export function addressBytes(address: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return null;
  const bytes = base58.decode(address);
  return bytes.length === 32 ? bytes : null;
}

/**
 * The program derived address of seeds (Solana SDK find_program_address): bumps are tried from 255 down until the hash is
 * not a point of edwards25519, so that no key pair exists for it. String seeds are encoded as UTF-8. Null when the program
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

/** The associated token account of an owner, in which wallets and lockers hold a mint's tokens. */
export function associatedTokenAddress(owner: string, mint: string, tokenProgram: string): string | null {
  const seeds = [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)];
  return seeds.some((seed) => seed === null) ? null : derivedAddress(seeds as Uint8Array[], ASSOCIATED_TOKEN_PROGRAM);
}

/**
 * True when the 32 bytes decompress to a point of edwards25519: a key pair may exist. False: only a program can sign.
 * Follows ZIP 215, as the runtime's library does: y is reduced, and x = 0 is accepted with either sign.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const key = Buffer.from(bytes).toString('latin1');
  const known = points.get(key);
  if (known !== undefined) return known;
  const isPoint = decompresses(bytes);
  points.set(key, isPoint);
  return isPoint;
}

/** To decompress a point takes a third of a millisecond, and each rating of an asset asks for the same fifty. */
const points = new LRUCache<string, boolean>({ max: 20_000 });

function decompresses(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(Uint8Array.from(bytes), true);
    return true;
  } catch {
    return false;
  }
}

/** Slot, epoch start time, epoch, leader schedule epoch, and Unix time: five numbers of eight bytes. */
export const CLOCK_LENGTH = 40;

/** The clock sysvar: slot, epoch and Unix time; null when it is too short. */
export function decodeClock(
  data: Uint8Array,
): { readonly slot: bigint; readonly epoch: bigint; readonly seconds: bigint } | null {
  return data.length >= CLOCK_LENGTH ? { slot: u64(data, 0), epoch: u64(data, 16), seconds: i64(data, 32) } : null;
}

/** A raw Solana account. */
export interface SolanaAccount {
  readonly address: string;
  /** The program that owns it. */
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}
