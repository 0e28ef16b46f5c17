import { type Selectable, sql, type Transaction } from 'kysely';
import { type Database, lockByName } from '../database.ts';
import type { Tables } from '../tables.ts';
import { firstRated, type RatingInBrief, withRatings } from './read.ts';

/** A dispute with its rating. */
export type DisputeRow = Selectable<Tables['disputes']> & RatingInBrief;

export type NewDispute = Pick<DisputeRow, 'id' | 'asset_id' | 'rating_id' | 'received_at' | 'claim' | 'contact'> & {
  readonly account_id: string;
};

/** Cursor of a page of disputes. */
export interface SentPlace {
  readonly at: string;
  readonly id: string;
}

/**
 * Adds a dispute. The same claim of the same account about the same rating that is not reviewed yet is not added twice;
 * null when the account has `mostOpen` open ones.
 */
export async function addDispute(
  db: Database,
  dispute: NewDispute,
  mostOpen: number,
): Promise<{ readonly id: string; readonly isNew: boolean } | null> {
  return db.transaction().execute(async (transaction) => {
    // Concurrent ones are counted one after the other.
    await lockByName(transaction, `disputes ${dispute.account_id}`);
    const open = await transaction
      .selectFrom('disputes')
      .select(['id', 'asset_id', 'rating_id', 'claim', 'state'])
      .where('account_id', '=', dispute.account_id)
      .where('state', 'in', ['received', 'accepted'])
      .execute();
    const same = open.find(
      (one) =>
        one.state === 'received' &&
        one.asset_id === dispute.asset_id &&
        one.rating_id === dispute.rating_id &&
        one.claim === dispute.claim,
    );
    if (same) return { id: same.id, isNew: false };
    if (open.length >= mostOpen) return null;
    await transaction
      .insertInto('disputes')
      .values({ ...dispute, state: 'received' })
      .execute();
    return { id: dispute.id, isNew: true };
  });
}

/** Adds an objection without a key, up to the limits of open ones about the asset, and over all assets. */
export async function addObjection(
  db: Database,
  objection: Omit<NewDispute, 'account_id'> & { readonly reference: string },
  most: { readonly ofAsset: number; readonly ofAll: number },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await lockByName(transaction, 'disputes without an account');
    const open = await transaction
      .selectFrom('disputes')
      .select((of) => [
        of.fn.countAll<string>().as('all'),
        sql<string>`count(*) filter (where asset_id = ${objection.asset_id})`.as('asset'),
      ])
      .where('origin', '=', 'public')
      .where('state', '=', 'received')
      .executeTakeFirstOrThrow();
    if (Number(open.asset) >= most.ofAsset || Number(open.all) >= most.ofAll) return false;
    await transaction
      .insertInto('disputes')
      .values({ ...objection, account_id: null, origin: 'public', state: 'received' })
      .execute();
    return true;
  });
}

export async function objectionByReference(db: Database, reference: string): Promise<DisputeRow | null> {
  return firstRated(db, await disputes(db).where('reference', '=', reference).execute());
}

/** Newest first, after `after`; of one account, in one state, when these are given. */
export async function listDisputes(
  db: Database,
  query: {
    readonly accountId: string | null;
    readonly state: string | null;
    readonly after: SentPlace | null;
    readonly limit: number;
  },
): Promise<readonly DisputeRow[]> {
  const { accountId, state, after, limit } = query;
  const rows = await disputes(db)
    .$if(accountId !== null, (all) => all.where('account_id', '=', accountId))
    .$if(state !== null, (all) => all.where('state', '=', state ?? ''))
    .$if(after !== null, (all) =>
      all.where(sql<boolean>`(received_at, id) < (${after?.at}::timestamptz, ${after?.id}::text)`),
    )
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return withRatings(db, rows);
}

export async function disputeById(db: Database, id: string): Promise<DisputeRow | null> {
  return firstRated(db, await disputes(db).where('id', '=', id).execute());
}

/** Changes the state of a dispute that is in one of the states `from`; null when it is in none of them. */
export async function resolveDispute(
  db: Database,
  id: string,
  from: readonly string[],
  to: {
    readonly state: string;
    readonly resolution: string;
    readonly resolved_at: string;
    readonly restatement_id: number | null;
  },
): Promise<DisputeRow | null> {
  const { numUpdatedRows } = await db
    .updateTable('disputes')
    .set(to)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? disputeById(db, id) : null;
}

/** The rating of a dispute: the one of the job `jobId`, else the newest. Null when there is none. */
export async function disputedRating(db: Database, assetId: string, jobId: string | null): Promise<number | null> {
  const row = await db
    .selectFrom('published_ratings')
    .select('id')
    .where('asset_id', '=', assetId)
    .$if(jobId !== null, (rows) => rows.where('job_id', '=', jobId ?? ''))
    .orderBy('as_of', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

function disputes(db: Database) {
  return db.selectFrom('disputes').selectAll();
}

/** A correction as shown: of a published day (`date`, `revision`), or of a rating (`asset_id`, `rating_id`). */
export type RestatementRow = Omit<Selectable<Tables['restatements']>, 'record' | 'signature'>;

const SHOWN = ['id', 'subject', 'revision', 'asset_id', 'rating_id', 'made_at', 'reason', 'body'] as const;
const day = sql<string | null>`to_char(date, 'YYYY-MM-DD')`.as('date');

/** Adds the restatement of a day; idempotent. Returns its id. */
export async function storeDayRestatement(
  db: Database,
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
    .values(row)
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

/**
 * Adds the corrected record of a rating, which replaces the rating in every day written from now on. Returns its id.
 */
export async function storeRatingRestatement(
  db: Database | Transaction<Tables>,
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
    .values({ ...row, subject: 'rating' })
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

/** The newest correction of each of these ratings, by rating. `body` is JSON: job_id, as_of, without, before, after. */
export async function correctionsOf(
  db: Database,
  ratingIds: readonly number[],
): Promise<ReadonlyMap<number, Pick<RestatementRow, 'id' | 'made_at' | 'reason' | 'body'>>> {
  if (ratingIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('restatements')
    .select(['rating_id', 'id', 'made_at', 'reason', 'body'])
    .where('rating_id', 'in', ratingIds)
    .orderBy('id')
    .execute();
  return new Map(rows.flatMap(({ rating_id: ratingId, ...row }) => (ratingId === null ? [] : [[ratingId, row]])));
}

/** The asset of a correction: null for a day; undefined when there is no such correction. */
export async function assetOfRestatement(db: Database, id: number): Promise<string | null | undefined> {
  // A larger number is no number of the store, and its query would fail.
  if (!Number.isSafeInteger(id)) return undefined;
  return (await db.selectFrom('restatements').select('asset_id').where('id', '=', id).executeTakeFirst())?.asset_id;
}

/** Revisions of a day of a subject in the list of corrections. */
export async function knownRevisions(
  db: Database,
  subject: string,
  date: string,
): Promise<readonly { readonly revision: number; readonly madeAt: string }[]> {
  const { rows } = await sql<{ revision: number; madeAt: string }>`
    select revision, made_at as "madeAt" from restatements where subject = ${subject} and date = ${date}::date
    order by revision`.execute(db);
  return rows;
}

interface StandingRating {
  readonly id: number;
  readonly band: string;
  readonly score: number | null;
}

/** A published rating by its job, as its newest correction has it; null when there is none. */
export async function ratingOfJob(db: Database, assetId: string, jobId: string): Promise<StandingRating | null> {
  const rating = await db
    .selectFrom('published_ratings')
    .select(['id', 'band', 'score'])
    .where('asset_id', '=', assetId)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  if (rating === undefined) return null;
  const correction = await db
    .selectFrom('restatements')
    .select('record')
    .where('rating_id', '=', rating.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!correction?.record) return rating;
  const { band, score } = JSON.parse(correction.record.toString()) as Omit<StandingRating, 'id'>;
  return { id: rating.id, band, score };
}
