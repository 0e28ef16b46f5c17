import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

export type ApiKeyRow = Selectable<Tables['api_keys']>;

export function insertKey(db: Database, row: ApiKeyRow): Promise<unknown> {
  return db.insertInto('api_keys').values(row).execute();
}

export function keyBySecret(db: Database, sha256: Buffer): Promise<ApiKeyRow | undefined> {
  return db.selectFrom('api_keys').selectAll().where('secret_sha256', '=', sha256).executeTakeFirst();
}

export function keyById(db: Database, id: string): Promise<ApiKeyRow | undefined> {
  return db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
}

export function allKeys(db: Database): Promise<ApiKeyRow[]> {
  return db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Ends a key; false when there is no active one. */
export async function revokeKey(db: Database, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Brings a key's end forward; a key that ends earlier keeps its end. */
export async function endKeyBy(db: Database, id: string, at: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ expires_at: at })
    .where('id', '=', id)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .execute();
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
