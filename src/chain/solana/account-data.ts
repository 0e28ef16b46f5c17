import { toBase58 } from './base58.ts';

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

export function key(data: Uint8Array, at: number): string {
  return toBase58(data.subarray(at, at + 32));
}

/** An address where 32 zero bytes mean "none". */
export function keyOrNull(data: Uint8Array, at: number): string | null {
  for (let offset = 0; offset < 32; offset++) if (u8(data, at + offset) !== 0) return key(data, at);
  return null;
}

/** True when the data begins with these eight bytes, written as hex. */
export function startsWith(data: Uint8Array, discriminator: string): boolean {
  return data.length >= 8 && data.subarray(0, 8).toHex() === discriminator;
}
