import { type Selectable, sql, type Transaction } from 'kysely';
import { type Database, lockByName } from '../database.ts';
import type { Tables } from '../tables.ts';
import type { SentPlace } from './disclosures.ts';
import { firstRated, type RatingInBrief, withRatings } from './read.ts';

/** An appeal with its rating. */
export type AppealRow = Selectable<Tables['appeals']> & RatingInBrief;
export type AppealEvidenceRow = Selectable<Tables['appeal_evidence']>;
export type AppealReviewRow = Selectable<Tables['appeal_reviews']>;

/** A challenge that is neither met nor expired. */
export interface OpenChallenge {
  readonly id: string;
  /** The subscriber; empty: not known. */
  readonly openedFrom: string;
}

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
 * Opens an appeal. Of the asset's challenges that are neither met nor expired, `mostOpen` are kept, this one among them:
 * callers without a key must not be able to keep the rated party from opening its own, nor end the one that it opened.
 * `surplusOf` chooses those that end. Unmet challenges are deleted after `keptFrom`.
 */
export async function addAppeal(
  db: Database,
  appeal: Pick<
    Selectable<Tables['appeals']>,
    'id' | 'reference' | 'asset_id' | 'rating_id' | 'domain' | 'opened_at' | 'expires_at' | 'challenge' | 'opened_from'
  >,
  {
    mostOpen,
    keptFrom,
    surplusOf,
  }: {
    readonly mostOpen: number;
    readonly keptFrom: string;
    /** The ids of those beyond the `most`, of a list with the oldest first. */
    readonly surplusOf: (open: readonly OpenChallenge[], most: number) => readonly string[];
  },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `appeals ${appeal.asset_id}`);
    await transaction
      .deleteFrom('appeals')
      .where('state', '=', 'awaiting_proof')
      .where('expires_at', '<', keptFrom)
      .execute();
    await transaction
      .insertInto('appeals')
      .values({ ...appeal, state: 'awaiting_proof' })
      .execute();
    const open = await transaction
      .selectFrom('appeals')
      .select(['id', 'opened_from'])
      .where('asset_id', '=', appeal.asset_id)
      .where('state', '=', 'awaiting_proof')
      .where('expires_at', '>', appeal.opened_at)
      .orderBy('opened_at')
      .orderBy('id')
      .execute();
    const surplus = surplusOf(
      open.map(({ id, opened_from }) => ({ id, openedFrom: opened_from ?? '' })),
      mostOpen,
    );
    if (surplus.length > 0)
      await transaction
        .deleteFrom('appeals')
        .where('id', 'in', surplus)
        .where('state', '=', 'awaiting_proof')
        .execute();
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
      opened_from: null,
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
 * Stores a review, which replaces the earlier one of the same account, and decides the appeal when `needed` accounts
 * agree: the keys of an account, such as a key and its successor, are one reviewer. Reviews of a decided step are
 * deleted: the next step needs as many again. Null: the appeal is in none of the states `from`.
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
    const earlier = await reviewsOfAppeal(transaction, review.appeal_id);
    const accountOf = await accountsOfKeys(transaction, [review.key_id, ...earlier.map(({ key_id }) => key_id)]);
    const reviewer = accountOf(review.key_id);
    const [own, others] = [
      earlier.filter(({ key_id }) => accountOf(key_id) === reviewer),
      earlier.filter(({ key_id }) => accountOf(key_id) !== reviewer),
    ];
    if (own.length > 0)
      await transaction
        .deleteFrom('appeal_reviews')
        .where('appeal_id', '=', review.appeal_id)
        .where(
          'key_id',
          'in',
          own.map(({ key_id }) => key_id),
        )
        .execute();
    await transaction.insertInto('appeal_reviews').values(review).execute();
    const agreeing = others.filter((one) => one.decision === decision && one.restatement_id === restatement_id);
    const accounts = new Set([reviewer, ...agreeing.map(({ key_id }) => accountOf(key_id))]);
    if (accounts.size < needed) return { decided: false };
    await transaction
      .updateTable('appeals')
      .set({ state: decision, finding, decided_at: reviewed_at, restatement_id })
      .where('id', '=', review.appeal_id)
      .execute();
    await transaction.deleteFrom('appeal_reviews').where('appeal_id', '=', review.appeal_id).execute();
    return { decided: true };
  });
}

/** The account of each key; a key that is not stored stands for itself. */
async function accountsOfKeys(
  transaction: Transaction<Tables>,
  keyIds: readonly string[],
): Promise<(keyId: string) => string> {
  const rows = await transaction
    .selectFrom('api_keys')
    .select(['id', 'account_id'])
    .where('id', 'in', keyIds)
    .execute();
  const accounts = new Map(rows.map(({ id, account_id }) => [id, account_id]));
  return (keyId) => accounts.get(keyId) ?? keyId;
}

/** Newest first, after `after`; in one state when it is given. Unmet challenges are left out unless requested. */
export async function listAppeals(
  db: Database,
  query: {
    readonly state: string | null;
    readonly after: SentPlace | null;
    readonly limit: number;
  },
): Promise<readonly AppealRow[]> {
  const { state, after, limit } = query;
  const rows = await appeals(db)
    .$if(state !== null, (all) => all.where('state', '=', state ?? ''))
    .$if(state === null, (all) => all.where('state', '<>', 'awaiting_proof'))
    .$if(after !== null, (all) =>
      all.where(sql<boolean>`(opened_at, id) < (${after?.at}::timestamptz, ${after?.id}::text)`),
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
