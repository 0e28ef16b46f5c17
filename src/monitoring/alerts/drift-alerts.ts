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

/** When accounts are told of drifting sources. */
export interface DriftAlertRules {
  /** A drift is over for an account once its source has been as usual for so long: what comes and goes is told once. */
  readonly quietSeconds: number;
  /** More sources than this in one turn are told in one alert. */
  readonly together: number;
  /** A weight below this is severe. */
  readonly severeBelow: number;
  /** What was read longer ago opens no alert and ends one: the source is off or away, and nobody knows what it says now. */
  readonly readWithinSeconds: number;
}

type DriftAlertState = Reply<typeof AlertDetails.source_drift>['state'];

/** One alert to an account. */
export interface DriftAlert {
  readonly accountId: string;
  readonly state: DriftAlertState;
  /** Sources that are meant, with what is known of each, in the order of their names. */
  readonly sources: readonly SourceHealth[];
  readonly severity: Severity;
}

/** Severity of a drift: by how much of its weight the source has lost. */
function severityOf({ weight }: SourceHealth, { severeBelow }: DriftAlertRules): Severity {
  return weight < severeBelow ? 'high' : 'medium';
}

/** What each account has to be told at `now` (milliseconds), given what it was told. Pure; the same call after its changes are noted gives nothing. */
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
 * Tells accounts that asked for it which sources drift and which are as usual again. It compares what the store knows with what
 * each account was told, and writes both in one transaction: a process that dies leaves the rest to the next turn of any process,
 * and no two tell the same. Returns how many alerts were made.
 */
export async function tellDrifts(db: Database, now: () => number, rules: DriftAlertRules): Promise<number> {
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

/** Stands in the row where other alerts have their asset; it has no form of an asset's id. */
function subjectOf({ sources }: DriftAlert): string {
  const [only] = sources;
  return only !== undefined && sources.length === 1 ? `source:${only.source}` : 'source:*';
}

/** Names in a title; the details have them all. */
const NAMED = 5;

/** What the row of an alert keeps of it. */
export function driftAlertBody({ state, sources }: DriftAlert): AlertBody {
  const [first] = sources;
  const isOne = sources.length === 1;
  const rest = sources.length - NAMED;
  const names = sources.map((row) => row.source);
  const who = isOne
    ? `Source ${first?.source}`
    : `${sources.length} sources (${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
  const what = {
    opened: isOne ? `changed what it says: ${first?.drift ?? 'not as usual'}` : 'changed what they say',
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
