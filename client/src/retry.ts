/** Rules for repeating a call. */
export interface RetryPolicy {
  /** Attempts beyond the first. */
  readonly retries: number;
  /** The first pause; it doubles with each attempt. */
  readonly firstPauseMs: number;
  /** The longest pause that the client waits; for a longer one it throws at once. */
  readonly longestPauseMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 3, firstPauseMs: 250, longestPauseMs: 30_000 };

const PASSING = new Set([202, 429, 500, 502, 503, 504]);

/** Statuses that may be temporary. */
export function isPassing(status: number): boolean {
  return PASSING.has(status);
}

/** GET, HEAD, PUT and DELETE may be repeated; a POST only with an Idempotency-Key, or if it only reads. */
export function isRepeatable(method: string, path: string, headers: Headers): boolean {
  return method !== 'POST' || headers.has('idempotency-key') || path === '/v1/rms/batch';
}

/**
 * Milliseconds to wait before attempt number `attempt` (1: the first repetition), or null to give up. Waits for `Retry-After`
 * plus up to a tenth, so that clients refused together do not return together; otherwise full jitter
 * over a span that doubles. `random` in [0, 1).
 */
export function pauseBefore(
  attempt: number,
  retryAfterSeconds: number | null,
  policy: RetryPolicy,
  random: () => number,
): number | null {
  if (attempt > policy.retries) return null;
  if (retryAfterSeconds === null)
    return random() * Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** Math.min(attempt, 30));
  const asked = retryAfterSeconds * 1000;
  return asked > policy.longestPauseMs ? null : asked + random() * Math.max(100, asked / 10);
}

/** Seconds of a `Retry-After` header, given as a number or as a date; null if it is unreadable. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/** Waits; rejects with the signal’s reason when the signal fires. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
