import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Hash } from './merkle.ts';

/** State of the log at a time: `root` is the root of the tree of the first `size` ratings. */
export interface Checkpoint {
  /** Name of the log; it never changes. */
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
  /** When it was signed, RFC 3339 UTC. */
  readonly at: string;
}

/** A signature line of a note. */
export interface NoteSignature {
  readonly name: string;
  /** First four bytes of the hash of name, kind and key, in hexadecimal. */
  readonly keyHash: string;
  readonly value: Uint8Array;
}

export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The signed bytes. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Ed25519 key of a log or a witness. `x`: base64url of the 32 bytes. */
export interface NoteKey {
  readonly name: string;
  readonly x: string;
}

const KINDS = { log: 1, witness: 4 } as const;
const HASH_BYTES = 4;
const SIGNATURE_BYTES = 64;
const TIME_BYTES = 8;
const LONGEST_NOTE = 16_384;

/** The signed text of a checkpoint (C2SP tlog-checkpoint, with an additional line for the time). */
export function checkpointText({ origin, size, root, at }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\ntime ${at}\n`;
}

/** A signature line (C2SP signed-note). */
export function signatureLine(key: NoteKey, kind: keyof typeof KINDS, value: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from(keyHashOf(key, kind), 'hex'), value]);
  return `— ${key.name} ${bytes.toString('base64')}\n`;
}

/** Parses a signed checkpoint without verifying it; null if it is malformed. */
export function readCheckpoint(note: string): SignedCheckpoint | null {
  if (note.length > LONGEST_NOTE) return null;
  const end = note.indexOf('\n\n');
  if (end < 0) return null;
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n');
  const at = extensions.find((line) => line.startsWith('time '))?.slice('time '.length) ?? '';
  const hash = Buffer.from(root, 'base64');
  const lines = note.slice(end + 2).split('\n');
  const signatures = lines.slice(0, -1).map(readSignature);
  if (origin === '' || !/^(0|[1-9]\d{0,14})$/.test(size) || hash.length !== 32 || Number.isNaN(Date.parse(at)))
    return null;
  if (lines.at(-1) !== '' || !signatures.every((one) => one !== null)) return null;
  return { checkpoint: { origin, size: Number(size), root: hash, at }, text, signatures };
}

function readSignature(line: string): NoteSignature | null {
  const [, name = '', base64 = ''] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < HASH_BYTES + SIGNATURE_BYTES) return null;
  return { name, keyHash: bytes.subarray(0, HASH_BYTES).toString('hex'), value: bytes.subarray(HASH_BYTES) };
}

/** True if one of the keys, used as the log's key, signed the checkpoint. */
export function isSignedBy({ text, checkpoint, signatures }: SignedCheckpoint, keys: readonly NoteKey[]): boolean {
  return signatures.some(({ name, keyHash, value }) => {
    const key = keys.find((one) => one.name === name && keyHashOf(one, 'log') === keyHash);
    return key !== undefined && name === checkpoint.origin && isEd25519(key, Buffer.from(text), value);
  });
}

/** A witness's signature of a checkpoint. */
export interface Cosignature {
  /** Seconds since the epoch. */
  readonly at: number;
  /** The bytes of its signature line after the hash of the key. */
  readonly value: Uint8Array;
}

/**
 * Finds the first signature of a witness that is valid (C2SP tlog-cosignature, version 1); null if it did not sign the
 * checkpoint. Lines under its name that are not its own are passed over.
 */
export function cosignatureOf({ text, signatures }: SignedCheckpoint, witness: NoteKey): Cosignature | null {
  const keyHash = keyHashOf(witness, 'witness');
  for (const one of signatures) {
    if (one.name !== witness.name || one.keyHash !== keyHash || one.value.length !== TIME_BYTES + SIGNATURE_BYTES)
      continue;
    const at = Number(Buffer.from(one.value).readBigUInt64BE());
    if (isEd25519(witness, Buffer.from(cosignedText(text, at)), one.value.subarray(TIME_BYTES)))
      return { at, value: one.value };
  }
  return null;
}

/** The text that a witness signs: the checkpoint with the witness's time. */
export function cosignedText(text: string, at: number): string {
  return `cosignature/v1\ntime ${at}\n${text}`;
}

/** A witness's signature line: its time in seconds since the epoch, and its signature of `cosignedText`. */
export function cosignatureLine(witness: NoteKey, at: number, signature: Uint8Array): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(at));
  return signatureLine(witness, 'witness', Buffer.concat([time, signature]));
}

/**
 * Parses a witness's public key in the format of signed notes: `name+hash+base64`. Null if it is malformed, or the hash
 * belongs to another key.
 */
export function readWitnessKey(text: string): NoteKey | null {
  const [, name = '', keyHash = '', base64 = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 33 || bytes[0] !== KINDS.witness) return null;
  const key = { name, x: bytes.subarray(1).toString('base64url') };
  return keyHashOf(key, 'witness') === keyHash ? key : null;
}

/** A witness's public key in the format of signed notes. */
export function witnessKeyText(witness: NoteKey): string {
  const bytes = Buffer.concat([Buffer.of(KINDS.witness), Buffer.from(witness.x, 'base64url')]);
  return `${witness.name}+${keyHashOf(witness, 'witness')}+${bytes.toString('base64')}`;
}

function keyHashOf({ name, x }: NoteKey, kind: keyof typeof KINDS): string {
  const kinded = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(KINDS[kind]), Buffer.from(x, 'base64url')]);
  return createHash('sha256')
    .update(kinded)
    .digest('hex')
    .slice(0, HASH_BYTES * 2);
}

function isEd25519({ x }: NoteKey, bytes: Uint8Array, value: Uint8Array): boolean {
  if (Buffer.from(x, 'base64url').length !== 32) return false;
  return verify(null, bytes, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), value);
}
