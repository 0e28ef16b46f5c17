import { toBase58 } from './base58.ts';

/** Little-endian reads of account data. Callers check the length first; a read past the end is 0. */
export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

export function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) + u16(bytes, at + 2) * 65_536;
}

export function u64(bytes: Uint8Array, at: number): bigint {
  return BigInt(u32(bytes, at)) + (BigInt(u32(bytes, at + 4)) << 32n);
}

export function f64(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0, true);
}

export function address(bytes: Uint8Array, at: number): string {
  return toBase58(bytes.subarray(at, at + 32));
}

/** An address where 32 zero bytes mean "none" (Token-2022 `OptionalNonZeroPubkey`). */
export function optionalAddress(bytes: Uint8Array, at: number): string | null {
  for (let offset = 0; offset < 32; offset += 1) if ((bytes[at + offset] ?? 0) !== 0) return address(bytes, at);
  return null;
}

/** Text with a u32 length before it, trailing NULs cut, and the offset after it; null when the length lies or the text is not UTF-8. */
export function text(
  bytes: Uint8Array,
  at: number,
  longest: number,
): { readonly value: string; readonly next: number } | null {
  if (at + 4 > bytes.length) return null;
  const length = u32(bytes, at);
  if (length > longest || at + 4 + length > bytes.length) return null;
  try {
    const value = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at + 4, at + 4 + length));
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
