import type { Scope } from '../types.ts';

/** One commercial plan, as the plans file says it. `null` in a limit: none. */
export interface Plan {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** US dollars; null for what is not sold by itself. */
  readonly priceUsdPerMonth: number | null;
  readonly scopes: readonly Scope[] | '*';
  /** Chain names. */
  readonly chains: readonly string[] | '*';
  /** Newest snapshots served lie on full multiples of so many seconds of the day (UTC); 0: always the newest. */
  readonly freshnessGridSeconds: number;
  readonly requestsPerMinute: number | null;
  /** Per UTC day. */
  readonly requestsPerDay: number | null;
  readonly batchSize: number;
  readonly concurrentScoringJobs: number | null;
  /** Export subjects: chain names, `rms`. */
  readonly exports: readonly string[] | '*';
  readonly sla: {
    readonly availabilityPct: number;
    readonly marketAgeSeconds: number;
    readonly latencyP99Ms: number;
  } | null;
}

/** All plans, in the order of the file (which is the order they are offered in). */
export interface PlanBook {
  readonly plans: readonly Plan[];
  find(name: string): Plan | null;
}
