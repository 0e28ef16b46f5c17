import { DAY_MS } from '../../domain/index.ts';
import type { UsageRow } from '../../store/index.ts';
import type { Plan, PlanBook } from '../plans/types.ts';
import { type Standing, standingOf } from '../service-level/credit.ts';
import { type Measured, monthSpan } from '../service-level/measure.ts';
import type { ApiKey } from '../types.ts';
import { centsOf, dollarText, shareOf } from './money.ts';
import { type Sums, sumsOf } from './sums.ts';

/** What an account had of one plan in a month. */
export interface StatementLine extends Sums {
  readonly plan: string;
  readonly title: string;
  /** US dollars as decimal text; null for a plan that is not sold by itself. */
  readonly priceUsd: string | null;
  readonly keys: number;
  readonly requestsPerDay: number | null;
  /** Billable requests of the fullest day. */
  readonly fullestDay: { readonly day: string; readonly billable: number } | null;
  readonly serviceLevel: Standing | null;
  readonly creditUsd: string;
  readonly dueUsd: string;
}

export interface Statement {
  readonly accountId: string;
  readonly month: string;
  /** False while the month goes on or is not settled yet: numbers may grow. */
  readonly isFinal: boolean;
  readonly lines: readonly StatementLine[];
  readonly totals: Sums & { readonly priceUsd: string; readonly creditUsd: string; readonly dueUsd: string };
}

/** How long after its end a month may still grow, by usage that a process could not tell before. */
export const SETTLED_MS = DAY_MS;

/**
 * An account's month (UTC): a line for each plan of which it had a key or used one, at the plan's monthly price, less what is
 * owed for a broken service level. Whole months: a plan that began on the 20th is charged by agreement, not by this.
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
    const standing = plan?.sla ? standingOf(plan, plan.sla, measured) : null;
    const cents = plan?.priceUsdPerMonth == null ? 0n : centsOf(plan.priceUsdPerMonth);
    const owed = shareOf(cents, standing?.creditPct ?? 0);
    price += cents;
    credit += owed;
    return {
      plan: name,
      title: plan?.title ?? name,
      priceUsd: isSold(plan) ? dollarText(cents) : null,
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

function isSold(plan: Plan | null): boolean {
  return plan !== null && plan.priceUsdPerMonth !== null;
}

/** A key that could be used at some time of the span. */
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
