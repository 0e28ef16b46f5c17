import type { Database } from './database.ts';

/** The saved ledger of an asset's scan; null when there is none. */
export async function scanLedger(db: Database, assetId: string): Promise<Uint8Array | null> {
  const row = await db.selectFrom('scan_ledgers').select('ledger').where('asset_id', '=', assetId).executeTakeFirst();
  return row?.ledger ?? null;
}

/** Keeps the newest ledger of an asset's scan. `at` is RFC 3339. */
export async function keepScanLedger(db: Database, assetId: string, ledger: Uint8Array, at: string): Promise<void> {
  const row = { asset_id: assetId, ledger: Buffer.from(ledger), saved_at: at };
  await db
    .insertInto('scan_ledgers')
    .values(row)
    .onConflict((conflict) => conflict.column('asset_id').doUpdateSet({ ledger: row.ledger, saved_at: row.saved_at }))
    .execute();
}
