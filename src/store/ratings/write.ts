import { createHash } from 'node:crypto';
import { type Insertable, sql, type Transaction } from 'kysely';
import type { PreviousRating, PublicationState } from '../../domain/index.ts';
import { type Database, lockByNames } from '../database.ts';
import { createListeners, keepListening, type ListenOptions } from '../listening.ts';
import { packState, stateOfRow } from '../packed-state.ts';
import type { Tables } from '../tables.ts';
import { queueForLog } from '../transparency.ts';

/** The channel stored ratings are told on; the payload is the asset's id. */
const RATINGS_CHANNEL = 'assay_ratings';

/**
 * Makes ratings of each of these assets wait for each other until the transaction ends, also the very first ones, and gives what
 * publication remembers, by asset; nothing for an asset that was never rated. A transaction calls it once: the order of the
 * locks, which keeps two transactions from waiting for each other, holds within one call.
 */
export async function lockAssets(
  transaction: Transaction<Tables>,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, PublicationState>> {
  await lockByNames(
    transaction,
    assetIds.map((id) => `rating ${id}`),
  );
  // A statement of its own: it has to see what was committed while the locks were waited for.
  return statesOf(transaction, assetIds);
}

/** The newest published rating of an asset, as far as the next one needs it; null when there is none. */
export async function previousRating(db: Database, assetId: string): Promise<PreviousRating | null> {
  const state = (await statesOf(db, [assetId])).get(assetId);
  if (state === undefined) return null;
  const { asOf, score, band, factors } = state.last;
  return { asOf, score, band, factors };
}

async function statesOf(db: Database, assetIds: readonly string[]): Promise<ReadonlyMap<string, PublicationState>> {
  const rows = await db
    .selectFrom('rated_assets')
    .select(['asset_id', 'state', 'state_packed'])
    .where('asset_id', '=', sql<string>`any(${[...assetIds]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.asset_id, JSON.parse(stateOfRow(row)) as PublicationState]));
}

/** Replaces what publication remembers of an asset; nothing for one that was never published. The asset must be locked (`lockAssets`). */
export async function storeState(transaction: Transaction<Tables>, assetId: string, state: string): Promise<void> {
  await transaction
    .updateTable('rated_assets')
    .set({ state: null, state_packed: packState(state) })
    .where('asset_id', '=', assetId)
    .execute();
}

/** A rating to be published, and what its asset's head says of it beyond. */
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
 * Adds published ratings of different assets, by the same statements for one as for many, and makes each its asset's newest,
 * unless one of a later time is there already (a clock stepped back): then it is kept in the history alone. They wait for
 * their places in the transparency log. Gives them by asset. The assets must be locked (`lockAssets`).
 */
export async function storePublished(
  transaction: Transaction<Tables>,
  ratings: readonly NewRating[],
): Promise<ReadonlyMap<string, StoredRating>> {
  if (ratings.length === 0) return new Map();
  const stored = await transaction
    .insertInto('published_ratings')
    .values(ratings.map(({ rating }) => rating))
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
        // Late evidence that shows a default, or any other change of the band, becomes the newest all the same.
        .where((where) =>
          where.or([
            where('rated_assets.as_of', '<=', where.ref('excluded.as_of')),
            where('excluded.action', '<>', 'affirm'),
          ]),
        ),
    )
    .returning('asset_id')
    .execute();
  await sql`select pg_notify(${RATINGS_CHANNEL}, asset) from unnest(${[...ids.keys()]}::text[]) asset`.execute(
    transaction,
  );
  const newest = new Set(heads.map((row) => row.asset_id));
  return new Map([...ids].map(([assetId, id]) => [assetId, { id, isNewest: newest.has(assetId) }]));
}

/** The columns of a head that a newer rating replaces: all but its key, which a statement on several nodes may not set. */
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
