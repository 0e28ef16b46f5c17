import { type Kysely, type Migration, sql } from 'kysely';
import type { LateIndex } from './change.ts';

/** What a turn of the monitor rests on: with a million assets, each of its looks at all of them took seconds. */
export const monitoring: Migration = {
  async up(db: Kysely<unknown>) {
    // `monitored_assets_due_first` serves whoever used it. For speed only: who works meanwhile is slower and never wrong.
    await sql`drop index if exists monitored_assets_due`.execute(db);
  },
};

const IS_MONITORED = 'removed_at is null and not paused';

export const monitoringIndexes: readonly LateIndex[] = [
  // In the order in which they are taken: nobody sorts all that are due to take ten.
  { name: 'monitored_assets_due_first', on: `monitored_assets (due_at, asset_id) where ${IS_MONITORED}` },
  { name: 'monitored_assets_under_way', on: 'monitored_assets (job_id) where job_id is not null' },
  // By chain, the longest unread first.
  {
    name: 'monitored_assets_unread',
    on: `monitored_assets (split_part(asset_id, '/', 1), coalesce(keys_seen_at, '-infinity'), asset_id) where ${IS_MONITORED}`,
  },
];
