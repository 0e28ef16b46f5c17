import type { Database } from './database.ts';

export interface SigningKeyRow {
  readonly id: string;
  /** Raw, 32 bytes. */
  readonly public_key: Buffer;
  /** PKCS #8. */
  readonly private_key: Buffer;
  readonly created_at: string;
  readonly retired_at: string | null;
}

/** All keys, newest first; at most one is not retired. */
export function signingKeys(db: Database): Promise<readonly SigningKeyRow[]> {
  return db.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
}

/** Stores the key unless an active one is there already. */
export async function offerSigningKey(db: Database, key: SigningKeyRow): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Retires the active key and makes `key` the active one, in one step. */
export async function replaceSigningKey(db: Database, key: SigningKeyRow, at: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable('signing_keys').set({ retired_at: at }).where('retired_at', 'is', null).execute();
    await transaction.insertInto('signing_keys').values(key).execute();
  });
}
