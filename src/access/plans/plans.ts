import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { findChain } from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import { SCOPES, type Scope } from '../types.ts';

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

/**
 * Reads the text of a plans file. Every error at once, each with its place, so that an operator's slip is
 * found at start and not by a customer.
 */
export function readPlans(text: string): Result<PlanBook, { readonly errors: readonly string[] }> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return { ok: false, errors: [`not JSON: ${error instanceof Error ? error.message : 'unreadable'}`] };
  }
  if (!checker.Check(given)) {
    const errors = [...checker.Errors(given)].map((row) => `${row.instancePath || '/'}: ${row.message}`);
    return { ok: false, errors: [...new Set(errors)].slice(0, 20) };
  }
  const file = given as PlanFile;
  const errors = contradictions(file);
  if (errors.length > 0) return { ok: false, errors };
  return ok(planBook(file.plans.map(planOf)));
}

function planBook(plans: readonly Plan[]): PlanBook {
  const byName = new Map(plans.map((plan) => [plan.name, plan]));
  return { plans, find: (name) => byName.get(name) ?? null };
}

const all = Type.Literal('*');
const limit = Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()]);
const count = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const percent = Type.Number({ minimum: 0, maximum: 100 });
/** Divisors of a day, so that every grid starts at 00:00 UTC. */
const gridSeconds = Type.Integer({ minimum: 0, maximum: 86_400 });
const Row = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Z0-9-]{1,40}$' }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ maxLength: 1_000 }),
    price_usd_per_month: Type.Union([Type.Number({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()]),
    scopes: Type.Union([all, Type.Array(Type.Union(SCOPES.map((scope) => Type.Literal(scope))))]),
    chains: Type.Union([all, Type.Array(Type.String())]),
    freshness_grid_seconds: gridSeconds,
    requests_per_minute: limit,
    requests_per_day: limit,
    batch_size: Type.Integer({ minimum: 0, maximum: 10_000 }),
    concurrent_scoring_jobs: Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), Type.Null()]),
    fresh_ratings_per_day: Type.Union([count, Type.Null()]),
    // Not in files from before it was counted: no limit, as then.
    collections_per_day: Type.Optional(Type.Union([count, Type.Null()])),
    watchlist_size: count,
    webhooks: count,
    stream_connections: count,
    exports: Type.Union([all, Type.Array(Type.String())]),
    sla: Type.Union([
      Type.Null(),
      Type.Object(
        {
          availability_pct: Type.Number({ minimum: 0, maximum: 100 }),
          market_age_seconds: Type.Integer({ minimum: 1 }),
          latency_p99_ms: Type.Number({ minimum: 1 }),
          credits: Type.Array(
            Type.Object({ below_pct: percent, credit_pct: percent }, { additionalProperties: false }),
            { maxItems: 20 },
          ),
          freshness_credit_pct: percent,
          latency_credit_pct: percent,
        },
        { additionalProperties: false },
      ),
    ]),
  },
  { additionalProperties: false },
);
const File = Type.Object({ plans: Type.Array(Row, { minItems: 1, maxItems: 100 }) }, { additionalProperties: false });
type PlanFile = Type.Static<typeof File>;
type PlanRow = PlanFile['plans'][number];
const checker = Compile(File);

function contradictions(file: PlanFile): readonly string[] {
  const errors: string[] = [];
  const seen = new Set<string>();
  file.plans.forEach((row, index) => {
    const at = `/plans/${index} (${row.name})`;
    if (seen.has(row.name)) errors.push(`${at}: the name is used twice`);
    seen.add(row.name);
    if (row.freshness_grid_seconds > 0 && 86_400 % row.freshness_grid_seconds !== 0)
      errors.push(`${at}: freshness_grid_seconds must divide a day (86400) evenly, got ${row.freshness_grid_seconds}`);
    if (
      row.price_usd_per_month !== null &&
      Math.abs(row.price_usd_per_month * 100 - centsOf(row.price_usd_per_month)) > 1e-6
    )
      errors.push(`${at}: price_usd_per_month has more than two decimals`);
    const steps = row.sla?.credits ?? [];
    if (steps.some((step, i) => i > 0 && !falls(steps[i - 1], step)))
      errors.push(`${at}: sla.credits must fall in below_pct and rise in credit_pct`);
    for (const chain of row.chains === '*' ? [] : row.chains)
      if (findChain(chain)?.name !== chain) errors.push(`${at}: there is no chain ${JSON.stringify(chain)}`);
  });
  if (!seen.has('INTERNAL')) errors.push('/plans: the plan INTERNAL is missing; the first admin key has it');
  return errors;
}

type Step = { readonly below_pct: number; readonly credit_pct: number };

function falls(before: Step | undefined, after: Step): boolean {
  return before === undefined || (after.below_pct < before.below_pct && after.credit_pct > before.credit_pct);
}

function centsOf(dollars: number): number {
  return Math.round(dollars * 100);
}

function planOf(row: PlanRow): Plan {
  return {
    name: row.name,
    title: row.title,
    description: row.description,
    priceUsdPerMonth: row.price_usd_per_month,
    scopes: row.scopes as readonly Scope[] | '*',
    chains: row.chains,
    freshnessGridSeconds: row.freshness_grid_seconds,
    requestsPerMinute: row.requests_per_minute,
    requestsPerDay: row.requests_per_day,
    batchSize: row.batch_size,
    concurrentScoringJobs: row.concurrent_scoring_jobs,
    freshRatingsPerDay: row.fresh_ratings_per_day,
    collectionsPerDay: row.collections_per_day ?? null,
    watchlistSize: row.watchlist_size,
    webhooks: row.webhooks,
    streamConnections: row.stream_connections,
    exports: row.exports,
    sla: row.sla && {
      availabilityPct: row.sla.availability_pct,
      marketAgeSeconds: row.sla.market_age_seconds,
      latencyP99Ms: row.sla.latency_p99_ms,
      credits: row.sla.credits.map((step) => ({ belowPct: step.below_pct, creditPct: step.credit_pct })),
      freshnessCreditPct: row.sla.freshness_credit_pct,
      latencyCreditPct: row.sla.latency_credit_pct,
    },
  };
}

const BUILT_IN = fileURLToPath(new URL('./plans.json', import.meta.url));

/** The plans of a file, or the built-in ones for null. Throws at a file that is not right: the service must not start on it. */
export function loadPlans(path: string | null): PlanBook {
  const file = path ?? BUILT_IN;
  const read = readPlans(readFileSync(file, 'utf8'));
  if (read.ok) return read.value;
  throw new Error(`the plans file ${file} is not right:\n${read.errors.map((error) => `  ${error}`).join('\n')}`);
}
