import { CompiledQuery, type Transaction } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { Tables } from '../tables.ts';

/** What runs a statement inside a transaction: a connection of node-postgres, or `runnerOf` a transaction of Kysely. */
export interface SqlRunner {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** Statements of node-postgres's form on a transaction of Kysely: the snapshot store is written for COPY's connections. */
export function runnerOf(transaction: Transaction<Tables>): SqlRunner {
  return {
    async query<Row extends QueryResultRow>(text: string, values: unknown[]) {
      const { rows } = await transaction.executeQuery<Row>(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
