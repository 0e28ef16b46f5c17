import { bytesOfBase64 } from './base64.ts';
import { canonicalJson } from './canonical-json.ts';
import { UNSIGNED, type VerifyingKey } from './verify-record.ts';

/** A proof as returned by `GET /v1/rms/{asset}/proofs`. */
export interface RatingProof {
  readonly leaf_index: number;
  readonly leaf: string;
  readonly tree_size: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

export type LogVerified =
  | {
      readonly valid: true;
      /** Name of the log, size of its tree, root as base64, and when it was signed. */
      readonly checkpoint: {
        readonly origin: string;
        readonly size: number;
        readonly root: string;
        readonly at: string;
      };
    }
  | {
      readonly valid: false;
      readonly reason: 'malformed' | 'unknown_key' | 'other_record' | 'other_tree' | 'not_included';
    };

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Checks that `record`, as published, is in the log whose checkpoint one of `keys` signed. Store the newest verified
 * checkpoint, and check the next one against it with `verifyConsistency`. Rejects where WebCrypto has no Ed25519.
 */
export async function verifyInclusion(
  record: object,
  proof: RatingProof,
  keys: readonly VerifyingKey[],
): Promise<LogVerified> {
  const signed = Object.fromEntries(Object.entries(record).filter(([name]) => !UNSIGNED.includes(name)));
  const hash = hexOf(await sha256(new TextEncoder().encode(canonicalJson(signed))));
  if (recordHashOf(proof.leaf) !== hash) return { valid: false, reason: 'other_record' };
  const checked = await verifyCheckpoint(proof.checkpoint, keys);
  if (!checked.valid) return checked;
  const { checkpoint } = checked;
  const path = proof.path.map(bytesOfBase64);
  const root = bytesOfBase64(checkpoint.root);
  if (root === null || !path.every((one): one is Bytes => one?.length === 32))
    return { valid: false, reason: 'malformed' };
  if (checkpoint.size !== proof.tree_size) return { valid: false, reason: 'other_tree' };
  let [node, last] = [proof.leaf_index, checkpoint.size - 1];
  if (!Number.isSafeInteger(node) || node < 0 || node > last) return { valid: false, reason: 'malformed' };
  let found = await hashOf(0, new TextEncoder().encode(proof.leaf));
  for (const sibling of path) {
    if (last === 0) return { valid: false, reason: 'not_included' };
    if (node % 2 === 1 || node === last) {
      found = await hashOf(1, sibling, found);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else found = await hashOf(1, found, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hexOf(found) === hexOf(root) ? checked : { valid: false, reason: 'not_included' };
}

/** Checks that one of `keys` signed a checkpoint of the log, and returns its content. */
export async function verifyCheckpoint(note: string, keys: readonly VerifyingKey[]): Promise<LogVerified> {
  const end = note.indexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = '', ...rest] = text.slice(0, -1).split('\n');
  const at = rest.find((line) => line.startsWith('time '))?.slice('time '.length) ?? '';
  if (end < 0 || !/^(0|[1-9]\d{0,14})$/.test(size) || bytesOfBase64(root)?.length !== 32)
    return { valid: false, reason: 'malformed' };
  for (const line of note.slice(end + 2).split('\n')) {
    const [, name, base64 = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = name === origin ? bytesOfBase64(base64) : null;
    // A hash of the key, of four bytes, then the signature.
    if (bytes?.length !== 68) continue;
    for (const key of keys) {
      const point = bytesOfBase64(key.x);
      if (point?.length !== 32) continue;
      const imported = await crypto.subtle.importKey('raw', point, { name: 'Ed25519' }, false, ['verify']);
      const right = await crypto.subtle.verify('Ed25519', imported, bytes.slice(4), new TextEncoder().encode(text));
      if (right) return { valid: true, checkpoint: { origin, size: Number(size), root, at } };
    }
  }
  return { valid: false, reason: 'unknown_key' };
}

/**
 * Checks that the tree of a newer checkpoint extends that of an older one. `path`: of `GET /v1/log/consistency`. Both are
 * checkpoints of one log that `verifyCheckpoint` found valid.
 */
export async function verifyConsistency(
  older: { readonly origin: string; readonly size: number; readonly root: string },
  newer: { readonly origin: string; readonly size: number; readonly root: string },
  path: readonly string[],
): Promise<boolean> {
  if (older.origin !== newer.origin || older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && older.root === newer.root;
  if (older.size === 0) return path.length === 0;
  const hashes = (Number.isInteger(Math.log2(older.size)) ? [older.root, ...path] : path).map(bytesOfBase64);
  if (!hashes.every((one): one is Bytes => one?.length === 32)) return false;
  const [first, ...rest] = hashes;
  if (first === undefined) return false;
  let [node, last] = [older.size - 1, newer.size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [before, now] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [before, now] = [await hashOf(1, hash, before), await hashOf(1, hash, now)];
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else now = await hashOf(1, now, hash);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  const [olderRoot, newerRoot] = [bytesOfBase64(older.root), bytesOfBase64(newer.root)];
  return (
    last === 0 &&
    olderRoot !== null &&
    newerRoot !== null &&
    hexOf(before) === hexOf(olderRoot) &&
    hexOf(now) === hexOf(newerRoot)
  );
}

function recordHashOf(leaf: string): string | null {
  try {
    const { record_sha256: hash } = JSON.parse(leaf) as { readonly record_sha256?: unknown };
    return typeof hash === 'string' ? hash : null;
  } catch {
    return null;
  }
}

async function hashOf(kind: 0 | 1, ...parts: readonly Uint8Array[]): Promise<Bytes> {
  const bytes = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  bytes[0] = kind;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return sha256(bytes);
}

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
