import { text } from '../read.ts';

/** A 32-byte word as an integer; null unless the bytes are exactly one word (an account without code returns none). */
export function uintOf(bytes: string | null | undefined): bigint | null {
  return typeof bytes === 'string' && /^0x[0-9a-fA-F]{64}$/.test(bytes) ? BigInt(bytes) : null;
}

/** An address in a word, lower-case; null when the twelve bytes before it are not zero. */
export function addressOf(bytes: string | null | undefined): string | null {
  return typeof bytes === 'string' && /^0x0{24}[0-9a-fA-F]{40}$/.test(bytes)
    ? `0x${bytes.slice(26).toLowerCase()}`
    : null;
}

/** 1 or 0 in a word; null for anything else. */
export function flagOf(bytes: string | null | undefined): boolean | null {
  const word = uintOf(bytes);
  return word === 0n ? false : word === 1n ? true : null;
}

/** Text as ABI `string`, or as `bytes32` the way early tokens (MKR, SAI) return it; null when it is neither or not UTF-8. */
export function textOf(bytes: string | null | undefined, longest: number): string | null {
  if (typeof bytes !== 'string' || !/^0x([0-9a-fA-F]{2})+$/.test(bytes)) return null;
  const body = bytes.slice(2);
  const raw = body.length === 64 ? body.replace(/(00)+$/, '') : dynamic(body);
  if (raw === null || raw.length === 0 || raw.length % 2 === 1) return null;
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.fromHex(raw));
    return text(decoded, longest);
  } catch {
    return null;
  }
}

function dynamic(body: string): string | null {
  if (body.length < 128 || BigInt(`0x${body.slice(0, 64)}`) !== 32n) return null;
  const length = BigInt(`0x${body.slice(64, 128)}`);
  return length > 4_096n || 128n + length * 2n > BigInt(body.length) ? null : body.slice(128, 128 + Number(length) * 2);
}
