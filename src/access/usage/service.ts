import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../domain/index.ts';
import {
  accountsWithout,
  addUsage,
  type Database,
  dropFlushesBefore,
  dropWindowsBefore,
  keepStatement,
  keptStatement,
  keyById,
  leaseWindows,
  plansOfJob,
  returnToWindow,
  takeFromWindow,
  takenInWindow,
  usageOf,
} from '../../store/index.ts';
import type { AccessService, ApiKey } from '../keys.ts';
import type { PlanBook } from '../plans/plans.ts';
import { createSharedLimiter, type SharedLimiter } from '../plans/shared-limiter.ts';
import { createServiceLevelReader, monthSpan } from '../service-level/measure.ts';
import { startServiceLevelRecorder } from '../service-level/recorder.ts';
import { createUsageMeter, endpointGroups } from './meter.ts';
import { SETTLED_MS, type Statement, statementOf } from './statement.ts';

/** Usage and service level, as read by the API and the command line. */
export type UsageService = ReturnType<typeof createUsageService>;

/** Usage in the store. `now` in milliseconds. */
export function createUsageService(
  db: Database,
  access: Pick<AccessService, 'list'>,
  plans: PlanBook,
  now: () => number,
) {
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

  /** `month` as `YYYY-MM`. The statement of a settled month is created once and then never changes. */
  async function statement(accountId: string, month: string): Promise<Statement> {
    const kept = await keptStatement(db, accountId, month);
    if (kept !== null) return JSON.parse(kept) as Statement;
    const fresh = await made(accountId, month);
    if (!fresh.isFinal) return fresh;
    const madeAt = new Date(now()).toISOString();
    await keepStatement(db, { accountId, month, madeAt, statement: JSON.stringify(fresh) });
    // Another process may have been first, possibly with other plans.
    return JSON.parse((await keptStatement(db, accountId, month)) ?? JSON.stringify(fresh)) as Statement;
  }

  return {
    now,
    serviceLevel,
    statement,
    /** Days as `YYYY-MM-DD`, both included. */
    read: (accountId: string, from: string, to: string) => usageOf(db, accountId, from, to),
    /**
     * Creates the statements of the newest settled month for all accounts, before their data is deleted. Returns the
     * number created.
     */
    async stateSettled(): Promise<number> {
      const month = monthBefore(now() - SETTLED_MS);
      const accounts = await accountsWithout(db, month, new Date(monthSpan(month)[1]).toISOString());
      for (const accountId of accounts) await statement(accountId, month);
      return accounts.length;
    },
    /** All accounts that ever had a key, in order. */
    async accounts(): Promise<readonly string[]> {
      return [...new Set((await access.list()).map((key) => key.accountId))].sort();
    },
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The month before the month of a time. */
function monthBefore(at: number): string {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

export interface Usage {
  readonly service: UsageService;
  readonly limiter: SharedLimiter;
  /** Counts one finished request. Synchronous. */
  readonly onRequest: (route: string, status: number, seconds: number, key: ApiKey | null, bytes: number) => void;
  /** Access to a daily quota of an account for one request. */
  readonly quotaOf: (accountId: string, kind: string, limit: number | null) => DailyQuota;
  readonly close: () => Promise<void>;
}

const TIDY_MS = 3_600_000;
/** Windows and flush numbers are kept while a request may still count in them. */
const KEEP_MS = 2 * DAY_MS;

/**
 * Limits, usage and service level of this process, in the shared store. Uses the configured clock, even if ratings use
 * another one.
 */
export function openUsage(
  { scoringPath }: { readonly scoringPath: string },
  db: Database,
  {
    access,
    plans,
    now = Date.now,
  }: { readonly access: Pick<AccessService, 'list'>; readonly plans: PlanBook; readonly now?: () => number },
  onError: (error: unknown, what: string) => void,
): Usage {
  const service = createUsageService(db, access, plans, now);
  const processId = randomUUID();
  const groupOf = endpointGroups(scoringPath);
  const limiter = createSharedLimiter({
    lease: (wanted) => leaseWindows(db, wanted),
    now,
    onError: (error) => onError(error, 'limits'),
  });
  const meter = createUsageMeter({
    processId,
    add: (flush) => addUsage(db, flush),
    now,
    onError: (error) => onError(error, 'usage'),
  });
  const recorder = startServiceLevelRecorder({
    db,
    processId,
    now,
    onError: (error) => onError(error, 'service level'),
  });
  let tidying = tidy();
  const timer = setInterval(() => {
    tidying = tidy();
  }, TIDY_MS);
  timer.unref();

  async function tidy(): Promise<void> {
    const before = new Date(now() - KEEP_MS).toISOString();
    try {
      await dropWindowsBefore(db, before);
      await dropFlushesBefore(db, before);
      await service.stateSettled();
    } catch (error) {
      onError(error, 'tidying usage');
    }
  }

  return {
    service,
    limiter,
    onRequest(route, status, seconds, key, bytes) {
      const at = now();
      const group = groupOf(route);
      recorder.count(group, status, seconds, at);
      if (key !== null) meter.count(key, group, status, bytes, at);
    },
    quotaOf: (accountId, kind, limit) => dailyQuota(db, { accountId, kind, limit }, now),
    async close() {
      clearInterval(timer);
      await Promise.all([tidying, limiter.close(), meter.close(), recorder.close()]);
    },
  };
}

/** A daily quota (UTC) of an account over all processes, for operations that are too expensive for leases. */
export interface DailyQuota {
  /** True if the quota has capacity now. */
  hasCapacity(): Promise<boolean>;
  /** Takes one unit. Null when there was capacity; otherwise the limit and the seconds until it resets. */
  take(): Promise<{ readonly limit: number; readonly resetSeconds: number } | null>;
  /** Gives back the unit that was taken, because the operation had no result. */
  giveBack(): Promise<void>;
}

/** Access to a quota for one request. `limit` null: no limit. `now` in milliseconds. */
export function dailyQuota(
  db: Database,
  { accountId, kind, limit }: { readonly accountId: string; readonly kind: string; readonly limit: number | null },
  now: () => number,
): DailyQuota {
  let taken: { readonly owner: string; readonly kind: string; readonly startsAt: string } | null = null;
  const windowAt = (at: number) => ({ owner: accountId, kind, startsAt: new Date(at - (at % DAY_MS)).toISOString() });
  return {
    hasCapacity: async () => limit === null || (limit > 0 && (await takenInWindow(db, windowAt(now()))) < limit),
    async take() {
      if (limit === null) return null;
      const at = now();
      const window = windowAt(at);
      if ((await takeFromWindow(db, window, limit)) === null)
        return { limit, resetSeconds: Math.max(1, Math.ceil((DAY_MS - (at % DAY_MS)) / 1000)) };
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

/**
 * Number of days for which unpublished results are kept for the callers that requested or joined a job: the maximum
 * over their plans, with `otherwise` where a plan sets none or there is no key. Null when no plan sets a value.
 */
export function keptDaysOfJobs(
  db: Database,
  plans: PlanBook,
  otherwise: number,
): ((job: { readonly id: string; readonly keyId: string }) => Promise<number>) | null {
  if (plans.plans.every((plan) => plan.keptDays === null)) return null;
  return async ({ id, keyId }) => {
    const names = await plansOfJob(db, id, keyId);
    const days = names.map((name) => plans.find(name)?.keptDays ?? otherwise);
    return days.length === 0 ? otherwise : Math.max(...days);
  };
}

/** The daily quota of collections for a key's account, by the clock `now`; an id without a stored key has no limit. */
export function collectionQuotas(
  db: Database,
  plans: PlanBook,
  now: () => number,
): (keyId: string) => Promise<DailyQuota> {
  return async (keyId) => {
    const key = await keyById(db, keyId);
    const limit = key === undefined ? null : (plans.find(key.plan)?.collectionsPerDay ?? null);
    return dailyQuota(db, { accountId: key?.account_id ?? keyId, kind: 'collections', limit }, now);
  };
}
