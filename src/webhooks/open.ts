import { randomBytes } from 'node:crypto';
import type { PlanBook } from '../access/index.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { WEBHOOK_LABEL } from './deliver.ts';
import { createDeliveries } from './deliveries.ts';
import { createWebhookJudge } from './judge-url.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

const DELIVER_EVERY_MS = 1_000;
/** Of one endpoint: the outbox holds storms back long before. */
const BUDGET = { perMinute: 600, burst: 60, concurrency: 8, shareSeconds: 0 };

/**
 * Webhooks, as the API serves them, and the deliveries that go out from this process. By the real clock, also where
 * ratings are dated by another: receivers refuse a message whose time is minutes off.
 */
export function openWebhooks({
  config,
  db,
  upstream,
  plans,
  works,
  onError,
}: {
  readonly config: Pick<Config, 'dataMode' | 'webhookLoopback'>;
  readonly db: Database;
  readonly upstream: Upstream;
  readonly plans: PlanBook;
  /** False: others deliver. */
  readonly works: boolean;
  readonly onError: (error: unknown, what: string) => void;
}): Webhooks & { readonly close: () => Promise<void> } {
  upstream.setBudget(WEBHOOK_LABEL, BUDGET);
  const judgeUrl = createWebhookJudge({ dataMode: config.dataMode, loopback: config.webhookLoopback });
  const paying = plans.plans
    .filter(({ webhooks, scopes }) => webhooks > 0 && (scopes === '*' || scopes.includes('rms:read')))
    .map(({ name }) => name);
  const deliveries = createDeliveries({
    db,
    upstream,
    judgeUrl,
    clock: Date.now,
    random: Math.random,
    plans: paying,
    onError,
  });
  if (works) deliveries.start(DELIVER_EVERY_MS);
  return {
    ...createWebhooks({ db, random: randomBytes, judgeUrl, clock: Date.now }),
    close: deliveries.close,
  };
}
