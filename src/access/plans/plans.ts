import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { findChain } from '../../chains/index.ts';
import { DAY_MS, nearestName, ok, type Result } from '../../domain/index.ts';
import { SCOPES, type Scope } from '../keys.ts';

/** All plans, in the order of the file, in which they are offered. */
export interface PlanBook {
  readonly plans: readonly Plan[];
  find(name: string): Plan | null;
  /** Prices of single requests without a key, where they are sold; null if the file has none. */
  readonly payPerCall: PayPerCall | null;
}

/** What is wrong with the name of a plan: it is none of the book. Null: nothing. */
export function planFault(book: PlanBook, name: string): string | null {
  if (book.find(name) !== null) return null;
  const names = book.plans.map((plan) => plan.name);
  const near = nearestName(name.toUpperCase().slice(0, 40), names);
  return `expected one of ${names.join(', ')}, got ${JSON.stringify(name.slice(0, 40))}${near === null ? '' : `; did you mean ${near}?`}`;
}

/** Classes of reads that may be sold individually. */
export const PRICE_CLASSES = ['ratings', 'snapshots'] as const;
export type PriceClass = (typeof PRICE_CLASSES)[number];

/** A price in whole tokens, as decimal text (`0.01`), and the plan that applies to the paid request. */
export type PayPerCall = Readonly<Record<PriceClass, { readonly price: string; readonly plan: string }>>;

const SCOPE_OF: Readonly<Record<PriceClass, Scope>> = { ratings: 'rms:read', snapshots: 'chain:read' };

/** Requirements of a request on a plan; null where a field does not matter. */
export interface Need {
  readonly scope: Scope;
  readonly chain: string | null;
  /** Export subject (`solana`, `rms`). */
  readonly exportOf: string | null;
}

/**
 * True when the plan includes everything that is needed. Administration and an account's own keys depend only on the
 * scope of the key.
 */
export function includes(plan: Plan, need: Need): boolean {
  if (need.scope === 'admin' || need.scope === 'account') return true;
  return (
    has(plan.scopes, need.scope) &&
    (need.chain === null || has(plan.chains, need.chain)) &&
    (need.exportOf === null || has(plan.exports, need.exportOf))
  );
}

/** Plans on sale that include what is needed, in the order of the file; if there are none, any plan that does. */
export function plansThatInclude(book: PlanBook, need: Need): readonly Plan[] {
  const fitting = book.plans.filter((plan) => includes(plan, need));
  const others = fitting.filter((plan) => plan.name !== 'INTERNAL');
  return others.length > 0 ? others : fitting;
}

function has<Item>(list: readonly Item[] | '*', item: Item): boolean {
  return list === '*' || list.includes(item);
}

/**
 * True when the plan's keys that may read chain data may set thresholds on snapshots and receive their alerts; for
 * `chain`, or for any chain.
 */
export function servesThresholds(plan: Plan, chain: string | null = null): boolean {
  return plan.thresholdAssets > 0 && includes(plan, { scope: 'chain:read', chain, exportOf: null });
}

/** The start of the history that a plan includes, in milliseconds like `now`; null: everything stored. */
export function historyStart(now: number, { historyDays }: Pick<Plan, 'historyDays'>): number | null {
  return historyDays === null ? null : now - historyDays * DAY_MS;
}

/** Last grid point at or before `now` (milliseconds since the epoch); null when the plan is served the newest data. */
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
 * Parses a plans file. Reports all errors with their positions, so that mistakes are found at startup and not by a
 * customer.
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
  const errors = contradictions(given);
  if (errors.length > 0) return { ok: false, errors };
  const plans = given.plans.map(
    (row): Plan => ({
      ...camelKeys(row),
      historyDays: row.history_days ?? null,
      keptDays: row.kept_days ?? null,
      collectionsPerDay: row.collections_per_day ?? null,
      indexedAssets: row.indexed_assets ?? 0,
      bulkRows: row.bulk_rows ?? 0,
      streamAssets: row.stream_assets ?? 0,
      thresholdAssets: row.threshold_assets ?? 0,
    }),
  );
  const byName = new Map(plans.map((plan) => [plan.name, plan]));
  return ok({ plans, find: (name) => byName.get(name) ?? null, payPerCall: given.pay_per_call ?? null });
}

const all = Type.Literal('*');
const limit = Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()]);
const count = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const percent = Type.Number({ minimum: 0, maximum: 100 });

/** Service level that a plan promises for a calendar month (UTC), and the credits for a breach. */
const Level = Type.Object(
  {
    availability_pct: Type.Number({ minimum: 0, maximum: 100 }),
    /** Maximum age of market snapshots of assets indexed for the newest data, in 99 of 100 minutes. */
    market_age_seconds: Type.Integer({ minimum: 1 }),
    latency_p99_ms: Type.Number({ minimum: 1 }),
    /** By decreasing availability; the lowest step that the month's availability is below applies. */
    credits: Type.Array(Type.Object({ below_pct: percent, credit_pct: percent }, { additionalProperties: false }), {
      maxItems: 20,
    }),
    freshness_credit_pct: percent,
    latency_credit_pct: percent,
  },
  { additionalProperties: false },
);
/** One commercial plan in the plans file. `null` for a limit: no limit. */
const Row = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Z0-9-]{1,40}$' }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ maxLength: 1_000 }),
    /** US dollars; null if the plan is not sold separately. */
    price_usd_per_month: Type.Union([Type.Number({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()]),
    scopes: Type.Union([all, Type.Array(Type.Unsafe<Scope>(Type.Union(SCOPES.map((scope) => Type.Literal(scope)))))]),
    /** Chain names. */
    chains: Type.Union([all, Type.Array(Type.String())]),
    /**
     * The newest snapshots served are at multiples of this many seconds of the day (UTC); 0: always the newest. Must
     * divide a day evenly, so that every grid starts at 00:00 UTC.
     */
    freshness_grid_seconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
    /** Number of days of history that are served; null or absent: everything stored. */
    history_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()])),
    requests_per_minute: limit,
    /** Per UTC day. */
    requests_per_day: limit,
    batch_size: Type.Integer({ minimum: 0, maximum: 10_000 }),
    /** Maximum waiting and running jobs of one account. */
    concurrent_scoring_jobs: Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), Type.Null()]),
    /** Fresh ratings on demand (`?fresh=true`), per account and UTC day. */
    fresh_ratings_per_day: Type.Union([count, Type.Null()]),
    /**
     * Collections started by scores, per account and UTC day; reading or joining one is free. Absent in older files: no
     * limit.
     */
    collections_per_day: Type.Optional(Type.Union([count, Type.Null()])),
    /**
     * Days for which unpublished results and jobs are kept for their requesters, with their evidence. Null or absent:
     * ASSAY_UNPUBLISHED_DAYS applies.
     */
    kept_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()])),
    /** Number of assets whose indexing an account may request. Absent in older files: none. */
    indexed_assets: Type.Optional(count),
    /** Maximum rows of a bulk job. Absent in older files: none. */
    bulk_rows: Type.Optional(count),
    /** Per account. */
    watchlist_size: count,
    webhooks: count,
    /** Maximum open event streams per account. */
    stream_connections: count,
    /** Maximum assets of one stream of chain data; requires the newest freshness. Absent in older files: none. */
    stream_assets: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
    /**
     * Maximum assets on whose snapshots an account may set thresholds; requires the newest freshness. Absent in older
     * files: none.
     */
    threshold_assets: Type.Optional(count),
    /** Export subjects: chain names, `rms`. */
    exports: Type.Union([all, Type.Array(Type.String())]),
    sla: Type.Union([Type.Null(), Level]),
  },
  { additionalProperties: false },
);
const Price = Type.Object(
  {
    /** In whole tokens; above zero. */
    price: Type.String({ pattern: '^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,18})?$' }),
    plan: Type.String(),
  },
  { additionalProperties: false },
);
const File = Type.Object(
  {
    plans: Type.Array(Row, { minItems: 1, maxItems: 100 }),
    pay_per_call: Type.Optional(
      Type.Object({ ratings: Price, snapshots: Price } satisfies Record<PriceClass, unknown>, {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);
type PlanFile = Type.Static<typeof File>;

/** Converts `batch_size` in the file to `batchSize` in the code. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type CamelKeys<Value> = Value extends readonly (infer Item)[]
  ? readonly CamelKeys<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as CamelCase<Name & string>]-?: CamelKeys<Value[Name]> }
    : Value;
export type Plan = CamelKeys<PlanFile['plans'][number]>;
export type ServiceLevel = CamelKeys<Type.Static<typeof Level>>;

function camelKeys<Value>(value: Value): CamelKeys<Value>;
function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    camelKeys(member),
  ]);
  return Object.fromEntries(entries);
}

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
    const cents = (row.price_usd_per_month ?? 0) * 100;
    if (Math.abs(cents - Math.round(cents)) > 1e-6)
      errors.push(`${at}: price_usd_per_month has more than two decimals`);
    if ((row.stream_assets ?? 0) > 0 && row.freshness_grid_seconds > 0)
      errors.push(`${at}: stream_assets needs freshness_grid_seconds 0: a stream sends the newest`);
    if ((row.threshold_assets ?? 0) > 0 && row.freshness_grid_seconds > 0)
      errors.push(`${at}: threshold_assets needs freshness_grid_seconds 0: an alert tells the newest`);
    const steps = row.sla?.credits ?? [];
    const falls = steps.every((step, i) => {
      const before = steps[i - 1];
      return !before || (step.below_pct < before.below_pct && step.credit_pct > before.credit_pct);
    });
    if (!falls) errors.push(`${at}: sla.credits must fall in below_pct and rise in credit_pct`);
    for (const chain of row.chains === '*' ? [] : row.chains)
      if (findChain(chain)?.name !== chain) errors.push(`${at}: there is no chain ${JSON.stringify(chain)}`);
  });
  for (const name of file.pay_per_call === undefined ? [] : PRICE_CLASSES) {
    const at = `/pay_per_call/${name}`;
    const { price, plan } = file.pay_per_call?.[name] ?? { price: '', plan: '' };
    const row = file.plans.find((one) => one.name === plan);
    if (Number(price) === 0) errors.push(`${at}: price must be above zero`);
    if (row === undefined) errors.push(`${at}: there is no plan ${JSON.stringify(plan)}`);
    else if (!has(row.scopes, SCOPE_OF[name]))
      errors.push(`${at}: the plan ${plan} does not include ${SCOPE_OF[name]}`);
  }
  if (!seen.has('INTERNAL')) errors.push('/plans: the plan INTERNAL is missing; the first admin key has it');
  return errors;
}

const BUILT_IN = fileURLToPath(new URL('./plans.json', import.meta.url));

/**
 * Loads the plans of a file, or the built-in ones for null. Throws if the file is invalid: the service must not start
 * with it.
 */
export function loadPlans(path: string | null): PlanBook {
  const file = path ?? BUILT_IN;
  const read = readPlans(readFileSync(file, 'utf8'));
  if (read.ok) return read.value;
  throw new Error(`the plans file ${file} is not right:\n${read.errors.map((error) => `  ${error}`).join('\n')}`);
}
