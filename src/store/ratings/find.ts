import { sql } from 'kysely';
import type { Database } from '../database.ts';

export interface FoundAsset {
  readonly asset: string;
  readonly symbol: string | null;
  readonly band: string;
  readonly score: number | null;
  readonly trust: number;
  readonly as_of: string;
}

/** Look-alike symbols that fold to the same text are told apart by the caller; so many are looked at. */
const MOST_FOUND = 200;

/** What rated assets are looked for by: one of their names. */
export type AssetName =
  | { readonly by: 'asset_id'; readonly value: string }
  | { readonly by: 'address'; readonly value: string }
  | { readonly by: 'symbol_folded'; readonly value: string };

/** Rated assets of a name, the largest first. */
export async function findRated(db: Database, { by, value }: AssetName): Promise<readonly FoundAsset[]> {
  return db
    .selectFrom('rated_assets')
    .select(['asset', 'symbol', 'band', 'score', 'trust', 'as_of'])
    .where(by, '=', value)
    .orderBy(sql`market_cap_usd desc nulls last`)
    .orderBy(sql`liquidity_usd desc nulls last`)
    .orderBy('asset_id')
    .limit(MOST_FOUND)
    .execute();
}
