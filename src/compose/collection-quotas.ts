import type { PlanBook } from '../access/index.ts';
import { dailyQuota } from '../access/index.ts';
import type { CollectionQuota } from '../jobs/index.ts';
import type { Database } from '../store/index.ts';
import { keyById } from '../store/index.ts';

/** The hold of a key on the collections that its account may start a day. What is no key of the store has no limit. */
export function collectionQuotas(db: Database, plans: PlanBook): (keyId: string) => Promise<CollectionQuota> {
  return async (keyId) => {
    const key = await keyById(db, keyId);
    const limit = key === undefined ? null : (plans.find(key.plan)?.collectionsPerDay ?? null);
    // By the real clock, as all limits are.
    return dailyQuota(db, { accountId: key?.account_id ?? keyId, kind: 'collections', limit }, Date.now);
  };
}
