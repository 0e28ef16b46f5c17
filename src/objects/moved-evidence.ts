import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS, EvidenceUnavailable } from '../domain/index.ts';
import {
  beginObject,
  boundEvidence,
  type Database,
  discardObjects,
  forgetObject,
  keepObject,
  localBody,
  localEvidence,
  type Movable,
  type MovedKind,
  type MovedObject,
  movableBodies,
  movableEvidence,
  type ReadMoved,
  unwantedObjects,
} from '../store/index.ts';
import type { Bucket } from './s3.ts';

/** Objects deleted in one turn of the loop. */
const DELETED_AT_ONCE = 100;
/** No object of ours is larger: neither evidence nor replies are. */
const LARGEST_OBJECT = 256 * 1024 * 1024;

export interface MoveOptions {
  readonly db: Database;
  readonly bucket: Bucket;
  /** What keys begin with; ends in a slash, or is empty. */
  readonly prefix: string;
  /** Days that evidence stays in the database. */
  readonly localDays: number;
  readonly now: () => number;
}

/** What one pass did. */
export interface Moved {
  readonly evidence: number;
  readonly bodies: number;
  readonly deleted: number;
}

/** Reads moved evidence from the bucket, checked against its size and hash. */
export function readMovedFrom(bucket: Pick<Bucket, 'get'>): ReadMoved {
  return async (object) => {
    if (object.bytes > LARGEST_OBJECT) throw new EvidenceUnavailable('The object is larger than any of ours.');
    const bytes = await bucket.get(object.key, object.bytes);
    if (bytes === null) throw new EvidenceUnavailable('The object store does not hold the evidence.');
    if (!isAsKnown(bytes, object))
      throw new EvidenceUnavailable('The object store holds other bytes than were stored.');
    return bytes;
  };
}

function isAsKnown(bytes: Uint8Array, object: MovedObject): boolean {
  return bytes.byteLength === object.bytes && sha256(bytes) === object.sha256;
}

/**
 * Moves what is older than `localDays` to the bucket, one object after the other, and deletes objects that nothing refers to. An
 * object is noted before it is written, and what it holds leaves the database in the transaction that says where it lies now: a
 * process that is killed anywhere loses nothing, and the next pass goes on and clears up. Stops when `signal` is aborted; throws
 * when the store does not do its work.
 */
export async function moveOldEvidence(options: MoveOptions, signal?: AbortSignal): Promise<Moved> {
  const { db, now } = options;
  const deleted = await deleteUnwanted(options, signal);
  const before = new Date(now() - options.localDays * DAY_MS).toISOString();
  const evidence = await moveAll(options, signal, 'evidence', (from) => movableEvidence(db, before, from));
  const today = new Date(now()).toISOString();
  const bodies = await moveAll(options, signal, 'body', (from) => movableBodies(db, before, today, from));
  return { evidence, bodies, deleted };
}

async function moveAll(
  options: MoveOptions,
  signal: AbortSignal | undefined,
  kind: MovedKind,
  page: (from: Movable | null) => Promise<{ readonly found: readonly Movable[]; readonly next: Movable | null }>,
): Promise<number> {
  let moved = 0;
  let from: Movable | null = null;
  do {
    const { found, next }: Awaited<ReturnType<typeof page>> = await page(from);
    for (const { subject } of found) {
      if (signal?.aborted) return moved;
      if (await moveOne(options, kind, subject)) moved += 1;
    }
    from = next;
  } while (from !== null && !signal?.aborted);
  return moved;
}

/** False if it was deleted, or another process moves it. */
async function moveOne({ db, bucket, prefix }: MoveOptions, kind: MovedKind, subject: string): Promise<boolean> {
  const bytes = await localBytes(db, kind, subject);
  if (bytes === null) return false;
  // Never a key that was used before: a late deletion can then not delete a newer object.
  const key = `${prefix}${kind}/${subject}/${randomBytes(8).toString('hex')}`;
  const object = { key, sha256: sha256(bytes), bytes: bytes.byteLength };
  if (!(await beginObject(db, { ...object, kind, subject }))) return false;
  try {
    await bucket.put(key, bytes);
  } catch (error) {
    await discardObjects(db, [key]);
    throw error;
  }
  return keepObject(db, key, kind, subject);
}

async function localBytes(db: Database, kind: MovedKind, subject: string): Promise<Uint8Array | null> {
  if (kind === 'body') return localBody(db, subject);
  const evidence = await localEvidence(db, subject);
  return evidence && boundEvidence(evidence);
}

async function deleteUnwanted({ db, bucket }: MoveOptions, signal: AbortSignal | undefined): Promise<number> {
  let deleted = 0;
  for (;;) {
    const keys = await unwantedObjects(db, DELETED_AT_ONCE);
    for (const key of keys) {
      if (signal?.aborted) return deleted;
      await bucket.remove(key);
      await forgetObject(db, key);
      deleted += 1;
    }
    if (keys.length < DELETED_AT_ONCE) return deleted;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
