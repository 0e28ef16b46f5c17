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

export function f64(data: Uint8Array, at: number): number {
  return new DataView(data.buffer, data.byteOffset + at, 8).getFloat64(0, true);
}

/** An address. */
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

/** Text with a u32 length before it, trailing NULs cut, and the offset after it; null when the length lies or the text is not UTF-8. */
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
