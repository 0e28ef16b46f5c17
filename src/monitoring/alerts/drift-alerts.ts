import type { AlertDetails, Reply } from '../../contract/index.ts';
import type { Severity } from '../../domain/index.ts';
import {
  type Database,
  type DriftChange,
  type DriftSubscription,
  driftSubscriptions,
  insertAlerts,
  lockDriftSubscriptions,
  noteDriftAlerts,
  type SourceHealth,
  sourceHealth,
} from '../../store/index.ts';
import type { AlertBody } from './alert-book.ts';

/** When accounts are notified of drifting sources. */
export interface DriftAlertRules {
  /**
   * A drift is over for an account once its source has been normal for this long: an intermittent drift is reported
   * once.
   */
  readonly quietSeconds: number;
  /** More sources than this in one turn are combined in one alert. */
  readonly together: number;
  /** A weight below this is severe. */
  readonly severeBelow: number;
  /** An older reading opens no alert and ends one: the source is off or unavailable, and its state is not known. */
  readonly readWithinSeconds: number;
}

type DriftAlertState = Reply<typeof AlertDetails.source_drift>['state'];

/** One alert to an account. */
export interface DriftAlert {
  readonly accountId: string;
  readonly state: DriftAlertState;
  /** The sources of the alert, with the state of each, by name. */
  readonly sources: readonly SourceHealth[];
  readonly severity: Severity;
}

/** Severity of a drift, by the lost share of the source's weight. */
function severityOf({ weight }: SourceHealth, { severeBelow }: DriftAlertRules): Severity {
  return weight < severeBelow ? 'high' : 'medium';
}

/**
 * The alerts for each account at `now` (milliseconds), given what was reported to it. Pure; the same call after its
 * changes are stored returns nothing.
 */
export function driftAlertsOf(
  subscriptions: readonly DriftSubscription[],
  sources: readonly SourceHealth[],
  now: number,
  rules: DriftAlertRules,
): { readonly alerts: readonly DriftAlert[]; readonly changes: readonly DriftChange[] } {
  const isRead = ({ checkedAt }: SourceHealth) =>
    checkedAt !== null && now - Date.parse(checkedAt) <= rules.readWithinSeconds * 1000;
  const isUsual = ({ drifting, usualSince }: SourceHealth) =>
    drifting.length === 0 && usualSince !== null && now - Date.parse(usualSince) >= rules.quietSeconds * 1000;
  const alerts: DriftAlert[] = [];
  const changes: DriftChange[] = [];
  for (const { accountId, sources: wanted, open } of subscriptions) {
    const told = new Map(open.map((row) => [row.source, row.severity]));
    const news: Record<DriftAlertState, SourceHealth[]> = { opened: [], worsened: [], closed: [] };
    for (const row of sources) {
      if (wanted !== null && !wanted.includes(row.source)) continue;
      const severity = told.get(row.source);
      if (severity === undefined) {
        if (row.drifting.length > 0 && isRead(row)) news.opened.push(row);
      } else if (isUsual(row) || !isRead(row)) news.closed.push(row);
      else if (row.drifting.length > 0 && severity !== 'high' && severityOf(row, rules) === 'high')
        news.worsened.push(row);
    }
    for (const state of ['opened', 'worsened', 'closed'] as const) {
      const rows = news[state];
      const severities = new Set(rows.map((row) => severityOf(row, rules)));
      const severity = state === 'closed' ? 'info' : severities.has('high') ? 'high' : 'medium';
      if (rows.length > rules.together) alerts.push({ accountId, state, sources: rows, severity });
      else
        for (const row of rows)
          alerts.push({
            accountId,
            state,
            sources: [row],
            severity: state === 'closed' ? 'info' : severityOf(row, rules),
          });
      for (const row of rows)
        changes.push({
          accountId,
          source: row.source,
          severity: state === 'closed' ? null : severityOf(row, rules),
        });
    }
  }
  return { alerts, changes };
}

/**
 * Notifies subscribed accounts of sources that drift and of those that are normal again. It compares the stored state
 * with what was reported to each account, and stores both in one transaction: the next turn of any process completes
 * the work of a process that died, and nothing is reported twice. Returns the number of alerts.
 */
export async function notifyDrifts(db: Database, now: () => number, rules: DriftAlertRules): Promise<number> {
  const sources = await sourceHealth(db);
  const due = driftAlertsOf(await driftSubscriptions(db), sources, now(), rules);
  if (due.changes.length === 0) return 0;
  const accounts = [...new Set(due.changes.map((row) => row.accountId))];
  return db.transaction().execute(async (transaction) => {
    const locked = await lockDriftSubscriptions(transaction, accounts);
    const { alerts, changes } = driftAlertsOf(locked, await sourceHealth(transaction), now(), rules);
    const at = new Date(now()).toISOString();
    await noteDriftAlerts(transaction, changes, at);
    return insertAlerts(
      transaction,
      alerts.map((alert) => ({
        account_id: alert.accountId,
        asset_id: subjectOf(alert),
        kind: 'source_drift',
        cause: `${alert.state}:${at}`,
        severity: alert.severity,
        created_at: at,
        body: JSON.stringify(driftAlertBody(alert)),
      })),
    );
  });
}

/** Value of the alert's asset column; it cannot be mistaken for the id of an asset. */
function subjectOf({ sources }: DriftAlert): string {
  const [only] = sources;
  return only !== undefined && sources.length === 1 ? `source:${only.source}` : 'source:*';
}

/** Most names in a title; the details contain all of them. */
const NAMED = 5;

/** Details stored in the alert's row. */
export function driftAlertBody({ state, sources }: DriftAlert): AlertBody {
  const [first] = sources;
  const isOne = sources.length === 1;
  const rest = sources.length - NAMED;
  const names = sources.map((row) => row.source);
  const who = isOne
    ? `Source ${first?.source}`
    : `${sources.length} sources (${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
  const what = {
    opened: isOne ? `changed what it states: ${first?.drift ?? 'not as usual'}` : 'changed what they state',
    worsened: `${isOne ? 'is' : 'are'} further off than before${isOne ? `: ${first?.drift ?? 'not as usual'}` : ''}`,
    closed: sources.some((row) => row.drifting.length > 0)
      ? `${isOne ? 'is' : 'are'} as usual again, or not read any more`
      : `${isOne ? 'is' : 'are'} as usual again`,
  };
  return {
    title: `${who} ${what[state]}`.slice(0, 500).toWellFormed(),
    details: {
      state,
      sources: sources.map((row) => ({
        source: row.source,
        endpoint: row.driftEndpoint,
        changed: row.drift,
        noticed_at: row.driftAt,
        signals: row.drifting,
        weight: row.weight,
      })),
    } satisfies Reply<typeof AlertDetails.source_drift>,
    source: isOne ? (first?.source ?? null) : null,
    rating_as_of: null,
    job_id: null,
    symbol: null,
    name: null,
    class: null,
  };
}
