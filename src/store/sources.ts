import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { leaseQueue } from './lease-queue.ts';
import type { Tables } from './tables.ts';

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

/** The source asked for a pause: no process sends it a request for `milliseconds`. */
export async function keepSilent(db: Database, label: string, milliseconds: number): Promise<void> {
  await sql`insert into source_turns as held (label, next_at, silent_until)
    values (${label}, clock_timestamp(), clock_timestamp() + make_interval(secs => ${milliseconds / 1000}))
    on conflict (label) do update set silent_until = greatest(held.silent_until, excluded.silent_until)`.execute(db);
}

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
  const { rows } = await sql<SourceHealth>`
    select source, weight, checked_at as "checkedAt", drifting, usual_since as "usualSince",
      drift_at as "driftAt", drift_endpoint as "driftEndpoint", drift, reachable,
      succeeded_at as "succeededAt", failure, latency_ms as "latencyMs",
      case when stated > 0 then accepted / stated end as "acceptedShare"
    from source_watch order by source`.execute(db);
  return rows;
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
  /** Requests since then. */
  readonly answered: number;
  readonly failed: number;
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
    if (row.answered + row.failed > 0)
      await sql`insert into source_hours as held (source, hour, answered, failed)
        values (${row.source}, date_trunc('hour', ${at}::timestamptz, 'UTC'), ${row.answered}::int, ${row.failed}::int)
        on conflict (source, hour) do update
          set answered = held.answered + excluded.answered, failed = held.failed + excluded.failed`.execute(db);
  }
}

/** How a source answered within one hour. */
export interface SourceHour {
  readonly source: string;
  /** RFC 3339, its beginning. */
  readonly hour: string;
  readonly answered: number;
  readonly failed: number;
}

/** Hours from `since` (RFC 3339) on in which a source was asked, oldest first; those of two days before it are forgotten. */
export async function sourceHours(db: Database, since: string): Promise<readonly SourceHour[]> {
  await sql`delete from source_hours where hour < ${since}::timestamptz - interval '2 days'`.execute(db);
  return db.selectFrom('source_hours').selectAll().where('hour', '>=', since).orderBy('hour').execute();
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
