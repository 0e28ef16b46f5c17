import type { Hex } from './types.ts';

/**
 * The few ABI forms that chain reads need, by hand: words of 32 bytes (Solidity ABI specification). Replies are hostile:
 * whatever does not fit gives null.
 */
const WORD = 64;

/** Word `index` of a reply, as an unsigned integer; null when the reply is too short. */
export function uintAt(data: Hex, index: number): bigint | null {
  const start = 2 + index * WORD;
  const text = data.slice(start, start + WORD);
  return text.length === WORD && /^[0-9a-f]+$/i.test(text) ? BigInt(`0x${text}`) : null;
}

/** Word `index` as a signed integer of `bits` bits; null when it does not fit. */
export function intAt(data: Hex, index: number, bits: number): bigint | null {
  const value = uintAt(data, index);
  if (value === null) return null;
  const signed = BigInt.asIntN(256, value);
  return BigInt.asIntN(bits, signed) === signed ? signed : null;
}

/** Word `index` as an address in lower case; null when its upper bytes are not zero. */
export function addressAt(data: Hex, index: number): Hex | null {
  const value = uintAt(data, index);
  return value === null || value >> 160n !== 0n ? null : `0x${value.toString(16).padStart(40, '0')}`;
}

/** A string, or the bytes32 that some old tokens give instead; at most `most` bytes; null when it is neither. */
export function textOf(data: Hex, most: number): string | null {
  const bytes = Buffer.from(data.slice(2), 'hex');
  const offset = uintAt(data, 0);
  if (bytes.length === 32) {
    const end = bytes.indexOf(0);
    return utf8(bytes.subarray(0, end === -1 ? 32 : end));
  }
  if (offset !== 32n) return null;
  const length = uintAt(data, 1);
  if (length === null || length > BigInt(bytes.length - 64)) return null;
  return utf8(bytes.subarray(64, 64 + Math.min(Number(length), most)));
}

/** Calldata: a selector and words. */
export function callData(selector: Hex, ...words: readonly (bigint | Hex)[]): Hex {
  return `${selector}${words.map(wordOf).join('')}` as Hex;
}

/** One word of calldata. */
export function wordOf(value: bigint | Hex): string {
  if (typeof value === 'bigint') return BigInt.asUintN(256, value).toString(16).padStart(WORD, '0');
  return value.slice(2).toLowerCase().padStart(WORD, '0');
}

function utf8(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : new TextDecoder('utf-8', { fatal: false }).decode(bytes);
}
