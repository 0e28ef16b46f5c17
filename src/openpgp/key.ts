import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { bitsOf, integersOf, numberAt } from './packets.ts';
import { ALGORITHMS, type Signature } from './signature.ts';

/** A version 4 public key. */
export interface Key {
  readonly algorithm: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** 40 hex digits. */
  readonly fingerprint: string;
  /** The bytes that signatures about the key hash. */
  readonly hashed: Uint8Array;
  /** Null if it cannot verify signatures here: an encryption key, too short, or another algorithm or curve. */
  readonly public: KeyObject | null;
}

const RSA_BITS = { least: 2_048, most: 8_192 };
/** Curves by their object identifier in hexadecimal: JWK name and octets per number. */
const CURVES: Readonly<Record<string, { readonly crv: string; readonly octets: number }>> = {
  '2a8648ce3d030107': { crv: 'P-256', octets: 32 },
  '2b81040022': { crv: 'P-384', octets: 48 },
  '2b81040023': { crv: 'P-521', octets: 66 },
};
const ED25519_CURVE = '2b06010401da470f01';

/** Parses a key; null if it is not a version 4 key. */
export function keyOf(body: Uint8Array): Key | null {
  const createdAt = numberAt(body, 1, 4);
  const algorithm = body[5];
  if (body[0] !== 4 || createdAt === null || algorithm === undefined || body.length > 0xffff) return null;
  const hashed = Buffer.concat([Buffer.from([0x99, body.length >> 8, body.length & 0xff]), body]);
  const jwk = jwkOf(algorithm, body.subarray(6));
  return {
    algorithm,
    createdAt,
    fingerprint: createHash('sha1').update(hashed).digest('hex'),
    hashed,
    public: jwk && imported(jwk),
  };
}

function imported(jwk: Record<string, string>): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    // The point is not on the curve.
    return null;
  }
}

function jwkOf(algorithm: number, material: Uint8Array): Record<string, string> | null {
  switch (algorithm) {
    case ALGORITHMS.rsa:
    case ALGORITHMS.rsaSign:
      return rsaOf(material);
    case ALGORITHMS.ecdsa:
      return ecdsaOf(material);
    case ALGORITHMS.eddsa:
      return eddsaOf(material);
    case ALGORITHMS.ed25519:
      return material.length === 32 ? { kty: 'OKP', crv: 'Ed25519', x: base64url(material) } : null;
    default:
      return null;
  }
}

function rsaOf(material: Uint8Array) {
  const [n, e] = integersOf(material, 2) ?? [];
  if (n === undefined || e === undefined) return null;
  const bits = bitsOf(n);
  // A long exponent makes every check slow; an even one, or 1, is invalid.
  const isSound = bits >= RSA_BITS.least && bits <= RSA_BITS.most && bitsOf(e) <= 32 && bitsOf(e) > 1;
  return isSound && (e.at(-1) ?? 0) % 2 === 1 ? { kty: 'RSA', n: base64url(n), e: base64url(e) } : null;
}

function onCurve(material: Uint8Array) {
  const length = material[0] ?? 0;
  const [point] = integersOf(material.subarray(1 + length), 1) ?? [];
  return point === undefined ? null : { curve: Buffer.from(material.subarray(1, 1 + length)).toString('hex'), point };
}

function ecdsaOf(material: Uint8Array) {
  const given = onCurve(material);
  const curve = given && CURVES[given.curve];
  if (!given || !curve || given.point[0] !== 4 || given.point.length !== 1 + 2 * curve.octets) return null;
  const x = base64url(given.point.subarray(1, 1 + curve.octets));
  return { kty: 'EC', crv: curve.crv, x, y: base64url(given.point.subarray(1 + curve.octets)) };
}

function eddsaOf(material: Uint8Array) {
  const given = onCurve(material);
  if (given?.curve !== ED25519_CURVE || given.point[0] !== 0x40 || given.point.length !== 33) return null;
  return { kty: 'OKP', crv: 'Ed25519', x: base64url(given.point.subarray(1)) };
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** True when the key made the signature of the data. */
export function isSignedBy(key: Key, signature: Signature, data: Uint8Array): boolean {
  const { hash, values } = signature;
  if (key.public === null || hash === null || values === null || !isOfKey(key, signature)) return false;
  const whole = Buffer.concat([data, signature.trailer]);
  const digest = createHash(hash).update(whole).digest();
  if (!digest.subarray(0, 2).equals(signature.left)) return false;
  const [first = EMPTY, second = EMPTY] = values;
  try {
    switch (key.algorithm) {
      case ALGORITHMS.ed25519:
        return verify(null, digest, key.public, first);
      case ALGORITHMS.eddsa: {
        const both = joined(first, second, 32);
        return both !== null && verify(null, digest, key.public, both);
      }
      case ALGORITHMS.ecdsa: {
        const curve = Object.values(CURVES).find(({ crv }) => crv === key.public?.export({ format: 'jwk' }).crv);
        const both = curve === undefined ? null : joined(first, second, curve.octets);
        return both !== null && verify(hash, whole, { key: key.public, dsaEncoding: 'ieee-p1363' }, both);
      }
      default: {
        const octets = Math.ceil((key.public.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
        const padded = padTo(first, octets);
        return padded !== null && verify(hash, whole, key.public, padded);
      }
    }
  } catch {
    return false;
  }
}

const EMPTY = new Uint8Array();
const RSA: readonly number[] = [ALGORITHMS.rsa, ALGORITHMS.rsaSign];

function isOfKey(key: Key, { algorithm, issuer }: Signature): boolean {
  if (issuer !== null && !key.fingerprint.endsWith(issuer)) return false;
  return key.algorithm === algorithm || (RSA.includes(key.algorithm) && RSA.includes(algorithm));
}

function joined(r: Uint8Array, s: Uint8Array, octets: number): Uint8Array | null {
  const [first, second] = [padTo(r, octets), padTo(s, octets)];
  return first === null || second === null ? null : Buffer.concat([first, second]);
}

function padTo(value: Uint8Array, octets: number): Uint8Array | null {
  return value.length > octets ? null : Buffer.concat([Buffer.alloc(octets - value.length), value]);
}
