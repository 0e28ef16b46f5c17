/**
 * The outer layer of OpenPGP (RFC 9580): ASCII armour, packets, multiprecision integers. Invalid bytes give null, never
 * an exception.
 */

/** One packet: its type and its content. */
export interface Packet {
  readonly tag: number;
  readonly body: Uint8Array;
}

/** Packet limit of one certificate or signature; longer ones are refused. */
const MOST_PACKETS = 600;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Bytes of the first armoured block of a kind in a text; null if there is none, it is longer than `mostBytes`, or is
 * not base64. The checksum is ignored, because the relevant content is signed (section 6.1).
 */
export function unarmored(text: string, kind: 'SIGNATURE' | 'PUBLIC KEY BLOCK', mostBytes: number): Uint8Array | null {
  const start = text.indexOf(`-----BEGIN PGP ${kind}-----`);
  const end = start < 0 ? -1 : text.indexOf(`-----END PGP ${kind}-----`, start);
  if (end < 0 || end - start > mostBytes * 1.5 + 2_000) return null;
  const lines = text.slice(start, end).split('\n').slice(1);
  // Headers such as `Version: ...` end with an empty line.
  const blank = lines.findIndex((line) => line.trim() === '');
  if (blank < 0) return null;
  const body = lines
    .slice(blank + 1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('='))
    .join('');
  if (body.length % 4 !== 0 || !BASE64.test(body)) return null;
  const bytes = Buffer.from(body, 'base64');
  return bytes.length > mostBytes ? null : bytes;
}

/**
 * All packets; null if a packet is incomplete, or has a partial or indeterminate length, which keys and signatures
 * never have.
 */
export function packetsOf(bytes: Uint8Array): readonly Packet[] | null {
  const packets: Packet[] = [];
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    if ((first & 0x80) === 0 || packets.length === MOST_PACKETS) return null;
    const isNew = (first & 0x40) !== 0;
    const length = isNew ? newLength(bytes, at + 1) : oldLength(bytes, at + 1, first & 3);
    if (length === null || length.next + length.value > bytes.length) return null;
    at = length.next + length.value;
    packets.push({ tag: isNew ? first & 0x3f : (first >> 2) & 0x0f, body: bytes.subarray(length.next, at) });
  }
  return packets;
}

interface Length {
  readonly value: number;
  /** Offset of the content. */
  readonly next: number;
}

/** Length of a packet in the new format, or of a subpacket; null if it is truncated or partial. */
export function newLength(bytes: Uint8Array, at: number, isSubpacket = false): Length | null {
  const first = bytes[at];
  if (first === undefined) return null;
  if (first < 192) return { value: first, next: at + 1 };
  if (first === 255) return sized(bytes, at + 1, 4);
  const second = bytes[at + 1];
  if (second === undefined || (first >= 224 && !isSubpacket)) return null;
  return { value: ((first - 192) << 8) + second + 192, next: at + 2 };
}

function oldLength(bytes: Uint8Array, at: number, kind: number): Length | null {
  return kind === 3 ? null : sized(bytes, at, 1 << kind);
}

function sized(bytes: Uint8Array, at: number, octets: number): Length | null {
  const value = numberAt(bytes, at, octets);
  return value === null ? null : { value, next: at + octets };
}

/** A big-endian number of at most four octets; null if it is truncated. */
export function numberAt(bytes: Uint8Array, at: number, octets: number): number | null {
  if (at + octets > bytes.length) return null;
  let value = 0;
  for (let index = 0; index < octets; index += 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

/**
 * Exactly `count` integers that fill the bytes, each without leading zeros and with its stated length; null otherwise.
 */
export function integersOf(bytes: Uint8Array, count: number): readonly Uint8Array[] | null {
  const found: Uint8Array[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const bits = numberAt(bytes, at, 2);
    if (bits === null) return null;
    const value = bytes.subarray(at + 2, at + 2 + Math.ceil(bits / 8));
    if (value.length !== Math.ceil(bits / 8) || bitsOf(value) !== bits) return null;
    found.push(value);
    at += 2 + value.length;
  }
  return at === bytes.length ? found : null;
}

/** Bit length of a big-endian integer whose first octet is not zero. */
export function bitsOf(value: Uint8Array): number {
  const [first] = value;
  return first === undefined ? 0 : value.length * 8 - (Math.clz32(first) - 24);
}
