import { sql } from 'kysely';
import type { Storage } from '../../src/compose/storage.ts';

const TABLES = ['published_ratings', 'rated_assets', 'monitored_assets'];

/**
 * Copies the rows of the assets added as `seed` under other ids until there are `size`; `from` is the number of the
 * first copy. Returns the next number. Indexes other than primary keys are dropped meanwhile and built afterwards.
 */
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
  await db.transaction().execute(async (transaction) => {
    const indexes = await dropIndexes(transaction);
    // Each copy has a range of ids as long as that of the seed, beyond all ids that there are.
    const { rows: bounds } = await sql<{ least: number; span: number; most: number }>`
      select min(id)::float8 as least, (max(id) - min(id) + 1)::float8 as span,
        (select max(id) from published_ratings)::float8 as most
      from published_ratings where asset_id in (${SEEDS})`.execute(transaction);
    const { least = 1, span = 1, most = 0 } = bounds[0] ?? {};
    const idOf = (id: string) => `${most + 1 - least} + ${span} * (copy - ${from})::bigint + row.${id}`;
    for (const table of TABLES) {
      const { rows: columns } = await sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(transaction);
      const names = columns.map((column) => column.name);
      const renamed: Record<string, string> = {
        id: idOf('id'),
        asset_id: asset,
        rating_id: idOf('rating_id'),
        added_by: "'copy'",
        job_id: "row.job_id || '~' || copy",
        symbol: 'row.symbol || copy',
        symbol_folded: 'row.symbol_folded || copy',
        score:
          'case when row.score is null then null else round((row.score + (copy % 97) / 100.0)::numeric, 2)::float8 end',
      };
      const values = names.map((name) => renamed[name] ?? `row.${name}`);
      await sql`insert into ${sql.table(table)} (${sql.raw(names.join(', '))}) overriding system value
        select ${sql.raw(values.join(', '))} from ${sql.table(table)} row, generate_series(${from}::int, ${from + copies - 1}::int) copy
        where row.asset_id in (${SEEDS})`.execute(transaction);
    }
    await sql`select setval(pg_get_serial_sequence('published_ratings', 'id'), max(id)) from published_ratings`.execute(
      transaction,
    );
    for (const definition of indexes) await sql.raw(definition).execute(transaction);
  });
  return from + copies;
}

const SEEDS = sql`select asset_id from monitored_assets where added_by = 'seed'`;

/** Drops the indexes that no constraint needs; returns the statements that create them. */
async function dropIndexes(db: Storage['store']['db']): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any(${TABLES}::text[]::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(db);
  return rows.map((row) => row.definition);
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
