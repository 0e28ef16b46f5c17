import type { HoldersSnapshot } from '../contract/index.ts';
import type { SnapshotReader } from '../indexer/index.ts';
import type { PricePoint } from '../snapshots/index.ts';
import type { Database } from '../store/index.ts';
import { dailyPrices } from '../store/index.ts';

const HISTORY_DAYS = 400;

/** Stored daily prices of the 400 days before `asOf` (RFC 3339). */
export async function keptPrices(db: Database, assetId: string, asOf: string): Promise<readonly PricePoint[]> {
  const prices = await dailyPrices(db, assetId, asOf, HISTORY_DAYS);
  return prices.flatMap((price) => (price.priceUsd === null ? [] : [{ at: price.at, priceUsd: price.priceUsd }]));
}

/** The newest holders snapshot; null when there is none. */
export async function newestHolders(
  reader: Pick<SnapshotReader, 'latest'>,
  assetId: string,
): Promise<HoldersSnapshot | null> {
  const stored = await reader.latest(assetId, 'holders');
  return stored === null ? null : (JSON.parse(new TextDecoder().decode(stored.body)) as HoldersSnapshot);
}
