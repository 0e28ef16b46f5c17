import type { AlertDetails, Reply } from '../../contract/index.ts';
import { type Asset, counted, HOUR_MS, type ScoreReport } from '../../domain/index.ts';
import {
  advanceNextRating,
  type Database,
  entriesOfAssets,
  insertAlerts,
  lockPeg,
  type PegRow,
  pegsWithPrices,
  putPeg,
  type StatedPeg,
} from '../../store/index.ts';
import type { AlertBody } from './alert-book.ts';
import { limitsOf, nextPeg, type PegEvent, type PegLimits, type PegRules, type PegState } from './peg-rule.ts';

/**
 * The peg of a rated coin: its target value by the valuation of the rating itself, which handles yield that accumulates
 * in the price and currencies other than the dollar. Null for assets other than stablecoins, and where the rating found
 * no value.
 */
export function pegOf({
  published,
  rating,
  consensus,
}: Pick<ScoreReport, 'published' | 'rating' | 'consensus'>): StatedPeg | null {
  const [price, { method, value }] = [consensus.price_usd?.value, rating.vfr];
  if (published.category !== 'stablecoin' || method !== 'peg' || value === null || value <= 0) return null;
  if (typeof price !== 'number' || price <= 0) return null;
  const stated = consensus.peg_currency?.value;
  const currency = typeof stated === 'string' ? stated : 'USD';
  return { assetId: published.asset.id, currency, targetUsd: price / value, at: published.asOf };
}

/** Longest age of a price that is compared with the peg: older ones say nothing about the present. */
const PRICES_WITHIN_MS = 6 * HOUR_MS;

/**
 * Processes the prices of watched pegs that arrived since the last turn, and notifies their watchers. State and alerts
 * are stored in one transaction: the next turn of any process completes the work of a process that died, and nothing is
 * reported twice. The coin is rated again at once. Returns the number of alerts.
 */
export async function alertOnPegs(db: Database, now: () => number, rules: PegRules): Promise<number> {
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
  const since = iso(now() - PRICES_WITHIN_MS);
  let made = 0;
  for (const assetId of await pegsWithPrices(db, iso(now() - rules.targetWithinHours * HOUR_MS), since))
    made += await db.transaction().execute(async (transaction) => {
      const locked = await lockPeg(transaction, assetId, since);
      if (locked === null) return 0;
      const { peg, prices } = locked;
      const asset = locked.asset === null ? null : (JSON.parse(locked.asset) as Asset);
      const limits = limitsOf(peg.currency, rules);
      let state = stateOf(peg);
      const events: PegEvent[] = [];
      for (const { at, usd } of prices) {
        const next = nextPeg(state, { at, price: usd / peg.target_usd }, limits, rules);
        state = next.state;
        if (next.event !== null) events.push(next.event);
      }
      await putPeg(transaction, assetId, {
        seen_at: state.seenAt,
        bps_hours: state.bpsHours,
        state: state.state,
        since: state.since,
      });
      if (events.length === 0) return 0;
      await advanceNextRating(transaction, assetId, iso(now()), 'peg_stress');
      const entries = await entriesOfAssets(transaction, [assetId]);
      return insertAlerts(
        transaction,
        entries.flatMap((entry) =>
          events.map((event) => ({
            account_id: entry.account_id,
            asset_id: assetId,
            kind: 'peg_stress',
            cause: `peg:${event.at}:${event.state}`,
            severity: event.severity,
            created_at: iso(now()),
            body: JSON.stringify(pegAlertBody(event, peg.currency, limits, asset)),
          })),
        ),
      );
    });
  return made;
}

function stateOf(peg: PegRow): PegState {
  return {
    seenAt: peg.seen_at,
    bpsHours: peg.bps_hours,
    state: peg.state as PegState['state'],
    since: peg.since,
  };
}

/** Details stored in the alert's row. */
export function pegAlertBody(event: PegEvent, currency: string, limits: PegLimits, asset: Asset | null): AlertBody {
  const price = Math.round(event.price * 10_000) / 10_000;
  const side = event.distanceBps < 0 ? 'below' : 'above';
  const where = `${price} ${currency}, ${counted(Math.abs(event.distanceBps), 'basis point')} ${side}`;
  const what = { opened: 'Off its peg', worsened: 'Severely off its peg', closed: 'On its peg again for a day' };
  return {
    title: `${what[event.state]}: ${where}`,
    details: {
      state: event.state,
      currency,
      price,
      price_at: event.at,
      distance_bps: event.distanceBps,
      bps_hours: event.bpsHours,
      allowed_bps: limits.allowanceBps,
      alarm_bps_hours: limits.alarmBpsHours,
    } satisfies Reply<typeof AlertDetails.peg_stress>,
    rating_as_of: null,
    job_id: null,
    symbol: asset?.symbol ?? null,
    name: asset?.name ?? null,
    class: null,
  };
}
