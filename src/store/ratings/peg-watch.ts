import { sql, type Transaction } from 'kysely';
import type { Database } from '../database.ts';
import { byAsset } from '../pages.ts';
import type { Tables } from '../tables.ts';

/** A coin's peg in a rating. */
export interface StatedPeg {
  readonly assetId: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Target value of one coin in dollars. */
  readonly targetUsd: number;
  /** RFC 3339: time of the rating. */
  readonly at: string;
}

export type PegRow = Tables['peg_watch'];

/** Stores the pegs of the newest ratings of assets; the accumulated distances stay unchanged. */
export async function notePegs(transaction: Transaction<Tables>, pegs: readonly StatedPeg[]): Promise<void> {
  if (pegs.length === 0) return;
  await transaction
    .insertInto('peg_watch')
    .values(
      pegs.map(({ assetId, currency, targetUsd, at }) => ({
        asset_id: assetId,
        currency,
        target_usd: targetUsd,
        rated_at: at,
        seen_at: null,
        bps_hours: 0,
        state: 'quiet',
        since: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('asset_id').doUpdateSet((row) => ({
        currency: row.ref('excluded.currency'),
        target_usd: row.ref('excluded.target_usd'),
        rated_at: row.ref('excluded.rated_at'),
      })),
    )
    .execute();
}

/** Watched coins whose peg was stated at or after `ratedSince`, with unprocessed prices. RFC 3339. */
export async function pegsWithPrices(
  db: Database,
  ratedSince: string,
  pricesSince: string,
): Promise<readonly string[]> {
  const { rows: watched } = await sql<Pick<PegRow, 'asset_id' | 'seen_at'>>`
    select w.asset_id, w.seen_at from peg_watch w
    where w.rated_at >= ${ratedSince} and exists (select 1 from watchlist entry where entry.asset_id = w.asset_id)
    order by w.asset_id`.execute(db);
  if (watched.length === 0) return [];
  const { rows: newest } = await sql<{ asset_id: string; at: string }>`
    select asset_id, max(at) as at from prices
    where asset_id = any(${watched.map((row) => row.asset_id)}::text[]) and price_usd > 0
      and at >= ${pricesSince}::timestamptz group by asset_id`.execute(db);
  const prices = byAsset(newest);
  return watched.flatMap(({ asset_id, seen_at }) => {
    const at = prices.get(asset_id)?.at;
    return at !== undefined && (seen_at === null || Date.parse(at) > Date.parse(seen_at)) ? [asset_id] : [];
  });
}

/**
 * The row of a peg, locked until the transaction ends; its unprocessed prices in dollars, oldest first; the rated
 * asset, JSON.
 */
export async function lockPeg(
  transaction: Transaction<Tables>,
  assetId: string,
  pricesSince: string,
): Promise<{
  readonly peg: PegRow;
  readonly prices: readonly { readonly at: string; readonly usd: number }[];
  readonly asset: string | null;
} | null> {
  const peg = await transaction
    .selectFrom('peg_watch')
    .selectAll()
    .where('asset_id', '=', assetId)
    .forUpdate()
    .executeTakeFirst();
  if (peg === undefined) return null;
  const { rows } = await sql<{ at: string; usd: number }>`
    select at, price_usd as usd from prices
    where asset_id = ${assetId} and price_usd > 0 and at >= ${pricesSince}::timestamptz
      and at > coalesce(${peg.seen_at}::timestamptz, '-infinity') order by prices.at`.execute(transaction);
  const head = await transaction
    .selectFrom('rated_assets')
    .select('asset')
    .where('asset_id', '=', assetId)
    .executeTakeFirst();
  return { peg, prices: rows, asset: head?.asset ?? null };
}

/** The accumulated distance of a peg after the prices were processed. The row must be locked. */
export async function putPeg(
  transaction: Transaction<Tables>,
  assetId: string,
  state: Pick<PegRow, 'seen_at' | 'bps_hours' | 'state' | 'since'>,
): Promise<void> {
  await transaction.updateTable('peg_watch').set(state).where('asset_id', '=', assetId).execute();
}
