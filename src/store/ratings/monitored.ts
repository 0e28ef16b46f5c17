import { sql, type Transaction } from 'kysely';
import { CHAINS } from '../../chains/index.ts';
import type { Database } from '../database.ts';
import { leaseQueue } from '../lease-queue.ts';
import { byAsset, findByPages } from '../pages.ts';
import type { Tables } from '../tables.ts';

/**
 * Monitors an asset, or extends the time that it is monitored; one that was removed by hand is added again only by
 * hand.
 */
export async function monitorAsset(
  db: Database,
  row: {
    readonly asset_id: string;
    readonly added_by: string;
    readonly added_at: string;
    readonly wanted_until: string | null;
    readonly due_at: string;
    readonly cadence_seconds: number;
    readonly reason: string;
  },
  byHand: boolean,
): Promise<void> {
  await db
    .insertInto('monitored_assets')
    .values(row)
    .onConflict((conflict) => {
      const renewed = conflict.column('asset_id').doUpdateSet({
        // null is "without end", which greatest() would ignore.
        wanted_until: sql`case when monitored_assets.wanted_until is null or excluded.wanted_until is null then null
          else greatest(monitored_assets.wanted_until, excluded.wanted_until) end`,
        ...(byHand ? { removed_at: null, paused: false, added_by: row.added_by } : {}),
      });
      return byHand ? renewed : renewed.where('monitored_assets.removed_at', 'is', null);
    })
    .execute();
}

/** Monitors an asset that was requested again until at least that time. Does nothing for one that is not monitored. */
export async function extendMonitoring(
  transaction: Transaction<Tables>,
  assetId: string,
  until: string,
): Promise<void> {
  await transaction
    .updateTable('monitored_assets')
    .set({ wanted_until: until })
    .where('asset_id', '=', assetId)
    .where('removed_at', 'is', null)
    .where('wanted_until', '<', until)
    .execute();
}

/** Removes an asset; its ratings stay. False when it was not monitored. */
export async function unmonitorAsset(db: Database, assetId: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('monitored_assets')
    .set({ removed_at: at })
    .where('asset_id', '=', assetId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes an asset's next rating due earlier, never later. False when it is not monitored. */
export async function advanceNextRating(db: Database, assetId: string, at: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('monitored_assets')
    .set({ due_at: at, reason })
    .where('asset_id', '=', assetId)
    .where('removed_at', 'is', null)
    .where('due_at', '>', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Makes the next rating of a drained asset due at once. One whose last rating failed or was not published keeps its
 * pause: its prices are compared with the same published rating again, and it would never end. False when nothing
 * changed.
 */
export async function advanceDrained(db: Database, assetId: string, at: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('monitored_assets')
    .set({ due_at: at, reason })
    .where('asset_id', '=', assetId)
    .where('removed_at', 'is', null)
    .where('due_at', '>', at)
    .where('failures', '=', 0)
    .where('reason', '<>', 'unread')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Next due time of an asset, with the reason. */
export type NextDate = Pick<Tables['monitored_assets'], 'asset_id' | 'due_at' | 'cadence_seconds' | 'reason'>;

/** Stores the next due times of assets after ratings. Rows are locked in the order of their ids, as everywhere. */
export async function planNext(transaction: Transaction<Tables>, plans: readonly NextDate[]): Promise<void> {
  await sql`
    with plan as (
      select given.* from json_to_recordset(${JSON.stringify(plans)}::json)
          as given (asset_id text, due_at timestamptz, cadence_seconds int, reason text)
        join monitored_assets m on m.asset_id = given.asset_id
      order by m.asset_id for update of m
    )
    update monitored_assets m set due_at = plan.due_at, cadence_seconds = plan.cadence_seconds, reason = plan.reason,
      job_id = null, job_started_at = null, failures = 0, last_failure = null
    from plan where m.asset_id = plan.asset_id`.execute(transaction);
}

/** One asset with a due rating. */
export interface DueAsset {
  readonly asset_id: string;
  readonly due_at: string;
  readonly reason: string;
}

/** Due ratings. A collection's own lease holds an asset from `noteJob` on, which ends the lease here. */
const ratings = leaseQueue({
  table: 'monitored_assets',
  key: ['asset_id'],
  lease: 'job_started_at',
  holder: 'job_id',
  letGo: { job_id: null },
});

/**
 * Takes up to `limit` due assets for this process, the longest due first. They are due again after `leaseSeconds`
 * unless a job is recorded for them: a process that dies in between loses none.
 */
export async function takeDueRatings(
  db: Database,
  at: string,
  limit: number,
  leaseSeconds: number,
): Promise<readonly DueAsset[]> {
  const isDue = sql`t.due_at <= ${at} and t.removed_at is null and not t.paused and t.job_id is null
    and (t.wanted_until is null or t.wanted_until > ${at}
      or exists (select 1 from watchlist w where w.asset_id = t.asset_id))`;
  return findByPages<Place, DueAsset>({
    limit,
    async keys(last, count) {
      const { rows } = await sql<Place>`
        select t.asset_id, t.due_at::text as place from monitored_assets t
        where ${isDue} and (t.job_started_at is null or t.job_started_at <= clock_timestamp())
          ${last === null ? sql`` : sql`and (t.due_at, t.asset_id) > (${last.place}::timestamptz, ${last.asset_id})`}
        order by t.due_at, t.asset_id limit ${count}`.execute(db);
      return rows;
    },
    async rows(places, room) {
      const rated = await ratedAmong(db, places);
      if (rated.length === 0) return [];
      const { rows } = await ratings
        .take<DueAsset>({
          where: sql`t.asset_id = any(${rated}::text[]) and ${isDue}`,
          order: sql`t.due_at, t.asset_id`,
          limit: room,
          leaseSeconds,
          select: sql`t.asset_id, t.due_at, t.reason from taken t`,
        })
        .execute(db);
      return rows;
    },
  });
}

/** A monitored asset and its position in a list: a time in PostgreSQL's format, to the microsecond. */
interface Place {
  readonly asset_id: string;
  readonly place: string;
}

/** Those of the assets that have a rating. */
async function ratedAmong(db: Database, places: readonly Pick<Place, 'asset_id'>[]): Promise<string[]> {
  const ids = places.map((place) => place.asset_id);
  const { rows } = await sql<{ asset_id: string }>`
    select asset_id from rated_assets where asset_id = any(${ids}::text[])`.execute(db);
  return rows.map((row) => row.asset_id);
}

/** Records the job that rates an asset, unless the asset has been rated since it was taken. */
export async function noteJob(db: Database, due: DueAsset, jobId: string): Promise<void> {
  await db
    .updateTable('monitored_assets')
    .set({ job_id: jobId })
    .where('asset_id', '=', due.asset_id)
    .where('due_at', '=', due.due_at)
    .execute();
}

/** Number of running ratings by the monitor. */
export async function countUnderWay(db: Database): Promise<number> {
  const row = await db
    .selectFrom('monitored_assets')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('job_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** An asset whose job ended without a rating: the outcome, and the number of consecutive failures. */
export interface UnratedAsset {
  readonly asset_id: string;
  readonly job_id: string | null;
  readonly state: string;
  readonly failure: string | null;
  readonly failures: number;
}

export async function endedWithout(db: Database): Promise<readonly UnratedAsset[]> {
  return db
    .selectFrom('monitored_assets')
    .innerJoin('jobs', 'jobs.id', 'monitored_assets.job_id')
    .select([
      'monitored_assets.asset_id',
      'monitored_assets.job_id',
      'jobs.state',
      'jobs.failure',
      'monitored_assets.failures',
    ])
    .where('jobs.state', 'in', ['failed', 'cancelled', 'succeeded'])
    .limit(500)
    .execute();
}

/** Postpones assets after failed ratings. */
export async function postponeRatings(
  db: Database,
  assets: readonly (Pick<UnratedAsset, 'asset_id' | 'job_id'> & {
    readonly set: { readonly due_at: string; readonly last_failure: string; readonly failures: number };
  })[],
): Promise<void> {
  if (assets.length > 0) await ratings.end(assets).execute(db);
}

/** One entry of the register of monitored assets. */
export interface MonitoredEntry {
  readonly assetId: string;
  /** JSON; null when it was never rated. */
  readonly asset: string | null;
  readonly addedBy: string;
  readonly addedAt: string;
  readonly wantedUntil: string | null;
  readonly paused: boolean;
  readonly dueAt: string;
  /** Reason of the due time: `young`, `thin`, `alerting`, `watch`, `usual`, or an event. */
  readonly reason: string;
  readonly cadenceSeconds: number;
  readonly failures: number;
  readonly lastFailure: string | null;
}

/** Monitored assets by id, after `after`. */
export async function listMonitored(db: Database, after: string, limit: number): Promise<readonly MonitoredEntry[]> {
  const { rows } = await sql<Omit<MonitoredEntry, 'asset'>>`
    select m.asset_id as "assetId", m.added_by as "addedBy", m.added_at as "addedAt",
      m.wanted_until as "wantedUntil", m.paused, m.due_at as "dueAt", m.reason, m.cadence_seconds as "cadenceSeconds",
      m.failures, m.last_failure as "lastFailure"
    from monitored_assets m
    where m.removed_at is null and m.asset_id > ${after} order by m.asset_id limit ${limit}`.execute(db);
  const { rows: rated } = await sql<{ asset_id: string; asset: string }>`
    select asset_id, asset from rated_assets where asset_id = any(${rows.map((row) => row.assetId)}::text[])`.execute(
    db,
  );
  const assets = byAsset(rated);
  return rows.map((row) => ({ ...row, asset: assets.get(row.assetId)?.asset ?? null }));
}

/**
 * Deletes up to `limit` entries whose `wanted_until` is before `before`; their ratings stay. Entries removed by
 * hand or paused, and watched ones, are kept. Returns the number deleted.
 */
export async function forgetUnwanted(db: Database, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from monitored_assets where asset_id in (
      select m.asset_id from monitored_assets m
      where m.wanted_until < ${before} and m.removed_at is null and not m.paused and m.job_id is null
        and not exists (select 1 from watchlist w where w.asset_id = m.asset_id)
      limit ${limit}
    ) and wanted_until < ${before} and removed_at is null and job_id is null`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** An asset with less liquidity than when it was rated. */
export interface DrainedAsset {
  readonly asset_id: string;
  readonly reason: string;
  /** The least since then. */
  readonly liquidity_usd: number;
}

/** Assets whose snapshots since `since` and their newest rating have less than `share` of that rating's liquidity. */
export async function drainedSince(db: Database, since: string, share: number): Promise<readonly DrainedAsset[]> {
  const { rows } = await sql<DrainedAsset>`
    select r.asset_id, 'liquidity_drain' as reason, min(p.liquidity_usd) as liquidity_usd
    from prices p join rated_assets r on r.asset_id = p.asset_id
    where p.at > ${since} and p.at > r.as_of and r.liquidity_usd > 0 and p.liquidity_usd < ${share} * r.liquidity_usd
    group by r.asset_id`.execute(db);
  return rows;
}

/** A monitored asset whose keys were not read recently. */
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
  const seen = sql`coalesce(m.keys_seen_at, '-infinity')`;
  return findByPages<Place, KeyHolder>({
    limit,
    async keys(last, count) {
      const { rows } = await sql<Place>`
        select m.asset_id, ${seen}::text as place from monitored_assets m
        where split_part(m.asset_id, '/', 1) = ${caip2} and m.removed_at is null and not m.paused and ${seen} < ${before}
          ${last === null ? sql`` : sql`and (${seen}, m.asset_id) > (${last.place}::timestamptz, ${last.asset_id})`}
        order by ${seen}, m.asset_id limit ${count}`.execute(db);
      return rows;
    },
    async rows(places, room) {
      const { rows } = await sql<KeyHolder>`
        select asset_id, address from rated_assets
        where asset_id = any(${places.map((place) => place.asset_id)}::text[])
          and address is not null and address <> 'native'`.execute(db);
      const holders = byAsset(rows);
      return places.flatMap((place) => holders.get(place.asset_id) ?? []).slice(0, room);
    },
  });
}

/**
 * Stores the present holders of the keys (null: they could not be read). An asset with changed keys is due at once.
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

/** Monitored assets with one of these folded names, last rated before `before`. */
export async function monitoredByName(
  db: Database,
  names: readonly string[],
  before: string,
): Promise<readonly { readonly asset_id: string; readonly name: string }[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ asset_id: string; name: string }>`
    select asset_id, lower(name) as name from rated_assets
    where lower(name) = any(${[...names]}::text[]) and as_of < ${before}`.execute(db);
  if (rows.length === 0) return [];
  const { rows: monitored } = await sql<{ asset_id: string }>`
    select asset_id from monitored_assets
    where asset_id = any(${rows.map((row) => row.asset_id)}::text[]) and removed_at is null and not paused`.execute(db);
  const kept = byAsset(monitored);
  return rows.filter((row) => kept.has(row.asset_id));
}
