import type { Static } from 'typebox';
import type { PlanBook, ServiceLevelReader } from '../../access/index.ts';
import { standingOf } from '../../access/index.ts';
import type { ServiceLevelView } from '../../contract/index.ts';
import { standingView } from './statement-view.ts';

/** Measured service level and how each plan's promises stand this month, as the interface shows them. `month`: YYYY-MM. */
export async function serviceLevelView(
  reader: ServiceLevelReader,
  plans: PlanBook,
  month: string,
): Promise<Static<typeof ServiceLevelView>> {
  const [since, windows, measured] = await Promise.all([reader.since(), reader.windows(), reader.month(month)]);
  return {
    measured_since: since,
    windows: windows.map((row) => ({
      window: row.window,
      from: row.from,
      to: row.to,
      availability_pct: row.availabilityPct,
      requests: row.requests,
      failures: row.failures,
      latency_ms: row.latencyMs,
      freshness: row.freshness.map((age) => ({
        chain: age.chain,
        kind: age.kind,
        cadence: age.cadence,
        age_seconds_p50: Math.round(age.ageP50Seconds),
        age_seconds_p99: Math.round(age.ageP99Seconds),
      })),
    })),
    plans: plans.plans.flatMap((plan) => {
      if (plan.sla === null) return [];
      const standing = standingOf(plan, plan.sla, measured);
      return [
        {
          plan: plan.name,
          month,
          targets: {
            availability_pct: plan.sla.availabilityPct,
            market_age_seconds: plan.sla.marketAgeSeconds,
            latency_p99_ms: plan.sla.latencyP99Ms,
          },
          met: standing.breaches.length === 0,
          ...standingView(standing),
        },
      ];
    }),
  };
}
