import type { Asset } from '../../domain/index.ts';
import type { Database } from '../../store/index.ts';
import { entriesOfAccount, putEntry, removeEntry, type WatchlistView } from '../../store/index.ts';
import type { Thresholds } from '../types.ts';

export interface WatchedAsset {
  readonly assetId: string;
  /** As the newest rating has them: text of strangers; nulls when there is none, and where nobody told them. */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly addedAt: string;
  readonly note: string | null;
  readonly thresholds: Thresholds;
  /** Time of the newest alert; null when there was none. */
  readonly lastAlert: string | null;
  readonly openAlerts: number;
  /** Of the newest rating; nulls when there is none. */
  readonly score: number | null;
  readonly band: string | null;
  readonly asOf: string | null;
}

/** The assets that accounts watch. No account reaches another's. */
export interface Watchlist {
  /** Oldest first. */
  list(accountId: string): Promise<readonly WatchedAsset[]>;
  /** Adds or changes an entry; `full` when the account has `most` entries already. */
  put(
    accountId: string,
    assetId: string,
    wish: { readonly note: string | null; readonly thresholds: Thresholds },
    most: number,
  ): Promise<{ readonly outcome: 'added' | 'changed'; readonly entry: WatchedAsset } | { readonly outcome: 'full' }>;
  /** False when there was no such entry. */
  remove(accountId: string, assetId: string): Promise<boolean>;
}

/** `want` is told of each asset that is added, so that it is rated from now on. */
export function createWatchlist(db: Database, now: () => number, want: (assetId: string) => Promise<void>): Watchlist {
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
      const outcome = await putEntry(db, entry, most);
      if (outcome === 'full') return { outcome };
      await want(assetId);
      const [view] = await entriesOfAccount(db, accountId, assetId);
      // Another request may have taken it out in the same moment: then what was put is what there was.
      return { outcome, entry: watchedOf(view ?? { ...entry, ...NOTHING_YET }) };
    },
    remove: (accountId, assetId) => removeEntry(db, accountId, assetId),
  };
}

const NOTHING_YET = {
  baseline_score: null,
  baseline_band: null,
  baseline_flags: '[]',
  asset: null,
  score: null,
  band: null,
  as_of: null,
  open_alerts: 0,
  last_alert: null,
};

function watchedOf(view: WatchlistView): WatchedAsset {
  const asset = view.asset === null ? null : (JSON.parse(view.asset) as Asset);
  return {
    assetId: view.asset_id,
    symbol: asset?.symbol ?? null,
    name: asset?.name ?? null,
    addedAt: view.added_at,
    note: view.note,
    thresholds: JSON.parse(view.thresholds) as Thresholds,
    lastAlert: view.last_alert,
    openAlerts: view.open_alerts,
    score: view.score,
    band: view.band,
    asOf: view.as_of,
  };
}
