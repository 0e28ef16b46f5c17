import type { Plan, ServiceLevel } from '../plans/types.ts';
import type { Measured } from './measure.ts';

export type Breach = 'availability' | 'freshness' | 'latency';

/** How a month stands against what a plan promises. */
export interface Standing {
  readonly availabilityPct: number | null;
  /** The oldest among the plan's chains; null when nothing was measured. */
  readonly marketAgeSeconds: number | null;
  readonly latencyP99Ms: number | null;
  readonly breaches: readonly Breach[];
  /** Of the month's price. */
  readonly creditPct: number;
}

/**
 * What a plan owes for a month: the step of availability that the month fell below, and what broken freshness and latency add, up
 * to the whole price. What was not measured breaks nothing.
 */
export function standingOf(plan: Plan, promised: ServiceLevel, measured: Measured | null): Standing {
  const availabilityPct = measured?.availabilityPct ?? null;
  const latencyP99Ms = measured?.latencyMs?.p99 ?? null;
  const ages = (measured?.freshness ?? [])
    .filter((row) => row.kind === 'market' && row.cadence === 'newest')
    .filter((row) => plan.chains === '*' || plan.chains.includes(row.chain))
    .map((row) => row.ageP99Seconds);
  const marketAgeSeconds = ages.length === 0 ? null : Math.max(...ages);
  const breaches: Breach[] = [];
  let creditPct = 0;
  if (availabilityPct !== null && availabilityPct < promised.availabilityPct) {
    breaches.push('availability');
    creditPct += Math.max(
      0,
      ...promised.credits.filter((step) => availabilityPct < step.belowPct).map((step) => step.creditPct),
    );
  }
  if (marketAgeSeconds !== null && marketAgeSeconds > promised.marketAgeSeconds) {
    breaches.push('freshness');
    creditPct += promised.freshnessCreditPct;
  }
  if (latencyP99Ms !== null && latencyP99Ms > promised.latencyP99Ms) {
    breaches.push('latency');
    creditPct += promised.latencyCreditPct;
  }
  return { availabilityPct, marketAgeSeconds, latencyP99Ms, breaches, creditPct: Math.min(100, creditPct) };
}
