import type { Static } from 'typebox';
import type { Standing, Statement, StatementLine, Sums } from '../../access/index.ts';
import type { StatementReply } from '../../contract/index.ts';

/** A statement as the interface shows it. */
export function statementView(
  statement: Statement,
  asOf: string,
  dataMode: 'live' | 'sandbox',
): Static<typeof StatementReply> {
  const { totals } = statement;
  return {
    account_id: statement.accountId,
    month: statement.month,
    final: statement.isFinal,
    currency: 'USD',
    lines: statement.lines.map(lineView),
    totals: {
      ...sumsView(totals),
      price_usd: totals.priceUsd,
      credit_usd: totals.creditUsd,
      due_usd: totals.dueUsd,
    },
    as_of: asOf,
    data_mode: dataMode,
  };
}

/** How a month stands against a plan's promises, as the interface shows it. */
export function standingView(standing: Standing) {
  return {
    availability_pct: standing.availabilityPct,
    market_age_seconds: standing.marketAgeSeconds,
    latency_p99_ms: standing.latencyP99Ms,
    breaches: [...standing.breaches],
    credit_pct: standing.creditPct,
  };
}

/** Sums without what else a row has. */
export function sumsView({ requests, billable, refused, errors, bytes }: Sums) {
  return { requests, billable, refused, errors, bytes };
}

function lineView(line: StatementLine) {
  return {
    plan: line.plan,
    title: line.title,
    keys: line.keys,
    price_usd: line.priceUsd,
    credit_usd: line.creditUsd,
    due_usd: line.dueUsd,
    ...sumsView(line),
    requests_per_day: line.requestsPerDay,
    fullest_day: line.fullestDay?.day ?? null,
    fullest_day_billable: line.fullestDay?.billable ?? 0,
    service_level: line.serviceLevel && standingView(line.serviceLevel),
  };
}
