import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, Migrator, sql } from 'kysely';
import { CHANGES } from './migrations/all.ts';
import type { Change, LateIndex } from './migrations/change.ts';
import { refuseUnfinished } from './move.ts';
import type { Tables } from './tables.ts';

/** Every migration of this version, the oldest first. */
export const MIGRATION_NAMES: readonly string[] = CHANGES.map((change) => change.name);

/**
 * Longest wait of a migration for a lock, during which all users of the table wait behind it; then it releases and
 * retries.
 */
const LOCK_PATIENCE_MS = 1_000;
const PAUSE_MS = 500;
const MOST_TRIES = 120;
const LOCK_NOT_AVAILABLE = '55P03';

/** Applied migrations of the database; changes nothing. */
export async function migrationState(db: Kysely<Tables>): Promise<MigrationState> {
  return judgeChanges(MIGRATION_NAMES, await appliedChanges(db));
}

/**
 * Migrates the tables to `name`, or to the newest version; one process at a time, while others use them. Tables that a
 * newer version changed are left unchanged when it allows this version to continue. Throws with a plain message when it
 * cannot.
 */
export async function migrate(db: Kysely<Tables>, name: string | null = null): Promise<void> {
  await refuseUnfinished(db);
  await applyChanges(db, CHANGES, name);
}

/** `migrate` with other migrations than this version's, and without a check whether a move or a restore is filling the database. */
export async function applyChanges(
  db: Kysely<Tables>,
  changes: readonly Change[],
  to: string | null = null,
): Promise<void> {
  const wanted = changes.slice(0, to === null ? undefined : changes.findIndex((change) => change.name === to) + 1);
  const names = wanted.map((change) => change.name);
  for (let tries = 1; ; tries += 1) {
    const state = judgeChanges(names, await appliedChanges(db));
    if (state.unknown.length > 0)
      throw new Error(
        `the database was brought up to date by a newer version of Assay (${state.unknown.join(', ')}): start that version, or restore a backup of this one`,
      );
    if (state.pending.length === 0) break;
    const error = await advance(db, wanted, state.applied.length === 0);
    if (error === null) {
      tries = 0;
      continue;
    }
    const now = judgeChanges(names, await appliedChanges(db));
    const elsewhere = now.applied.length + now.newer.length + now.unknown.length > state.applied.length;
    if (elsewhere) continue;
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || tries >= MOST_TRIES)
      throw new Error('the database could not be brought up to date', { cause: error });
    await sleep(PAUSE_MS);
  }
  await makeIndexes(
    db,
    wanted.flatMap((change) => change.indexes ?? []),
  );
}

/** One migration, or all at once where the database is empty. Null on success. */
async function advance(db: Kysely<Tables>, changes: readonly Change[], empty: boolean): Promise<unknown> {
  const migrations = Object.fromEntries(changes.map((change) => [change.name, { up: stepOf(change) }]));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await (empty ? migrator.migrateToLatest() : migrator.migrateUp());
  return error ?? null;
}

/** The migration, and a record of the versions that still work with it, in its transaction. */
function stepOf({ name, statements, compatibleFrom }: Change) {
  return async (db: Kysely<unknown>) => {
    await sql.raw(`set local lock_timeout = ${LOCK_PATIENCE_MS}`).execute(db);
    for (const statement of statements) await sql.raw(statement).execute(db);
    await sql
      .raw('create table if not exists schema_compatibility (name text primary key, compatible_from text not null)')
      .execute(db);
    await sql`insert into schema_compatibility (name, compatible_from) values (${name}, ${compatibleFrom})
      on conflict (name) do update set compatible_from = excluded.compatible_from`.execute(db);
  };
}

/**
 * A migration as recorded in a database: its name, and the oldest version that works with it; null when it is not
 * recorded.
 */
export interface AppliedChange {
  readonly name: string;
  readonly compatibleFrom: string | null;
}

/** The applied migrations, the oldest first. Changes nothing. */
async function appliedChanges(db: Kysely<Tables>): Promise<readonly AppliedChange[]> {
  const { rows: found } = await sql<{ migrations: boolean; compatibility: boolean }>`
    select to_regclass('kysely_migration') is not null as migrations,
      to_regclass('schema_compatibility') is not null as compatibility`.execute(db);
  if (!found[0]?.migrations) return [];
  const { rows } = found[0].compatibility
    ? await sql<AppliedChange>`select m.name, c.compatible_from as "compatibleFrom"
        from kysely_migration m left join schema_compatibility c using (name) order by m.name`.execute(db)
    : await sql<AppliedChange>`select name, null as "compatibleFrom" from kysely_migration order by name`.execute(db);
  return rows;
}

/** The applied migrations compared with those of a version. */
export interface MigrationState {
  readonly applied: readonly string[];
  /** In this version and not applied yet, the oldest first. */
  readonly pending: readonly string[];
  /** Applied by a newer version, with which this one works. */
  readonly newer: readonly string[];
  /** Applied by a newer version, with which this one does not work. */
  readonly unknown: readonly string[];
}

/** Compares the applied migrations with those of a version. Pure. */
export function judgeChanges(known: readonly string[], inDatabase: readonly AppliedChange[]): MigrationState {
  const names = inDatabase.map((change) => change.name);
  const foreign = inDatabase.filter((change) => !known.includes(change.name));
  const pending = known.filter((name) => !names.includes(name));
  // A version that lacks migrations of its own beside newer ones is a branch: the combination is untested.
  const works = (change: AppliedChange) =>
    pending.length === 0 && change.compatibleFrom !== null && known.includes(change.compatibleFrom);
  return {
    applied: names.filter((name) => known.includes(name)),
    pending,
    newer: foreign.filter(works).map((change) => change.name),
    unknown: foreign.filter((change) => !works(change)).map((change) => change.name),
  };
}

/** Key of the lock held while indexes are created. */
const LOCK = 7_300_913;

/**
 * Creates the indexes that are missing or incomplete, while reads and writes continue. One process at a time; another
 * that starts meanwhile continues without them, since they only serve speed.
 */
async function makeIndexes(db: Kysely<Tables>, indexes: readonly LateIndex[]): Promise<void> {
  if ((await missing(db, indexes)).length === 0) return;
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCK}) as held`.execute(connection);
    if (!rows[0]?.held) return;
    try {
      for (const { name, on } of await missing(connection, indexes)) {
        // An incomplete index of a killed process is in the catalogue but unused.
        await sql.raw(`drop index concurrently if exists ${name}`).execute(connection);
        await sql.raw(`create index concurrently ${name} on ${on}`).execute(connection);
      }
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

async function missing(db: Kysely<Tables>, indexes: readonly LateIndex[]): Promise<readonly LateIndex[]> {
  if (indexes.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and i.indisvalid`.execute(db);
  const there = new Set(rows.map((row) => row.name));
  return indexes.filter((index) => !there.has(index.name));
}
