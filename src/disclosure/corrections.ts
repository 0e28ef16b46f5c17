import type { Transaction } from 'kysely';
import type { AlertDetails, Reply } from '../contract/index.ts';
import type { Asset, Band } from '../domain/index.ts';
import type { AlertBody } from '../monitoring/index.ts';
import { accountsTold, insertAlerts, type Tables } from '../store/index.ts';

/**
 * Tells a correction to every account that was told the wrong rating: as an alert, and by the webhooks that take alerts of this
 * kind. In the transaction that makes the correction: none is made that is not told. Returns how many accounts were told.
 */
export async function tellCorrection(
  transaction: Transaction<Tables>,
  correction: {
    readonly restatementId: number;
    readonly ratingId: number;
    readonly asset: Asset;
    readonly ratingAsOf: string;
    readonly jobId: string;
    readonly reason: string;
    readonly before: { readonly band: Band; readonly score: number | null };
    readonly after: { readonly band: Band; readonly score: number | null };
    readonly madeAt: string;
  },
): Promise<number> {
  const { restatementId, asset, before, after, madeAt } = correction;
  const words = ({ band, score }: typeof before) => `${band}${score === null ? '' : ` ${score}`}`;
  const body: AlertBody = {
    title: `A rating was corrected: ${words(before)} should have been ${words(after)}`,
    details: {
      restatement_id: restatementId,
      job_id: correction.jobId,
      reason: correction.reason.slice(0, MOST_REASON),
      before,
      after,
    } satisfies Reply<typeof AlertDetails.correction>,
    rating_as_of: correction.ratingAsOf,
    job_id: correction.jobId,
    symbol: asset.symbol,
    name: asset.name,
    class: null,
  };
  const accounts = await accountsTold(transaction, asset.id, correction.ratingId);
  return insertAlerts(
    transaction,
    accounts.map((accountId) => ({
      account_id: accountId,
      asset_id: asset.id,
      kind: 'correction',
      cause: `correction:${restatementId}`,
      severity: before.band === after.band ? 'medium' : 'high',
      created_at: madeAt,
      body: JSON.stringify(body),
    })),
  );
}

const MOST_REASON = 1_000;
