import type { Database } from '../store/index.ts';
import { closedDays, type IndexLag, indexLag, type TroubledAsset, troubledAssets } from '../store/index.ts';

export interface IndexerStatus {
  readonly lag: readonly IndexLag[];
  /** Assets that give no snapshots, those in trouble for longest first. */
  readonly troubled: readonly TroubledAsset[];
  /** Newest closed day (YYYY-MM-DD) of each chain; null before the first. */
  readonly closed: readonly { readonly chain: string; readonly day: string | null }[];
}

const MOST_TROUBLED = 50;

/** How the index stands at `now` (milliseconds), over all processes: for `/v1/status` and the gauges. */
export async function indexerStatus(db: Database, now: number): Promise<IndexerStatus> {
  const lag = await indexLag(db, new Date(now).toISOString());
  const chains = [...new Set(lag.map((row) => row.chain))];
  const closed = await Promise.all(
    chains.map(async (chain) => ({ chain, day: (await closedDays(db, chain)).at(-1)?.day ?? null })),
  );
  return { lag, troubled: await troubledAssets(db, MOST_TROUBLED), closed };
}
