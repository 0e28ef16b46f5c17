import type { Migration } from 'kysely';
import type { LateIndex } from './change.ts';

/** What a search for the beginning of a name rests on: indexes alone, since the table is written all the time. */
export const search: Migration = { up: async () => undefined };

/** Pattern indexes serve LIKE whatever the database's collation is. */
export const searchIndexes: readonly LateIndex[] = [
  { name: 'rated_assets_symbol_prefix', on: 'rated_assets (symbol_folded text_pattern_ops)' },
  { name: 'rated_assets_name_prefix', on: 'rated_assets (lower(name) text_pattern_ops)' },
  { name: 'rated_assets_address_prefix', on: 'rated_assets (lower(address) text_pattern_ops)' },
];
