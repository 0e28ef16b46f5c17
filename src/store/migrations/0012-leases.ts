import { type Kysely, type Migration, sql } from 'kysely';
import type { LateIndex } from './change.ts';

/** Snapshots are taken from their schedule under leases (docs/decisions/0033-one-queue.md). */
export const leases: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table index_schedule add column lease_until timestamptz`.execute(db);
    // The two below serve whoever used it. For speed only: who works meanwhile is slower and never wrong.
    await sql`drop index if exists index_schedule_due`.execute(db);
  },
};

/** First snapshots apart from those that are made again: neither crowd is read through to find one of the other. */
export const leaseIndexes: readonly LateIndex[] = [
  { name: 'index_schedule_first', on: 'index_schedule (kind, due_at) where last_ended_at is null and deaths = 0' },
  { name: 'index_schedule_again', on: 'index_schedule (kind, due_at) where last_ended_at is not null or deaths > 0' },
];
