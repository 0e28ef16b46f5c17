import { type Selectable, sql } from 'kysely';
import { type Database, lockByName } from './database.ts';
import type { Tables } from './tables.ts';

export type ApiKeyRow = Selectable<Tables['api_keys']>;

export function insertKey(db: Database, row: ApiKeyRow): Promise<unknown> {
  return db.insertInto('api_keys').values(row).execute();
}

/** Stores a key unless its account has `most` active ones; concurrent keys are counted one after the other. */
export function insertKeyWithin(db: Database, row: ApiKeyRow, most: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `keys ${row.account_id}`);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from api_keys where account_id = ${row.account_id} and revoked_at is null
        and (expires_at is null or expires_at > ${row.created_at}::timestamptz)`.execute(transaction);
    if ((rows[0]?.count ?? 0) >= most) return false;
    await transaction.insertInto('api_keys').values(row).execute();
    return true;
  });
}

export function keysOfAccount(db: Database, accountId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function keyBySecret(db: Database, sha256: Buffer): Promise<ApiKeyRow | undefined> {
  return db.selectFrom('api_keys').selectAll().where('secret_sha256', '=', sha256).executeTakeFirst();
}

/** Plans of the key that requested a job and of all keys of the accounts that joined it. */
export async function plansOfJob(db: Database, jobId: string, keyId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('plan')
    .distinct()
    .where((where) =>
      where.or([
        where('id', '=', keyId),
        where('account_id', 'in', db.selectFrom('idempotency').select('key_id').where('job_id', '=', jobId)),
      ]),
    )
    .execute();
  return rows.map((row) => row.plan);
}

export function keyById(db: Database, id: string): Promise<ApiKeyRow | undefined> {
  return db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
}

export function allKeys(db: Database): Promise<ApiKeyRow[]> {
  return db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Revokes a key; false when there is no active one. */
export async function revokeKey(db: Database, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type Replaced =
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'replaced_before' | 'replaced'; readonly successor: ApiKeyRow };

/**
 * Creates the successor of an active key and moves the key's expiry forward to `endOld` (an earlier expiry is kept), in
 * one transaction that locks the key's row: of concurrent calls one creates a successor and the others find it. A
 * successor that was revoked or has expired does not count, so that a key whose successor's secret was lost can be
 * rotated once more; the new one then expires when the lost one would have. `at`, `endOld` and `expiresAt` are RFC 3339
 * UTC.
 */
export function replaceKey(
  db: Database,
  id: string,
  change: {
    readonly at: string;
    readonly endOld: string;
    readonly successor: (old: ApiKeyRow, expiresAt: string | null) => ApiKeyRow;
  },
): Promise<Replaced> {
  return db.transaction().execute(async (transaction) => {
    const old = await transaction
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!old || !isActive(old, change.at)) return { outcome: 'not_found' };
    const earlier = await transaction
      .selectFrom('api_keys')
      .selectAll()
      .where('rotated_from', '=', id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    const living = earlier.find((row) => isActive(row, change.at));
    if (living) return { outcome: 'replaced_before', successor: living };
    const successor = change.successor(old, (earlier[0] ?? old).expires_at);
    await transaction.insertInto('api_keys').values(successor).execute();
    await transaction
      .updateTable('api_keys')
      .set({ expires_at: change.endOld })
      .where('id', '=', id)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', change.endOld)]))
      .execute();
    return { outcome: 'replaced', successor };
  });
}

function isActive(row: ApiKeyRow, at: string): boolean {
  return row.revoked_at === null && (row.expires_at === null || Date.parse(row.expires_at) > Date.parse(at));
}

export async function touchKey(db: Database, id: string, at: string): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute();
}

/** Inserts the row when there is no key at all; race-safe by a lock on the table. */
export function insertFirstKey(db: Database, row: ApiKeyRow): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('installation').select('id').forUpdate().execute();
    const any = await transaction.selectFrom('api_keys').select('id').limit(1).executeTakeFirst();
    if (any) return false;
    await transaction.insertInto('api_keys').values(row).execute();
    return true;
  });
}

/** `public_key`: raw, 32 bytes. `private_key`: PKCS #8. */
export type SigningKeyRow = Selectable<Tables['signing_keys']>;

/**
 * Keys of Ed25519, and keys whose signatures EVM contracts check (`public_key` uncompressed, `private_key` 32 bytes).
 */
export type KeyTable = 'signing_keys' | 'attestation_keys';

/** All keys, newest first; at most one is not retired. */
export function signingKeys(db: Database, table: KeyTable = 'signing_keys'): Promise<readonly SigningKeyRow[]> {
  return db.selectFrom(table).selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
}

/** Stores the key unless there is an active one already. */
export async function offerSigningKey(
  db: Database,
  key: SigningKeyRow,
  table: KeyTable = 'signing_keys',
): Promise<void> {
  await db
    .insertInto(table)
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Retires the active key and activates `key`, in one step. */
export async function replaceSigningKey(
  db: Database,
  key: SigningKeyRow,
  at: string,
  table: KeyTable = 'signing_keys',
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable(table).set({ retired_at: at }).where('retired_at', 'is', null).execute();
    await transaction.insertInto(table).values(key).execute();
  });
}
