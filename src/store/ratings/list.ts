import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { RatingRow } from './read.ts';

export type ListColumn = 'score' | 'trust' | 'as_of' | 'symbol';

export interface RatedListQuery {
  readonly chain: string | null;
  readonly bands: readonly string[] | null;
  readonly category: string | null;
  readonly class: string | null;
  readonly flag: string | null;
  readonly minTrust: number | null;
  /** What a symbol, a name, an address or an id begins with. */
  readonly search: string | null;
  readonly sort: ListColumn;
  readonly descending: boolean;
  /** The last entry of the page before. */
  readonly after: { readonly value: number | string | null; readonly assetId: string } | null;
  readonly limit: number;
}

export interface ListedRow extends RatingRow {
  /** What the list is sorted by, as the next page's place. */
  readonly place: number | string | null;
}

const TYPES: Readonly<Record<ListColumn, string>> = {
  score: 'double precision',
  trust: 'double precision',
  as_of: 'timestamptz',
  symbol: 'text',
};

/** Newest ratings, in an order that paging can follow: what has no value comes last either way, ties by the asset's id. */
export async function listRated(db: Database, query: RatedListQuery): Promise<readonly ListedRow[]> {
  return (await listStatement(query).execute(db)).rows;
}

/** The statement that lists them. */
export function listStatement(query: RatedListQuery): RawBuilder<ListedRow> {
  const { chain, bands, category, class: of, flag, minTrust, search, sort, descending, after, limit } = query;
  const column = sql.raw(sort === 'symbol' ? 'h.symbol_folded collate "C"' : `h.${sort}`);
  const type = sql.raw(TYPES[sort]);
  const filters = [
    ...(chain === null ? [] : [sql`h.chain = ${chain}`]),
    ...(bands === null ? [] : [sql`h.band = any(${[...bands]}::text[])`]),
    ...(category === null ? [] : [sql`h.category = ${category}`]),
    ...(of === null ? [] : [sql`h.class = ${of}`]),
    ...(flag === null ? [] : [sql`h.flags @> array[${flag}]::text[]`]),
    ...(minTrust === null ? [] : [sql`h.trust >= ${minTrust}`]),
    ...(search === null ? [] : [beginsWith(search)]),
    ...(after === null ? [] : [beyond(after)]),
  ];
  const where = filters.length === 0 ? sql`true` : sql.join(filters, sql` and `);
  return sql<ListedRow>`
    with page as materialized (
      select h.asset_id, h.rating_id, ${column} as place from rated_assets h where ${where}
      order by ${column} ${sql.raw(descending ? 'desc' : 'asc')} nulls last, h.asset_id limit ${limit}
    )
    select r.id, r.asset_id, r.as_of, r.stored_at, r.job_id, r.record, r.signature, page.place
    from page join published_ratings r on r.asset_id = page.asset_id and r.id = page.rating_id
    order by page.place ${sql.raw(descending ? 'desc' : 'asc')} nulls last, page.asset_id`;

  function beyond(place: NonNullable<RatedListQuery['after']>) {
    if (place.value === null) return sql`(${column} is null and h.asset_id > ${place.assetId})`;
    const value = sql`${place.value}::${type}`;
    const further = descending ? sql`${column} < ${value}` : sql`${column} > ${value}`;
    return sql`(${further} or (${column} = ${value} and h.asset_id > ${place.assetId}) or ${column} is null)`;
  }
}

/** Each part of the condition has an index of its own (migration `search`); letters A to Z are alike in either case. */
function beginsWith(text: string) {
  const pattern = `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // As symbols are folded where they are stored.
  const symbol = pattern.normalize('NFC').toLowerCase();
  return sql`(h.symbol_folded like ${symbol} or lower(h.name) like lower(${pattern})
    or lower(h.address) like lower(${pattern}) or h.asset_id like ${pattern})`;
}
