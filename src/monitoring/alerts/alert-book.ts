import type { AlertKind } from '../../contract/index.ts';
import type { Severity } from '../../domain/index.ts';
import type { Store } from '../../store/index.ts';
import {
  type AlertFilter,
  type AlertRow,
  acknowledgeAlert,
  alertsAfter,
  alertsOfAccount,
  lastAlertNumber,
  listenForAlerts,
} from '../../store/index.ts';
import { readAlertBody } from './body.ts';
import { createStreamSlots } from './stream-slots.ts';

/** An alert as its account sees it. */
export interface Alert {
  /** Rises within the account, without gaps. */
  readonly id: number;
  readonly assetId: string;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly createdAt: string;
  readonly acknowledgedAt: string | null;
  readonly title: string;
  readonly details: unknown;
  /** Time of the rating that caused it. */
  readonly ratingAsOf: string;
}

/** An account's alerts: pages, acknowledgement, and what comes. */
export interface AlertBook {
  /** Newest first, below the number `before`. */
  page(
    accountId: string,
    filter: AlertFilter,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly Alert[]>;
  /** A second time changes nothing. Null when the account has no such alert. */
  acknowledge(accountId: string, id: number, keyId: string): Promise<Alert | null>;
  /** The number of the account's newest alert; 0 when it has none. */
  newest(accountId: string): Promise<number>;
  /**
   * Alerts after a number, oldest first, then those that come, whichever process stores them. Null stands for a moment
   * without news, at least every two seconds. Ends by the signal.
   */
  follow(accountId: string, after: number, signal: AbortSignal): AsyncGenerator<Alert | null>;
  /** Takes one of the account's `most` event streams, whatever they are of, over all processes; null when all are open. Give it back by calling it. */
  takeStream(accountId: string, most: number): Promise<(() => void) | null>;
  /** Ends whatever is followed. */
  close(): Promise<void>;
}

/** A notice that is lost (the connection broke) delays an alert by no more. */
const LOOK_EVERY_MS = 2_000;
const PAGE = 100;

export function createAlertBook(
  store: Store,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): AlertBook {
  const { db } = store;
  const closing = new AbortController();
  const listener = listenForAlerts(store.url, (error) => onError(error, 'listening for alerts'));
  return {
    newest: (accountId) => lastAlertNumber(db, accountId),
    takeStream: createStreamSlots(listener),
    async page(accountId, filter, page) {
      return (await alertsOfAccount(db, accountId, filter, page)).map(alertOf);
    },
    async acknowledge(accountId, id, keyId) {
      const row = await acknowledgeAlert(db, { accountId, id }, { keyId, at: new Date(now()).toISOString() });
      return row && alertOf(row);
    },
    async *follow(accountId, after, gone) {
      const signal = AbortSignal.any([gone, closing.signal]);
      let news = Promise.withResolvers<void>();
      const stop = listener.onAlert((told) => {
        if (told === accountId) news.resolve();
      });
      try {
        let seen = after;
        while (!signal.aborted) {
          // Renewed before the look: what is told during it makes another look.
          news = Promise.withResolvers<void>();
          const rows = await alertsAfter(db, accountId, seen, PAGE);
          for (const row of rows) {
            seen = row.id;
            yield alertOf(row);
          }
          if (rows.length === PAGE) continue;
          yield null;
          await noLongerThan(LOOK_EVERY_MS, news.promise, signal);
        }
      } finally {
        stop();
      }
    },
    async close() {
      closing.abort();
      await listener.close();
    },
  };
}

function noLongerThan(milliseconds: number, news: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    news.then(end);
  });
}

/** An alert by its row. */
export function alertOf(row: AlertRow): Alert {
  const body = readAlertBody(row.body);
  return {
    id: row.id,
    assetId: row.asset_id,
    symbol: body.symbol,
    name: body.name,
    kind: row.kind as AlertKind,
    severity: row.severity as Severity,
    createdAt: row.created_at,
    acknowledgedAt: row.acknowledged_at,
    title: body.title,
    details: body.details,
    ratingAsOf: body.rating_as_of,
  };
}
