import { type Kysely, Migrator, sql } from 'kysely';
import { appliedChanges, declareCompatibility, type Judgement, judgeChanges } from './compatibility.ts';
import { makeIndexes } from './late-indexes.ts';
import { CHANGES } from './migrations/all.ts';
import type { Change } from './migrations/change.ts';
import { refuseUnfinishedMove } from './move-journal.ts';
import type { Tables } from './tables.ts';

/** Every change of the tables that this version knows, the oldest first. */
export const MIGRATION_NAMES: readonly string[] = CHANGES.map((change) => change.name);

export type MigrationState = Judgement;

/** A change waits so long for a lock, and everybody who wants the table waits behind it; then it steps back and tries again. */
const LOCK_PATIENCE_MS = 1_000;
const PAUSE_MS = 500;
const MOST_TRIES = 120;
const LOCK_NOT_AVAILABLE = '55P03';

/** What of the migrations is in the database; changes nothing. */
export async function migrationState(db: Kysely<Tables>): Promise<MigrationState> {
  return judgeChanges(MIGRATION_NAMES, await appliedChanges(db));
}

/**
 * Brings the tables up to `name`, or to the newest; one process at a time, while others work on them. Tables that a newer
 * version changed are left as they are when it says that this one may go on. Throws with a plain message when it cannot.
 */
export async function migrate(db: Kysely<Tables>, name: string | null = null): Promise<void> {
  await refuseUnfinishedMove(db);
  await applyChanges(db, CHANGES, name);
}

/** `migrate` with other changes than this version's, and without a look at who else may be filling the database. */
export async function applyChanges(
  db: Kysely<Tables>,
  changes: readonly Change[],
  to: string | null = null,
): Promise<void> {
  const wanted = changes.slice(0, to === null ? undefined : changes.findIndex((change) => change.name === to) + 1);
  const names = wanted.map((change) => change.name);
  for (let tries = 1; ; tries += 1) {
    const state = judgeChanges(names, await appliedChanges(db));
    if (state.unknown.length > 0) throw new Error(newerVersion(state.unknown));
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
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await makeIndexes(
    db,
    wanted.flatMap((change) => change.indexes ?? []),
  );
}

/** What a version says that meets tables which it cannot work on. */
function newerVersion(unknown: readonly string[]): string {
  return `the database was brought up to date by a newer version of Assay (${unknown.join(', ')}): start that version, or restore a backup of this one`;
}

/** One change, or all of them at once where there is nothing yet that others could be working on. Null when it went well. */
async function advance(db: Kysely<Tables>, changes: readonly Change[], empty: boolean): Promise<unknown> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(changes.map((change) => [change.name, stepOf(change)])) },
  });
  const { error } = await (empty ? migrator.migrateToLatest() : migrator.migrateUp());
  return error ?? null;
}

function stepOf({ name, migration, compatibleFrom }: Change) {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(`set local lock_timeout = ${LOCK_PATIENCE_MS}`).execute(db);
      await migration.up(db);
      await declareCompatibility(db, name, compatibleFrom);
    },
  };
}
