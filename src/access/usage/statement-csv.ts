import type { Standing } from '../service-level/credit.ts';
import type { Statement, StatementLine } from './statement.ts';
import type { Sums } from './sums.ts';

type Row = Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>>;

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

/** Statements as CSV (RFC 4180): for each a row for each plan, then one named TOTAL. */
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
  return {
    ...headOf(statement),
    plan: line.plan,
    title: line.title,
    keys: line.keys,
    price_usd: line.priceUsd,
    credit_usd: line.creditUsd,
    due_usd: line.dueUsd,
    ...sumsOf(line),
    requests_per_day: line.requestsPerDay,
    fullest_day: line.fullestDay?.day ?? null,
    fullest_day_billable: line.fullestDay?.billable ?? 0,
    ...levelOf(line.serviceLevel),
  };
}

function totalRow(statement: Statement): Row {
  const { totals } = statement;
  return {
    ...headOf(statement),
    plan: 'TOTAL',
    title: null,
    keys: null,
    price_usd: totals.priceUsd,
    credit_usd: totals.creditUsd,
    due_usd: totals.dueUsd,
    ...sumsOf(totals),
    requests_per_day: null,
    fullest_day: null,
    fullest_day_billable: null,
    ...levelOf(null),
  };
}

function headOf({ accountId, month, isFinal }: Statement) {
  return { account_id: accountId, month, final: isFinal };
}

function sumsOf({ requests, billable, refused, errors, bytes }: Sums) {
  return { requests, billable, refused, errors, bytes };
}

function levelOf(standing: Standing | null) {
  return {
    availability_pct: standing?.availabilityPct ?? null,
    market_age_seconds: standing?.marketAgeSeconds ?? null,
    latency_p99_ms: standing?.latencyP99Ms ?? null,
    breaches: standing?.breaches.join(' ') ?? null,
    credit_pct: standing?.creditPct ?? null,
  };
}

/** A text that a spreadsheet would take for a formula is told to be text. */
function cell(value: Row[keyof Row]): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
