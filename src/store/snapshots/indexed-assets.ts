import { sql } from 'kysely';
import type pg from 'pg';
import { type Asset, CADENCES, type Cadence, type SnapshotKind } from '../../domain/index.ts';
import type { Database } from '../database.ts';
import { byAsset, findByPages } from '../pages.ts';

/** An asset that is indexed. */
export interface IndexedAsset {
  readonly asset: Asset;
  readonly kinds: readonly SnapshotKind[];
  readonly cadence: Cadence;
  /** Origin: `configuration`, `api`, `cli`, `rated`, `account`, or another. */
  readonly addedBy: string;
  /** RFC 3339 UTC. */
  readonly addedAt: string;
  /** End of the last demand; null: until it is removed. */
  readonly wantedUntil: string | null;
  readonly paused: boolean;
}

/** As the store gives it: the asset is JSON. */
export type IndexedRow = Omit<IndexedAsset, 'asset'> & { readonly asset: string };
export const INDEX_ROW = sql`asset, kinds, cadence, added_by as "addedBy", added_at as "addedAt", wanted_until as "wantedUntil", paused`;

/**
 * Adds an asset or widens the existing entry: the kinds of both, the more frequent cadence, the later end. A property
 * of the asset that the request does not have (null, or an address for a name) stays as stored. A removed asset is
 * indexed again. Returns the entry.
 */
export async function putIndexedAsset(db: Database, entry: Omit<IndexedAsset, 'paused'>): Promise<IndexedAsset> {
  const { asset, kinds, cadence, addedBy, addedAt, wantedUntil } = entry;
  const { rows } = await sql<IndexedRow>`
    insert into indexed_assets as kept
      (asset_id, chain, address, symbol, asset, kinds, cadence, added_by, added_at, wanted_until)
    values (${asset.id}, ${asset.chain ?? 'none'}, ${asset.address}, ${asset.symbol}, ${JSON.stringify(asset)},
      ${[...kinds]}::text[], ${cadence}, ${addedBy}, ${addedAt}::timestamptz, ${wantedUntil}::timestamptz)
    on conflict (asset_id) do update set
      address = excluded.address, symbol = coalesce(excluded.symbol, kept.symbol),
      asset = (
        select json_object_agg(given.name, case
            when given.value #>> '{}' is null or (given.name = 'name' and given.value #>> '{}' = excluded.address)
            then coalesce(known.value, given.value) else given.value end order by given.place)::text
        from json_each(excluded.asset::json) with ordinality given (name, value, place)
        left join json_each(kept.asset::json) known (name, value) using (name)),
      kinds = case when kept.removed_at is not null then excluded.kinds else
        array(select distinct kind from unnest(kept.kinds || excluded.kinds) kind order by kind) end,
      cadence = case when kept.removed_at is not null
          or array_position(${[...CADENCES]}::text[], excluded.cadence) > array_position(${[...CADENCES]}::text[], kept.cadence)
        then excluded.cadence else kept.cadence end,
      added_by = case when kept.removed_at is not null then excluded.added_by else kept.added_by end,
      wanted_until = case when kept.removed_at is not null then excluded.wanted_until
        when kept.wanted_until is null or excluded.wanted_until is null then null
        else greatest(kept.wanted_until, excluded.wanted_until) end,
      paused = kept.paused and kept.removed_at is null, removed_at = null
    returning ${INDEX_ROW}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an upsert gave no row');
  return toIndexed(row);
}

/**
 * Ends the indexing of an asset, for all holders; its snapshots stay within retention. False when it is not indexed.
 */
export async function removeIndexedAsset(db: Database, assetId: string, at: string): Promise<boolean> {
  const { rows } = await sql<{ asset_id: string }>`
    with gone as (delete from index_demands where asset_id = ${assetId})
    update indexed_assets set removed_at = ${at}::timestamptz
    where asset_id = ${assetId} and removed_at is null returning asset_id`.execute(db);
  return rows.length > 0;
}

/** Stops or resumes an asset's indexing. False when it is not indexed. */
export async function pauseIndexedAsset(db: Database, assetId: string, paused: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('indexed_assets')
    .set({ paused })
    .where('asset_id', '=', assetId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Assets in the order of their ids, after `after`, at most `limit`. */
export async function listIndexedAssets(
  db: Database,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly IndexedAsset[]> {
  const { rows } = await sql<IndexedRow>`
    select ${INDEX_ROW} from indexed_assets
    where removed_at is null and asset_id > ${after} order by asset_id limit ${limit}`.execute(db);
  return rows.map(toIndexed);
}

/**
 * Assets on a chain whose newest rating was stored after `since` (RFC 3339) and which were never indexed, by id after
 * `after`, at most `limit`. Assets removed from the index are excluded, since they were removed on purpose. With
 * `ratedAfter` (RFC 3339), only those with a rating as of a later time, which costs an index look-up.
 */
export async function ratedNotIndexed(
  db: Database,
  query: {
    readonly since: string;
    readonly ratedAfter: string | null;
    readonly after: string;
    readonly limit: number;
  },
): Promise<readonly Asset[]> {
  const { since, ratedAfter, after, limit } = query;
  const lately =
    ratedAfter === null
      ? sql``
      : sql`and r.asset_id in (select asset_id from published_ratings where as_of >= ${ratedAfter}::timestamptz)`;
  return findByPages<{ readonly asset_id: string; readonly asset: string }, Asset>({
    limit,
    async keys(last, count) {
      const { rows } = await sql<{ asset_id: string; asset: string }>`
        select r.asset_id, r.asset from rated_assets r
        where r.asset_id > ${last?.asset_id ?? after} and r.chain is not null and r.address is not null
          and r.stored_at >= ${since}::timestamptz ${lately}
        order by r.asset_id limit ${count}`.execute(db);
      return rows;
    },
    async rows(rated, room) {
      const { rows } = await sql<{ asset_id: string }>`
        select asset_id from indexed_assets
        where asset_id = any(${rated.map((row) => row.asset_id)}::text[])`.execute(db);
      const indexed = byAsset(rows);
      return rated
        .flatMap(({ asset_id, asset }) => (indexed.has(asset_id) ? [] : [JSON.parse(asset) as Asset]))
        .slice(0, room);
    },
  });
}

/** Chains that have ever had an indexed asset. */
export async function indexedChains(db: Database): Promise<readonly string[]> {
  const rows = await db.selectFrom('indexed_assets').select('chain').distinct().orderBy('chain').execute();
  return rows.map((row) => row.chain);
}

const MOST_FOUND = 20;

/**
 * Assets of a chain that `text` may refer to: its id, its address (EVM: in any case), its symbol in any case. The exact
 * ones first, then those with more liquidity.
 */
export async function findIndexedAssets(db: Database, chain: string, text: string): Promise<readonly Asset[]> {
  // Longer than any id; PostgreSQL text holds no NUL.
  if (text.length === 0 || text.length > 300 || text.includes('\0')) return [];
  const { rows } = await sql<{ asset_id: string; asset: string; rank: number; spelt: boolean }>`
    select a.asset_id, a.asset, case when a.asset_id = ${text} then 0 when coalesce(a.address = ${text}, false) then 1
        when coalesce(lower(a.address) = lower(${text}), false) then 2 else 3 end as rank,
      coalesce(a.symbol = ${text}, false) as spelt
    from indexed_assets a
    where a.chain = ${chain} and a.removed_at is null and (
      a.asset_id = ${text}
      or (lower(a.address) = lower(${text}) and (a.address = ${text} or a.address like '0x%'))
      or lower(a.symbol) = lower(${text})
      or (lower(a.address) = lower(substring(${text} from 'erc20:(0x[0-9a-fA-F]{40})$'))
        and lower(a.asset_id) = lower(${text})))
    order by a.asset_id`.execute(db);
  const [first] = rows;
  if (first === undefined) return [];
  if (rows.length === 1) return [JSON.parse(first.asset) as Asset];
  const { rows: heads } = await sql<{ asset_id: string; weight_usd: number | null }>`
    select asset_id, weight_usd from snapshot_heads
    where asset_id = any(${rows.map((row) => row.asset_id)}::text[]) and kind = 'market'`.execute(db);
  const weights = byAsset(heads);
  const weightOf = (assetId: string) => weights.get(assetId)?.weight_usd ?? -1;
  return [...rows]
    .sort((a, b) => a.rank - b.rank || weightOf(b.asset_id) - weightOf(a.asset_id) || Number(b.spelt) - Number(a.spelt))
    .slice(0, MOST_FOUND)
    .map((row) => JSON.parse(row.asset) as Asset);
}

export function toIndexed(row: IndexedRow): IndexedAsset {
  return { ...row, asset: JSON.parse(row.asset) as Asset };
}

/** Fills in the symbols and names of assets that were added by their addresses alone. */
export async function learnAssets(client: pg.ClientBase, assets: readonly Asset[]): Promise<void> {
  const named = assets.filter((asset) => asset.symbol !== null);
  if (named.length === 0) return;
  await client.query(
    `update indexed_assets a set symbol = told.symbol, asset = told.asset
     from unnest($1::text[], $2::text[], $3::text[]) told (asset_id, symbol, asset)
     where a.asset_id = told.asset_id and a.symbol is null`,
    [named.map((asset) => asset.id), named.map((asset) => asset.symbol), named.map((asset) => JSON.stringify(asset))],
  );
}

/** The saved pages of an asset's scan, in order; null when there are none. */
export async function scanLedger(db: Database, assetId: string): Promise<readonly Uint8Array[] | null> {
  const rows = await db
    .selectFrom('scan_ledger_pages')
    .select('bytes')
    .where('asset_id', '=', assetId)
    .orderBy('page')
    .execute();
  return rows.length === 0 ? null : rows.map((row) => row.bytes);
}

/** Stores the newest ledger of an asset's scan, page by page, in one transaction. `at` is RFC 3339. */
export async function keepScanLedger(
  db: Database,
  assetId: string,
  pages: Iterable<Uint8Array>,
  at: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('scan_ledger_pages').where('asset_id', '=', assetId).execute();
    let page = 0;
    for (const bytes of pages) {
      await transaction
        .insertInto('scan_ledger_pages')
        .values({
          asset_id: assetId,
          page,
          bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          saved_at: at,
        })
        .execute();
      page += 1;
    }
  });
}
