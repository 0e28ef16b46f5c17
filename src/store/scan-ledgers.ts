import type { Database } from './database.ts';

/** The saved pages of an asset's scan, in order; null when there are none. */
export async function scanLedger(db: Database, assetId: string): Promise<readonly Uint8Array[] | null> {
  const rows = await db
    .selectFrom('scan_ledger_pages')
    .select('bytes')
    .where('asset_id', '=', assetId)
    .orderBy('page')
    .execute();
  return rows.length === 0 ? null : rows.map((row) => row.bytes);
}

/** Keeps the newest ledger of an asset's scan, page by page, in one transaction. `at` is RFC 3339. */
export async function keepScanLedger(
  db: Database,
  assetId: string,
  pages: Iterable<Uint8Array>,
  at: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('scan_ledger_pages').where('asset_id', '=', assetId).execute();
    let page = 0;
    for (const bytes of pages) {
      await transaction
        .insertInto('scan_ledger_pages')
        .values({
          asset_id: assetId,
          page,
          bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          saved_at: at,
        })
        .execute();
      page += 1;
    }
  });
}
