import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** How long a process that fetches a list keeps others from fetching it too. */
const CLAIM_SECONDS = 60;

export interface StoredList {
  /** JSON of the reply's record. */
  readonly record: string;
  /** Decoded. */
  readonly body: Uint8Array;
}

/** The list, when it was fetched after `since` (RFC 3339); null: there is none so new. */
export async function readList(db: Database, name: string, since: string): Promise<StoredList | null> {
  const row = await db
    .selectFrom('source_lists')
    .select(['record', 'body'])
    .where('name', '=', name)
    .where('fetched_at', '>', since)
    .executeTakeFirst();
  return row?.record && row.body ? { record: row.record, body: await decompress(row.body) } : null;
}

/** True for the one process that may fetch the list now; the others wait for what it puts. By the database's clock. */
export async function claimList(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`insert into source_lists as held (name, claimed_until)
    values (${name}, clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}))
    on conflict (name) do update set claimed_until = excluded.claimed_until
      where held.claimed_until is null or held.claimed_until < clock_timestamp()
    returning name`.execute(db);
  return rows.length > 0;
}

/** Stores a list that was fetched at `fetchedAt` (RFC 3339) in place of the one before, and gives the claim back. */
export async function writeList(
  db: Database,
  name: string,
  fetchedAt: string,
  { record, body }: StoredList,
): Promise<void> {
  const row = { fetched_at: fetchedAt, record, body: Buffer.from(await compress(body)), claimed_until: null };
  await db
    .insertInto('source_lists')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** Gives the claim back without a list. */
export async function releaseList(db: Database, name: string): Promise<void> {
  await db.updateTable('source_lists').set({ claimed_until: null }).where('name', '=', name).execute();
}

/** A turn that was taken, with the milliseconds until it comes; or how long until one could be had. */
export type SharedTurn = { readonly taken: boolean; readonly waitMs: number };

/**
 * Takes the next turn of a label among all processes, unless it comes later than `mostWaitMs`. A generic cell rate
 * algorithm (ITU-T I.371) with the database's clock, in one statement: `burst` turns at once, then `perMinute`.
 */
export async function takeTurn(
  db: Database,
  label: string,
  { perMinute, burst }: { readonly perMinute: number; readonly burst: number },
  mostWaitMs: number,
): Promise<SharedTurn> {
  const apart = 60 / Math.max(perMinute, 0.01);
  const lead = apart * (Math.max(1, burst) - 1);
  const taken = await sql<{ wait: number }>`insert into source_turns as held (label, next_at)
    values (${label}, clock_timestamp() + make_interval(secs => ${apart}))
    on conflict (label) do update
      set next_at = greatest(held.next_at, held.silent_until, clock_timestamp()) + make_interval(secs => ${apart})
      where greatest(held.next_at - make_interval(secs => ${lead}), held.silent_until) - clock_timestamp()
        <= make_interval(secs => ${mostWaitMs / 1000})
    returning extract(epoch from greatest(held.next_at - make_interval(secs => ${apart + lead}), held.silent_until)
      - clock_timestamp())::float8 as wait`.execute(db);
  const [turn] = taken.rows;
  if (turn) return { taken: true, waitMs: Math.max(0, turn.wait * 1000) };
  const { rows } = await sql<{ wait: number }>`select extract(epoch from
      greatest(next_at - make_interval(secs => ${lead}), silent_until) - clock_timestamp())::float8 as wait
    from source_turns where label = ${label}`.execute(db);
  return { taken: false, waitMs: Math.max(0, (rows[0]?.wait ?? 0) * 1000) };
}

/** The source asked for silence: no process asks it for `milliseconds`. */
export async function keepSilent(db: Database, label: string, milliseconds: number): Promise<void> {
  await sql`insert into source_turns as held (label, next_at, silent_until)
    values (${label}, clock_timestamp(), clock_timestamp() + make_interval(secs => ${milliseconds / 1000}))
    on conflict (label) do update set silent_until = greatest(held.silent_until, excluded.silent_until)`.execute(db);
}
