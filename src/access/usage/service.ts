import type { Database } from '../../store/index.ts';
import { accountsWithout, keepStatement, keptStatement, type UsageRow, usageOf } from '../../store/index.ts';
import type { PlanBook } from '../plans/types.ts';
import { createServiceLevelReader, monthSpan, type ServiceLevelReader } from '../service-level/measure.ts';
import type { AccessService } from '../types.ts';
import { SETTLED_MS, type Statement, statementOf } from './statement.ts';

/** Usage and service level as their faces (API, command line) read them. */
export interface UsageService {
  /** Days `YYYY-MM-DD`, both included. */
  read(accountId: string, from: string, to: string): Promise<readonly UsageRow[]>;
  /** `month` as `YYYY-MM`. A settled month is stated once and stays as it was stated. */
  statement(accountId: string, month: string): Promise<Statement>;
  /** States the newest settled month of every account, before what it rests on is gone. Returns how many were made. */
  stateSettled(): Promise<number>;
  /** Accounts that ever had a key, in order. */
  accounts(): Promise<readonly string[]>;
  readonly serviceLevel: ServiceLevelReader;
}

/** Usage on the store. `now` in milliseconds. */
export function createUsageService(
  db: Database,
  access: Pick<AccessService, 'list'>,
  plans: PlanBook,
  now: () => number,
): UsageService {
  const serviceLevel = createServiceLevelReader(db, now);

  async function made(accountId: string, month: string): Promise<Statement> {
    const [from, to] = monthSpan(month);
    const [rows, keys, measured] = await Promise.all([
      usageOf(db, accountId, dayOf(from), dayOf(to - 1)),
      access.list(),
      serviceLevel.month(month),
    ]);
    return statementOf({ accountId, month, rows, keys, plans, measured, now: now() });
  }

  async function statement(accountId: string, month: string): Promise<Statement> {
    const kept = await keptStatement(db, accountId, month);
    if (kept !== null) return JSON.parse(kept) as Statement;
    const fresh = await made(accountId, month);
    if (!fresh.isFinal) return fresh;
    const madeAt = new Date(now()).toISOString();
    await keepStatement(db, { accountId, month, madeAt, statement: JSON.stringify(fresh) });
    // Another process may have been first, and plans may differ between the two.
    return JSON.parse((await keptStatement(db, accountId, month)) ?? JSON.stringify(fresh)) as Statement;
  }

  return {
    serviceLevel,
    statement,
    read: (accountId, from, to) => usageOf(db, accountId, from, to),
    async stateSettled() {
      const month = monthBefore(now() - SETTLED_MS);
      const accounts = await accountsWithout(db, month, new Date(monthSpan(month)[1]).toISOString());
      for (const accountId of accounts) await statement(accountId, month);
      return accounts.length;
    },
    async accounts() {
      return [...new Set((await access.list()).map((key) => key.accountId))].sort();
    },
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The month before that of a time. */
function monthBefore(at: number): string {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}
