import { sql } from 'kysely';
import { DAY_MS } from '../../domain/index.ts';
import type { Database } from '../database.ts';
import type { StoredPrice } from './prices.ts';

/** A kept point of which the price may be missing. */
export type StoredPoint = Omit<StoredPrice, 'priceUsd'> & { readonly priceUsd: number | null };

/**
 * The last kept point of each of the `count` hours or UTC days that end with the one of `until` (RFC 3339), oldest first;
 * those without a point are left out. One key look-up each, however often the asset is looked at.
 */
export async function lastPoints(
  db: Database,
  assetId: string,
  until: string,
  { step, count }: { readonly step: 'hour' | 'day'; readonly count: number },
): Promise<readonly StoredPoint[]> {
  const stepMs = step === 'hour' ? 3_600_000 : DAY_MS;
  const end = Math.floor(Date.parse(until) / stepMs) * stepMs;
  const starts = Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * stepMs).toISOString(),
  );
  const { rows } = await sql<StoredPoint>`
    select last.* from unnest(${starts}::timestamptz[]) span
    cross join lateral (
      select at, price_usd as "priceUsd", volume_24h_usd as "volume24hUsd", market_cap_usd as "marketCapUsd",
        liquidity_usd as "liquidityUsd"
      from prices
      where asset_id = ${assetId} and at >= span and at < span + ${sql.lit(stepMs / 1000)} * interval '1 second'
        and at >= ${starts[0] ?? until}::timestamptz and at <= ${until}::timestamptz
      order by prices.at desc limit 1
    ) last order by last.at`.execute(db);
  return rows;
}
