import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { byAsset, findByPages } from '../pages.ts';

/** The launch of an asset as it was read; JSON. */
export interface StoredLaunch {
  readonly record: Uint8Array;
  /** RFC 3339. */
  readonly keptAt: string;
}

/** Keeps the launch of an asset; one that is there is replaced: a later search may have seen more. `at` is RFC 3339. */
export async function keepLaunch(db: Database, assetId: string, record: Uint8Array, at: string): Promise<void> {
  const bytes = Buffer.from(record);
  await db
    .insertInto('launches')
    .values({ asset_id: assetId, record: bytes, kept_at: at })
    .onConflict((row) => row.column('asset_id').doUpdateSet({ record: bytes, kept_at: at }))
    .execute();
}

/** The launch that was kept of an asset at or before `asOf` (RFC 3339); null when none was read then. */
export async function launchOf(db: Database, assetId: string, asOf: string): Promise<StoredLaunch | null> {
  const row = await db
    .selectFrom('launches')
    .select(['record', 'kept_at'])
    .where('asset_id', '=', assetId)
    .where('kept_at', '<=', asOf)
    .executeTakeFirst();
  return row === undefined ? null : { record: row.record, keptAt: row.kept_at };
}

/** A wallet and who first paid it. */
export interface FirstPayment {
  readonly chain: string;
  readonly wallet: string;
  readonly funder: string;
  /** RFC 3339; null: not known. */
  readonly at: string | null;
}

/** Payments are forgotten so long after they were seen. */
const KEPT_DAYS = 365;
/** More wallets say no more about how often payers pay strangers. */
const MOST_READ = 5_000;

/** Keeps who first paid wallets that a search for `assetId` looked at; what is known of a wallet already stays. */
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

/** First payments on a chain between two moments (RFC 3339) to wallets that searches for other assets looked at, the newest first. */
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

/** A monitored asset whose launch nobody has read. */
export interface UnreadLaunch {
  readonly assetId: string;
  readonly jobId: string;
}

/** Monitored tokens of these chains whose launch is not kept, with the job of their newest rating; those monitored last come first. */
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
  /** When it was added, as PostgreSQL writes it. */
  readonly place: string;
}
