import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DAY_MS } from '../../domain/index.ts';
import { announce, type StoredNotice } from './notices.ts';
import { dayOf, ensureDays, inTransaction, type SqlRunner } from './partitions.ts';
import { storePrices } from './prices.ts';
import type { NewSnapshot } from './snapshot-row.ts';
import { COPY_COLUMNS, copyChunks } from './snapshot-row.ts';

export interface SnapshotWriter {
  /**
   * Stores snapshots with their price points, heads and notifications in one transaction: readers see all of it, or
   * nothing. Storing the same asset, kind and `as_of` again changes nothing. `also` joins the transaction. Returns the
   * number of new ones. Of many snapshots of one asset and kind in one call, only the newest is notified.
   */
  store(
    rows: readonly NewSnapshot[],
    storedAt: number,
    also?: (client: pg.PoolClient) => Promise<void>,
  ): Promise<number>;
  /** Creates missing partitions for snapshots of this time (RFC 3339). Before `storeWithin`. */
  prepareFor(asOf: string): Promise<void>;
}

/**
 * Stores a few snapshots like `SnapshotWriter.store`, inside a larger transaction. The partitions must exist
 * (`prepareFor`): creating them here would block all writers until the transaction ends.
 */
export async function storeWithin(client: SqlRunner, rows: readonly NewSnapshot[], storedAt: number): Promise<void> {
  if (rows.length > 0) await finish(client, rows, storedAt, await insertFew(client, rows, storedAt));
}

/** Everything stored with inserted snapshots. `also` comes before the heads, which are updated last. */
async function finish(
  client: SqlRunner,
  rows: readonly NewSnapshot[],
  storedAt: number,
  { newest }: Added,
  also?: () => Promise<void>,
): Promise<void> {
  await storePrices(client, rows);
  await also?.();
  await raiseHeads(client, newest, storedAt);
  await announce(
    client,
    newest.map((row) => noticeOf(row, storedAt)),
  );
}

/**
 * For fewer rows, one INSERT is quicker than the COPY protocol's round trips (measured: even at about 60 rows of 400
 * bytes).
 */
const FEW_ROWS = 64;
const FEW_BYTES = 1024 * 1024;
const UNIQUE_VIOLATION = '23505';
const NO_PARTITION = '23514';
/** A clock that is off by more is a bug, and would create a partition that no retention ever drops. */
const MOST_AHEAD_MS = 2 * DAY_MS;

/** Stores snapshots on this pool. Partitions are created when first needed. */
export function createSnapshotWriter(pool: pg.Pool): SnapshotWriter {
  const ready = new Set<string>();

  async function prepare(rows: readonly Pick<NewSnapshot, 'asOf'>[], storedAt: number): Promise<void> {
    const starts = new Set<number>();
    for (const row of rows) {
      const at = Date.parse(row.asOf);
      if (!(at <= storedAt + MOST_AHEAD_MS)) throw new RangeError(`a snapshot cannot be true at ${row.asOf} already`);
      starts.add(at - (at % DAY_MS));
    }
    const missing = [...starts].map(dayOf).filter((day) => !ready.has(day));
    if (missing.length === 0) return;
    await ensureDays(pool, 'snapshots', missing);
    await ensureDays(pool, 'prices', missing);
    for (const day of missing) ready.add(day);
  }

  const attempt: SnapshotWriter['store'] = async (rows, storedAt, also) => {
    await prepare(rows, storedAt);
    return inTransaction(pool, async (client) => {
      const added = await insert(client, rows, storedAt);
      await finish(client, rows, storedAt, added, () => also?.(client) ?? Promise.resolve());
      return added.count;
    });
  };

  return {
    prepareFor: (asOf) => prepare([{ asOf }], Date.parse(asOf)),
    async store(rows, storedAt, also) {
      try {
        return await attempt(rows, storedAt, also);
      } catch (error) {
        // Retention dropped a known day: it is created again.
        if (codeOf(error) !== NO_PARTITION || ready.size === 0) throw error;
        ready.clear();
        return attempt(rows, storedAt, also);
      }
    },
  };
}

interface Added {
  readonly count: number;
  /** The newest of each asset and kind among those that were new, ordered by both. */
  readonly newest: readonly NewSnapshot[];
}

async function insert(client: pg.PoolClient, rows: readonly NewSnapshot[], storedAt: number): Promise<Added> {
  if (rows.length === 0) return { count: 0, newest: [] };
  const bytes = rows.reduce((sum, row) => sum + row.body.byteLength, 0);
  if (rows.length <= FEW_ROWS && bytes <= FEW_BYTES) return insertFew(client, rows, storedAt);
  // Directly into the day's table, since nearly always everything is new. Duplicates fail on the key, and take the
  // slower path.
  await client.query('savepoint straight');
  try {
    await copy(client, 'snapshots', rows, storedAt);
    return { count: rows.length, newest: newestOf(rows) };
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint straight');
    return insertStaged(client, rows, storedAt);
  }
}

async function insertFew(client: SqlRunner, rows: readonly NewSnapshot[], storedAt: number): Promise<Added> {
  const ordered = [...rows].sort(byKey);
  const { rows: keys } = await client.query<KeyRow>(
    `insert into snapshots (${COPY_COLUMNS})
     select asset_id, kind, as_of, chain, $1, method, body, sha256
     from unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::bytea[], $8::bytea[])
       given (asset_id, kind, as_of, chain, method, body, sha256)
     on conflict do nothing returning asset_id, kind, as_of`,
    [
      new Date(storedAt).toISOString(),
      ordered.map((row) => row.assetId),
      ordered.map((row) => row.kind),
      ordered.map((row) => row.asOf),
      ordered.map((row) => row.chain),
      ordered.map((row) => row.method),
      ordered.map((row) => asBuffer(row.body)),
      ordered.map((row) => asBuffer(row.sha256)),
    ],
  );
  return { count: keys.length, newest: pick(ordered, keys) };
}

async function insertStaged(client: pg.PoolClient, rows: readonly NewSnapshot[], storedAt: number): Promise<Added> {
  await client.query('create temporary table staged_snapshots (like snapshots including storage) on commit drop');
  await copy(client, 'staged_snapshots', rows, storedAt);
  const { rows: keys } = await client.query<KeyRow & { readonly count: number }>(
    `with added as (
       insert into snapshots (${COPY_COLUMNS}) select ${COPY_COLUMNS} from staged_snapshots order by asset_id, kind, as_of
       on conflict do nothing returning asset_id, kind, as_of
     ) select asset_id, kind, max(as_of) as as_of, count(*) as count from added group by asset_id, kind`,
  );
  return { count: keys.reduce((sum, key) => sum + Number(key.count), 0), newest: pick(rows, keys) };
}

interface KeyRow {
  readonly asset_id: string;
  readonly kind: string;
  readonly as_of: string;
}

function copy(client: pg.PoolClient, table: string, rows: readonly NewSnapshot[], storedAt: number): Promise<void> {
  const stream = client.query(copyFrom(`copy ${table} (${COPY_COLUMNS}) from stdin with (format binary)`));
  return pipeline(Readable.from(copyChunks(rows, storedAt), { objectMode: true, highWaterMark: 2 }), stream);
}

/** Heads only increase. In the order of their keys, so that two writers never deadlock. */
async function raiseHeads(client: SqlRunner, newest: readonly NewSnapshot[], storedAt: number): Promise<void> {
  if (newest.length === 0) return;
  await client.query(
    `insert into snapshot_heads as head (asset_id, kind, chain, as_of, stored_at, weight_usd, changed_at)
     select asset_id, kind, chain, as_of, $1, weight_usd, clock_timestamp()
     from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::float8[])
       given (asset_id, kind, chain, as_of, weight_usd)
     on conflict (asset_id, kind) do update set as_of = excluded.as_of, stored_at = excluded.stored_at,
       weight_usd = coalesce(excluded.weight_usd, head.weight_usd), changed_at = excluded.changed_at
     where excluded.as_of > head.as_of`,
    [
      new Date(storedAt).toISOString(),
      newest.map((row) => row.assetId),
      newest.map((row) => row.kind),
      newest.map((row) => row.chain),
      newest.map((row) => row.asOf),
      newest.map((row) => row.price?.liquidityUsd ?? row.price?.volume24hUsd ?? null),
    ],
  );
}

function newestOf(rows: readonly NewSnapshot[]): readonly NewSnapshot[] {
  const kinds = new Map<string, Map<string, { row: NewSnapshot; at: number }>>();
  for (const row of rows) {
    const at = Date.parse(row.asOf);
    let assets = kinds.get(row.kind);
    if (assets === undefined) {
      assets = new Map();
      kinds.set(row.kind, assets);
    }
    const known = assets.get(row.assetId);
    if (known === undefined) assets.set(row.assetId, { row, at });
    else if (at > known.at) {
      known.row = row;
      known.at = at;
    }
  }
  return [...kinds.values()].flatMap((assets) => [...assets.values()].map(({ row }) => row)).sort(byKey);
}

/** The given rows that `keys` name. */
function pick(rows: readonly NewSnapshot[], keys: readonly KeyRow[]): readonly NewSnapshot[] {
  const wanted = new Set(keys.map((key) => `${key.asset_id} ${key.kind} ${Date.parse(key.as_of)}`));
  return newestOf(rows.filter((row) => wanted.has(`${row.assetId} ${row.kind} ${Date.parse(row.asOf)}`)));
}

function byKey(a: NewSnapshot, b: NewSnapshot): number {
  if (a.assetId !== b.assetId) return a.assetId < b.assetId ? -1 : 1;
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return Date.parse(a.asOf) - Date.parse(b.asOf);
}

function noticeOf(row: NewSnapshot, storedAt: number): StoredNotice {
  const { assetId, kind } = row;
  return { assetId, kind, asOf: new Date(row.asOf).toISOString(), storedAt: new Date(storedAt).toISOString() };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}
