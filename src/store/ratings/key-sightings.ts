import { sql } from 'kysely';
import { CHAINS } from '../../chains/index.ts';
import type { Database } from '../database.ts';

/** A monitored asset whose keys were not read for a while. */
export interface KeyHolder {
  readonly asset_id: string;
  readonly address: string;
}

/** Monitored assets of a chain whose keys were last read before `before`, the longest unread first. */
export async function unreadKeys(
  db: Database,
  chain: string,
  before: string,
  limit: number,
): Promise<readonly KeyHolder[]> {
  const caip2 = CHAINS.find(({ name }) => name === chain)?.caip2 ?? null;
  const { rows } = await sql<KeyHolder>`
    select m.asset_id, r.address from monitored_assets m join rated_assets r on r.asset_id = m.asset_id
    where split_part(m.asset_id, '/', 1) = ${caip2} and m.removed_at is null and not m.paused
      and coalesce(m.keys_seen_at, '-infinity') < ${before} and r.address is not null and r.address <> 'native'
    order by coalesce(m.keys_seen_at, '-infinity'), m.asset_id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Notes who holds the keys now (null: they could not be read). An asset whose keys are others than before is due at once.
 * Returns those assets.
 */
export async function noteKeys(
  db: Database,
  sightings: readonly { readonly assetId: string; readonly keys: string | null }[],
  at: string,
): Promise<readonly string[]> {
  if (sightings.length === 0) return [];
  const { rows } = await sql<{ asset_id: string }>`
    with seen as (
      select * from unnest(${sightings.map((one) => one.assetId)}::text[], ${sightings.map((one) => one.keys)}::text[])
        as seen (asset_id, keys)
    ), before as (
      select m.asset_id, m.keys_seen is not null and seen.keys is not null and m.keys_seen <> seen.keys as changed,
        coalesce(seen.keys, m.keys_seen) as keys
      from monitored_assets m join seen on seen.asset_id = m.asset_id order by m.asset_id for update of m
    ), noted as (
      update monitored_assets m set keys_seen = before.keys, keys_seen_at = ${at},
        due_at = case when before.changed then least(m.due_at, ${at}::timestamptz) else m.due_at end,
        reason = case when before.changed then 'authority_change' else m.reason end
      from before where m.asset_id = before.asset_id returning m.asset_id, before.changed
    )
    select asset_id from noted where changed order by asset_id`.execute(db);
  return rows.map((row) => row.asset_id);
}

/** Monitored assets by their folded names, last rated before `before`, that one of these names means. */
export async function monitoredByName(
  db: Database,
  names: readonly string[],
  before: string,
): Promise<readonly { readonly asset_id: string; readonly name: string }[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ asset_id: string; name: string }>`
    select m.asset_id, lower(r.name) as name from monitored_assets m join rated_assets r on r.asset_id = m.asset_id
    where m.removed_at is null and not m.paused and lower(r.name) = any(${[...names]}::text[]) and r.as_of < ${before}`.execute(
    db,
  );
  return rows;
}
