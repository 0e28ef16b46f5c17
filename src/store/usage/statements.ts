import type { Database } from '../database.ts';

/** JSON of a settled month's statement; null when none was kept. */
export async function keptStatement(db: Database, accountId: string, month: string): Promise<string | null> {
  const row = await db
    .selectFrom('statements')
    .select('statement')
    .where('month', '=', month)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.statement ?? null;
}

/** Keeps a settled month's statement; the first one stays. */
export async function keepStatement(
  db: Database,
  row: { readonly accountId: string; readonly month: string; readonly madeAt: string; readonly statement: string },
): Promise<void> {
  await db
    .insertInto('statements')
    .values({ account_id: row.accountId, month: row.month, made_at: row.madeAt, statement: row.statement })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Accounts that had a key before `to` (RFC 3339) and no statement of the month yet. */
export async function accountsWithout(db: Database, month: string, to: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('account_id')
    .distinct()
    .where('created_at', '<', to)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('statements')
            .select('month')
            .where('month', '=', month)
            .whereRef('statements.account_id', '=', 'api_keys.account_id'),
        ),
      ),
    )
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}
