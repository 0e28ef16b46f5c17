import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Everything that was ever published of one asset. */
export interface StoredSeries {
  readonly assetId: string;
  readonly symbol: string | null;
  readonly ratings: readonly { readonly asOf: string; readonly band: string; readonly score: number | null }[];
}

/** Ratings read at once: with one asset's, all that is held in memory. */
const PAGE = 5_000;

interface Row {
  readonly asset_id: string;
  readonly id: number;
  readonly as_of: string;
  readonly band: string;
  readonly score: number | null;
  readonly symbol: string | null;
}

/** All published ratings, asset by asset, in pages. What is published meanwhile may be in or not. */
export async function* ratedSeries(db: Database): AsyncGenerator<StoredSeries> {
  let series: { assetId: string; symbol: string | null; ratings: StoredSeries['ratings'][number][] } | null = null;
  for await (const row of allRatings(db)) {
    if (series !== null && series.assetId !== row.asset_id) {
      yield series;
      series = null;
    }
    series ??= { assetId: row.asset_id, symbol: row.symbol, ratings: [] };
    series.ratings.push({ asOf: row.as_of, band: row.band, score: row.score });
  }
  if (series !== null) yield series;
}

async function* allRatings(db: Database): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const { rows } = await sql<Row>`
      select p.*, r.symbol
      from (
        select asset_id, id, as_of, band, score from published_ratings
        where (asset_id, id) > (${last?.asset_id ?? ''}, ${last?.id ?? 0}::bigint)
        order by asset_id, id limit ${sql.lit(PAGE)}
      ) p left join rated_assets r on r.asset_id = p.asset_id
      order by p.asset_id, p.id`.execute(db);
    yield* rows;
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last !== undefined);
}
