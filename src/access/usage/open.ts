import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../domain/index.ts';
import type { Database } from '../../store/index.ts';
import { addUsage, dropFlushesBefore, dropWindowsBefore, leaseWindows } from '../../store/index.ts';
import { type DailyQuota, dailyQuota } from '../plans/daily-quota.ts';
import { createSharedLimiter, type SharedLimiter } from '../plans/shared-limiter.ts';
import type { PlanBook } from '../plans/types.ts';
import { startServiceLevelRecorder } from '../service-level/recorder.ts';
import type { AccessService, ApiKey } from '../types.ts';
import { createUsageMeter, endpointGroups } from './meter.ts';
import { createUsageService, type UsageService } from './service.ts';

export interface Usage {
  readonly service: UsageService;
  readonly limiter: SharedLimiter;
  /** Counts one finished request; costs no promise. */
  readonly onRequest: (route: string, status: number, seconds: number, key: ApiKey | null, bytes: number) => void;
  /** One request's hold on a daily quota of an account. */
  readonly quotaOf: (accountId: string, kind: string, limit: number | null) => DailyQuota;
  readonly close: () => Promise<void>;
}

const TIDY_MS = 3_600_000;
/** Windows and flush numbers are of use while a request may still count in them. */
const KEEP_MS = 2 * DAY_MS;

/** Limits, usage and service level of this process, on the shared store. By the real clock, also where ratings have another. */
export function openUsage(
  { scoringPath }: { readonly scoringPath: string },
  db: Database,
  { access, plans }: { readonly access: Pick<AccessService, 'list'>; readonly plans: PlanBook },
  onError: (error: unknown, what: string) => void,
): Usage {
  const service = createUsageService(db, access, plans, Date.now);
  const processId = randomUUID();
  const groupOf = endpointGroups(scoringPath);
  const limiter = createSharedLimiter({
    lease: (wanted) => leaseWindows(db, wanted),
    now: Date.now,
    onError: (error) => onError(error, 'limits'),
  });
  const meter = createUsageMeter({
    processId,
    add: (flush) => addUsage(db, flush),
    now: Date.now,
    onError: (error) => onError(error, 'usage'),
  });
  const recorder = startServiceLevelRecorder({
    db,
    processId,
    now: Date.now,
    onError: (error) => onError(error, 'service level'),
  });
  let tidying = tidy();
  const timer = setInterval(() => {
    tidying = tidy();
  }, TIDY_MS);
  timer.unref();

  async function tidy(): Promise<void> {
    const before = new Date(Date.now() - KEEP_MS).toISOString();
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
      const at = Date.now();
      const group = groupOf(route);
      recorder.count(group, status, seconds, at);
      if (key !== null) meter.count(key, group, status, bytes, at);
    },
    quotaOf: (accountId, kind, limit) => dailyQuota(db, { accountId, kind, limit }, Date.now),
    async close() {
      clearInterval(timer);
      await Promise.all([tidying, limiter.close(), meter.close(), recorder.close()]);
    },
  };
}
