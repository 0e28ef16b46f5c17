import { createHash } from 'node:crypto';
import { type Insertable, sql, type Transaction } from 'kysely';
import type { PreviousRating, PublicationState } from '../../domain/index.ts';
import { type Database, lockByName } from '../database.ts';
import { createListeners, keepListening, type ListenOptions } from '../listening.ts';
import { packState, stateOfRow } from '../packed-state.ts';
import type { Tables } from '../tables.ts';
import { queueForLog } from '../transparency.ts';

/** The channel stored ratings are told on; the payload is the asset's id. */
const RATINGS_CHANNEL = 'assay_ratings';

/**
 * Makes ratings of one asset wait for each other until the transaction ends, also the very first ones, and gives what
 * publication remembers of it; null for an asset that was never rated.
 */
export async function lockAsset(transaction: Transaction<Tables>, assetId: string): Promise<PublicationState | null> {
  await lockByName(transaction, `rating ${assetId}`);
  return stateOf(transaction, assetId);
}

/** The newest published rating of an asset, as far as the next one needs it; null when there is none. */
export async function previousRating(db: Database, assetId: string): Promise<PreviousRating | null> {
  const state = await stateOf(db, assetId);
  return (
    state && { asOf: state.last.asOf, score: state.last.score, band: state.last.band, factors: state.last.factors }
  );
}

async function stateOf(db: Database, assetId: string): Promise<PublicationState | null> {
  const row = await db
    .selectFrom('rated_assets')
    .select(['state', 'state_packed'])
    .where('asset_id', '=', assetId)
    .executeTakeFirst();
  return row ? (JSON.parse(stateOfRow(row)) as PublicationState) : null;
}

/** Replaces what publication remembers of an asset; nothing for one that was never published. The asset must be locked (`lockAsset`). */
export async function storeState(transaction: Transaction<Tables>, assetId: string, state: string): Promise<void> {
  await transaction
    .updateTable('rated_assets')
    .set({ state: null, state_packed: packState(state) })
    .where('asset_id', '=', assetId)
    .execute();
}

/**
 * Adds a published rating and makes it the asset's newest, unless one of a later time is there already (a clock stepped
 * back): then it is kept in the history alone. It waits for its place in the transparency log. Returns its id. The asset must be locked (`lockAsset`).
 */
export async function storePublished(
  transaction: Transaction<Tables>,
  rating: Omit<Insertable<Tables['published_ratings']>, 'id'>,
  head: Omit<
    Insertable<Tables['rated_assets']>,
    'rating_id' | 'as_of' | 'stored_at' | 'record' | 'signature' | 'changed_at' | 'asset_id' | 'state' | 'state_packed'
  > & { readonly state: string },
): Promise<number> {
  const { id } = await transaction
    .insertInto('published_ratings')
    .values(rating)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { asset_id, as_of, stored_at, record } = rating;
  await queueForLog(transaction, {
    assetId: asset_id,
    ratingId: id,
    asOf: as_of,
    recordSha256: createHash('sha256').update(record).digest('hex'),
  });
  const packed = { state: null, state_packed: packState(head.state), record: null, signature: null };
  const row = { ...head, ...packed, rating_id: id, as_of, stored_at };
  await transaction
    .insertInto('rated_assets')
    .values({ ...row, asset_id, changed_at: sql<string>`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict
        .column('asset_id')
        .doUpdateSet({ ...row, changed_at: sql<string>`excluded.changed_at` })
        // Late evidence that shows a default, or any other change of the band, becomes the newest all the same.
        .where((where) =>
          where.or([where('rated_assets.as_of', '<=', as_of), where(where.val(head.action), '<>', 'affirm')]),
        ),
    )
    .execute();
  await sql`select pg_notify(${RATINGS_CHANNEL}, ${asset_id})`.execute(transaction);
  return id;
}

/** Listens for ratings; what was rated while the connection was away is told when it is back, from the heads. */
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
    /** Told the id of each asset that was rated; sometimes twice. Returns the way to stop. */
    onRated: add,
    close: connection.close,
  };
}
