import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { byAsset, findByPages } from '../pages.ts';

/** The launch of an asset; JSON. */
export interface StoredLaunch {
  readonly record: Uint8Array;
  /** RFC 3339. */
  readonly keptAt: string;
}

/**
 * Stores the launch of an asset; an existing one is replaced, since a later search may have found more. `at` is RFC
 * 3339.
 */
export async function keepLaunch(db: Database, assetId: string, record: Uint8Array, at: string): Promise<void> {
  const bytes = Buffer.from(record);
  await db
    .insertInto('launches')
    .values({ asset_id: assetId, record: bytes, kept_at: at })
    .onConflict((row) => row.column('asset_id').doUpdateSet({ record: bytes, kept_at: at }))
    .execute();
}

/** The stored launch of an asset at or before `asOf` (RFC 3339); null when there is none. */
export async function launchOf(db: Database, assetId: string, asOf: string): Promise<StoredLaunch | null> {
  const row = await db
    .selectFrom('launches')
    .select(['record', 'kept_at'])
    .where('asset_id', '=', assetId)
    .where('kept_at', '<=', asOf)
    .executeTakeFirst();
  return row === undefined ? null : { record: row.record, keptAt: row.kept_at };
}

/** A wallet and its first payer. */
export interface FirstPayment {
  readonly chain: string;
  readonly wallet: string;
  readonly funder: string;
  /** RFC 3339; null: not known. */
  readonly at: string | null;
}

/** Payments are deleted this long after they were read. */
const KEPT_DAYS = 365;
/** More wallets do not improve the estimate of how often payers pay strangers. */
const MOST_READ = 5_000;

/** Stores the first payers of wallets that a search for `assetId` read; existing entries stay. */
export async function keepFirstPayments(
  db: Database,
  assetId: string,
  payments: readonly FirstPayment[],
  now: string,
): Promise<void> {
  if (payments.length === 0) return;
  const rows = JSON.stringify(payments.map((row) => ({ ...row, asset_id: assetId })));
  await sql`insert into first_payments (chain, wallet, funder, paid_at, asset_id, seen_at)
    select given.chain, given.wallet, given.funder, given.at, given.asset_id, ${now}
    from json_to_recordset(${rows}::json) as given (chain text, wallet text, funder text, at timestamptz, asset_id text)
    on conflict (chain, wallet) do nothing`.execute(db);
  await sql`delete from first_payments
    where seen_at < ${now}::timestamptz - ${sql.lit(KEPT_DAYS)} * interval '1 day'`.execute(db);
}

/** First payments on a chain between two times (RFC 3339) to wallets of searches for other assets, the newest first. */
export async function firstPayments(
  db: Database,
  assetId: string,
  chain: string,
  from: string,
  to: string,
): Promise<readonly FirstPayment[]> {
  const rows = await db
    .selectFrom('first_payments')
    .select(['wallet', 'funder', 'paid_at'])
    .where('chain', '=', chain)
    .where('paid_at', '>=', from)
    .where('paid_at', '<=', to)
    .where('asset_id', '<>', assetId)
    .orderBy('paid_at', 'desc')
    .limit(MOST_READ)
    .execute();
  return rows.map((row) => ({ chain, wallet: row.wallet, funder: row.funder, at: row.paid_at }));
}

/** A monitored asset without a stored launch. */
export interface UnreadLaunch {
  readonly assetId: string;
  readonly jobId: string;
}

/**
 * Monitored tokens of these chains without a stored launch, with the job of their newest rating; the most recently
 * added first.
 */
export async function unreadLaunches(
  db: Database,
  chains: readonly string[],
  limit: number,
): Promise<readonly UnreadLaunch[]> {
  return findByPages<MonitoredPlace, UnreadLaunch>({
    limit,
    async keys(last, count) {
      const at = sql`${last?.place ?? null}::timestamptz`;
      const { rows } = await sql<MonitoredPlace>`
        select m.asset_id, m.added_at::text as place from monitored_assets m
        where m.removed_at is null and not m.paused
          ${last === null ? sql`` : sql`and (m.added_at < ${at} or (m.added_at = ${at} and m.asset_id > ${last.asset_id}))`}
        order by m.added_at desc, m.asset_id limit ${count}`.execute(db);
      return rows;
    },
    async rows(places, room) {
      const { rows } = await sql<{ asset_id: string; job_id: string }>`
        select r.asset_id, rating.job_id from rated_assets r
        join published_ratings rating on rating.id = r.rating_id and rating.asset_id = r.asset_id
        where r.asset_id = any(${places.map((place) => place.asset_id)}::text[])
          and r.chain = any(${[...chains]}::text[]) and r.address is not null and r.address <> 'native'
          and not exists (select 1 from launches l where l.asset_id = r.asset_id)`.execute(db);
      const jobs = byAsset(rows);
      return places
        .flatMap(({ asset_id: assetId }) => {
          const found = jobs.get(assetId);
          return found === undefined ? [] : [{ assetId, jobId: found.job_id }];
        })
        .slice(0, room);
    },
  });
}

interface MonitoredPlace {
  readonly asset_id: string;
  /** When it was added, in PostgreSQL's format. */
  readonly place: string;
}
