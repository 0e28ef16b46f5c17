import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertDetail, AlertKind } from '../../contract/index.ts';
import type { Severity } from '../../domain/index.ts';
import { waitForChange } from '../../jobs/index.ts';
import {
  type AlertFilter,
  type AlertListener,
  type AlertRow,
  acknowledgeAlert,
  alertsAfter,
  alertsOfAccount,
  alertsOfAll,
  type Database,
  lastAlertNumber,
  listenForAlerts,
  newestNumbers,
  type Store,
} from '../../store/index.ts';

/** An alert as its account sees it. */
export interface Alert {
  /** Increases within the account, without gaps. */
  readonly id: number;
  /** Null: it is about a source. */
  readonly assetId: string | null;
  /** Set in alerts about one source. */
  readonly source: string | null;
  readonly symbol: string | null;
  readonly name: string | null;
  /** Class of the rating; null in alerts from before classes. */
  readonly class: string | null;
  /** Trust score of the rating that caused it, 0-100; null when none did, and in older alerts without it. */
  readonly trustScore: number | null;
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly createdAt: string;
  readonly acknowledgedAt: string | null;
  readonly title: string;
  readonly details: AlertDetail;
  /** Time of the rating that caused it; null when none did. */
  readonly ratingAsOf: string | null;
}

/** Longest delay of an alert when its notification is lost because the connection broke. */
const LOOK_EVERY_MS = 2_000;
const PAGE = 100;

export type AlertBook = ReturnType<typeof createAlertBook>;

/** An account's alerts: pages, acknowledgement, and a live stream. */
export function createAlertBook(store: Store, now: () => number, onError: (error: unknown, what: string) => void) {
  const { db } = store;
  const closing = new AbortController();
  const listener = listenForAlerts(store.url, (error) => onError(error, 'listening for alerts'));
  return {
    /** The number of the account's newest alert; 0 when it has none. */
    newest: (accountId: string) => lastAlertNumber(db, accountId),
    /**
     * Occupies one of the account's `most` event streams, of any kind, over all processes; null when all are open.
     * Calling the result releases it.
     */
    takeStream: createStreamSlots(listener),
    /** Newest first, below the number `before`. */
    async page(
      accountId: string,
      filter: AlertFilter,
      page: Parameters<typeof alertsOfAccount>[3],
    ): Promise<readonly Alert[]> {
      return (await alertsOfAccount(db, accountId, filter, page)).map(alertOf);
    },
    /** Idempotent. Null when the account has no such alert, of `kind` unless that is null. */
    async acknowledge(accountId: string, id: number, keyId: string, kind: AlertKind | null): Promise<Alert | null> {
      const row = await acknowledgeAlert(db, { accountId, id, kind }, { keyId, at: new Date(now()).toISOString() });
      return row && alertOf(row);
    },
    /**
     * Alerts after a number, oldest first, then new ones, whichever process stores them. Null marks a pause without
     * alerts, at least every two seconds. The signal ends it.
     */
    async *follow(accountId: string, after: number, gone: AbortSignal): AsyncGenerator<Alert | null> {
      const signal = AbortSignal.any([gone, closing.signal]);
      let arrival = Promise.withResolvers<void>();
      const stop = listener.onAlert((told) => {
        if (told === accountId) arrival.resolve();
      });
      try {
        let seen = after;
        while (!signal.aborted) {
          // Renewed before the query: a notification during the query causes another one.
          arrival = Promise.withResolvers<void>();
          const rows = await alertsAfter(db, accountId, seen, PAGE);
          for (const row of rows) {
            seen = row.id;
            yield alertOf(row);
          }
          if (rows.length === PAGE) continue;
          yield null;
          await waitForChange(arrival.promise, LOOK_EVERY_MS, signal);
        }
      } finally {
        stop();
      }
    },
    /** Ends all streams. */
    async close(): Promise<void> {
      closing.abort();
      await listener.close();
    },
  };
}

/** What an alert stores about its cause, as JSON in its row. */
export interface AlertBody {
  readonly title: string;
  readonly details: AlertDetail;
  /** Time of the rating, RFC 3339; null when no rating caused it. */
  readonly rating_as_of: string | null;
  readonly job_id: string | null;
  readonly symbol: string | null;
  readonly name: string | null;
  /** Absent in alerts from before classes. */
  readonly class?: string | null;
  /** Trust score of the rating; absent in alerts that no rating caused, and in older ones. */
  readonly trust?: number | null;
  /** The source it is about; absent in alerts about assets. */
  readonly source?: string | null;
}

export function readAlertBody(text: string): AlertBody {
  return JSON.parse(text) as AlertBody;
}

/** Id of the asset that an alert is about; null when it is about sources. */
export function assetOfAlert({ kind, asset_id }: Pick<AlertRow, 'kind' | 'asset_id'>): string | null {
  return kind === 'source_drift' ? null : asset_id;
}

/** An alert from its row. */
export function alertOf(row: AlertRow): Alert {
  const body = readAlertBody(row.body);
  return {
    id: row.id,
    assetId: assetOfAlert(row),
    source: body.source ?? null,
    symbol: body.symbol,
    name: body.name,
    class: body.class ?? null,
    trustScore: body.trust ?? null,
    kind: row.kind as AlertKind,
    severity: row.severity as Severity,
    createdAt: row.created_at,
    acknowledgedAt: row.acknowledged_at,
    title: body.title,
    details: body.details,
    ratingAsOf: body.rating_as_of,
  };
}

/** An alert with its account, for the operator. */
export interface AccountAlert extends Alert {
  readonly accountId: string;
}

/** The account (null: all), and the number of that account to start after (null: from now on). */
export interface AlertQuery {
  readonly accountId: string | null;
  readonly after: number | null;
}

const FEED_EVERY_MS = 1_000;

/** New alerts of any process, each once and in the order of each account's numbers. The signal ends it. */
export async function* followAlerts(
  db: Database,
  { accountId, after }: AlertQuery,
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
    if (rows.length < PAGE) await sleep(FEED_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Counts an account's open streams over all processes: each holds one of `most` numbered advisory locks of the
 * database, which are released when a process dies. While the database is unavailable, each process counts its own.
 */
export function createStreamSlots(
  locks: Pick<AlertListener, 'tryLock' | 'unlock'>,
): (accountId: string, most: number) => Promise<(() => void) | null> {
  const ours = new Set<string>();
  return async (accountId, most) => {
    for (let slot = 0; slot < most; slot += 1) {
      const name = `event stream ${accountId} ${slot}`;
      if (ours.has(name)) continue;
      // Before the first await: two streams of this process must not request the same lock, since a session gets it
      // twice.
      ours.add(name);
      if ((await locks.tryLock(name)) !== false)
        return () => {
          ours.delete(name);
          void locks.unlock(name);
        };
      ours.delete(name);
    }
    return null;
  };
}
