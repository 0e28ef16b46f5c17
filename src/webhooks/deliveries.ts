import { foldStorms, pruneMessages, takeMessages } from '../store/index.ts';
import { type DeliveryTools, deliver } from './deliver.ts';

export interface DeliveryOptions extends DeliveryTools {
  readonly onError: (error: unknown, what: string) => void;
  /** How long a digest waits for what else falls due; default 10. */
  readonly collectSeconds?: number;
  /** Plans that include webhooks: an account without a key of one of them is sent nothing until it has one again. */
  readonly plans: readonly string[];
}

export interface Deliveries {
  /** Starts what is due, as far as there is room. Returns how many attempts were begun. */
  tick(): Promise<number>;
  /** Resolves once no attempt is under way. */
  idle(): Promise<void>;
  start(everyMs: number): void;
  /** Stops; attempts under way end at once and are made again by whoever comes next. */
  close(): Promise<void>;
}

/** Attempts mostly wait: many, so that a few accounts with slow endpoints cannot take them all. */
const AT_ONCE = 128;
/** One slow endpoint must not hold up the others. */
const AT_ONCE_PER_WEBHOOK = 2;
/** Longer than an attempt can take. */
const LEASE_SECONDS = 60;
/** Messages of one webhook in a minute that still go out one by one. */
const STORM_OVER = 20;
const COLLECT_SECONDS = 10;
/** Until the next look while there is work. */
const BUSY_MS = 100;
const KEEP_DAYS = 30;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Sends what lies in the outbox. Any number of processes may run one on the same database: messages are leased row by row,
 * so each is sent by one of them at a time, and sent again when its process dies: at least once, with the same id.
 */
export function createDeliveries(options: DeliveryOptions): Deliveries {
  const { db, onError } = options;
  const underWay = new Map<Promise<void>, string>();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function tick(): Promise<number> {
    await foldStorms(db, { most: STORM_OVER, collectSeconds: options.collectSeconds ?? COLLECT_SECONDS });
    if (performance.now() - prunedAt > PRUNE_EVERY_MS) {
      prunedAt = performance.now();
      await pruneMessages(db, KEEP_DAYS);
    }
    const limit = AT_ONCE - underWay.size;
    if (limit <= 0 || stop.signal.aborted) return 0;
    const taken = await takeMessages(db, {
      limit,
      perWebhook: AT_ONCE_PER_WEBHOOK,
      busy: [...new Set(underWay.values())],
      leaseSeconds: LEASE_SECONDS,
      stormOver: STORM_OVER,
      plans: options.plans,
    });
    for (const message of taken) {
      const attempt: Promise<void> = deliver(message, options, stop.signal)
        .catch((error: unknown) => onError(error, 'delivering a webhook message'))
        .finally(() => underWay.delete(attempt));
      underWay.set(attempt, message.webhook_id);
    }
    return taken.length;
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.keys());
  }

  return {
    tick,
    idle,
    start(everyMs) {
      const turn = () => {
        running = tick()
          .catch((error: unknown) => {
            onError(error, 'webhook deliveries');
            return 0;
          })
          .then((begun) => {
            if (!stop.signal.aborted) timer = setTimeout(turn, begun > 0 ? Math.min(BUSY_MS, everyMs) : everyMs);
          });
      };
      turn();
    },
    async close() {
      stop.abort();
      if (timer) clearTimeout(timer);
      await running;
      await idle();
    },
  };
}
