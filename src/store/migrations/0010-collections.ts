import { type Kysely, type Migration, sql } from 'kysely';
import type { LateIndex } from './change.ts';

/** Collections apart from the jobs of callers, and an end for what is not published (docs/decisions/0021-collections.md). */
export const collections: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table jobs
      add column kind text not null default 'score',
      add column asset_id text,
      add column collection_id text,
      add column answered_by text,
      add column answer text,
      add column expires_at timestamptz`.execute(db);
  },
};

export const collectionIndexes: readonly LateIndex[] = [
  { name: 'jobs_expiry', on: 'jobs (expires_at) where expires_at is not null' },
  { name: 'jobs_answers', on: 'jobs (answered_by) where answered_by is not null' },
  { name: 'idempotency_jobs', on: 'idempotency (job_id)' },
];
