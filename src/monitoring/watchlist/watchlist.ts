import type { Asset } from '../../domain/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { Database } from '../../store/index.ts';
import { entriesOfAccount, monitorAsset, putEntry, removeEntry, type WatchlistView } from '../../store/index.ts';
import type { Thresholds } from '../types.ts';

/** An entry of a watchlist. Fields of its newest rating are null when there is none. */
export type WatchedAsset = Omit<WatchlistView, 'asset' | 'thresholds'> & {
  readonly thresholds: Thresholds;
  /** From the newest rating: untrusted text; null where no source stated it. */
  readonly symbol: string | null;
  readonly name: string | null;
};

/** The assets that accounts watch. Accounts are isolated from each other. */
export interface Watchlist {
  /** Oldest first. */
  list(accountId: string): Promise<readonly WatchedAsset[]>;
  /** Adds or changes an entry; `full` when the account has `most` entries already. */
  put(
    accountId: string,
    assetId: string,
    options: { readonly note: string | null; readonly thresholds: Thresholds },
    most: number,
  ): Promise<{ readonly outcome: 'added' | 'changed'; readonly entry: WatchedAsset } | { readonly outcome: 'full' }>;
  /** False when there was no such entry. */
  remove(accountId: string, assetId: string): Promise<boolean>;
}

const DAY_SECONDS = DAY_MS / 1000;

/** Watchlists on the store. An added asset is rated from now on, daily, as long as an account watches it. */
export function createWatchlist(db: Database, now: () => number): Watchlist {
  const monitor = (assetId: string) => {
    const at = new Date(now()).toISOString();
    // `wanted_until` has passed at once: only the watchlists keep the asset.
    const plan = { wanted_until: at, due_at: at, cadence_seconds: DAY_SECONDS, reason: 'watched' };
    return monitorAsset(db, { asset_id: assetId, added_by: 'watched', added_at: at, ...plan }, false);
  };
  return {
    async list(accountId) {
      return (await entriesOfAccount(db, accountId)).map(watchedOf);
    },
    async put(accountId, assetId, { note, thresholds }, most) {
      const entry = {
        account_id: accountId,
        asset_id: assetId,
        added_at: new Date(now()).toISOString(),
        note,
        thresholds: JSON.stringify(thresholds),
      };
      // First: an entry of an asset that is not monitored would never alert. Without an entry the asset is removed again.
      await monitor(assetId);
      const outcome = await putEntry(db, entry, most);
      if (outcome === 'full') return { outcome };
      const [view] = await entriesOfAccount(db, accountId, assetId);
      // A concurrent request may have removed the entry: then the input is the previous entry.
      const { added_at: addedAt, thresholds: kept } = entry;
      return { outcome, entry: watchedOf(view ?? { ...NOTHING_YET, assetId, addedAt, note, thresholds: kept }) };
    },
    remove: (accountId, assetId) => removeEntry(db, accountId, assetId),
  };
}

const NOTHING_YET = { asset: null, score: null, band: null, class: null, asOf: null, openAlerts: 0, lastAlert: null };

function watchedOf({ asset: text, thresholds, ...entry }: WatchlistView): WatchedAsset {
  const asset = text === null ? null : (JSON.parse(text) as Asset);
  return {
    ...entry,
    thresholds: JSON.parse(thresholds) as Thresholds,
    symbol: asset?.symbol ?? null,
    name: asset?.name ?? null,
  };
}
