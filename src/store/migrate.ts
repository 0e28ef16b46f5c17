import { type Kysely, Migrator, sql } from 'kysely';
import { first } from './migrations/0001-first.ts';
import { snapshots } from './migrations/0002-snapshots.ts';
import { signing } from './migrations/0003-signing.ts';
import { scanLedgers } from './migrations/0004-scan-ledgers.ts';
import { scanLedgerPages } from './migrations/0005-scan-ledger-pages.ts';
import { ratingService } from './migrations/0006-ratings.ts';
import type { Tables } from './tables.ts';

const MIGRATIONS = {
  '0001-first': first,
  '0002-snapshots': snapshots,
  '0003-signing': signing,
  '0004-scan-ledgers': scanLedgers,
  '0005-scan-ledger-pages': scanLedgerPages,
  '0006-ratings': ratingService,
};

/** Every change of the tables that this version knows, the oldest first. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

export interface MigrationState {
  readonly applied: readonly string[];
  /** Known here and not applied yet, the oldest first. */
  readonly pending: readonly string[];
  /** Applied by a newer version than this one. */
  readonly unknown: readonly string[];
}

/** What of the migrations is in the database; changes nothing. */
export async function migrationState(db: Kysely<Tables>): Promise<MigrationState> {
  const { rows } = await sql<{ found: string | null }>`select to_regclass('kysely_migration')::text as found`.execute(
    db,
  );
  const done =
    rows[0]?.found == null
      ? []
      : (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows;
  const applied = done.map((row) => row.name);
  return {
    applied: applied.filter((name) => MIGRATION_NAMES.includes(name)),
    pending: MIGRATION_NAMES.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !MIGRATION_NAMES.includes(name)),
  };
}

/** Brings the tables up to `name`, or to the newest; one process at a time. Throws with a plain message when it cannot. */
export async function migrate(db: Kysely<Tables>, name: string | null = null): Promise<void> {
  const { unknown } = await migrationState(db);
  if (unknown.length > 0)
    throw new Error(
      `the database was brought up to date by a newer version of Assay (${unknown.join(', ')}): start that version, or restore a backup of this one`,
    );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await (name === null ? migrator.migrateToLatest() : migrator.migrateTo(name));
  if (error) throw new Error('the database could not be brought up to date', { cause: error });
}
