import type { Asset } from '../../domain/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { Database } from '../../store/index.ts';
import { entriesOfAccount, monitorAsset, putEntry, removeEntry, type WatchlistView } from '../../store/index.ts';
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
  /** What its newest rating rates it as; null without one, or from before classes. */
  readonly class: string | null;
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
    options: { readonly note: string | null; readonly thresholds: Thresholds },
    most: number,
  ): Promise<{ readonly outcome: 'added' | 'changed'; readonly entry: WatchedAsset } | { readonly outcome: 'full' }>;
  /** False when there was no such entry. */
  remove(accountId: string, assetId: string): Promise<boolean>;
}

const DAY_SECONDS = DAY_MS / 1000;

/** Watchlists on the store. An added asset is rated from now on, daily, as long as somebody watches it. */
export function createWatchlist(db: Database, now: () => number): Watchlist {
  const monitor = (assetId: string) => {
    const at = new Date(now()).toISOString();
    // `wanted_until` is over at once: only the watchlists keep it.
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
      const outcome = await putEntry(db, entry, most);
      if (outcome === 'full') return { outcome };
      await monitor(assetId);
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
  class: null,
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
    class: view.class,
    asOf: view.as_of,
  };
}
