import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { leaseQueue } from './lease-queue.ts';
import type { Tables } from './tables.ts';

const queue = leaseQueue({ table: 'source_watch', key: ['source'], lease: 'lease_until', holder: 'holder' });

/** A source that is due to be read, with what its earlier readings left behind (JSON); null before the first. */
export interface DueSource {
  readonly source: string;
  readonly holder: string;
  readonly state: string | null;
}

/** What a reading of known assets came to. */
export interface WatchedSource {
  readonly weight: number;
  readonly state: string;
  /** Signals that are off now; none: it is as usual. */
  readonly drifting: readonly string[];
  /** Set when a drift begins; null leaves the last one as it is. */
  readonly drift: { readonly at: string; readonly endpoint: string | null; readonly text: string } | null;
}

/** Makes these sources known, due at once. Those that are known stay as they are. */
export async function watchSources(db: Database, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return;
  await db
    .insertInto('source_watch')
    .values([...sources].sort().map((source) => ({ source })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes all of `sources` that are due at `at` (RFC 3339) for `leaseSeconds`. */
export async function takeDueSources(
  db: Database,
  sources: readonly string[],
  at: string,
  holder: string,
  leaseSeconds: number,
): Promise<readonly DueSource[]> {
  const { rows } = await queue
    .take<DueSource>({
      where: sql`t.due_at <= ${at} and t.source = any(${sources})`,
      order: sql`t.due_at, t.source`,
      limit: sources.length,
      leaseSeconds,
      set: { holder: sql`${holder}` },
      select: sql`t.source, t.holder, t.state, t.due_at from taken t`,
    })
    .execute(db);
  return rows;
}

/** Stores what readings came to, and when the sources are due again; a source that somebody else has taken meanwhile is left. */
export async function endSources(
  db: Database,
  rows: readonly (Pick<DueSource, 'source' | 'holder'> & { readonly found: WatchedSource })[],
  at: string,
  dueAt: string,
): Promise<void> {
  for (const { source, holder, found } of rows) {
    const { weight, state, drifting, drift } = found;
    const set = { due_at: dueAt, checked_at: at, weight, state, drifting: [...drifting] };
    const usualSince = drifting.length > 0 ? sql`null` : sql`coalesce(t.usual_since, ${at}::timestamptz)`;
    const began =
      drift === null
        ? {}
        : {
            drift_at: sql`${drift.at}`,
            drift_endpoint: sql`${drift.endpoint}`,
            drift: sql`${drift.text.toWellFormed()}`,
          };
    await queue.end([{ source, holder, set }], { usual_since: usualSince, ...began }).execute(db);
  }
}

/** Lets sources go unread, due again at `dueAt`. */
export async function releaseSources(
  db: Database,
  rows: readonly Pick<DueSource, 'source' | 'holder'>[],
  dueAt: string,
): Promise<void> {
  if (rows.length > 0)
    await queue.end(rows.map(({ source, holder }) => ({ source, holder, set: { due_at: dueAt } }))).execute(db);
}

export interface SourceHealth {
  readonly source: string;
  readonly weight: number;
  readonly checkedAt: string | null;
  readonly drifting: readonly string[];
  /** Since when nothing of it drifts; null while something does, and before the first reading. */
  readonly usualSince: string | null;
  readonly driftAt: string | null;
  /** Where the newest drift was noticed first; null where it is of no single endpoint. */
  readonly driftEndpoint: string | null;
  readonly drift: string | null;
  /** Null: nobody asked it yet. */
  readonly reachable: boolean | null;
  readonly succeededAt: string | null;
  readonly failure: string | null;
  readonly latencyMs: number | null;
  /** Of what it stated in collections, the share that consensus accepted; null: nothing yet. */
  readonly acceptedShare: number | null;
}

/** What is known of every source. */
export async function sourceHealth(db: Database | Transaction<Tables>): Promise<readonly SourceHealth[]> {
  const rows = await db.selectFrom('source_watch').selectAll().orderBy('source').execute();
  return rows.map((row) => ({
    source: row.source,
    weight: row.weight,
    checkedAt: row.checked_at,
    drifting: row.drifting,
    usualSince: row.usual_since,
    driftAt: row.drift_at,
    driftEndpoint: row.drift_endpoint,
    drift: row.drift,
    reachable: row.reachable,
    succeededAt: row.succeeded_at,
    failure: row.failure,
    latencyMs: row.latency_ms,
    acceptedShare: row.stated > 0 ? row.accepted / row.stated : null,
  }));
}

/** Weights other than one, by source. */
export async function sourceWeights(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('source_watch').select(['source', 'weight']).where('weight', '<', 1).execute();
  return new Map(rows.map((row) => [row.source, row.weight]));
}

/** What one process saw of a source since it last said. */
export interface SourceTally {
  readonly source: string;
  /** Null: it was not asked. */
  readonly reachable: boolean | null;
  readonly failure: string | null;
  readonly latencyMs: number | null;
  readonly accepted: number;
  readonly stated: number;
}

/** Counts of observations are forgotten by half in so many seconds. */
const HALF_LIFE_SECONDS = 86_400;

/** Adds what a process saw, at `at` (RFC 3339). */
export async function tallySources(db: Database, rows: readonly SourceTally[], at: string): Promise<void> {
  for (const row of [...rows].sort((a, b) => (a.source < b.source ? -1 : 1))) {
    const seen = row.reachable === null ? sql`` : sql`, reachable = ${row.reachable}, failure = ${row.failure}`;
    const good = row.reachable === true ? sql`, succeeded_at = ${at}, latency_ms = ${row.latencyMs}` : sql``;
    const kept = sql`power(0.5, greatest(0, extract(epoch from ${at}::timestamptz - coalesce(tallied_at, ${at}::timestamptz))) / ${HALF_LIFE_SECONDS}::float8)`;
    await sql`update source_watch set accepted = accepted * ${kept} + ${row.accepted}::float8,
      stated = stated * ${kept} + ${row.stated}::float8, tallied_at = ${at}::timestamptz ${seen}${good}
      where source = ${row.source}`.execute(db);
  }
}

/** Turns that each label has at once now, by the shared buckets; a label that nobody drew from is left out. */
export async function turnsLeft(
  db: Database,
  budgets: readonly { readonly label: string; readonly perMinute: number; readonly burst: number }[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ label: string; ahead: number }>`select label, greatest(0, extract(epoch from
      greatest(next_at, silent_until) - clock_timestamp()))::float8 as ahead
    from source_turns where label = any(${budgets.map(({ label }) => label)})`.execute(db);
  const ahead = new Map(rows.map((row) => [row.label, row.ahead]));
  return new Map(
    budgets.flatMap(({ label, perMinute, burst }) => {
      const seconds = ahead.get(label);
      const left = seconds === undefined ? null : Math.floor(Math.max(1, burst) - (seconds * perMinute) / 60);
      return left === null ? [] : [[label, Math.max(0, left)] as const];
    }),
  );
}
