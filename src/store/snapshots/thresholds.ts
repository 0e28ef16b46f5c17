import { sql, type Transaction } from 'kysely';
import { SNAPSHOT_KINDS, type SnapshotKind } from '../../domain/index.ts';
import { type Database, lockByName } from '../database.ts';
import type { Tables } from '../tables.ts';

/** Thresholds of one account on one asset. `rules` and `states` are JSON. */
export type ThresholdRow = Tables['snapshot_thresholds'];
type Executor = Database | Transaction<Tables>;

/** Position before any snapshot. */
const NOTHING_SEEN = '1970-01-01T00:00:00.000Z';
const SEEN = { market: 'seen_market', holders: 'seen_holders', pools: 'seen_pools' } as const;

/** The newest processed snapshot of the kind, RFC 3339; null where no rule is about the kind. */
export function seenOf(row: ThresholdRow, kind: SnapshotKind): string | null {
  return row[SEEN[kind]];
}

/**
 * Sets the thresholds of an account on an asset. `make` returns rules and states from the existing row. Processing
 * starts (again) with the newest stored snapshot of each kind of the rules. `full` when the account has `most` assets
 * with thresholds already.
 */
export function putThresholds(
  db: Database,
  entry: Pick<ThresholdRow, 'account_id' | 'asset_id' | 'chain' | 'added_at' | 'note'>,
  make: (before: ThresholdRow | null) => {
    readonly rules: string;
    readonly states: string;
    readonly kinds: readonly SnapshotKind[];
  },
  most: number,
): Promise<{ readonly outcome: 'added' | 'changed'; readonly row: ThresholdRow } | { readonly outcome: 'full' }> {
  return db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `thresholds ${entry.account_id}`);
    const before = await transaction
      .selectFrom('snapshot_thresholds')
      .selectAll()
      .where('account_id', '=', entry.account_id)
      .where('asset_id', '=', entry.asset_id)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined && (await thresholdAssets(transaction, entry.account_id)) >= most)
      return { outcome: 'full' } as const;
    const heads = await transaction
      .selectFrom('snapshot_heads')
      .select(['kind', 'as_of'])
      .where('asset_id', '=', entry.asset_id)
      .execute();
    const { rules, states, kinds } = make(before ?? null);
    const seen = Object.fromEntries(
      SNAPSHOT_KINDS.map((kind) => {
        const head = heads.find((row) => row.kind === kind)?.as_of;
        const first = head === undefined ? NOTHING_SEEN : new Date(Date.parse(head) - 1).toISOString();
        const known = before === undefined ? null : seenOf(before, kind);
        const seenNow = known !== null && Date.parse(known) < Date.parse(first) ? known : first;
        return [SEEN[kind], kinds.includes(kind) ? seenNow : null];
      }),
    ) as Pick<ThresholdRow, 'seen_market' | 'seen_holders' | 'seen_pools'>;
    const row = { ...entry, added_at: before?.added_at ?? entry.added_at, rules, states, ...seen };
    await transaction
      .insertInto('snapshot_thresholds')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'asset_id']).doUpdateSet({ note: entry.note, rules, states, ...seen }),
      )
      .execute();
    return { outcome: before === undefined ? 'added' : 'changed', row } as const;
  });
}

/** An account's thresholds by asset id: of a chain, of an asset. */
export function thresholdsOfAccount(
  db: Database,
  accountId: string,
  of: { readonly chain: string } | { readonly assetId: string },
): Promise<readonly ThresholdRow[]> {
  const query = db.selectFrom('snapshot_thresholds').selectAll().where('account_id', '=', accountId);
  return ('chain' in of ? query.where('chain', '=', of.chain) : query.where('asset_id', '=', of.assetId))
    .orderBy('asset_id')
    .execute();
}

/** Assets on which an account has thresholds, on all chains. */
export async function thresholdAssets(db: Executor, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('snapshot_thresholds')
    .select((has) => has.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** False when the account had none on the asset. Its alerts stay. */
export async function removeThresholds(db: Database, accountId: string, assetId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('snapshot_thresholds')
    .where('account_id', '=', accountId)
    .where('asset_id', '=', assetId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Assets with thresholds and unprocessed snapshots. */
export async function assetsToCompare(db: Database): Promise<readonly string[]> {
  // Times are sent and read as numbers: parsing dates would be most of the cost of a check without new snapshots.
  const oldest = (kind: SnapshotKind) => sql`extract(epoch from min(${sql.ref(SEEN[kind])}))::float8`;
  const { rows: watched } = await sql<{ asset_id: string } & Record<SnapshotKind, number | null>>`
    select asset_id, ${oldest('market')} as market, ${oldest('holders')} as holders, ${oldest('pools')} as pools
    from snapshot_thresholds group by asset_id order by asset_id`.execute(db);
  if (watched.length === 0) return [];
  const of = (kind: SnapshotKind) => watched.map((row) => row[kind]);
  const { rows: due } = await sql<{ asset_id: string }>`
    select distinct h.asset_id from snapshot_heads h
      join unnest(${watched.map((row) => row.asset_id)}::text[], ${of('market')}::float8[], ${of('holders')}::float8[],
        ${of('pools')}::float8[]) as seen (asset_id, market, holders, pools) on seen.asset_id = h.asset_id
    where extract(epoch from h.as_of)::float8 >
      case h.kind when 'market' then seen.market when 'holders' then seen.holders when 'pools' then seen.pools end
    order by h.asset_id`.execute(db);
  return due.map((row) => row.asset_id);
}

/** All accounts' thresholds on an asset, locked until the transaction ends. */
export function lockThresholds(transaction: Transaction<Tables>, assetId: string): Promise<ThresholdRow[]> {
  return transaction
    .selectFrom('snapshot_thresholds')
    .selectAll()
    .where('asset_id', '=', assetId)
    .orderBy('account_id')
    .forUpdate()
    .execute();
}

/** Snapshots of an asset and kind after a time (RFC 3339), oldest first, at most `limit`; no later than its newest. */
export async function snapshotsAfter(
  transaction: Transaction<Tables>,
  assetId: string,
  kind: SnapshotKind,
  after: string,
  limit: number,
): Promise<readonly { readonly asOf: string; readonly body: Uint8Array }[]> {
  const { rows } = await sql<{ asOf: string; body: Uint8Array }>`
    select as_of as "asOf", body from snapshots
    where asset_id = ${assetId} and kind = ${kind} and as_of > ${after}::timestamptz
    order by as_of limit ${limit}`.execute(transaction);
  return rows;
}

/** Stores the positions of rows, in one statement. The rows must be locked. */
export async function keepThresholds(
  transaction: Transaction<Tables>,
  assetId: string,
  rows: readonly Pick<ThresholdRow, 'account_id' | 'states' | 'seen_market' | 'seen_holders' | 'seen_pools'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`update snapshot_thresholds t set states = given.states, seen_market = given.seen_market,
      seen_holders = given.seen_holders, seen_pools = given.seen_pools
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (account_id text, states text, seen_market timestamptz, seen_holders timestamptz, seen_pools timestamptz)
    where t.asset_id = ${assetId} and t.account_id = given.account_id`.execute(transaction);
}

/** Accounts with a key that may read chain data, of one of these plans. */
export async function accountsServed(
  transaction: Transaction<Tables>,
  accountIds: readonly string[],
  plans: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from api_keys where account_id = any(${[...accountIds]}::text[])
      and plan = any(${[...plans]}::text[]) and scopes && '{chain:read,admin}' and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())`.execute(transaction);
  return new Set(rows.map((row) => row.account_id));
}
