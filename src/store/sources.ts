import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { leaseQueue } from './lease-queue.ts';
import type { Tables } from './tables.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** How long the claim of a process that fetches a list keeps others from fetching it. */
const CLAIM_SECONDS = 60;

export interface StoredList {
  /** JSON of the reply's record. */
  readonly record: string;
  /** Decoded bytes. */
  readonly body: Uint8Array;
}

/** The list, if it was fetched after `since` (RFC 3339); null: there is none so recent. */
export async function readList(db: Database, name: string, since: string): Promise<StoredList | null> {
  const row = await db
    .selectFrom('source_lists')
    .select(['record', 'body'])
    .where('name', '=', name)
    .where('fetched_at', '>', since)
    .executeTakeFirst();
  return row?.record && row.body ? { record: row.record, body: await decompress(row.body) } : null;
}

/** True for the one process that may fetch the list now; the others wait for it. By the database's clock. */
export async function claimList(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`insert into source_lists as held (name, claimed_until)
    values (${name}, clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}))
    on conflict (name) do update set claimed_until = excluded.claimed_until
      where held.claimed_until is null or held.claimed_until < clock_timestamp()
    returning name`.execute(db);
  return rows.length > 0;
}

/** Stores a list that was fetched at `fetchedAt` (RFC 3339) in place of the previous one, and releases the claim. */
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

/** Releases the claim without a list. */
export async function releaseList(db: Database, name: string): Promise<void> {
  await db.updateTable('source_lists').set({ claimed_until: null }).where('name', '=', name).execute();
}

/** A reserved request slot, with the milliseconds until it; or how long until one is free. */
export type SlotReservation = { readonly taken: boolean; readonly waitMs: number };

/**
 * Reserves the next slot of a label among all processes, unless it is later than `mostWaitMs`. A generic cell rate
 * algorithm (ITU-T I.371) with the database's clock, in one statement: `burst` slots at once, then `perMinute`.
 */
export async function reserveSlot(
  db: Database,
  label: string,
  { perMinute, burst }: { readonly perMinute: number; readonly burst: number },
  mostWaitMs: number,
): Promise<SlotReservation> {
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

/** The source requested a pause: no process sends it a request for `milliseconds`. */
export async function pauseSource(db: Database, label: string, milliseconds: number): Promise<void> {
  await sql`insert into source_turns as held (label, next_at, silent_until)
    values (${label}, clock_timestamp(), clock_timestamp() + make_interval(secs => ${milliseconds / 1000}))
    on conflict (label) do update set silent_until = greatest(held.silent_until, excluded.silent_until)`.execute(db);
}

const queue = leaseQueue({ table: 'source_watch', key: ['source'], lease: 'lease_until', holder: 'holder' });

/** A source with a due reading, with the state of its earlier readings (JSON); null before the first. */
export interface DueSource {
  readonly source: string;
  readonly holder: string;
  readonly state: string | null;
}

/** Result of a reading of known assets. */
export interface WatchedSource {
  readonly weight: number;
  readonly state: string;
  /** Drifting signals; empty: normal. */
  readonly drifting: readonly string[];
  /** Set when a drift begins; null leaves the last one unchanged. */
  readonly drift: { readonly at: string; readonly endpoint: string | null; readonly text: string } | null;
}

/** Registers these sources, due at once. Registered ones are unchanged. */
export async function watchSources(db: Database, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return;
  await db
    .insertInto('source_watch')
    .values([...sources].sort().map((source) => ({ source })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Leases all of `sources` that are due at `at` (RFC 3339) for `leaseSeconds`. */
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

/**
 * Stores the results of readings, and when the sources are due again; a source leased by another process meanwhile is
 * left unchanged.
 */
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

/** Releases sources without a reading, due again at `dueAt`. */
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
  /** Start of the present time without drift; null during a drift, and before the first reading. */
  readonly usualSince: string | null;
  readonly driftAt: string | null;
  /** Endpoint at which the newest drift was first detected; null where it is not a single endpoint. */
  readonly driftEndpoint: string | null;
  readonly drift: string | null;
  /** Null: no request was sent yet. */
  readonly reachable: boolean | null;
  readonly succeededAt: string | null;
  readonly failure: string | null;
  readonly latencyMs: number | null;
  /** Share of its observations in collections that consensus accepted; null: none yet. */
  readonly acceptedShare: number | null;
}

/** State of every source. */
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

/** Measurements of one process about a source since its last report. */
export interface SourceTally {
  readonly source: string;
  /** Null: no request was sent. */
  readonly reachable: boolean | null;
  readonly failure: string | null;
  readonly latencyMs: number | null;
  readonly accepted: number;
  readonly stated: number;
  /** Requests since then. */
  readonly answered: number;
  readonly failed: number;
}

/** Half-life of counts of observations, in seconds. */
const HALF_LIFE_SECONDS = 86_400;

/** Adds the measurements of a process, at `at` (RFC 3339). */
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

/** Replies of a source within one hour. */
export interface SourceHour {
  readonly source: string;
  /** RFC 3339, start of the hour. */
  readonly hour: string;
  readonly answered: number;
  readonly failed: number;
}

/**
 * Hours from `since` (RFC 3339) on with requests to a source, oldest first; those of two days before it are deleted.
 */
export async function sourceHours(db: Database, since: string): Promise<readonly SourceHour[]> {
  await sql`delete from source_hours where hour < ${since}::timestamptz - interval '2 days'`.execute(db);
  return db.selectFrom('source_hours').selectAll().where('hour', '>=', since).orderBy('hour').execute();
}

/** Free slots of each label now, by the shared buckets; an unused label is left out. */
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
