import type { Transaction } from 'kysely';
import type { AlertDetails, AlertKind, Reply } from '../../contract/index.ts';
import {
  BANDS,
  type Band,
  DAY_MS,
  type PublishedFlag,
  type PublishedRating,
  type Severity,
} from '../../domain/index.ts';
import {
  entriesOfAssets,
  insertAlerts,
  setBaselines,
  type Tables,
  type WatchlistRow,
  withOpenAlerts,
} from '../../store/index.ts';
import type { Thresholds } from '../types.ts';
import type { AlertBody } from './alert-book.ts';

/** State that a watchlist entry compares the next rating with. */
export interface Baseline {
  /** At the last score alert, or when the entry was added, so that slow drift adds up. Null: no score yet. */
  readonly score: number | null;
  /** Of the newest rating seen; null: the asset had none. */
  readonly band: Band | null;
  /** Of the newest rating seen, of every severity, so that new thresholds need no new baseline. */
  readonly flags: readonly BaselineFlag[];
}

interface BaselineFlag {
  readonly code: string;
  readonly severity: Severity;
}

/** Properties of a rating that alerts compare. */
export type Judged = Pick<PublishedRating, 'score' | 'band' | 'flags' | 'action' | 'actionReason'>;

/** One alert before it has a number. */
export interface AlertCaused {
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly title: string;
  readonly details: Reply<(typeof AlertDetails)[Exclude<AlertKind, 'source_drift' | 'peg_stress' | 'correction'>]>;
}

/**
 * The alerts that a published rating causes for one watchlist entry, at most one of each kind, and the baseline after
 * it. The first rating of an asset sets the baseline and causes no alert. Pure.
 */
export function alertsOf(
  thresholds: Thresholds,
  baseline: Baseline,
  published: Judged,
): { readonly alerts: readonly AlertCaused[]; readonly baseline: Baseline } {
  const score = baseline.band === null ? null : scoreChange(thresholds, baseline.score, published.score);
  const flags = baseline.band === null ? null : flagChange(thresholds, baseline.flags, published.flags);
  const band =
    baseline.band === null ? null : bandTransition(thresholds, { ...baseline, band: baseline.band }, published);
  return {
    alerts: [score, flags, band].filter((alert) => alert !== null),
    baseline: {
      score: score || baseline.score === null ? published.score : baseline.score,
      band: published.band,
      flags: published.flags.map(({ code, severity }) => ({ code, severity })),
    },
  };
}

/** Scores are tenths, which a double cannot represent exactly: a change by exactly the threshold counts. */
const ROUNDING = 1e-9;

function scoreChange({ minScoreChange }: Thresholds, from: number | null, to: number | null): AlertCaused | null {
  if (from === null || to === null || Math.abs(to - from) < minScoreChange - ROUNDING) return null;
  const change = Math.round((to - from) * 10) / 10;
  return {
    kind: 'score_change',
    severity: severityOfChange(change),
    title: `Score ${change > 0 ? 'up' : 'down'} ${Math.abs(change)} points, from ${from} to ${to}`,
    details: { from, to, change, threshold: minScoreChange },
  };
}

function severityOfChange(change: number): Severity {
  if (change >= 0) return 'info';
  if (change > -5) return 'low';
  if (change > -10) return 'medium';
  return change > -20 ? 'high' : 'critical';
}

function flagChange(
  { flagSeverities }: Thresholds,
  before: readonly BaselineFlag[],
  now: readonly PublishedFlag[],
): AlertCaused | null {
  const counts = (severity: Severity) => flagSeverities.includes(severity);
  const was = new Map(before.map((flag) => [flag.code, flag]));
  const is = new Map(now.map((flag) => [flag.code, flag]));
  const raised = now
    .filter(({ code, severity }) => !was.has(code) && counts(severity))
    .map(({ code, severity, title }) => ({ code, severity, title }));
  const cleared = before.filter(({ code, severity }) => !is.has(code) && counts(severity));
  const changed = now.flatMap(({ code, severity: to }) => {
    const from = was.get(code)?.severity;
    return from && from !== to && (counts(from) || counts(to)) ? [{ code, from, to }] : [];
  });
  if (raised.length + cleared.length + changed.length === 0) return null;
  const worse = [
    ...raised.map(({ severity }) => severity),
    ...changed.filter(({ from, to }) => rankOf(to) > rankOf(from)).map(({ to }) => to),
  ];
  return {
    kind: 'risk_flag_change',
    severity: worse.reduce<Severity>((worst, one) => (rankOf(one) > rankOf(worst) ? one : worst), 'info'),
    title: [sentence('raised', raised), sentence('cleared', cleared), sentence('changed severity', changed)]
      .filter((part) => part !== '')
      .join('; '),
    details: { raised, cleared, changed },
  };
}

function sentence(what: string, flags: readonly { readonly code: string }[]): string {
  return flags.length === 0 ? '' : `Flags ${what}: ${flags.map(({ code }) => code).join(', ')}`;
}

const SEVERITIES: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical'];
const rankOf = (severity: Severity) => SEVERITIES.indexOf(severity);

/** An entry's choice of bands does not suppress these: the rating has ended, or the asset has failed. */
const ALWAYS: readonly Band[] = ['D', 'NR'];

function bandTransition(
  { bands, minScoreChange }: Thresholds,
  { band: from, score: before }: Baseline & { readonly band: Band },
  published: Judged,
): AlertCaused | null {
  const { band: to, score: now } = published;
  if (from === to) return null;
  const counts = (band: Band) => bands === null || bands.includes(band) || ALWAYS.includes(band);
  if (!counts(from) && !counts(to)) return null;
  // Out of NR no band is known to compare with; the score of before is.
  const isFall =
    from === 'NR'
      ? before !== null && now !== null && before - now >= minScoreChange - ROUNDING
      : BANDS.indexOf(to) > BANDS.indexOf(from);
  return {
    kind: 'band_transition',
    severity: severityOfTransition(to, isFall),
    title: `Band ${from} to ${to}`,
    details: { from, to, action: published.action, reason: published.actionReason },
  };
}

function severityOfTransition(to: Band, isFall: boolean): Severity {
  if (to === 'D') return 'critical';
  if (to === 'NR') return 'medium';
  return isFall ? 'high' : 'info';
}

/** Longest time for which an unacknowledged alert counts as open. */
const ALERTING_MS = DAY_MS;

/** A stored rating, as far as alerts need it. */
export interface StoredForAlerts {
  readonly ratingId: number;
  /** A rating that is not its asset's newest (after a clock was set back) causes no alerts. */
  readonly isNewest: boolean;
  readonly published: PublishedRating;
}

/**
 * Stores the alerts that ratings of different assets cause, in the transaction that stores the ratings at `at` (RFC
 * 3339), so that either all or none are stored. Call it once per transaction, after the ratings are stored and while
 * their assets are locked (`lockAssets`). Returns the assets with an unacknowledged alert of the last day.
 */
export async function writeAlerts(
  transaction: Transaction<Tables>,
  ratings: readonly StoredForAlerts[],
  at: string,
): Promise<{ readonly openAlerts: ReadonlySet<string> }> {
  const newest = new Map(ratings.filter((one) => one.isNewest).map((one) => [one.published.asset.id, one]));
  const entries = newest.size === 0 ? [] : await entriesOfAssets(transaction, [...newest.keys()]);
  const judged = entries.flatMap((entry) => {
    const rating = newest.get(entry.asset_id);
    if (rating === undefined) return [];
    const { published } = rating;
    return [
      { entry, ...rating, ...alertsOf(JSON.parse(entry.thresholds) as Thresholds, baselineOf(entry), published) },
    ];
  });
  await insertAlerts(
    transaction,
    judged.flatMap(({ entry, ratingId, published, alerts }) =>
      alerts.map(({ kind, severity, title, details }) => ({
        account_id: entry.account_id,
        asset_id: entry.asset_id,
        kind,
        cause: `${ratingId}:${kind}`,
        severity,
        created_at: at,
        body: JSON.stringify({
          title,
          details,
          rating_as_of: published.asOf,
          job_id: published.jobId,
          symbol: published.asset.symbol,
          name: published.asset.name,
          class: published.class ?? null,
          trust: published.trust,
        } satisfies AlertBody),
      })),
    ),
  );
  await setBaselines(
    transaction,
    judged.flatMap(({ entry, baseline }) => {
      const now = {
        baseline_score: baseline.score,
        baseline_band: baseline.band,
        baseline_flags: JSON.stringify(baseline.flags),
      };
      const same =
        entry.baseline_score === now.baseline_score &&
        entry.baseline_band === now.baseline_band &&
        entry.baseline_flags === now.baseline_flags;
      return same ? [] : [{ asset_id: entry.asset_id, account_id: entry.account_id, ...now }];
    }),
  );
  const assetIds = ratings.map(({ published }) => published.asset.id);
  const since = new Date(Date.parse(at) - ALERTING_MS).toISOString();
  return { openAlerts: await withOpenAlerts(transaction, assetIds, since) };
}

function baselineOf(entry: WatchlistRow): Baseline {
  return {
    score: entry.baseline_score,
    band: entry.baseline_band as Band | null,
    flags: JSON.parse(entry.baseline_flags) as Baseline['flags'],
  };
}
