import { type Kysely, sql } from 'kysely';

/** What a database says of a change: its name, and the oldest version that works on it; null when it does not say. */
export interface AppliedChange {
  readonly name: string;
  readonly compatibleFrom: string | null;
}

/** The changes in the database, the oldest first. Changes nothing. */
export async function appliedChanges<Tables>(db: Kysely<Tables>): Promise<readonly AppliedChange[]> {
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

/** Writes down, in the transaction of the change, who may still work on the tables after it. */
export async function declareCompatibility<Tables>(
  db: Kysely<Tables>,
  name: string,
  compatibleFrom: string,
): Promise<void> {
  await sql`create table if not exists schema_compatibility (name text primary key, compatible_from text not null)`.execute(
    db,
  );
  await sql`insert into schema_compatibility (name, compatible_from) values (${name}, ${compatibleFrom})
    on conflict (name) do update set compatible_from = excluded.compatible_from`.execute(db);
}

export interface Judgement {
  readonly applied: readonly string[];
  /** Known here and not applied yet, the oldest first. */
  readonly pending: readonly string[];
  /** Applied by a newer version, and this one works on. */
  readonly newer: readonly string[];
  /** Applied by a newer version, and this one does not work with them. */
  readonly unknown: readonly string[];
}

/** The changes in a database against those that a version knows. Pure. */
export function judgeChanges(known: readonly string[], inDatabase: readonly AppliedChange[]): Judgement {
  const names = inDatabase.map((change) => change.name);
  const foreign = inDatabase.filter((change) => !known.includes(change.name));
  const pending = known.filter((name) => !names.includes(name));
  // A version that lacks changes of its own beside newer ones is a side line: nobody has seen the two together.
  const works = (change: AppliedChange) =>
    pending.length === 0 && change.compatibleFrom !== null && known.includes(change.compatibleFrom);
  return {
    applied: names.filter((name) => known.includes(name)),
    pending,
    newer: foreign.filter(works).map((change) => change.name),
    unknown: foreign.filter((change) => !works(change)).map((change) => change.name),
  };
}
