import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

/**
 * Writes small OpenPGP keys and signatures (version 4, Ed25519, SHA-512) for people of the sandbox. The service only
 * reads them.
 */

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const CURVE = Buffer.from('092b06010401da470f01', 'hex');
const SHA512 = 10;
/** 22: Ed25519 as written by GnuPG; 27: as in RFC 9580. */
export type Ed25519Form = 22 | 27;

export interface SandboxKey {
  readonly fingerprint: string;
  /** Body of the public key packet. */
  readonly body: Buffer;
  /** A signature packet of `type` over `data`; `at` in milliseconds, `hashed`: more subpackets. */
  packet(type: number, data: Buffer, at: number, hashed?: readonly Buffer[]): Buffer;
  /** The armoured public key; with `revokedAt` its revocation too. */
  armored(revokedAt?: number): string;
  /** An armoured detached signature of a text. */
  signed(text: string, at: number): string;
}

/** The key derived from a name: always the same. `createdAt` in milliseconds. */
export function sandboxKey(name: string, createdAt: number, form: Ed25519Form = 22): SandboxKey {
  const seed = createHash('sha256').update(`sandbox key of ${name}`).digest();
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const point = Buffer.from(String(createPublicKey(secret).export({ format: 'jwk' }).x), 'base64url');
  const material = form === 22 ? Buffer.concat([CURVE, integer(Buffer.concat([Buffer.from([0x40]), point]))]) : point;
  const body = Buffer.concat([Buffer.from([4]), number(seconds(createdAt), 4), Buffer.from([form]), material]);
  const hashedKey = keyHashed(body);
  const fingerprint = createHash('sha1').update(hashedKey).digest();

  const packet: SandboxKey['packet'] = (type, data, at, hashed = []) => {
    const parts = [subpacket(2, number(seconds(at), 4)), subpacket(33, Buffer.concat([Buffer.from([4]), fingerprint]))];
    const area = Buffer.concat([...parts, ...hashed]);
    const head = Buffer.concat([Buffer.from([4, type, form, SHA512]), number(area.length, 2), area]);
    const trailer = Buffer.concat([head, Buffer.from([4, 0xff]), number(head.length, 4)]);
    const digest = createHash('sha512').update(data).update(trailer).digest();
    const made = sign(null, digest, secret);
    const values = form === 22 ? [integer(made.subarray(0, 32)), integer(made.subarray(32))] : [made];
    return packetOf(2, Buffer.concat([head, number(0, 2), digest.subarray(0, 2), ...values]));
  };
  return {
    fingerprint: fingerprint.toString('hex'),
    body,
    packet,
    armored(revokedAt) {
      const id = Buffer.from(`${name} <${name}@people.example>`);
      const certified = Buffer.concat([hashedKey, Buffer.from([0xb4]), number(id.length, 4), id]);
      return armor('PUBLIC KEY BLOCK', [
        packetOf(6, body),
        ...(revokedAt === undefined ? [] : [packet(0x20, hashedKey, revokedAt)]),
        packetOf(13, id),
        packet(0x13, certified, createdAt, [subpacket(27, Buffer.from([3]))]),
      ]);
    },
    signed: (text, at) => armor('SIGNATURE', [packet(0, Buffer.from(text), at)]),
  };
}

/** A packet of the new format. */
export function packetOf(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), number(body.length, 4), body]);
}

export function subpacket(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff]), number(body.length + 1, 4), Buffer.from([type]), body]);
}

/** A key packet in the form that signatures hash. */
export function keyHashed(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x99]), number(body.length, 2), body]);
}

export function armor(kind: 'SIGNATURE' | 'PUBLIC KEY BLOCK', packets: readonly Buffer[]): string {
  const lines =
    Buffer.concat(packets)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN PGP ${kind}-----\n\n${lines.join('\n')}\n-----END PGP ${kind}-----\n`;
}

function integer(value: Buffer): Buffer {
  const start = value.findIndex((octet) => octet !== 0);
  const short = start < 0 ? Buffer.alloc(0) : value.subarray(start);
  const bits = short.length === 0 ? 0 : short.length * 8 - (Math.clz32(short[0] ?? 0) - 24);
  return Buffer.concat([number(bits, 2), short]);
}

function number(value: number, octets: number): Buffer {
  const bytes = Buffer.alloc(octets);
  bytes.writeUIntBE(value, 0, octets);
  return bytes;
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000);
