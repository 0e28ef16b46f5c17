import { csvCell, DAY_MS, inertText } from '../../domain/index.ts';
import type { UsageRow } from '../../store/index.ts';
import type { ApiKey } from '../keys.ts';
import type { PlanBook } from '../plans/plans.ts';
import { type Measured, monthSpan, type ServiceLevelStatus, serviceLevelStatus } from '../service-level/measure.ts';

/** Usage and price of one plan in a month of an account. */
export interface StatementLine extends Sums {
  readonly plan: string;
  readonly title: string;
  /** US dollars as decimal text; null for a plan that is not sold separately. */
  readonly priceUsd: string | null;
  readonly keys: number;
  readonly requestsPerDay: number | null;
  /** Billable requests of the day with the most. */
  readonly fullestDay: { readonly day: string; readonly billable: number } | null;
  readonly serviceLevel: ServiceLevelStatus | null;
  readonly creditUsd: string;
  readonly dueUsd: string;
}

export interface Statement {
  readonly accountId: string;
  readonly month: string;
  /** False until the month has ended and is settled; numbers may still grow. */
  readonly isFinal: boolean;
  readonly lines: readonly StatementLine[];
  readonly totals: Sums & { readonly priceUsd: string; readonly creditUsd: string; readonly dueUsd: string };
}

/** Time after the end of a month in which it may still grow, from usage that a process could not write earlier. */
export const SETTLED_MS = DAY_MS;

/**
 * The statement of an account's month (UTC): one line for each plan that it had a key for or used, with the plan's
 * monthly price minus credits for a broken service level. Only whole months are computed: a plan that began on the 20th
 * is charged by agreement.
 */
export function statementOf(given: {
  readonly accountId: string;
  readonly month: string;
  readonly rows: readonly UsageRow[];
  readonly keys: readonly ApiKey[];
  readonly plans: PlanBook;
  readonly measured: Measured | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}): Statement {
  const { accountId, month, rows, plans, measured, now } = given;
  const [from, to] = monthSpan(month);
  const held = given.keys.filter((key) => key.accountId === accountId && isHeld(key, from, Math.min(to, now)));
  const names = new Set([...held.map((key) => key.plan), ...rows.map((row) => row.plan)]);
  const known = plans.plans.map((plan) => plan.name).filter((name) => names.has(name));
  const gone = [...names].filter((name) => plans.find(name) === null).sort();
  let price = 0n;
  let credit = 0n;
  const lines = [...known, ...gone].map((name): StatementLine => {
    const plan = plans.find(name);
    const used = rows.filter((row) => row.plan === name);
    const standing = plan?.sla ? serviceLevelStatus(plan, plan.sla, measured) : null;
    const sold = plan?.priceUsdPerMonth ?? null;
    const cents = centsOf(sold ?? 0);
    const owed = shareOf(cents, standing?.creditPct ?? 0);
    price += cents;
    credit += owed;
    return {
      plan: name,
      title: plan?.title ?? name,
      priceUsd: sold === null ? null : dollarText(cents),
      keys: held.filter((key) => key.plan === name).length,
      ...sumsOf(used),
      requestsPerDay: plan?.requestsPerDay ?? null,
      fullestDay: fullestDay(used),
      serviceLevel: standing,
      creditUsd: dollarText(owed),
      dueUsd: dollarText(cents - owed),
    };
  });
  return {
    accountId,
    month,
    isFinal: now >= to + SETTLED_MS,
    lines,
    totals: {
      ...sumsOf(rows),
      priceUsd: dollarText(price),
      creditUsd: dollarText(credit),
      dueUsd: dollarText(price - credit),
    },
  };
}

/** True for a key that was usable at some time within the span. */
function isHeld(key: ApiKey, from: number, to: number): boolean {
  const ends = [key.revokedAt, key.expiresAt].filter((end) => end !== null).map((end) => Date.parse(end));
  return Date.parse(key.createdAt) < to && ends.every((end) => end > from);
}

function fullestDay(rows: readonly UsageRow[]): StatementLine['fullestDay'] {
  const days = new Map<string, number>();
  for (const row of rows) days.set(row.day, (days.get(row.day) ?? 0) + row.billable);
  let fullest: StatementLine['fullestDay'] = null;
  for (const [day, billable] of days) if (fullest === null || billable > fullest.billable) fullest = { day, billable };
  return fullest;
}

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number | boolean | null>>>;

const COLUMNS = [
  'account_id',
  'month',
  'final',
  'plan',
  'title',
  'keys',
  'price_usd',
  'credit_usd',
  'due_usd',
  'requests',
  'billable',
  'refused',
  'errors',
  'bytes',
  'requests_per_day',
  'fullest_day',
  'fullest_day_billable',
  'availability_pct',
  'market_age_seconds',
  'latency_p99_ms',
  'breaches',
  'credit_pct',
] as const;

/** Statements as CSV (RFC 4180): for each statement one row per plan, then one row TOTAL. */
export function statementCsv(statements: readonly Statement[]): string {
  const rows = statements.flatMap((statement) => [
    ...statement.lines.map((line) => lineRow(statement, line)),
    totalRow(statement),
  ]);
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('');
}

function lineRow(statement: Statement, line: StatementLine): Row {
  const { fullestDay, serviceLevel: standing } = line;
  return {
    ...headOf(statement),
    ...line,
    ...amountsOf(line),
    requests_per_day: line.requestsPerDay,
    fullest_day: fullestDay?.day ?? null,
    fullest_day_billable: fullestDay?.billable ?? 0,
    availability_pct: standing?.availabilityPct ?? null,
    market_age_seconds: standing?.marketAgeSeconds ?? null,
    latency_p99_ms: standing?.latencyP99Ms ?? null,
    breaches: standing?.breaches.join(' ') ?? null,
    credit_pct: standing?.creditPct ?? null,
  };
}

function totalRow(statement: Statement): Row {
  return { ...headOf(statement), plan: 'TOTAL', ...statement.totals, ...amountsOf(statement.totals) };
}

function headOf({ accountId, month, isFinal }: Statement) {
  return { account_id: accountId, month, final: isFinal };
}

function amountsOf({ priceUsd, creditUsd, dueUsd }: Pick<StatementLine, 'priceUsd' | 'creditUsd' | 'dueUsd'>) {
  return { price_usd: priceUsd, credit_usd: creditUsd, due_usd: dueUsd };
}

function cell(value: Row[keyof Row]): string {
  return csvCell(inertText(String(value ?? '')));
}

/** A price in whole cents; the plans file allows at most two decimals. */
export function centsOf(dollars: number): bigint {
  return BigInt(Math.round(dollars * 100));
}

/** A share of an amount, rounded to the cent, halves up. `percent` with up to two decimals. */
export function shareOf(cents: bigint, percent: number): bigint {
  return (cents * BigInt(Math.round(percent * 100)) + 5_000n) / 10_000n;
}

/** Formats cents as dollars, for example `1500.00`. */
export function dollarText(cents: bigint): string {
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

const NAMES = ['requests', 'billable', 'refused', 'errors', 'bytes'] as const;
/** Sums of requests. */
export type Sums = Pick<UsageRow, (typeof NAMES)[number]>;

/** Sums over all rows. */
export function sumsOf(rows: readonly UsageRow[]): Sums {
  const sums = { requests: 0, billable: 0, refused: 0, errors: 0, bytes: 0 };
  for (const row of rows) for (const name of NAMES) sums[name] += row[name];
  return sums;
}

/** Sums of the rows for each value of `by`, in the order of the values. */
export function sumsBy(
  rows: readonly UsageRow[],
  by: 'day' | 'keyId' | 'group' | 'plan',
): readonly (Sums & { readonly value: string })[] {
  const values = [...new Set(rows.map((row) => row[by]))].sort();
  return values.map((value) => ({ value, ...sumsOf(rows.filter((row) => row[by] === value)) }));
}
