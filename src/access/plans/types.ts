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
  /** Jobs of one account that wait or run at once. */
  readonly concurrentScoringJobs: number | null;
  /** Ratings made anew on demand (`?fresh=true`), per account and UTC day. */
  readonly freshRatingsPerDay: number | null;
  /** Collections that scores start, per account and UTC day; reading or joining one is free. */
  readonly collectionsPerDay: number | null;
  /** Per account. */
  readonly watchlistSize: number;
  readonly webhooks: number;
  /** Event streams open at once, per account. */
  readonly streamConnections: number;
  /** Export subjects: chain names, `rms`. */
  readonly exports: readonly string[] | '*';
  readonly sla: ServiceLevel | null;
}

/** What a plan promises of a calendar month (UTC), and what a breach gives back of its price. */
export interface ServiceLevel {
  readonly availabilityPct: number;
  /** Age of market snapshots of assets that are indexed for the newest data, 99 of 100 minutes. */
  readonly marketAgeSeconds: number;
  readonly latencyP99Ms: number;
  /** By falling availability; the lowest step that the month fell below counts. */
  readonly credits: readonly { readonly belowPct: number; readonly creditPct: number }[];
  readonly freshnessCreditPct: number;
  readonly latencyCreditPct: number;
}

/** All plans, in the order of the file (which is the order they are offered in). */
export interface PlanBook {
  readonly plans: readonly Plan[];
  find(name: string): Plan | null;
}
