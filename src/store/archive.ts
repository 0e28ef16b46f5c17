import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { sql, type Transaction } from 'kysely';
import { DAY_MS } from '../domain/index.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

const compressAside = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const PURGE_MARGIN_MS = 600_000;
/** Bodies in one statement. */
const BODIES_AT_ONCE = 50;
const LARGEST_BODY = 64 * 1024 * 1024;
/** Up to here compressing takes about a fifth of a millisecond, less than handing it to a thread (docs/performance.md). */
const PACKED_AT_ONCE_BYTES = 64 * 1024;

/** A body ready to be stored. */
export interface PackedBody {
  readonly sha256: string;
  readonly source: string;
  readonly bytes: number;
  readonly packed: Buffer;
  /** Days; null: no end. */
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
 * A size said beforehand keeps zstd's tables as small as the body. Else each body takes megabytes, which V8 counts as its
 * own: it collected the whole heap once a score.
 */
function compress(bytes: Uint8Array): Buffer | Promise<Buffer> {
  const options = { pledgedSrcSize: bytes.byteLength };
  return bytes.byteLength <= PACKED_AT_ONCE_BYTES ? zstdCompressSync(bytes, options) : compressAside(bytes, options);
}

/** Hashes of those that are kept well beyond `now`: they need not be compressed again, and no purge takes them meanwhile. */
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

/** A body that is to be kept: packed when the store has not seen it yet, else only its hash and how long. */
export type KeptBody = PackedBody | { readonly sha256: string; readonly packed: null; readonly keepDays: number };

/**
 * Stores bodies once by hash (each given once); the longest time to keep wins. In the order of their hashes: jobs that end together share
 * bodies, and two transactions that lock them in different orders would wait for each other.
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
          // null is "no end", and greatest() would pass over it.
          .doUpdateSet({
            keep_until: sql`case when bodies.keep_until is null or excluded.keep_until is null then null
              else greatest(bodies.keep_until, excluded.keep_until) end`,
          }),
      )
      .execute();
}

/** The decoded body by hash; null when it is no longer kept. */
export async function bodyByHash(db: Database, sha256: string): Promise<Uint8Array | null> {
  const row = await db.selectFrom('bodies').select('body').where('sha256', '=', sha256).executeTakeFirst();
  return row ? decompress(row.body, { maxOutputLength: LARGEST_BODY }) : null;
}

/** Removes bodies whose time is over. Returns how many. */
export async function purgeBodies(db: Database, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('bodies')
    .where('keep_until', '<', new Date(now).toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Stores the evidence record and the result's bytes of a job. */
export async function storeEvidence(
  transaction: Transaction<Tables>,
  row: {
    readonly jobId: string;
    readonly record: Uint8Array;
    readonly result: Uint8Array;
    readonly resultSha256: string;
    readonly at: string;
  },
): Promise<void> {
  const [record, result] = await Promise.all([compress(row.record), compress(row.result)]);
  await transaction
    .insertInto('evidence')
    .values({ job_id: row.jobId, record, result, result_sha256: row.resultSha256, stored_at: row.at })
    // A partial answer that was stored for a process that died before it could end the job counts for the next one.
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .execute();
}

/** True when evidence is kept of the job. */
export async function hasEvidence(db: Database, jobId: string): Promise<boolean> {
  return (
    (await db.selectFrom('evidence').select('job_id').where('job_id', '=', jobId).executeTakeFirst()) !== undefined
  );
}

/** The archived bytes of a job, of a score those of what answered it; null when it has none. */
export async function evidenceOf(
  db: Database,
  jobId: string,
): Promise<{ readonly record: Uint8Array; readonly result: Uint8Array } | null> {
  const row = await db
    .selectFrom('evidence')
    .innerJoin('jobs', (join) =>
      join.on((on) => on('evidence.job_id', '=', sql<string>`coalesce(jobs.answered_by, jobs.id)`)),
    )
    .select(['evidence.record', 'evidence.result'])
    .where('jobs.id', '=', jobId)
    .executeTakeFirst();
  if (!row) return null;
  const [record, result] = await Promise.all([decompress(row.record), decompress(row.result)]);
  return { record, result };
}

/** Evidence read from the database at a time. */
const RECORDS_AT_A_TIME = 100;

/** The newest `most` evidence records, newest first. */
export async function* newestEvidence(db: Database, most: number): AsyncIterable<Uint8Array> {
  const newest = await db
    .selectFrom('evidence')
    .select('job_id')
    .orderBy('stored_at', 'desc')
    .orderBy('job_id')
    .limit(most)
    .execute();
  for (let from = 0; from < newest.length; from += RECORDS_AT_A_TIME) {
    const ids = newest.slice(from, from + RECORDS_AT_A_TIME).map((row) => row.job_id);
    const rows = await db.selectFrom('evidence').select(['job_id', 'record']).where('job_id', 'in', ids).execute();
    const records = new Map(rows.map((row) => [row.job_id, row.record]));
    for (const id of ids) {
      const record = records.get(id);
      if (record !== undefined) yield decompress(record);
    }
  }
}
