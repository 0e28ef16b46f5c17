import { type Kysely, type Migration, sql } from 'kysely';
import type { LateIndex } from './change.ts';

/** The class an asset is rated as, by which lists are filtered and peers are compared. Null for ratings from before classes, until the asset is rated again. */
export const ratingClass: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table rated_assets add column class text`.execute(db);
    await sql`alter table peers add column class text`.execute(db);
  },
};

export const ratingClassIndexes: readonly LateIndex[] = [{ name: 'rated_assets_class', on: 'rated_assets (class)' }];
