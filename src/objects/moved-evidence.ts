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

/** Objects deleted per turn of the loop. */
const DELETED_AT_ONCE = 100;
/** Size limit of an object, bytes; evidence and replies are smaller. */
const LARGEST_OBJECT = 256 * 1024 * 1024;

export interface MoveOptions {
  readonly db: Database;
  readonly bucket: Bucket;
  /** Prefix of keys; ends in a slash, or is empty. */
  readonly prefix: string;
  /** Days for which evidence stays in the database. */
  readonly localDays: number;
  readonly now: () => number;
}

/** Failures in a row after which the store itself counts as unavailable. */
const MOST_FAILURES = 3;

/** Counts of one pass. */
export interface Moved {
  readonly evidence: number;
  readonly bodies: number;
  readonly deleted: number;
}

/** Reads moved evidence from the bucket and checks its size and hash. */
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
 * Moves evidence older than `localDays` to the bucket, one object at a time, and deletes unreferenced objects. An
 * object is recorded before it is written, and one transaction removes its content from the database and records its
 * location. A process killed at any point therefore loses nothing, and the next pass continues and cleans up. Stops
 * when `signal` is aborted. An object that cannot be moved stays, and the others are moved; at the end its error is
 * thrown, or at once when the store fails several times in a row.
 */
export async function moveOldEvidence(options: MoveOptions, signal?: AbortSignal): Promise<Moved> {
  const { db, now } = options;
  const deleted = await deleteUnwanted(options, signal);
  const before = new Date(now() - options.localDays * DAY_MS).toISOString();
  const failures: Failures = { first: null, inRow: 0 };
  const all = (kind: MovedKind, page: Page) => moveAll(options, { signal, kind, failures, page });
  const evidence = await all('evidence', (from) => movableEvidence(db, before, from));
  const today = new Date(now()).toISOString();
  const bodies = await all('body', (from) => movableBodies(db, before, today, from));
  if (failures.first !== null) throw failures.first.error;
  return { evidence, bodies, deleted };
}

type Page = (from: Movable | null) => Promise<{ readonly found: readonly Movable[]; readonly next: Movable | null }>;

interface Failures {
  first: { readonly error: unknown } | null;
  inRow: number;
}

async function moveAll(
  options: MoveOptions,
  work: {
    readonly signal: AbortSignal | undefined;
    readonly kind: MovedKind;
    readonly failures: Failures;
    readonly page: Page;
  },
): Promise<number> {
  const { signal, kind, failures, page } = work;
  let moved = 0;
  let from: Movable | null = null;
  do {
    const { found, next }: Awaited<ReturnType<typeof page>> = await page(from);
    for (const { subject } of found) {
      if (signal?.aborted) return moved;
      try {
        if (await moveOne(options, kind, subject)) moved += 1;
        failures.inRow = 0;
      } catch (error) {
        failures.first ??= { error };
        failures.inRow += 1;
        if (failures.inRow === MOST_FAILURES) throw error;
      }
    }
    from = next;
  } while (from !== null && !signal?.aborted);
  return moved;
}

/** Moves one object. False if it was deleted, or another process is moving it. */
async function moveOne({ db, bucket, prefix }: MoveOptions, kind: MovedKind, subject: string): Promise<boolean> {
  const bytes = await localBytes(db, kind, subject);
  if (bytes === null) return false;
  // The key is never reused, so that a late deletion cannot delete a newer object.
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
