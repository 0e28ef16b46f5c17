import { integersOf, newLength, numberAt, type Packet } from './packets.ts';

/** A parsed version 4 signature packet, not yet verified. Times are in seconds since 1970, durations in seconds. */
export interface Signature {
  /**
   * Type: 0x00 bytes, 0x01 text, 0x10-0x13 user id, 0x18 subkey, 0x19 made by a subkey, 0x1f key, 0x20-0x30
   * revocations.
   */
  readonly type: number;
  readonly algorithm: number;
  /** Null for an insecure hash (SHA-1, MD5) or one that is not used for signatures. */
  readonly hash: Hash | null;
  /** Bytes that are hashed after the signed data. */
  readonly trailer: Uint8Array;
  /** The first two octets of the hash. */
  readonly left: Uint8Array;
  /** Integers of the signature, or its 64 octets (Ed25519); null for an unsupported algorithm. */
  readonly values: readonly Uint8Array[] | null;
  readonly createdAt: number;
  readonly expiresAfter: number;
  /** Lifetime of the key that the signature is about; 0: unlimited. */
  readonly keyExpiresAfter: number;
  /** Permitted use of the key: 0x01 certify, 0x02 sign; null if not stated. */
  readonly flags: number | null;
  /** Fingerprint or key id of the signer in hexadecimal, as a hint; null if not stated. */
  readonly issuer: string | null;
  /** Signature by the subkey, embedded in a binding. */
  readonly embedded: Uint8Array | null;
}
export type Hash = 'sha256' | 'sha384' | 'sha512';

const HASHES: Readonly<Record<number, Hash>> = { 8: 'sha256', 9: 'sha384', 10: 'sha512' };
export const ALGORITHMS = { rsa: 1, rsaSign: 3, ecdsa: 19, eddsa: 22, ed25519: 27 } as const;

const SUBPACKET = {
  created: 2,
  expires: 3,
  keyExpires: 9,
  issuer: 16,
  flags: 27,
  embedded: 32,
  fingerprint: 33,
} as const;
/** Subpackets that may be marked as critical: those above, and those without influence on the decisions made here. */
const UNDERSTOOD = new Set<number>([...Object.values(SUBPACKET), 4, 7, 11, 12, 21, 22, 23, 24, 25, 26, 28, 29, 30, 34]);

/** Parses a signature; null if it is not version 4, malformed, or has an unknown critical part. */
export function signatureOf({ tag, body }: Packet): Signature | null {
  if (tag !== 2 || body[0] !== 4) return null;
  const [, type = 0, algorithm = 0, hashId = 0] = body;
  const hashed = areaAt(body, 4);
  const unhashed = hashed && areaAt(body, hashed.end);
  if (hashed === null || unhashed === null || unhashed.end + 2 > body.length) return null;
  const stated = subpacketsOf(hashed.bytes);
  const hints = subpacketsOf(unhashed.bytes);
  if (stated === null || hints === null) return null;
  if (stated.some((part) => part.isCritical && !UNDERSTOOD.has(part.type))) return null;
  const value = (type: number) => stated.findLast((part) => part.type === type)?.bytes ?? null;
  const hint = (type: number) => value(type) ?? hints.findLast((part) => part.type === type)?.bytes ?? null;
  const times = [SUBPACKET.created, SUBPACKET.expires, SUBPACKET.keyExpires].map(value);
  if (times[0] === null || times.some((bytes) => bytes && bytes.length !== 4)) return null;
  const [createdAt = 0, expiresAfter = 0, keyExpiresAfter = 0] = times.map((bytes) =>
    bytes ? (numberAt(bytes, 0, 4) ?? 0) : 0,
  );
  const head = body.subarray(0, hashed.end);
  const end = Buffer.from([4, 0xff, 0, 0, 0, 0]);
  end.writeUInt32BE(head.length, 2);
  return {
    type,
    algorithm,
    hash: HASHES[hashId] ?? null,
    trailer: Buffer.concat([head, end]),
    left: body.subarray(unhashed.end, unhashed.end + 2),
    values: valuesOf(algorithm, body.subarray(unhashed.end + 2)),
    createdAt,
    expiresAfter,
    keyExpiresAfter,
    flags: value(SUBPACKET.flags)?.[0] ?? null,
    issuer: issuerOf(hint(SUBPACKET.fingerprint), hint(SUBPACKET.issuer)),
    embedded: hint(SUBPACKET.embedded),
  };
}

function issuerOf(fingerprint: Uint8Array | null, keyId: Uint8Array | null): string | null {
  if (fingerprint?.length === 21 && fingerprint[0] === 4) return Buffer.from(fingerprint.subarray(1)).toString('hex');
  return keyId?.length === 8 ? Buffer.from(keyId).toString('hex') : null;
}

function valuesOf(algorithm: number, rest: Uint8Array): readonly Uint8Array[] | null {
  switch (algorithm) {
    case ALGORITHMS.rsa:
    case ALGORITHMS.rsaSign:
      return integersOf(rest, 1);
    case ALGORITHMS.ecdsa:
    case ALGORITHMS.eddsa:
      return integersOf(rest, 2);
    case ALGORITHMS.ed25519:
      return rest.length === 64 ? [rest] : null;
    default:
      return null;
  }
}

function areaAt(body: Uint8Array, at: number) {
  const length = numberAt(body, at, 2);
  if (length === null || at + 2 + length > body.length) return null;
  const end = at + 2 + length;
  return { bytes: body.subarray(at + 2, end), end };
}

interface Subpacket {
  readonly type: number;
  readonly isCritical: boolean;
  readonly bytes: Uint8Array;
}

function subpacketsOf(area: Uint8Array): readonly Subpacket[] | null {
  const found: Subpacket[] = [];
  let at = 0;
  while (at < area.length) {
    const length = newLength(area, at, true);
    if (length === null || length.value === 0 || length.next + length.value > area.length) return null;
    const [type = 0] = area.subarray(length.next);
    at = length.next + length.value;
    found.push({ type: type & 0x7f, isCritical: (type & 0x80) !== 0, bytes: area.subarray(length.next + 1, at) });
  }
  return found;
}
