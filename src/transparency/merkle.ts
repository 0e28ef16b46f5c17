import { createHash } from 'node:crypto';

/** A SHA-256 hash, 32 bytes. */
export type Hash = Uint8Array;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Hash of the tree without leaves: the hash of no bytes (RFC 6962, 2.1). */
export const EMPTY_ROOT: Hash = createHash('sha256').digest();

/** Hash of a leaf (RFC 6962, 2.1); the first byte distinguishes leaves from nodes. */
export function hashLeaf(input: Uint8Array): Hash {
  return createHash('sha256').update(LEAF).update(input).digest();
}

/** Hash of a node over its two children. */
export function hashNode(left: Hash, right: Hash): Hash {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

/** The largest power of two below `size` (at least 2), at which a tree of this size is split. */
export function splitOf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/** Hash of the subtree over the leaves from `from` (inclusive) to `to` (exclusive). */
export type Subtree = (from: number, to: number) => Promise<Hash>;

/**
 * Audit path of leaf `index` in the tree of the first `size` leaves (RFC 6962, 2.1.1), from the leaf's sibling up.
 * Throws a RangeError unless 0 <= index < size.
 */
export async function inclusionProof(index: number, size: number, subtree: Subtree): Promise<readonly Hash[]> {
  if (!(Number.isInteger(index) && index >= 0 && index < size)) throw new RangeError(`no leaf ${index} of ${size}`);
  const path: Promise<Hash>[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    const isLeft = index < middle;
    path.push(isLeft ? subtree(middle, to) : subtree(from, middle));
    [from, to] = isLeft ? [from, middle] : [middle, to];
  }
  return (await Promise.all(path)).reverse();
}

/**
 * Proof that the tree of `size` leaves begins with that of `before` (RFC 6962, 2.1.2); empty if both are equal or
 * `before` is 0. Throws a RangeError unless 0 <= before <= size.
 */
export async function consistencyProof(before: number, size: number, subtree: Subtree): Promise<readonly Hash[]> {
  if (!(Number.isInteger(before) && before >= 0 && before <= size))
    throw new RangeError(`no tree ${before} of ${size}`);
  if (before === 0 || before === size) return [];
  const path: Promise<Hash>[] = [];
  let [from, to] = [0, size];
  // True if the remaining part is a complete subtree of the older tree; the verifier has its hash only for the whole
  // tree.
  let isWhole = true;
  while (before !== to) {
    const middle = from + splitOf(to - from);
    if (before <= middle) {
      path.push(subtree(middle, to));
      to = middle;
    } else {
      path.push(subtree(from, middle));
      from = middle;
      isWhole = false;
    }
  }
  if (!isWhole) path.push(subtree(from, to));
  return (await Promise.all(path)).reverse();
}

/**
 * Whether `path` proves that `leaf` is leaf `index` of the tree of `size` leaves with that root (RFC 9162, 2.1.3.2).
 */
export function isIncluded(leaf: Hash, index: number, size: number, path: readonly Hash[], root: Hash): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let [node, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = hashNode(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = hashNode(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && isSame(hash, root);
}

/** Whether `path` proves that the tree of `size` leaves begins with that of `before` leaves (RFC 9162, 2.1.4.2). */
export function isConsistent(
  before: { readonly size: number; readonly root: Hash },
  now: { readonly size: number; readonly root: Hash },
  path: readonly Hash[],
): boolean {
  if (before.size > now.size || before.size < 0) return false;
  if (before.size === now.size) return path.length === 0 && isSame(before.root, now.root);
  if (before.size === 0) return path.length === 0;
  const isPower = splitOf(before.size * 2) === before.size;
  const [first, ...rest] = isPower ? [before.root, ...path] : path;
  if (first === undefined) return false;
  let [node, last] = [before.size - 1, now.size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [older, newer] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      older = hashNode(hash, older);
      newer = hashNode(hash, newer);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else newer = hashNode(newer, hash);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && isSame(older, before.root) && isSame(newer, now.root);
}

/**
 * A tree for appending, represented only by the hashes of its complete subtrees: at most one per power of two. Two
 * trees with the same leaves have the same hashes.
 */
export class Frontier {
  #size: number;
  readonly #parts: Hash[];

  /**
   * `parts`: hashes of the complete subtrees of `size` leaves, the largest first. Throws a RangeError when their number
   * is wrong.
   */
  constructor(size = 0, parts: readonly Hash[] = []) {
    if (!Number.isSafeInteger(size) || size < 0 || parts.length !== bitsOf(size))
      throw new RangeError(`${parts.length} parts do not make ${size} leaves`);
    this.#size = size;
    this.#parts = [...parts];
  }

  get size(): number {
    return this.#size;
  }

  get parts(): readonly Hash[] {
    return [...this.#parts];
  }

  /** Appends the hash of a leaf. */
  add(leaf: Hash): void {
    let hash = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = hashNode(this.#parts.pop() as Hash, hash);
    this.#parts.push(hash);
    this.#size += 1;
  }

  /** Hash of the whole tree. */
  root(): Hash {
    const [last, ...larger] = this.#parts.toReversed();
    return last === undefined ? EMPTY_ROOT : larger.reduce((hash, part) => hashNode(part, hash), last);
  }
}

function bitsOf(size: number): number {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}

/** True when two hashes are equal. They are public, so a timing leak is harmless. */
export function isSame(one: Hash, other: Hash): boolean {
  return Buffer.compare(one, other) === 0;
}
