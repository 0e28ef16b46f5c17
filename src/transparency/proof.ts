import canonicalize from 'canonicalize';
import { UNSIGNED } from './audit.ts';
import { isSignedBy, type NoteKey, readCheckpoint } from './checkpoint.ts';
import { hashLeaf, isIncluded } from './merkle.ts';
import { recordHash } from './tiles.ts';

/** Proof that a rating is in the log, in the form of `GET /v1/rms/{asset}/proofs`. */
export interface RatingProof {
  readonly leaf_index: number;
  readonly leaf: string;
  readonly tree_size: number;
  /** Base64. */
  readonly path: readonly string[];
  readonly checkpoint: string;
}

/** The signed tree that contains a rating. */
export interface LoggedAt {
  readonly origin: string;
  readonly size: number;
  /** Time of the signature, RFC 3339 UTC. */
  readonly at: string;
}

/** The signed bytes of a signed reply: RFC 8785 JSON of the record at its publication. */
export function signedBytes(record: Readonly<Record<string, unknown>>): string {
  return canonicalize(Object.fromEntries(Object.entries(record).filter(([name]) => !UNSIGNED.includes(name)))) ?? '';
}

/** The tree that one of the keys signed and that contains the record by its proof, or why there is none. */
export function whyNotLogged(
  record: Readonly<Record<string, unknown>>,
  proof: RatingProof,
  keys: readonly Pick<NoteKey, 'x'>[],
): LoggedAt | 'malformed_proof' | 'unknown_log_key' | 'other_record' | 'not_included' {
  const read = readCheckpoint(proof.checkpoint);
  const path = proof.path.map((hash) => Buffer.from(hash, 'base64'));
  if (read === null || path.some(({ length }) => length !== 32)) return 'malformed_proof';
  const { origin, size, root, at } = read.checkpoint;
  const named = keys.map(({ x }) => ({ name: origin, x }));
  if (!isSignedBy(read, named)) return 'unknown_log_key';
  if (size !== proof.tree_size) return 'malformed_proof';
  if (hashOfLeaf(proof.leaf) !== recordHash(signedBytes(record))) return 'other_record';
  const isHeld = isIncluded(hashLeaf(Buffer.from(proof.leaf)), proof.leaf_index, size, path, root);
  return isHeld ? { origin, size, at } : 'not_included';
}

function hashOfLeaf(leaf: string): string | null {
  try {
    const { record_sha256: hash } = JSON.parse(leaf) as { readonly record_sha256?: unknown };
    return typeof hash === 'string' ? hash : null;
  } catch {
    return null;
  }
}
