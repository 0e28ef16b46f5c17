import { sql } from 'kysely';
import { DAY_MS } from '../../domain/index.ts';
import type { Database } from '../database.ts';
import type { SqlRunner } from './partitions.ts';
import type { NewSnapshot, PricePoint } from './snapshot-row.ts';

/** A stored price point, at `at` (RFC 3339 UTC). */
export interface StoredPrice extends PricePoint {
  readonly at: string;
}

/** Stores the price points of market snapshots; existing ones stay. */
export async function storePrices(client: SqlRunner, rows: readonly NewSnapshot[]): Promise<void> {
  const priced = rows.filter((row) => row.price !== null);
  if (priced.length === 0) return;
  const numbers = (of: (point: PricePoint) => number | null) => priced.map((row) => row.price && of(row.price));
  await client.query(
    `insert into prices (asset_id, at, chain, price_usd, volume_24h_usd, market_cap_usd, liquidity_usd)
     select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::float8[], $5::float8[], $6::float8[], $7::float8[])
     order by 1, 2 on conflict do nothing`,
    [
      priced.map((row) => row.assetId),
      priced.map((row) => row.asOf),
      priced.map((row) => row.chain),
      numbers((point) => point.priceUsd),
      numbers((point) => point.volume24hUsd),
      numbers((point) => point.marketCapUsd),
      numbers((point) => point.liquidityUsd),
    ],
  );
}

/** The last price at or before `at` that is at most `withinSeconds` old then; null when there is none. */
export async function priceAt(
  db: Database,
  assetId: string,
  at: string,
  withinSeconds: number,
): Promise<StoredPrice | null> {
  const since = new Date(Date.parse(at) - withinSeconds * 1000).toISOString();
  const { rows } = await sql<StoredPrice>`
    select ${COLUMNS} from prices
    where asset_id = ${assetId} and at <= ${at}::timestamptz and at >= ${since}::timestamptz and price_usd is not null
    order by prices.at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * The last price of each of the `days` UTC days that end with the day of `until`, oldest first; days without a price
 * are left out.
 */
export async function dailyPrices(
  db: Database,
  assetId: string,
  until: string,
  days: number,
): Promise<readonly StoredPrice[]> {
  const first = new Date(Date.parse(until) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const { rows } = await sql<StoredPrice>`
    select last.at, last."priceUsd", last."volume24hUsd", last."marketCapUsd", last."liquidityUsd"
    from generate_series(${first}::timestamp, ${until.slice(0, 10)}::timestamp, '1 day') day
    cross join lateral (
      select ${COLUMNS} from prices
      where asset_id = ${assetId} and price_usd is not null and at <= ${until}::timestamptz
        and at >= ${`${first}T00:00:00Z`}::timestamptz
        and at >= day at time zone 'UTC' and at < (day + interval '1 day') at time zone 'UTC'
      order by prices.at desc limit 1
    ) last order by last.at`.execute(db);
  return rows;
}

/**
 * The last stored point of each of the `count` hours or UTC days that end with the one of `until` (RFC 3339), oldest
 * first; those without a point are left out. One key look-up each, for any frequency of snapshots.
 */
export async function lastPoints(
  db: Database,
  assetId: string,
  until: string,
  { step, count }: { readonly step: 'hour' | 'day'; readonly count: number },
): Promise<readonly StoredPrice[]> {
  const stepMs = step === 'hour' ? 3_600_000 : DAY_MS;
  const end = Math.floor(Date.parse(until) / stepMs) * stepMs;
  const starts = Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * stepMs).toISOString(),
  );
  const { rows } = await sql<StoredPrice>`
    select last.* from unnest(${starts}::timestamptz[]) span
    cross join lateral (
      select ${COLUMNS} from prices
      where asset_id = ${assetId} and at >= span and at < span + ${sql.lit(stepMs / 1000)} * interval '1 second'
        and at >= ${starts[0] ?? until}::timestamptz and at <= ${until}::timestamptz
      order by prices.at desc limit 1
    ) last order by last.at`.execute(db);
  return rows;
}

const COLUMNS = sql`at, price_usd as "priceUsd", volume_24h_usd as "volume24hUsd", market_cap_usd as "marketCapUsd",
  liquidity_usd as "liquidityUsd"`;
