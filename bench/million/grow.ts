import { sql } from 'kysely';
import type { Storage } from '../../src/compose/storage.ts';

/** Copies the rows of the assets added as `seed` under other ids until there are `size`; `from` is the number of the first copy. Returns the next number. */
export async function grow(storage: Storage, size: number, from: number): Promise<number> {
  const { db } = storage.store;
  const there = await countAssets(storage);
  const seeds = await countSeeds(storage);
  const copies = Math.ceil((size - there) / seeds);
  if (copies <= 0) return from;
  // Copies have their number before the last six characters of the address, which for the seed are its own.
  const signs = (zero: string) =>
    `overlay(row.asset_id placing translate((100000 + copy)::text, '0', '${zero}') from length(row.asset_id) - 11 for 6)`;
  const asset = `case when row.asset_id like '%/erc20:%' then ${signs('a')}
    when row.asset_id like '%/token:%' then ${signs('A')} else row.asset_id || copy end`;
  for (const table of ['published_ratings', 'rated_assets', 'monitored_assets']) {
    const { rows: columns } = await sql<{ name: string; generated: boolean }>`select attname as name,
        attidentity <> '' as generated from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db);
    const kept = columns.filter((column) => !column.generated).map((column) => column.name);
    const renamed: Record<string, string> = {
      asset_id: asset,
      rating_id: `(select max(id) from published_ratings rating where rating.asset_id = ${asset})`,
      added_by: "'copy'",
      job_id: "row.job_id || '~' || copy",
      symbol: 'row.symbol || copy',
      symbol_folded: 'row.symbol_folded || copy',
      score:
        'case when row.score is null then null else round((row.score + (copy % 97) / 100.0)::numeric, 2)::float8 end',
    };
    const values = kept.map((name) => renamed[name] ?? `row.${name}`);
    await sql`insert into ${sql.table(table)} (${sql.raw(kept.join(', '))})
      select ${sql.raw(values.join(', '))} from ${sql.table(table)} row, generate_series(${from}::int, ${from + copies - 1}::int) copy
      where row.asset_id in (select asset_id from monitored_assets where added_by = 'seed')`.execute(db);
  }
  return from + copies;
}

/** Number of assets with a rating. */
export async function countAssets(storage: Storage): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int n from rated_assets`.execute(storage.store.db);
  return rows[0]?.n ?? 0;
}

async function countSeeds(storage: Storage): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int n from monitored_assets where added_by = 'seed'`.execute(storage.store.db);
  return rows[0]?.n ?? 0;
}
