import { sql, type Transaction } from 'kysely';
import { type Database, lockByName } from './database.ts';
import type { Tables } from './tables.ts';

/** A published rating that is queued for the log, or in it. */
export interface LoggedRating {
  readonly assetId: string;
  readonly ratingId: number;
  /** RFC 3339 UTC. */
  readonly asOf: string;
  /** SHA-256 of the record's canonical JSON, as hex. */
  readonly recordSha256: string;
}

/** Leaf of the log: bytes of its input as text, and its index from 0. */
export interface LogLeaf {
  readonly index: number;
  readonly input: string;
}

/** A stored checkpoint: the tree of the first `size` leaves. */
export interface LogHead {
  readonly size: number;
  readonly root: Buffer;
  /** RFC 3339 UTC. */
  readonly at: string;
  /** The signed note without the signature lines of witnesses. */
  readonly note: string;
  /** Signature lines of witnesses, by name. */
  readonly cosignatures: readonly string[];
}

/** Queues ratings for the log, in the transaction that stores them: neither is stored without the other. */
export async function queueForLog(transaction: Transaction<Tables>, ratings: readonly LoggedRating[]): Promise<void> {
  await transaction
    .insertInto('log_queue')
    .values(
      ratings.map((rating) => ({
        rating_id: rating.ratingId,
        asset_id: rating.assetId,
        as_of: rating.asOf,
        record_sha256: rating.recordSha256,
      })),
    )
    .execute();
}

/** Whether a rating is queued for the log. */
export async function isLogWaiting(db: Database): Promise<boolean> {
  return (await db.selectFrom('log_queue').select('rating_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Lets only one process add to the log, until the transaction ends. */
export function lockLog(transaction: Transaction<Tables>): Promise<void> {
  return lockByName(transaction, 'transparency log');
}

/** Takes ratings out of the queue, up to a limit, the lowest numbers first. */
export async function takeQueued(transaction: Transaction<Tables>, most: number): Promise<readonly LoggedRating[]> {
  const { rows } = await sql<Tables['log_queue']>`
    delete from log_queue where rating_id in (select rating_id from log_queue order by rating_id limit ${most})
    returning rating_id, asset_id, as_of, record_sha256`.execute(transaction);
  return rows
    .map((row) => ({
      ratingId: row.rating_id,
      assetId: row.asset_id,
      asOf: row.as_of,
      recordSha256: row.record_sha256,
    }))
    .sort((one, other) => one.ratingId - other.ratingId);
}

/** Adds leaves; `ratings` and `leaves` have the same length and order. */
export async function appendLeaves(
  transaction: Transaction<Tables>,
  ratings: readonly LoggedRating[],
  leaves: readonly LogLeaf[],
): Promise<void> {
  const [indexes, inputs] = [leaves.map(({ index }) => index), leaves.map(({ input }) => input)];
  const [ids, assets] = [ratings.map(({ ratingId }) => ratingId), ratings.map(({ assetId }) => assetId)];
  await sql`insert into log_leaves (leaf_index, input, rating_id, asset_id)
    select * from unnest(${indexes}::bigint[], ${inputs}::text[], ${ids}::bigint[], ${assets}::text[])`.execute(
    transaction,
  );
}

/** Stores the hash of a complete tile of the level below. */
export async function appendTile(
  transaction: Transaction<Tables>,
  tile: { readonly level: number; readonly index: number; readonly hash: Uint8Array },
): Promise<void> {
  await transaction
    .insertInto('log_tiles')
    .values({ level: tile.level, tile_index: tile.index, hash: Buffer.from(tile.hash) })
    .execute();
}

/** Leaves `from` up to and without `to`, in order. */
export async function readLeaves(db: Database, from: number, to: number): Promise<readonly LogLeaf[]> {
  const rows = await db
    .selectFrom('log_leaves')
    .select(['leaf_index', 'input'])
    .where('leaf_index', '>=', from)
    .where('leaf_index', '<', to)
    .orderBy('leaf_index')
    .execute();
  return rows.map((row) => ({ index: row.leaf_index, input: row.input }));
}

/** Hashes of complete tiles of the level below, `from` up to and without `to`. */
export async function readTiles(db: Database, level: number, from: number, to: number): Promise<readonly Buffer[]> {
  const rows = await db
    .selectFrom('log_tiles')
    .select('hash')
    .where('level', '=', level)
    .where('tile_index', '>=', from)
    .where('tile_index', '<', to)
    .orderBy('tile_index')
    .execute();
  return rows.map((row) => row.hash);
}

/** Leaves of the ratings of one asset, lowest index first, after an index. */
export async function leavesOfAsset(
  db: Database,
  assetId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly LogLeaf[]> {
  const rows = await db
    .selectFrom('log_leaves')
    .select(['leaf_index', 'input'])
    .where('asset_id', '=', assetId)
    .where('leaf_index', '>', after)
    .orderBy('leaf_index')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ index: row.leaf_index, input: row.input }));
}

/** Stores a signed checkpoint. */
export async function appendHead(transaction: Transaction<Tables>, head: Omit<LogHead, 'cosignatures'>): Promise<void> {
  const { size, root, at, note } = head;
  await transaction
    .insertInto('log_heads')
    .values({ tree_size: size, root, signed_at: at, note, cosignatures: [] })
    .execute();
}

/** The newest checkpoint; null before the first. */
export async function newestHead(db: Database): Promise<LogHead | null> {
  const row = await db.selectFrom('log_heads').selectAll().orderBy('tree_size', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? null : headOf(row);
}

/** The checkpoint of a size; null where none was signed. */
export async function headOfSize(db: Database, size: number): Promise<LogHead | null> {
  const row = await db.selectFrom('log_heads').selectAll().where('tree_size', '=', size).executeTakeFirst();
  return row === undefined ? null : headOf(row);
}

/** Checkpoints of more than `after` leaves, the smallest first. */
export async function headsAfter(db: Database, after: number, limit: number): Promise<readonly LogHead[]> {
  const rows = await db
    .selectFrom('log_heads')
    .selectAll()
    .where('tree_size', '>', after)
    .orderBy('tree_size')
    .limit(limit)
    .execute();
  return rows.map(headOf);
}

/**
 * Stores the signature line of a witness under a checkpoint, in place of its earlier line; `prefix` begins each of its
 * lines.
 */
export async function keepCosignature(db: Database, size: number, prefix: string, line: string): Promise<void> {
  await sql`update log_heads set cosignatures =
      array(select one from unnest(cosignatures) one where not starts_with(one, ${prefix}) order by one) || ${line}::text
    where tree_size = ${size}`.execute(db);
}

function headOf(row: Tables['log_heads']): LogHead {
  return {
    size: row.tree_size,
    root: row.root,
    at: row.signed_at,
    note: row.note,
    cosignatures: row.cosignatures,
  };
}
