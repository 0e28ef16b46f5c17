import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { sql, type Transaction } from 'kysely';
import { DAY_MS, EvidenceUnavailable } from '../domain/index.ts';
import type { Database } from './database.ts';
import { discardObjects, type MovedObject, type ReadMoved } from './moved.ts';
import { type EvidenceBytes, packEvidence, unboundEvidence, unpackEvidence, unpackRecord } from './packed-evidence.ts';
import type { Tables } from './tables.ts';

const compressAside = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const PURGE_MARGIN_MS = 600_000;
/** Bodies in one statement. */
const BODIES_AT_ONCE = 50;
const LARGEST_BODY = 64 * 1024 * 1024;
/**
 * Up to this size compressing takes about a fifth of a millisecond, less than a hand-over to a thread
 * (docs/performance.md).
 */
const PACKED_AT_ONCE_BYTES = 64 * 1024;

/** A body ready to be stored. */
export interface PackedBody {
  readonly sha256: string;
  readonly source: string;
  readonly bytes: number;
  readonly packed: Buffer;
  /** Days; null: kept for ever. */
  readonly keepDays: number | null;
}

/** Compresses outside the transaction, so that it stays short. */
export async function packBody(body: {
  readonly sha256: string;
  readonly source: string;
  readonly body: Uint8Array;
  readonly keepDays: number | null;
}): Promise<PackedBody> {
  const packed = await compress(body.body);
  return { sha256: body.sha256, source: body.source, bytes: body.body.byteLength, packed, keepDays: body.keepDays };
}

/**
 * A known size keeps zstd's tables as small as the body. Otherwise each body allocates megabytes, which V8 counts as
 * its own, so that it collected the whole heap once per score.
 */
function compress(bytes: Uint8Array): Buffer | Promise<Buffer> {
  const options = { pledgedSrcSize: bytes.byteLength };
  return bytes.byteLength <= PACKED_AT_ONCE_BYTES ? zstdCompressSync(bytes, options) : compressAside(bytes, options);
}

/**
 * Hashes of the stored bodies among these that are kept well beyond `now`: they need not be compressed again, and no
 * purge deletes them meanwhile.
 */
export async function knownBodies(db: Database, hashes: readonly string[], now: number): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db
    .selectFrom('bodies')
    .select('sha256')
    .where('sha256', 'in', [...hashes])
    .where((where) =>
      where.or([
        where('keep_until', 'is', null),
        where('keep_until', '>', new Date(now + PURGE_MARGIN_MS).toISOString()),
      ]),
    )
    .execute();
  return new Set(rows.map((row) => row.sha256));
}

/** A body to be stored: compressed when the store does not have it yet, else only its hash and retention. */
export type KeptBody = PackedBody | { readonly sha256: string; readonly packed: null; readonly keepDays: number };

/**
 * Stores bodies once by hash (each given once); the longest retention wins. In the order of their hashes: jobs that end
 * together share bodies, and two transactions that lock them in different orders would deadlock.
 */
export async function storeBodies(
  transaction: Transaction<Tables>,
  bodies: readonly KeptBody[],
  now: number,
): Promise<void> {
  const inOrder = [...bodies].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  const untilOf = ({ keepDays }: KeptBody) =>
    keepDays === null ? null : new Date(now + keepDays * DAY_MS).toISOString();
  const known = inOrder.filter((body) => body.packed === null);
  if (known.length > 0)
    await sql`
      with kept as (select * from unnest(${known.map((body) => body.sha256)}::text[], ${known.map(untilOf)}::timestamptz[]) kept (sha256, until)),
      held as materialized (
        select bodies.sha256, kept.until from bodies join kept using (sha256)
        where bodies.keep_until < kept.until order by bodies.sha256 for update of bodies
      )
      update bodies set keep_until = held.until from held where bodies.sha256 = held.sha256`.execute(transaction);
  const packed = inOrder.filter((body) => body.packed !== null);
  for (let from = 0; from < packed.length; from += BODIES_AT_ONCE)
    await transaction
      .insertInto('bodies')
      .values(
        packed.slice(from, from + BODIES_AT_ONCE).map((body) => ({
          sha256: body.sha256,
          source: body.source,
          body: body.packed,
          bytes: body.bytes,
          first_seen: new Date(now).toISOString(),
          keep_until: untilOf(body),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .column('sha256')
          // null is "for ever", which greatest() would ignore.
          .doUpdateSet({
            keep_until: sql`case when bodies.keep_until is null or excluded.keep_until is null then null
              else greatest(bodies.keep_until, excluded.keep_until) end`,
          }),
      )
      .execute();
}

/** The decoded body by hash; null when it is no longer kept. Throws `EvidenceUnavailable`. */
export async function bodyByHash(db: Database, sha256: string, readMoved: ReadMoved): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('bodies')
    .leftJoin('moved_objects', 'moved_objects.key', 'bodies.object_key')
    .select(['bodies.body', ...OBJECT])
    .where('bodies.sha256', '=', sha256)
    .executeTakeFirst();
  if (!row) return null;
  return decompress(row.body ?? (await readMoved(objectOf(row))), { maxOutputLength: LARGEST_BODY });
}

const OBJECT = [
  'moved_objects.key',
  'moved_objects.sha256 as object_sha256',
  'moved_objects.bytes as object_bytes',
] as const;

/** The object that a row without its bytes refers to. */
function objectOf(row: {
  readonly key: string | null;
  readonly object_sha256: string | null;
  readonly object_bytes: number | null;
}): MovedObject {
  if (row.key === null || row.object_sha256 === null || row.object_bytes === null)
    throw new EvidenceUnavailable('The evidence is neither in the database nor in a known object.');
  return { key: row.key, sha256: row.object_sha256, bytes: row.object_bytes };
}

/** Deletes expired bodies, including moved ones. Returns their number. */
export function purgeBodies(db: Database, now: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .deleteFrom('bodies')
      .where('keep_until', '<', new Date(now).toISOString())
      .returning('object_key')
      .execute();
    await discardObjects(
      transaction,
      rows.map((row) => row.object_key),
    );
    return rows.length;
  });
}

/** The archive of a job: the evidence record and the result's bytes. */
export interface JobEvidence {
  readonly jobId: string;
  readonly record: Uint8Array;
  readonly result: Uint8Array;
  readonly resultSha256: string;
  readonly at: string;
}

/**
 * Stores the archives of these jobs. A job that has an archive keeps it: an archive is never replaced. Returns the jobs
 * whose archive was stored.
 */
export async function storeEvidence(
  transaction: Transaction<Tables>,
  rows: readonly JobEvidence[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const packed = await Promise.all(rows.map((row) => packEvidence(row)));
  const stored = await transaction
    .insertInto('evidence')
    .values(
      rows.map(({ jobId, resultSha256, at }, index) => {
        const { record, result } = packed[index] as (typeof packed)[number];
        return { job_id: jobId, record, result, result_sha256: resultSha256, stored_at: at };
      }),
    )
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .returning('job_id')
    .execute();
  return new Set(stored.map((row) => row.job_id));
}

/** True when evidence of the job is stored. */
export async function hasEvidence(db: Database, jobId: string): Promise<boolean> {
  return (
    (await db.selectFrom('evidence').select('job_id').where('job_id', '=', jobId).executeTakeFirst()) !== undefined
  );
}

/**
 * The archived bytes of a job, for a score those of the job with its result; null when it has none. Throws
 * `EvidenceUnavailable`.
 */
export async function evidenceOf(
  db: Database,
  jobId: string,
  readMoved: ReadMoved,
): Promise<{ readonly record: Uint8Array; readonly result: Uint8Array } | null> {
  const row = await db
    .selectFrom('evidence')
    .innerJoin('jobs', (join) =>
      join.on((on) => on('evidence.job_id', '=', sql<string>`coalesce(jobs.answered_by, jobs.id)`)),
    )
    .leftJoin('moved_objects', 'moved_objects.key', 'evidence.object_key')
    .select(['evidence.record', 'evidence.result', ...OBJECT])
    .where('jobs.id', '=', jobId)
    .executeTakeFirst();
  if (!row) return null;
  return unpackEvidence(await packedEvidence(row, readMoved));
}

async function packedEvidence(
  row: { readonly record: Buffer | null; readonly result: Buffer | null } & Parameters<typeof objectOf>[0],
  readMoved: ReadMoved,
): Promise<EvidenceBytes> {
  const { record, result } = row;
  if (record !== null && result !== null) return { record, result };
  const evidence = unboundEvidence(await readMoved(objectOf(row)));
  if (evidence === null) throw new EvidenceUnavailable('The object holds no evidence.');
  return evidence;
}

/** Evidence read from the database at once. */
const RECORDS_AT_A_TIME = 100;

/** The newest `most` evidence records, newest first. Throws `EvidenceUnavailable`. */
export async function* newestEvidence(db: Database, most: number, readMoved: ReadMoved): AsyncIterable<Uint8Array> {
  const newest = await db
    .selectFrom('evidence')
    .select('job_id')
    .orderBy('stored_at', 'desc')
    .orderBy('job_id')
    .limit(most)
    .execute();
  for (let from = 0; from < newest.length; from += RECORDS_AT_A_TIME) {
    const ids = newest.slice(from, from + RECORDS_AT_A_TIME).map((row) => row.job_id);
    const rows = await db
      .selectFrom('evidence')
      .leftJoin('moved_objects', 'moved_objects.key', 'evidence.object_key')
      .select(['evidence.job_id', 'evidence.record', 'evidence.result', ...OBJECT])
      .where('evidence.job_id', 'in', ids)
      .execute();
    const records = new Map(rows.map((row) => [row.job_id, row]));
    for (const id of ids) {
      const row = records.get(id);
      if (row !== undefined) yield unpackRecord((await packedEvidence(row, readMoved)).record);
    }
  }
}
