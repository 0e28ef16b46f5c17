import { createHash } from 'node:crypto';
import { type Insertable, sql, type Transaction } from 'kysely';
import type { PreviousRating, PublicationState } from '../../domain/index.ts';
import { type Database, lockByNames } from '../database.ts';
import { createListeners, keepListening, type ListenOptions } from '../listening.ts';
import { packRecord } from '../packed-record.ts';
import { packState, stateOfRow } from '../packed-state.ts';
import type { Tables } from '../tables.ts';
import { queueForLog } from '../transparency.ts';

/** Channel of notifications about ratings; the payload is the asset's id. */
const RATINGS_CHANNEL = 'assay_ratings';

/**
 * Serialises ratings of each of these assets until the transaction ends, including first ratings, and returns
 * publication's state, by asset; nothing for an asset that was never rated. Call it once per transaction: the order of
 * the locks, which prevents deadlocks, holds only within one call.
 */
export async function lockAssets(
  transaction: Transaction<Tables>,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, PublicationState>> {
  await lockByNames(
    transaction,
    assetIds.map((id) => `rating ${id}`),
  );
  // A separate statement: it must see what was committed while it waited for the locks.
  return statesOf(transaction, assetIds);
}

/** The newest published rating of an asset, with the fields that the next one needs; null when there is none. */
export async function previousRating(db: Database, assetId: string): Promise<PreviousRating | null> {
  const state = (await statesOf(db, [assetId])).get(assetId);
  if (state === undefined) return null;
  const { asOf, score, band, factors } = state.last;
  return { asOf, score, band, factors };
}

/**
 * The last score that an asset was published with, null if it never had one; null for an asset that was never
 * published. It stays known while the rating is withheld.
 */
export async function lastScore(db: Database, assetId: string): Promise<{ readonly score: number | null } | null> {
  const { rows } = await sql<{ score: number | null }>`
    select (select r.score from published_ratings r where r.asset_id = ${assetId} and r.score is not null
      order by r.as_of desc, r.id desc limit 1) as score
    from rated_assets h where h.asset_id = ${assetId}`.execute(db);
  return rows[0] ?? null;
}

/** Publication's states of assets, by their ids. */
export async function statesOf(
  db: Database,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, PublicationState>> {
  const rows = await db
    .selectFrom('rated_assets')
    .select(['asset_id', 'state', 'state_packed'])
    .where('asset_id', '=', sql<string>`any(${[...assetIds]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.asset_id, JSON.parse(stateOfRow(row)) as PublicationState]));
}

/**
 * Replaces publication's state of an asset; nothing for one that was never published. The asset must be locked
 * (`lockAssets`).
 */
export async function storeState(transaction: Transaction<Tables>, assetId: string, state: string): Promise<void> {
  await transaction
    .updateTable('rated_assets')
    .set({ state: null, state_packed: packState(state) })
    .where('asset_id', '=', assetId)
    .execute();
}

/** A rating to be published, its record as signed, with the further columns of its asset's head. */
export interface NewRating {
  readonly rating: Omit<Insertable<Tables['published_ratings']>, 'id'>;
  readonly head: Omit<
    Insertable<Tables['rated_assets']>,
    'rating_id' | 'as_of' | 'stored_at' | 'record' | 'signature' | 'changed_at' | 'asset_id' | 'state' | 'state_packed'
  > & { readonly state: string };
}

/** A published rating; `isNewest`: it is its asset's newest now. */
export interface StoredRating {
  readonly id: number;
  readonly isNewest: boolean;
}

/**
 * Adds published ratings of different assets, with the same statements for one as for many, and makes each its asset's
 * newest, unless there is one of a later time already (after a clock was set back): then it is only added to the
 * history. They are queued for the transparency log. Returns them by asset. The assets must be locked (`lockAssets`).
 */
export async function storePublished(
  transaction: Transaction<Tables>,
  ratings: readonly NewRating[],
): Promise<ReadonlyMap<string, StoredRating>> {
  if (ratings.length === 0) return new Map();
  const stored = await transaction
    .insertInto('published_ratings')
    .values(
      ratings.map(({ rating, head: { category, class: of = null } }) => ({
        ...rating,
        category,
        class: of,
        record: packRecord(rating.record),
      })),
    )
    .returning(['asset_id', 'id'])
    .execute();
  const ids = new Map(stored.map((row) => [row.asset_id, row.id]));
  const idOf = (assetId: string) => {
    const id = ids.get(assetId);
    if (id === undefined) throw new Error(`the rating of ${assetId} was not stored`);
    return id;
  };
  await queueForLog(
    transaction,
    ratings.map(({ rating: { asset_id, as_of, record } }) => ({
      assetId: asset_id,
      ratingId: idOf(asset_id),
      asOf: as_of,
      recordSha256: createHash('sha256').update(record).digest('hex'),
    })),
  );
  const heads = await transaction
    .insertInto('rated_assets')
    .values(
      ratings.map(({ rating: { asset_id, as_of, stored_at }, head }) => ({
        ...head,
        asset_id,
        rating_id: idOf(asset_id),
        as_of,
        stored_at,
        state: null,
        state_packed: packState(head.state),
        record: null,
        signature: null,
        changed_at: sql<string>`clock_timestamp()`,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('asset_id')
        .doUpdateSet((row) => Object.fromEntries(HEAD.map((name) => [name, row.ref(`excluded.${name}`)])))
        // Late evidence that shows a default, or any other change of the band, still becomes the newest.
        .where((where) =>
          where.or([
            where('rated_assets.as_of', '<=', where.ref('excluded.as_of')),
            where('excluded.action', '<>', 'affirm'),
          ]),
        ),
    )
    .returning('asset_id')
    .execute();
  await announceRatings(transaction, [...ids.keys()]);
  const newest = new Set(heads.map((row) => row.asset_id));
  return new Map([...ids].map(([assetId, id]) => [assetId, { id, isNewest: newest.has(assetId) }]));
}

/** Tells every process, when the transaction commits, that what it keeps of these assets' ratings is out of date. */
export async function announceRatings(transaction: Transaction<Tables>, assetIds: readonly string[]): Promise<void> {
  await sql`select pg_notify(${RATINGS_CHANNEL}, asset) from unnest(${[...assetIds]}::text[]) asset`.execute(
    transaction,
  );
}

/**
 * The columns of a head that a newer rating replaces: all but its key, which a statement on several nodes may not set.
 */
const HEAD = [
  'chain',
  'address',
  'symbol',
  'symbol_folded',
  'name',
  'category',
  'class',
  'asset',
  'request',
  'state',
  'state_packed',
  'rating_id',
  'as_of',
  'stored_at',
  'band',
  'band_rank',
  'score',
  'trust',
  'vfr',
  'market_cap_usd',
  'liquidity_usd',
  'flags',
  'methodology',
  'action',
  'record',
  'signature',
  'changed_at',
] as const satisfies readonly Exclude<keyof Tables['rated_assets'], 'asset_id'>[];

/** Listens for ratings; those rated while the connection was lost are reported when it is back, from the heads. */
export function listenForRatings(options: ListenOptions) {
  const { tell, add } = createListeners<string>(options.onError);
  const connection = keepListening(
    {
      name: RATINGS_CHANNEL,
      listener: 'assay-rating-listener',
      onPayload: tell,
      async recheck(client, seconds) {
        const { rows } = await client.query<{ asset_id: string }>(
          'select asset_id from rated_assets where changed_at > clock_timestamp() - make_interval(secs => $1)',
          [seconds],
        );
        for (const row of rows) tell(row.asset_id);
      },
    },
    options,
  );
  return {
    /** Called with the id of each rated asset; sometimes twice. Returns a function that unsubscribes. */
    onRated: add,
    close: connection.close,
  };
}
