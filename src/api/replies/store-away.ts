import type { Problem } from './problems.ts';

/**
 * Of the system, and of PostgreSQL: connection lost (08), a standby that takes no writes (25006), no room on the disk, no
 * memory or no connection left (53), shutting down or starting (57P), a disk that fails (58030).
 */
const CODES = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|08\w{3}|25006|53\w{3}|57P0[1-5]|58030)$/;
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** True of an error that says no more than that the database cannot be reached, or cannot store anything, now. */
export function isStoreAway(error: { readonly code?: unknown; readonly message?: unknown }): boolean {
  return CODES.test(String(error.code ?? '')) || MESSAGES.test(String(error.message ?? ''));
}

export const STORE_AWAY: Problem = {
  status: 503,
  code: 'not_ready',
  title: 'Not ready',
  detail: 'The database of the service cannot be used now. Nothing was lost; the same request may be sent again.',
  retry: 'after',
  headers: { 'retry-after': '5' },
};
