import { sql, type Transaction } from 'kysely';
import { type Database, lockByName } from '../database.ts';
import { stateOfRow } from '../packed-state.ts';
import { byAsset } from '../pages.ts';
import type { Tables } from '../tables.ts';
import { lockAssets } from './write.ts';

export type WatchlistRow = Tables['watchlist'];

/** An entry with fields of its asset's newest rating; null when there is none yet. */
export interface WatchlistView {
  readonly assetId: string;
  readonly addedAt: string;
  readonly note: string | null;
  /** JSON. */
  readonly thresholds: string;
  /** JSON. */
  readonly asset: string | null;
  readonly score: number | null;
  readonly band: string | null;
  /** Class of the newest rating; null without one, or from before classes. */
  readonly class: string | null;
  readonly asOf: string | null;
  readonly openAlerts: number;
  /** Time of the newest alert; null when there was none. */
  readonly lastAlert: string | null;
}

/** All accounts' entries of these assets, locked until the transaction ends, in a fixed order. */
export function entriesOfAssets(
  transaction: Transaction<Tables>,
  assetIds: readonly string[],
): Promise<WatchlistRow[]> {
  return transaction
    .selectFrom('watchlist')
    .selectAll()
    .where('asset_id', '=', sql<string>`any(${[...assetIds]}::text[])`)
    .orderBy('asset_id')
    .orderBy('account_id')
    .forUpdate()
    .execute();
}

/** Sets the baselines of entries, in one statement. The entries must be locked (`entriesOfAssets`). */
export async function setBaselines(
  transaction: Transaction<Tables>,
  baselines: readonly Pick<
    WatchlistRow,
    'asset_id' | 'account_id' | 'baseline_score' | 'baseline_band' | 'baseline_flags'
  >[],
): Promise<void> {
  if (baselines.length === 0) return;
  await sql`update watchlist set baseline_score = given.baseline_score, baseline_band = given.baseline_band,
      baseline_flags = given.baseline_flags
    from json_to_recordset(${JSON.stringify(baselines)}::json)
      as given (asset_id text, account_id text, baseline_score double precision, baseline_band text, baseline_flags text)
    where watchlist.asset_id = given.asset_id and watchlist.account_id = given.account_id`.execute(transaction);
}

/**
 * Adds an entry or changes the note and thresholds of an existing one; its baseline is the asset's present rating.
 * Waits for a rating of the asset that is being stored, so that the baseline is never outdated. `full` when the account
 * has `most` entries already.
 */
export function putEntry(
  db: Database,
  entry: Pick<WatchlistRow, 'account_id' | 'asset_id' | 'added_at' | 'note' | 'thresholds'>,
  most: number,
): Promise<'added' | 'changed' | 'full'> {
  return db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `watchlist ${entry.account_id}`);
    await lockAssets(transaction, [entry.asset_id]);
    const { numUpdatedRows } = await transaction
      .updateTable('watchlist')
      .set({ note: entry.note, thresholds: entry.thresholds })
      .where('account_id', '=', entry.account_id)
      .where('asset_id', '=', entry.asset_id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return 'changed';
    const { count } = await transaction
      .selectFrom('watchlist')
      .select((has) => has.fn.countAll<number>().as('count'))
      .where('account_id', '=', entry.account_id)
      .executeTakeFirstOrThrow();
    if (count >= most) return 'full';
    const head = await transaction
      .selectFrom('rated_assets')
      .select(['score', 'band', 'state', 'state_packed'])
      .where('asset_id', '=', entry.asset_id)
      .executeTakeFirst();
    await transaction
      .insertInto('watchlist')
      .values({
        ...entry,
        baseline_score: head?.score ?? null,
        baseline_band: head?.band ?? null,
        baseline_flags: JSON.stringify(head ? flagsOf(stateOfRow(head)) : []),
      })
      .execute();
    return 'added';
  });
}

/** The flags of the newest rating, from publication's state. */
function flagsOf(state: string): readonly { readonly code: string; readonly severity: string }[] {
  const { last } = JSON.parse(state) as { last: { flags: readonly { code: string; severity: string }[] } };
  return last.flags.map(({ code, severity }) => ({ code, severity }));
}

/** False when the account had no such entry. Its alerts stay. */
export async function removeEntry(db: Database, accountId: string, assetId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('watchlist')
    .where('account_id', '=', accountId)
    .where('asset_id', '=', assetId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** An account's entries, oldest first; of one asset when it is given. */
export async function entriesOfAccount(
  db: Database,
  accountId: string,
  assetId: string | null = null,
): Promise<readonly WatchlistView[]> {
  const { rows } = await sql<Omit<WatchlistView, keyof typeof UNRATED>>`
    select asset_id as "assetId", entry.added_at as "addedAt", entry.note, entry.thresholds,
      coalesce(open.count, 0) as "openAlerts",
      (select max(created_at) from alerts where account_id = entry.account_id and asset_id = entry.asset_id) as "lastAlert"
    from watchlist entry
    left join (
      select asset_id, count(*) from alerts where account_id = ${accountId} and acknowledged_at is null group by asset_id
    ) open using (asset_id)
    where entry.account_id = ${accountId} and (${assetId}::text is null or entry.asset_id = ${assetId})
    order by entry.added_at, asset_id`.execute(db);
  const { rows: heads } = await sql<Pick<WatchlistView, keyof typeof UNRATED> & { asset_id: string }>`
    select asset_id, asset, score, band, class, as_of as "asOf" from rated_assets
    where asset_id = any(${rows.map((row) => row.assetId)}::text[])`.execute(db);
  const rated = byAsset(heads);
  return rows.map((row) => {
    const { asset_id: _, ...head } = rated.get(row.assetId) ?? { asset_id: row.assetId, ...UNRATED };
    return { ...row, ...head };
  });
}

const UNRATED = { asset: null, score: null, band: null, class: null, asOf: null };
