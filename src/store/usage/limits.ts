import { sql } from 'kysely';
import type { Database } from '../database.ts';

interface Wish {
  readonly owner: string;
  readonly kind: string;
  /** RFC 3339 UTC. */
  readonly startsAt: string;
  readonly limit: number;
  /** Below zero: given back. */
  readonly wanted: number;
  /** Counted whatever is left. */
  readonly debt: number;
}

/**
 * Sets requests of shared windows aside for one process, each at most as many as are left of its limit. In the order of the
 * wishes: how many were granted, and how many are set aside for all.
 */
export async function leaseWindows(
  db: Database,
  wishes: readonly Wish[],
): Promise<readonly { readonly granted: number; readonly used: number }[]> {
  if (wishes.length === 0) return [];
  // In one fixed order: two processes that ask for the same windows at once must not wait for each other.
  const ordered = wishes.map((wish, index) => ({ ...wish, index })).sort(byWindow);
  const wanted = (wish: Wish) => Math.min(wish.wanted, Math.max(0, wish.limit - wish.debt));
  const debt = sql`(excluded.used - excluded.granted)`;
  const granted = sql`case when excluded.granted < 0 then excluded.granted
    else greatest(0, least(excluded.granted, excluded.most - w.used - ${debt})) end`;
  const { rows } = await sql<{ granted: number; used: number }>`
    with given as (
      select * from unnest(
        ${ordered.map((row) => row.owner)}::text[], ${ordered.map((row) => row.kind)}::text[],
        ${ordered.map((row) => row.startsAt)}::timestamptz[], ${ordered.map((row) => row.debt + wanted(row))}::bigint[],
        ${ordered.map(wanted)}::bigint[], ${ordered.map((row) => row.limit)}::bigint[]
      ) with ordinality as t (owner, kind, starts_at, used, granted, most, place)
    ), leased as (
      insert into limit_windows as w (owner, kind, starts_at, used, granted, most)
      select owner, kind, starts_at, used, granted, most from given order by place
      on conflict (owner, kind, starts_at) do update
        set granted = ${granted}, used = w.used + ${debt} + ${granted}, most = excluded.most
      returning owner, kind, starts_at, used, granted
    )
    select leased.granted, leased.used from given join leased using (owner, kind, starts_at) order by given.place`.execute(
    db,
  );
  const leases = wishes.map(() => ({ granted: 0, used: 0 }));
  for (const [place, row] of rows.entries())
    leases[ordered[place]?.index ?? 0] = { granted: Number(row.granted), used: Number(row.used) };
  return leases;
}

/**
 * Takes one of a limited number in a shared window, for things too dear to overshoot. Null when none is left; else how many
 * have been taken, this one included.
 */
export async function takeFromWindow(
  db: Database,
  window: { readonly owner: string; readonly kind: string; readonly startsAt: string },
  limit: number,
): Promise<number | null> {
  if (limit < 1) return null;
  const { rows } = await sql<{ used: number }>`
    insert into limit_windows as w (owner, kind, starts_at, used)
    values (${window.owner}, ${window.kind}, ${window.startsAt}, 1)
    on conflict (owner, kind, starts_at) do update set used = w.used + 1 where w.used < ${limit}
    returning used`.execute(db);
  return rows[0] ? Number(rows[0].used) : null;
}

/** Gives one that was taken back. */
export async function returnToWindow(
  db: Database,
  window: { readonly owner: string; readonly kind: string; readonly startsAt: string },
): Promise<void> {
  await db
    .updateTable('limit_windows')
    .set({ used: sql`greatest(0, used - 1)` })
    .where('owner', '=', window.owner)
    .where('kind', '=', window.kind)
    .where('starts_at', '=', window.startsAt)
    .execute();
}

/** Windows that are long over need not be kept. */
export async function dropWindowsBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('limit_windows').where('starts_at', '<', before).execute();
}

function byWindow(a: Wish, b: Wish): number {
  const [one, two] = [`${a.owner} ${a.kind} ${a.startsAt}`, `${b.owner} ${b.kind} ${b.startsAt}`];
  return one < two ? -1 : one > two ? 1 : 0;
}
