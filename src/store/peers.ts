import { sql, type Transaction } from 'kysely';
import type { DriverDay, DriverReadings, PeerRow } from '../domain/index.ts';
import { DAY_MS } from '../domain/index.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** The contribution of a rating to the panel. */
export interface PanelEntry {
  readonly peer: PeerRow;
  /** Values of that day, before any median. */
  readonly readings: DriverReadings;
}

/** A peer that was not rated for this number of days is left out: its price is outdated. */
const PEER_DAYS = 30;
/** Peers of one category in a panel: enough for a stable median, and few enough for archived evidence. */
const MOST_OF_CATEGORY = 100;

/**
 * Stores one row per asset and day; of two ratings of one day the one with the newer evidence. Rows are locked in the
 * order of their assets.
 */
export async function storePeers(transaction: Transaction<Tables>, entries: readonly PanelEntry[]): Promise<void> {
  const newest = new Map<string, ReturnType<typeof rowOf>>();
  // Two assets may be the same peer, and one statement can write a row only once.
  for (const row of entries.map(rowOf).sort((a, b) => Date.parse(a.as_of) - Date.parse(b.as_of)))
    newest.set(`${row.asset_id} ${row.day}`, row);
  if (newest.size === 0) return;
  await transaction
    .insertInto('peers')
    .values([...newest.values()].sort((a, b) => (a.asset_id < b.asset_id ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(['asset_id', 'day'])
        .doUpdateSet((row) => Object.fromEntries(REPLACED.map((name) => [name, row.ref(`excluded.${name}`)])))
        .whereRef('peers.as_of', '<=', 'excluded.as_of'),
    )
    .execute();
}

const REPLACED = [
  'category',
  'class',
  'as_of',
  'market_value_usd',
  'readings',
  'drivers',
  'trust',
  'aliases',
  'round',
] as const;

function rowOf({ peer, readings }: PanelEntry) {
  return {
    asset_id: peer.assetId,
    day: dayOf(peer.asOf),
    category: peer.category,
    class: peer.class ?? null,
    as_of: peer.asOf,
    market_value_usd: peer.marketValueUsd,
    readings: JSON.stringify(readings),
    drivers: JSON.stringify(peer.drivers),
    trust: peer.trust ?? null,
    aliases: [...(peer.aliases ?? [])],
    round: peer.round ? JSON.stringify(peer.round) : null,
  };
}

/**
 * The panel at `asOf`: of each asset the newest row of the 30 days before, and none from after it. Of a category with
 * too many, a sample chosen by hashes: the same for every rating of that time, without preference by size or chain.
 */
export async function recentPeers(db: Database, asOf: string): Promise<readonly PeerRow[]> {
  const first = dayOf(new Date(Date.parse(asOf) - PEER_DAYS * DAY_MS).toISOString());
  const { rows } = await sql<Tables['peers']>`
    select asset_id, category, class, as_of, market_value_usd, drivers, trust, aliases, round
    from (
      select *, row_number() over (partition by category order by md5(asset_id), asset_id) as place
      from (
        select distinct on (asset_id) * from peers
        where day > ${first}::date and day <= ${dayOf(asOf)}::date and as_of <= ${asOf}
        order by asset_id, day desc
      ) newest
    ) sample
    where place <= ${MOST_OF_CATEGORY}
    order by asset_id
  `.execute(db);
  return rows.map((row) => ({
    assetId: row.asset_id,
    category: row.category as PeerRow['category'],
    ...(row.class === null ? {} : { class: row.class as NonNullable<PeerRow['class']> }),
    asOf: row.as_of,
    marketValueUsd: row.market_value_usd,
    drivers: JSON.parse(row.drivers) as PeerRow['drivers'],
    ...(row.trust === null ? {} : { trust: row.trust }),
    aliases: row.aliases,
    round: row.round === null ? null : (JSON.parse(row.round) as PeerRow['round'] & object),
  }));
}

/** An asset's drivers on each of the `days` days before that of `asOf`, oldest first. */
export async function driverDays(
  db: Database,
  assetId: string,
  asOf: string,
  days: number,
): Promise<readonly DriverDay[]> {
  const today = dayOf(asOf);
  const first = dayOf(new Date(Date.parse(asOf) - days * DAY_MS).toISOString());
  const rows = await db
    .selectFrom('peers')
    .select([sql<string>`day::text`.as('day'), 'readings'])
    .where('asset_id', '=', assetId)
    .where('day', '>=', first)
    .where('day', '<', today)
    .orderBy('day')
    .execute();
  return rows.map((row) => ({ day: row.day, readings: JSON.parse(row.readings) as DriverReadings }));
}

function dayOf(at: string): string {
  return new Date(at).toISOString().slice(0, 10);
}
