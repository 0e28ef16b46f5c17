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

/** What a request needs of a plan; null where it does not matter. */
export interface Need {
  readonly scope: Scope;
  readonly chain: string | null;
  /** Export subject (`solana`, `rms`). */
  readonly exportOf: string | null;
}

/** True when the plan includes all that is needed. Administration is a matter of the key's scope, not of a plan. */
export function includes(plan: Plan, need: Need): boolean {
  if (need.scope === 'admin') return true;
  return (
    has(plan.scopes, need.scope) &&
    (need.chain === null || has(plan.chains, need.chain)) &&
    (need.exportOf === null || has(plan.exports, need.exportOf))
  );
}

/** The plans on sale that include what is needed, in the order of the file; else any that does. */
export function plansThatInclude(book: PlanBook, need: Need): readonly Plan[] {
  const fitting = book.plans.filter((plan) => includes(plan, need));
  const others = fitting.filter((plan) => plan.name !== 'INTERNAL');
  return others.length > 0 ? others : fitting;
}

function has<Item>(list: readonly Item[] | '*', item: Item): boolean {
  return list === '*' || list.includes(item);
}

/** Last full grid point at or before `now` (milliseconds since the epoch); null when the plan is served the newest. */
export function gridPoint(now: number, gridSeconds: number): number | null {
  if (gridSeconds === 0) return null;
  const step = gridSeconds * 1000;
  return Math.floor(now / step) * step;
}

/** Whole seconds until the next grid point; at least 1. */
export function secondsToNextPoint(now: number, gridSeconds: number): number {
  const step = gridSeconds * 1000;
  return Math.max(1, Math.ceil((step - (now % step)) / 1000));
}
