import type { Database } from '../../store/index.ts';
import { alertsOfAll, newestNumbers } from '../../store/index.ts';
import { type Alert, alertOf } from './alert-book.ts';

/** An alert with whose it is, as the operator sees it. */
export interface AccountAlert extends Alert {
  readonly accountId: string;
}

/** Of which account (null: of all), after which number of that account (null: from now on). */
export interface FeedWish {
  readonly accountId: string | null;
  readonly after: number | null;
}

const LOOK_EVERY_MS = 1_000;
const PAGE = 200;

/** Alerts as they come, of any process, each once and in the order of each account's numbers. Ends by the signal. */
export async function* followAlerts(
  db: Database,
  { accountId, after }: FeedWish,
  signal: AbortSignal,
): AsyncGenerator<AccountAlert> {
  const seen: Record<string, number> = after === null ? await newestNumbers(db) : {};
  if (accountId !== null && after !== null) seen[accountId] = after;
  while (!signal.aborted) {
    const rows = await alertsOfAll(db, accountId, seen, PAGE);
    for (const row of rows) {
      seen[row.account_id] = row.id;
      yield { accountId: row.account_id, ...alertOf(row) };
    }
    if (rows.length < PAGE) await pause(signal);
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, LOOK_EVERY_MS);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
