import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { CARRY_HOURS, endOfDay } from './days.ts';

/** One asset of a closed day, with the bodies of its snapshots (UTF-8 JSON); null where it had none. */
export interface DayRow {
  readonly assetId: string;
  readonly market: Uint8Array | null;
  readonly holders: Uint8Array | null;
  readonly pools: Uint8Array | null;
}

export interface ClosedDay {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly rows: number;
  readonly closedAt: string;
}

/** Assets read at once: their bodies are all that is held in memory. */
const PAGE = 128;

/**
 * The rows of a closed day in the order of their asset ids (byte order); nothing for a day that is not closed. Read page
 * by page: what it reads never changes, so no transaction has to stay open for as long as the reader takes.
 */
export async function* dayRows(db: Database, chain: string, day: string): AsyncIterable<DayRow> {
  let after = '';
  for (;;) {
    const page = await pageOf(db, chain, day, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.assetId;
  }
}

/** Closed days of a chain whose rows are still kept, oldest first. */
export async function closedDays(db: Database, chain: string): Promise<readonly ClosedDay[]> {
  const { rows } = await sql<ClosedDay>`
    select to_char(day, 'YYYY-MM-DD') as day, rows, closed_at as "closedAt" from daily_closes
    where chain = ${chain} and state = 'closed' order by daily_closes.day`.execute(db);
  return rows;
}

async function pageOf(db: Database, chain: string, day: string, after: string): Promise<readonly DayRow[]> {
  const until = endOfDay(day);
  const since = until - CARRY_HOURS * 3_600_000;
  // The bounds let the planner leave all but three days aside; `limit 1` keeps it to the key, whatever its statistics say.
  const body = (kind: string) => sql`left join lateral (
    select s.body from snapshots s
    where s.asset_id = r.asset_id and s.kind = ${sql.lit(kind)} and s.as_of = ${sql.ref(`r.${kind}_as_of`)}
      and s.as_of > ${new Date(since).toISOString()}::timestamptz and s.as_of <= ${new Date(until).toISOString()}::timestamptz
    limit 1) ${sql.ref(kind)} on true`;
  const { rows } = await sql<DayRow>`
    select r.asset_id as "assetId", market.body as market, holders.body as holders, pools.body as pools
    from (
      select * from daily_rows
      where chain = ${chain} and day = ${day}::date and asset_id > ${after} order by asset_id limit ${sql.lit(PAGE)}
    ) r
    ${body('market')} ${body('holders')} ${body('pools')}
    order by r.asset_id`.execute(db);
  return rows;
}
