import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** How many rated assets of a category have a score, by the decade of their market capitalisation (null: not known). */
export interface PeerCount {
  readonly decade: number | null;
  readonly score: number;
  readonly assets: number;
}

/** Scores of a category as counts: at most a thousand different ones per decade, however many assets there are. */
export async function peerCounts(db: Database, category: string): Promise<readonly PeerCount[]> {
  const { rows } = await sql<PeerCount>`
    select case when market_cap_usd >= 1 then floor(log(market_cap_usd::numeric))::int end as decade, score,
      count(*)::int as assets
    from rated_assets where category = ${category} and score is not null group by 1, 2`.execute(db);
  return rows;
}

/** What the standing of an asset is reckoned from; null for one never rated. */
export async function peerOf(
  db: Database,
  assetId: string,
): Promise<{
  readonly category: string;
  readonly score: number | null;
  readonly decade: number | null;
} | null> {
  const { rows } = await sql<{ category: string; score: number | null; decade: number | null }>`
    select category, score, case when market_cap_usd >= 1 then floor(log(market_cap_usd::numeric))::int end as decade
    from rated_assets where asset_id = ${assetId}`.execute(db);
  return rows[0] ?? null;
}
