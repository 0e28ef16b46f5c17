import { type Selectable, sql, type Transaction } from 'kysely';
import { type Database, lockByName } from '../database.ts';
import type { Tables } from '../tables.ts';
import { firstRated, type RatingInBrief, withRatings } from './read.ts';

/** An appeal with its rating. */
export type AppealRow = Selectable<Tables['appeals']> & RatingInBrief;
export type AppealEvidenceRow = Selectable<Tables['appeal_evidence']>;
export type AppealReviewRow = Selectable<Tables['appeal_reviews']>;

/** The newest rating of an asset, for an appeal. */
export interface RatedHead {
  readonly rating_id: number;
  readonly job_id: string;
  /** JSON of the asset. */
  readonly asset: string;
}

export async function ratedHead(db: Database, assetId: string): Promise<RatedHead | null> {
  const { rows } = await sql<RatedHead>`
    select h.rating_id, r.job_id, h.asset from rated_assets h
    join published_ratings r on r.asset_id = h.asset_id and r.id = h.rating_id
    where h.asset_id = ${assetId} and r.asset_id = ${assetId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Opens an appeal, unless the asset has `mostOpen` challenges that are neither met nor expired. Unmet challenges are
 * deleted after `keptFrom`. False when the limit is reached.
 */
export async function addAppeal(
  db: Database,
  appeal: Pick<
    Selectable<Tables['appeals']>,
    'id' | 'reference' | 'asset_id' | 'rating_id' | 'domain' | 'opened_at' | 'expires_at' | 'challenge'
  >,
  { mostOpen, keptFrom }: { readonly mostOpen: number; readonly keptFrom: string },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `appeals ${appeal.asset_id}`);
    await transaction
      .deleteFrom('appeals')
      .where('state', '=', 'awaiting_proof')
      .where('expires_at', '<', keptFrom)
      .execute();
    const { open } = await transaction
      .selectFrom('appeals')
      .select((of) => of.fn.countAll<number>().as('open'))
      .where('asset_id', '=', appeal.asset_id)
      .where('state', '=', 'awaiting_proof')
      .where('expires_at', '>', appeal.opened_at)
      .executeTakeFirstOrThrow();
    if (Number(open) >= mostOpen) return false;
    await transaction
      .insertInto('appeals')
      .values({ ...appeal, state: 'awaiting_proof' })
      .execute();
    return true;
  });
}

export async function appealByReference(db: Database, reference: string): Promise<AppealRow | null> {
  return firstRated(db, await appeals(db).where('reference', '=', reference).execute());
}

export async function appealById(db: Database, id: string): Promise<AppealRow | null> {
  return firstRated(db, await appeals(db).where('id', '=', id).execute());
}

/**
 * Counts one attempt to prove control, before it is checked. False: none is left, or the challenge is met or expired.
 */
export async function countAttempt(db: Database, id: string, most: number, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('appeals')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('id', '=', id)
    .where('state', '=', 'awaiting_proof')
    .where('attempts', '<', most)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records the proof of control, once. False: it was proved before, or the challenge has expired. */
export async function noteProof(
  db: Database,
  id: string,
  proof: { readonly method: string; readonly role: string; readonly subject: string; readonly at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('appeals')
    .set({
      state: 'proved',
      proof_method: proof.method,
      proof_role: proof.role,
      proof_subject: proof.subject,
      proved_at: proof.at,
    })
    .where('id', '=', id)
    .where('state', '=', 'awaiting_proof')
    .where('expires_at', '>', proof.at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Adds evidence to an appeal with proved control and without a decision; `most` times at most. */
export async function addAppealEvidence(
  db: Database,
  id: string,
  evidence: { readonly statement: string; readonly links: readonly string[]; readonly at: string },
  most: number,
): Promise<'added' | 'full' | 'not_open'> {
  return db.transaction().execute(async (transaction) => {
    const appeal = await transaction
      .selectFrom('appeals')
      .select('state')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (appeal === undefined || !['proved', 'under_review'].includes(appeal.state)) return 'not_open';
    const given = await evidenceOfAppeal(transaction, id);
    if (given.length >= most) return 'full';
    await transaction
      .insertInto('appeal_evidence')
      .values({
        appeal_id: id,
        place: given.length + 1,
        received_at: evidence.at,
        statement: evidence.statement,
        links: [...evidence.links],
      })
      .execute();
    await transaction.updateTable('appeals').set({ state: 'under_review' }).where('id', '=', id).execute();
    return 'added';
  });
}

export function evidenceOfAppeal(
  db: Database | Transaction<Tables>,
  id: string,
): Promise<readonly AppealEvidenceRow[]> {
  return db.selectFrom('appeal_evidence').selectAll().where('appeal_id', '=', id).orderBy('place').execute();
}

export function reviewsOfAppeal(db: Database | Transaction<Tables>, id: string): Promise<readonly AppealReviewRow[]> {
  return db
    .selectFrom('appeal_reviews')
    .selectAll()
    .where('appeal_id', '=', id)
    .orderBy('reviewed_at')
    .orderBy('key_id')
    .execute();
}

/**
 * Stores a review, which replaces the same key's earlier one, and decides the appeal when `needed` keys agree. Reviews
 * of a decided step are deleted: the next step needs as many again. Null: the appeal is in none of the states `from`.
 */
export async function reviewAppeal(
  db: Database,
  review: AppealReviewRow,
  from: readonly string[],
  needed: number,
): Promise<{ readonly decided: boolean } | null> {
  return db.transaction().execute(async (transaction) => {
    const appeal = await transaction
      .selectFrom('appeals')
      .select('state')
      .where('id', '=', review.appeal_id)
      .forUpdate()
      .executeTakeFirst();
    if (appeal === undefined || !from.includes(appeal.state)) return null;
    const { decision, finding, restatement_id, reviewed_at } = review;
    await transaction
      .insertInto('appeal_reviews')
      .values(review)
      .onConflict((conflict) =>
        conflict.columns(['appeal_id', 'key_id']).doUpdateSet({ decision, finding, restatement_id, reviewed_at }),
      )
      .execute();
    const agreeing = (await reviewsOfAppeal(transaction, review.appeal_id)).filter(
      (one) => one.decision === decision && one.restatement_id === restatement_id,
    );
    if (agreeing.length < needed) return { decided: false };
    await transaction
      .updateTable('appeals')
      .set({ state: decision, finding, decided_at: reviewed_at, restatement_id })
      .where('id', '=', review.appeal_id)
      .execute();
    await transaction.deleteFrom('appeal_reviews').where('appeal_id', '=', review.appeal_id).execute();
    return { decided: true };
  });
}

/** Newest first, after `after`; in one state when it is given. Unmet challenges are left out unless requested. */
export async function listAppeals(
  db: Database,
  query: {
    readonly state: string | null;
    readonly after: { readonly openedAt: string; readonly id: string } | null;
    readonly limit: number;
  },
): Promise<readonly AppealRow[]> {
  const { state, after, limit } = query;
  const rows = await appeals(db)
    .$if(state !== null, (all) => all.where('state', '=', state ?? ''))
    .$if(state === null, (all) => all.where('state', '<>', 'awaiting_proof'))
    .$if(after !== null, (all) =>
      all.where(sql<boolean>`(opened_at, id) < (${after?.openedAt}::timestamptz, ${after?.id}::text)`),
    )
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return withRatings(db, rows);
}

function appeals(db: Database) {
  return db.selectFrom('appeals').selectAll();
}
