import { sql } from 'kysely';
import type { Database } from './database.ts';

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
