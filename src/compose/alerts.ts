import type { AlertServices } from '../api/index.ts';
import type { RatingReader } from '../monitoring/index.ts';
import { createAlertBook, createWatchlist } from '../monitoring/index.ts';
import type { Store } from '../store/index.ts';
import { monitorAsset } from '../store/index.ts';

const DAY_SECONDS = 86_400;

/** Watchlists and alerts, as the API serves them. What somebody watches is rated by itself as long as somebody does. */
export function openAlerts(
  store: Store,
  reader: Pick<RatingReader, 'find'>,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): AlertServices & { readonly close: () => Promise<void> } {
  const book = createAlertBook(store, now, onError);
  const want = (assetId: string) => {
    const at = new Date(now()).toISOString();
    // Wanted by its watchers alone, as long as there are any.
    const plan = { wanted_until: at, due_at: at, cadence_seconds: DAY_SECONDS, reason: 'watched' };
    return monitorAsset(store.db, { asset_id: assetId, added_by: 'watched', added_at: at, ...plan }, false);
  };
  return {
    book,
    whitelist: {
      watchlist: createWatchlist(store.db, now, want),
      find: reader.find,
    },
    close: book.close,
  };
}
