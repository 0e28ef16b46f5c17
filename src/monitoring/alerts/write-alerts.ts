import type { Transaction } from 'kysely';
import type { Band, PublishedRating } from '../../domain/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { Tables } from '../../store/index.ts';
import {
  entriesOfAsset,
  hasOpenAlerts,
  insertAlerts,
  newestRatingId,
  setBaselines,
  type WatchlistRow,
} from '../../store/index.ts';
import type { Thresholds } from '../types.ts';
import { writeAlertBody } from './alert-book.ts';
import { alertsOf, type Baseline } from './alerts-of.ts';

/** An alert that nobody acknowledges makes its asset an alerting one no longer than this. */
const ALERTING_MS = DAY_MS;

/**
 * Writes the alerts that a rating causes, in the transaction that stores it: both are there or neither is. To be called
 * after the rating is stored and while its asset is locked (`lockAsset`). A rating that is not the asset's newest (a
 * clock stepped back) causes none. `openAlerts`: somebody has an unacknowledged alert of the last day.
 */
export async function writeAlerts(
  transaction: Transaction<Tables>,
  {
    assetId,
    ratingId,
    published,
    at,
  }: {
    readonly assetId: string;
    readonly ratingId: number;
    readonly published: PublishedRating;
    /** RFC 3339. */
    readonly at: string;
  },
): Promise<{ readonly openAlerts: boolean }> {
  if ((await newestRatingId(transaction, assetId)) === ratingId) {
    const judged = (await entriesOfAsset(transaction, assetId)).map((entry) => ({
      entry,
      ...alertsOf(JSON.parse(entry.thresholds) as Thresholds, baselineOf(entry), published),
    }));
    await insertAlerts(
      transaction,
      judged.flatMap(({ entry, alerts }) =>
        alerts.map(({ kind, severity, title, details }) => ({
          account_id: entry.account_id,
          asset_id: assetId,
          kind,
          cause: `${ratingId}:${kind}`,
          severity,
          created_at: at,
          body: writeAlertBody({
            title,
            details,
            rating_as_of: published.asOf,
            job_id: published.jobId,
            symbol: published.asset.symbol,
            name: published.asset.name,
            class: published.class ?? null,
          }),
        })),
      ),
    );
    await setBaselines(
      transaction,
      assetId,
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
        return same ? [] : [{ account_id: entry.account_id, ...now }];
      }),
    );
  }
  const since = new Date(Date.parse(at) - ALERTING_MS).toISOString();
  return { openAlerts: await hasOpenAlerts(transaction, assetId, since) };
}

function baselineOf(entry: WatchlistRow): Baseline {
  return {
    score: entry.baseline_score,
    band: entry.baseline_band as Band | null,
    flags: JSON.parse(entry.baseline_flags) as Baseline['flags'],
  };
}
