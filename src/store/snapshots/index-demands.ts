import { sql, type Transaction } from 'kysely';
import { CADENCES, type Cadence, type SnapshotKind } from '../../domain/index.ts';
import { type Database, lockByName } from '../database.ts';
import type { Tables } from '../tables.ts';
import { INDEX_ROW, type IndexedAsset, type IndexedRow, toIndexed } from './indexed-assets.ts';

/** Holder of an unlimited demand for indexing: an account, or the operator (configuration, command, administrator). */
export const OPERATOR = 'operator';

export interface IndexDemand {
  /** Id of an account, or `OPERATOR`. */
  readonly holder: string;
  readonly kinds: readonly SnapshotKind[];
  readonly cadence: Cadence;
}

/** Why an asset is indexed: the holders of demands, and the end of the demand of its rating. */
export interface DemandsOfAsset {
  readonly demands: readonly IndexDemand[];
  /** RFC 3339, when its newest rating was stored; null when that is before `ratedSince`. */
  readonly ratedAt: string | null;
}

/**
 * Stores an account's demand, or replaces it; false when it is a new one and the account has `most` already. Requests
 * of one account are serialised until the transaction ends, so that together they do not exceed the limit.
 */
export async function putAccountDemand(
  transaction: Transaction<Tables>,
  assetId: string,
  { holder, kinds, cadence }: IndexDemand,
  { at, most }: { readonly at: string; readonly most: number },
): Promise<boolean> {
  await lockByName(transaction, `index demands ${holder}`);
  const { rows } = await sql<{ holder: string }>`
    insert into index_demands as kept (holder, asset_id, kinds, cadence, since)
    select ${holder}, ${assetId}, ${[...kinds]}::text[], ${cadence}, ${at}::timestamptz
    where exists (select from index_demands where holder = ${holder} and asset_id = ${assetId})
      or (select count(*) from index_demands where holder = ${holder}) < ${most}
    on conflict (holder, asset_id) do update set kinds = excluded.kinds, cadence = excluded.cadence
    returning holder`.execute(transaction);
  return rows.length > 0;
}

/** Stores the operator's demand for an asset; an earlier one is widened. */
export async function putOperatorDemand(
  db: Database,
  assetId: string,
  demand: Omit<IndexDemand, 'holder'> & { readonly addedBy: string; readonly at: string },
): Promise<void> {
  await sql`
    insert into index_demands as kept (holder, asset_id, kinds, cadence, since)
    values (${OPERATOR}, ${assetId}, ${[...demand.kinds]}::text[], ${demand.cadence}, ${demand.at}::timestamptz)
    on conflict (holder, asset_id) do update set
      kinds = array(select distinct kind from unnest(kept.kinds || excluded.kinds) kind order by kind),
      cadence = case when array_position(${[...CADENCES]}::text[], excluded.cadence)
        > array_position(${[...CADENCES]}::text[], kept.cadence) then excluded.cadence else kept.cadence end`.execute(
    db,
  );
  await sql`update indexed_assets set added_by = ${demand.addedBy}
    where asset_id = ${assetId} and added_by = 'account'`.execute(db);
}

/** Withdraws an account's demand; false when it has none for this asset. */
export async function dropDemand(
  transaction: Transaction<Tables>,
  { holder, assetId }: { readonly holder: string; readonly assetId: string },
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('index_demands')
    .where('holder', '=', holder)
    .where('asset_id', '=', assetId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Number of assets that a holder demands. */
export async function countDemands(db: Database, holder: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from index_demands where holder = ${holder}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The demands for this asset. Its entry is locked until the transaction ends, so that decisions by the result stay
 * valid.
 */
export async function demandsOf(
  transaction: Transaction<Tables>,
  assetId: string,
  ratedSince: string,
): Promise<DemandsOfAsset> {
  await sql`select from indexed_assets where asset_id = ${assetId} for update`.execute(transaction);
  const demands = await transaction
    .selectFrom('index_demands')
    .select(['holder', 'kinds', 'cadence'])
    .where('asset_id', '=', assetId)
    .execute();
  const rated = await transaction
    .selectFrom('rated_assets')
    .select('stored_at')
    .where('asset_id', '=', assetId)
    .where('stored_at', '>=', ratedSince)
    .executeTakeFirst();
  return { demands: demands as unknown as readonly IndexDemand[], ratedAt: rated?.stored_at ?? null };
}

/** Overwrites an entry of the index. */
export async function setIndexedAsset(
  transaction: Transaction<Tables>,
  assetId: string,
  entry: Pick<IndexedAsset, 'kinds' | 'cadence' | 'wantedUntil'> & {
    /** Null: the origin stays. */
    readonly addedBy: string | null;
  },
): Promise<IndexedAsset | null> {
  const { rows } = await sql<IndexedRow>`
    update indexed_assets set kinds = ${[...entry.kinds]}::text[], cadence = ${entry.cadence},
      wanted_until = ${entry.wantedUntil}::timestamptz, added_by = coalesce(${entry.addedBy}, added_by)
    where asset_id = ${assetId} and removed_at is null returning ${INDEX_ROW}`.execute(transaction);
  return rows[0] ? toIndexed(rows[0]) : null;
}

/** An entry of the index for one account. */
export interface AccountIndexed extends IndexedAsset {
  /** The account has requested it. */
  readonly isYours: boolean;
}

/** Entries of a chain by id, after `after`, at most `limit`; `mine`: only those that the account requested. */
export async function listIndexOfChain(
  db: Database,
  page: {
    readonly chain: string;
    readonly accountId: string;
    readonly mine: boolean;
    readonly after: string;
    readonly limit: number;
  },
): Promise<readonly AccountIndexed[]> {
  const { chain, accountId, mine, after, limit } = page;
  const { rows } = await sql<IndexedRow & { isYours: boolean }>`
    select ${INDEX_ROW}, exists (select from index_demands d
        where d.holder = ${accountId} and d.asset_id = a.asset_id) as "isYours"
    from indexed_assets a
    where a.chain = ${chain} and a.removed_at is null and a.asset_id > ${after}
      and (not ${mine}::boolean or a.asset_id in (select asset_id from index_demands where holder = ${accountId}))
    order by a.asset_id limit ${limit}`.execute(db);
  return rows.map(({ isYours, ...row }) => ({ ...toIndexed(row), isYours }));
}

/** One entry for an account; null when it is not indexed. */
export async function indexEntry(db: Database, assetId: string, accountId: string): Promise<AccountIndexed | null> {
  const { rows } = await sql<IndexedRow & { isYours: boolean }>`
    select ${INDEX_ROW}, exists (select from index_demands d
        where d.holder = ${accountId} and d.asset_id = a.asset_id) as "isYours"
    from indexed_assets a where a.asset_id = ${assetId} and a.removed_at is null`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { isYours, ...entry } = row;
  return { ...toIndexed(entry), isYours };
}
