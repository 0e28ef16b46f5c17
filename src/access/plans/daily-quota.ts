import { DAY_MS } from '../../domain/index.ts';
import type { Database } from '../../store/index.ts';
import { keyById, returnToWindow, takeFromWindow } from '../../store/index.ts';
import type { PlanBook } from './types.ts';

/** A daily number (UTC) that an account has over all processes, for things too dear for a lease. */
export interface DailyQuota {
  /** Takes one. Null when there was room; else the limit and the seconds until it is full again. */
  take(): Promise<{ readonly limit: number; readonly resetSeconds: number } | null>;
  /** Gives the one that was taken back: nothing came of it. */
  giveBack(): Promise<void>;
}

/** One request's hold on a quota. `limit` null: none. `now` in milliseconds. */
export function dailyQuota(
  db: Database,
  { accountId, kind, limit }: { readonly accountId: string; readonly kind: string; readonly limit: number | null },
  now: () => number,
): DailyQuota {
  let taken: { readonly owner: string; readonly kind: string; readonly startsAt: string } | null = null;
  return {
    async take() {
      if (limit === null) return null;
      const at = now();
      const start = at - (at % DAY_MS);
      const window = { owner: accountId, kind, startsAt: new Date(start).toISOString() };
      if ((await takeFromWindow(db, window, limit)) === null)
        return { limit, resetSeconds: Math.max(1, Math.ceil((start + DAY_MS - at) / 1000)) };
      taken = window;
      return null;
    },
    async giveBack() {
      if (taken === null) return;
      const window = taken;
      taken = null;
      await returnToWindow(db, window);
    },
  };
}

/** The daily quota of collections of a key's account, by the real clock; an id that is no stored key has no limit. */
export function collectionQuotas(db: Database, plans: PlanBook): (keyId: string) => Promise<DailyQuota> {
  return async (keyId) => {
    const key = await keyById(db, keyId);
    const limit = key === undefined ? null : (plans.find(key.plan)?.collectionsPerDay ?? null);
    return dailyQuota(db, { accountId: key?.account_id ?? keyId, kind: 'collections', limit }, Date.now);
  };
}
