import { sql } from 'kysely';
import { EvidenceUnavailable } from '../domain/index.ts';
import type { Database } from './database.ts';

/** Content of a moved object: evidence of a job, or the raw reply of a source. */
export type MovedKind = 'evidence' | 'body';

/** An object of the operator's store, as recorded in the database. */
export interface MovedObject {
  readonly key: string;
  /** SHA-256 of the object's bytes, hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Fetches an object and checks its hash; throws `EvidenceUnavailable`. */
export type ReadMoved = (object: MovedObject) => Promise<Uint8Array>;

/** Where no object store is configured. */
export const noObjectStore: ReadMoved = () =>
  Promise.reject(new EvidenceUnavailable('The evidence was moved to an object store, and none is configured here.'));

/** An entry of the archive that is old enough to move, by its key: a job, or the hash of a reply. */
export interface Movable {
  readonly subject: string;
  /** Cursor of the next page. */
  readonly since: string;
}

/** Jobs checked in one statement. */
const PAGE = 500;
/** Minutes after which a started write counts as abandoned: every request ends long before. */
const WRITING_MINUTES = 15;
/** A reply that is to be deleted within this number of days is not moved. */
const BODY_DAYS_LEFT = 30;

/**
 * Evidence stored before `before` in the database, the oldest first, after `from`. Excludes the evidence of the newest
 * published rating of an asset, which scores need whatever the state of the object store. Evidence from before
 * collections has no asset on its job and stays.
 */
export async function movableEvidence(
  db: Database,
  before: string,
  from: Movable | null,
): Promise<{ readonly found: readonly Movable[]; readonly next: Movable | null }> {
  const { rows } = await sql<Movable & { readonly asset_id: string | null }>`
    select e.job_id as subject, e.stored_at as since, j.asset_id from evidence e join jobs j on j.id = e.job_id
    where e.object_key is null and e.stored_at < ${before}
      ${from === null ? sql`` : sql`and (e.stored_at, e.job_id) > (${from.since}, ${from.subject})`}
    order by e.stored_at, e.job_id limit ${PAGE}`.execute(db);
  const assets = [...new Set(rows.flatMap((row) => row.asset_id ?? []))];
  const standing = new Set(assets.length === 0 ? [] : await currentRatingJobs(db, assets));
  return {
    found: rows.filter((row) => row.asset_id !== null && !standing.has(row.subject)),
    next: rows.length < PAGE ? null : (rows.at(-1) ?? null),
  };
}

/** The jobs with the evidence of the newest published ratings of these assets. */
async function currentRatingJobs(db: Database, assets: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ job_id: string }>`
    select p.job_id from rated_assets r join published_ratings p on p.asset_id = r.asset_id and p.id = r.rating_id
    where r.asset_id = any(${assets})`.execute(db);
  return rows.map((row) => row.job_id);
}

/**
 * Replies first stored before `before` in the database that are kept for another month at least, the oldest first,
 * after `from`.
 */
export async function movableBodies(
  db: Database,
  before: string,
  now: string,
  from: Movable | null,
): Promise<{ readonly found: readonly Movable[]; readonly next: Movable | null }> {
  const { rows } = await sql<Movable>`
    select sha256 as subject, first_seen as since from bodies
    where object_key is null and (keep_until is null or keep_until - first_seen > interval '60 days')
      and first_seen < ${before}
      and (keep_until is null or keep_until > ${now}::timestamptz + make_interval(days => ${BODY_DAYS_LEFT}))
      ${from === null ? sql`` : sql`and (first_seen, sha256) > (${from.since}, ${from.subject})`}
    order by first_seen, sha256 limit ${PAGE}`.execute(db);
  return { found: rows, next: rows.length < PAGE ? null : (rows.at(-1) ?? null) };
}

/** The bytes of evidence in the database; null when they are not there. */
export async function localEvidence(
  db: Database,
  jobId: string,
): Promise<{ readonly record: Buffer; readonly result: Buffer } | null> {
  const row = await db
    .selectFrom('evidence')
    .select(['record', 'result'])
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return row?.record && row.result ? { record: row.record, result: row.result } : null;
}

/** The bytes of a reply in the database; null when they are not there. */
export async function localBody(db: Database, sha256: string): Promise<Buffer | null> {
  const row = await db.selectFrom('bodies').select('body').where('sha256', '=', sha256).executeTakeFirst();
  return row?.body ?? null;
}

/** Records that an object is going to be written; false when another process writes one for the same entry. */
export async function beginObject(
  db: Database,
  { key, sha256, bytes, kind, subject }: MovedObject & { readonly kind: MovedKind; readonly subject: string },
): Promise<boolean> {
  const { rows } = await sql<{ key: string }>`
    insert into moved_objects (key, kind, subject, state, sha256, bytes, since)
    values (${key}, ${kind}, ${subject}, 'writing', ${sha256}, ${bytes}, clock_timestamp())
    on conflict (kind, subject) where state = 'writing' do nothing returning key`.execute(db);
  return rows.length > 0;
}

/**
 * In one transaction: records the object as stored and removes its content from the database. False when the evidence
 * was deleted or moved meanwhile, or the write was abandoned: the object is then unwanted.
 */
export async function keepObject(db: Database, key: string, kind: MovedKind, subject: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ key: string }>`
      update moved_objects set state = 'kept', since = clock_timestamp()
      where key = ${key} and state = 'writing' returning key`.execute(transaction);
    if (rows.length === 0) return false;
    const moved =
      kind === 'evidence'
        ? await transaction
            .updateTable('evidence')
            .set({ record: null, result: null, object_key: key })
            .where('job_id', '=', subject)
            .where('object_key', 'is', null)
            .executeTakeFirst()
        : await transaction
            .updateTable('bodies')
            .set({ body: null, object_key: key })
            .where('sha256', '=', subject)
            .where('object_key', 'is', null)
            .executeTakeFirst();
    if (Number(moved.numUpdatedRows) === 1) return true;
    await discardObjects(transaction, [key]);
    return false;
  });
}

/** Objects without references; they are deleted from the store later (`unwantedObjects`). */
export async function discardObjects(db: Database, keys: readonly (string | null)[]): Promise<void> {
  const known = keys.filter((key) => key !== null);
  if (known.length === 0) return;
  await db
    .updateTable('moved_objects')
    .set({ state: 'unwanted', since: sql<string>`clock_timestamp()` })
    .where('key', 'in', known)
    .execute();
}

/** Keys of up to `limit` objects to delete from the store: unwanted ones, and abandoned writes. */
export async function unwantedObjects(db: Database, limit: number): Promise<readonly string[]> {
  await sql`update moved_objects set state = 'unwanted'
    where state = 'writing' and since < clock_timestamp() - make_interval(mins => ${WRITING_MINUTES})`.execute(db);
  const rows = await db
    .selectFrom('moved_objects')
    .select('key')
    .where('state', '=', 'unwanted')
    .orderBy('since')
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map((row) => row.key);
}

/** Deletes the record of an unwanted object that is no longer in the store. */
export async function forgetObject(db: Database, key: string): Promise<void> {
  await db.deleteFrom('moved_objects').where('key', '=', key).where('state', '=', 'unwanted').execute();
}

/** Content of the object store, for the doctor and metrics. */
export interface MovedCounts {
  readonly kept: number;
  readonly keptBytes: number;
  readonly writing: number;
  readonly unwanted: number;
  /** A stored object for a test read; null when there is none. */
  readonly sample: MovedObject | null;
}

/** Counts objects by state. */
export async function movedCounts(db: Database): Promise<MovedCounts> {
  const { rows } = await sql<{ state: string; objects: number; bytes: number }>`
    select state, count(*)::float8 as objects, coalesce(sum(bytes), 0)::float8 as bytes
    from moved_objects group by state`.execute(db);
  const of = (state: string) => rows.find((row) => row.state === state);
  const sample = await db
    .selectFrom('moved_objects')
    .select(['key', 'sha256', 'bytes'])
    .where('state', '=', 'kept')
    .limit(1)
    .executeTakeFirst();
  return {
    kept: of('kept')?.objects ?? 0,
    keptBytes: of('kept')?.bytes ?? 0,
    writing: of('writing')?.objects ?? 0,
    unwanted: of('unwanted')?.objects ?? 0,
    sample: sample ?? null,
  };
}
