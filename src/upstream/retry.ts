import type { FaultReason } from './fault.ts';

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 4_000;

/** Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"): uniform in [0, min(cap, base * 2^attempt)). */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
}

/** Seconds to wait by a Retry-After header (RFC 9110, 10.2.3: seconds or an HTTP date), at most a day; null when there is none. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Math.min(DAY_SECONDS, Number(text));
  // Only dates as HTTP writes them; Date.parse alone would take almost anything.
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.min(DAY_SECONDS, Math.max(0, Math.ceil((at - nowMs) / 1000)));
}

/**
 * Whether asking again may help and cannot do harm. GET is idempotent; a POST is repeated only when the host did not
 * act on it: it refused the rate, was unavailable, or was never reached.
 */
export function isRetryable(
  method: 'GET' | 'POST',
  reason: FaultReason,
  status: number | null,
  sent: boolean,
): boolean {
  if (reason === 'rate_limited' || status === 503) return true;
  if (method === 'POST') return reason === 'unreachable' && !sent;
  if (reason === 'http_error') return status !== null && status >= 500 && status !== 501;
  return reason === 'unreachable' || reason === 'timeout' || reason === 'truncated';
}

const DAY_SECONDS = 86_400;
