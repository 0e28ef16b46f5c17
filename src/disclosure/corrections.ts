import type { Transaction } from 'kysely';
import type { AlertDetails, Reply } from '../contract/index.ts';
import type { Asset, Band } from '../domain/index.ts';
import type { AlertBody } from '../monitoring/index.ts';
import { accountsThatRead, insertAlerts, type Tables } from '../store/index.ts';

/** A corrected rating, before and after. */
export interface Correction {
  readonly restatementId: number;
  readonly ratingId: number;
  readonly asset: Asset;
  readonly ratingAsOf: string;
  readonly jobId: string;
  readonly reason: string;
  readonly before: { readonly band: Band; readonly score: number | null };
  readonly after: { readonly band: Band; readonly score: number | null };
  readonly madeAt: string;
}

/**
 * Notifies every account that received the wrong rating, by an alert and by its webhooks for alerts of this kind. Runs
 * in the transaction of the correction, so that none is missed. Returns the number of notified accounts.
 */
export async function notifyCorrection(transaction: Transaction<Tables>, correction: Correction): Promise<number> {
  const { restatementId, asset, before, after, madeAt } = correction;
  const body = correctionBody(correction);
  const accounts = await accountsThatRead(transaction, asset.id, correction.ratingId);
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

/** Stored body of the alert. */
export function correctionBody({
  restatementId,
  jobId,
  reason,
  before,
  after,
  asset,
  ratingAsOf,
}: Correction): AlertBody {
  const words = ({ band, score }: typeof before) => `${band}${score === null ? '' : ` ${score}`}`;
  return {
    title: `A rating was corrected: ${words(before)} should have been ${words(after)}`,
    details: {
      restatement_id: restatementId,
      job_id: jobId,
      reason: reason.slice(0, MOST_REASON).toWellFormed(),
      before,
      after,
    } satisfies Reply<typeof AlertDetails.correction>,
    rating_as_of: ratingAsOf,
    job_id: jobId,
    symbol: asset.symbol,
    name: asset.name,
    class: null,
  };
}
