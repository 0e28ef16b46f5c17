import { dailyQuota } from '../access/plans/daily-quota.ts';
import type { PlanBook } from '../access/plans/types.ts';
import type { CollectionQuota } from '../jobs/options.ts';
import { keyById } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';

/** The hold of a key on the collections that its account may start a day. What is no key of the store has no limit. */
export function collectionQuotas(db: Database, plans: PlanBook): (keyId: string) => Promise<CollectionQuota> {
  return async (keyId) => {
    const key = await keyById(db, keyId);
    const limit = key === undefined ? null : (plans.find(key.plan)?.collectionsPerDay ?? null);
    // By the real clock, as all limits are.
    return dailyQuota(db, { accountId: key?.account_id ?? keyId, kind: 'collections', limit }, Date.now);
  };
}
