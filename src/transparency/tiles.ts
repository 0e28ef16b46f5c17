import { createHash } from 'node:crypto';
import { type Hash, hashNode, type Subtree, splitOf } from './merkle.ts';

/** Number of hashes that are stored or sent together: each tile of a level gives one hash of the next level. */
export const TILE_WIDTH = 256;
const TILE_LEVELS = Math.log2(TILE_WIDTH);

/**
 * Reads hashes of a level from `from` (inclusive) to `to` (exclusive), at most one tile: hashes of leaves (level 0), or
 * of complete tiles of the level below.
 */
export type ReadHashes = (level: number, from: number, to: number) => Promise<readonly Hash[]>;

/**
 * Subtrees of a log whose hashes are stored in tiles. Each takes a few reads of at most `TILE_WIDTH` hashes, whatever
 * its size; no read is repeated.
 */
export function subtreesOf(read: ReadHashes): Subtree {
  const known = new Map<string, Promise<readonly Hash[]>>();
  const once = (level: number, from: number, to: number) => {
    const key = `${level} ${from} ${to}`;
    const found = known.get(key) ?? read(level, from, to);
    known.set(key, found);
    return found;
  };
  const subtree: Subtree = async (from, to) => {
    const size = to - from;
    if (size === 1) return only(await once(0, from, to), 1);
    const isWhole = Number.isInteger(Math.log2(size)) && from % size === 0;
    if (!isWhole) {
      const middle = from + splitOf(size);
      const [left, right] = await Promise.all([subtree(from, middle), subtree(middle, to)]);
      return hashNode(left, right);
    }
    const level = Math.floor(Math.log2(size) / TILE_LEVELS);
    const width = TILE_WIDTH ** level;
    return only(await once(level, from / width, to / width), size / width);
  };
  return subtree;
}

/** Root of a complete subtree with `expected` hashes. */
function only(hashes: readonly Hash[], expected: number): Hash {
  if (hashes.length !== expected) throw new Error(`${hashes.length} of ${expected} hashes of the log were read`);
  let row = [...hashes];
  while (row.length > 1)
    row = Array.from({ length: row.length / 2 }, (_, index) =>
      hashNode(row[index * 2] as Hash, row[index * 2 + 1] as Hash),
    );
  return row[0] as Hash;
}

/** Hash of a complete tile. */
export function hashTile(hashes: readonly Hash[]): Hash {
  return only(hashes, TILE_WIDTH);
}

/** A published rating as a leaf of the log. */
export interface LogEntry {
  /** CAIP-19 id of the asset, or `project:DOMAIN`. */
  readonly asset: string;
  /** Date of the facts of the rating, RFC 3339 UTC. */
  readonly asOf: string;
  /** SHA-256 of the record's canonical JSON without its signature, as hex. */
  readonly recordSha256: string;
}

/** Bytes of a leaf: canonical JSON (RFC 8785) of `{"as_of", "asset", "record_sha256"}`. */
export function leafInput({ asset, asOf, recordSha256 }: LogEntry): Buffer {
  // Members in the order of RFC 8785; JSON.stringify writes strings as RFC 8785 requires.
  return Buffer.from(JSON.stringify({ as_of: asOf, asset, record_sha256: recordSha256 }));
}

/** Hash of a record in its leaf. */
export function recordHash(canonical: Uint8Array | string): string {
  return createHash('sha256').update(canonical).digest('hex');
}
