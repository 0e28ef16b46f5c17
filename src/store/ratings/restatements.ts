import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';

/** A correction as it is shown: of a published day (`date`, `revision`), or of a rating (`asset_id`, `rating_id`). */
export type RestatementRow = Omit<Selectable<Tables['restatements']>, 'record' | 'signature'>;

const SHOWN = ['id', 'subject', 'revision', 'asset_id', 'rating_id', 'made_at', 'reason', 'body'] as const;
const day = sql<string | null>`to_char(date, 'YYYY-MM-DD')`.as('date');

/** Adds the restatement of a day; the same one twice is one. Returns its id. */
export async function storeDayRestatement(
  db: Kysely<Tables>,
  row: {
    readonly subject: string;
    readonly date: string;
    readonly revision: number;
    readonly made_at: string;
    readonly reason: string;
    readonly body: string;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('restatements')
    .values({ ...row, asset_id: null, rating_id: null, record: null, signature: null })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'date', 'revision'])
        .where('date', 'is not', null)
        .doUpdateSet({ reason: row.reason, body: row.body, made_at: row.made_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds the corrected record of a rating: it stands in the rating's place wherever a day is written from now on. Returns its id. */
export async function storeRatingRestatement(
  db: Kysely<Tables>,
  row: {
    readonly asset_id: string;
    readonly rating_id: number;
    readonly made_at: string;
    readonly reason: string;
    readonly body: string;
    readonly record: Buffer;
    readonly signature: string;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('restatements')
    .values({ ...row, subject: 'rating', date: null, revision: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Newest first, below `before`. */
export async function listRestatements(
  db: Database,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly RestatementRow[]> {
  return db
    .selectFrom('restatements')
    .select([...SHOWN, day])
    .$if(before !== null, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function restatementExists(db: Database, id: number): Promise<boolean> {
  const row = await db.selectFrom('restatements').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Revisions of days of a subject that the list of corrections knows. */
export async function knownRevisions(db: Database, subject: string, date: string): Promise<readonly number[]> {
  const { rows } = await sql<{ revision: number }>`
    select revision from restatements where subject = ${subject} and date = ${date}::date order by revision`.execute(
    db,
  );
  return rows.map((row) => row.revision);
}

/** A published rating by the job that made it; null when there is none. */
export async function ratingOfJob(
  db: Database,
  assetId: string,
  jobId: string,
): Promise<{ readonly id: number; readonly band: string; readonly score: number | null } | null> {
  const row = await db
    .selectFrom('published_ratings')
    .select(['id', 'band', 'score'])
    .where('asset_id', '=', assetId)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return row ?? null;
}
