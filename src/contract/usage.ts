import Type from 'typebox';
import { count, DataMode, enumerated, noCursor, nullableNumber, nullableText, time } from './vocabulary.ts';

const money = (description: string) => Type.String({ pattern: '^\\d+\\.\\d{2}$', description, examples: ['1500.00'] });
const sums = {
  requests: count('All requests with a key of the account, refused and failed ones too.'),
  billable: count('Of them, those that cost quota: not 304, 429 and 5xx.'),
  refused: count('Replies with status 429.'),
  errors: count('Replies with status 5xx.'),
  bytes: count('Of reply bodies, as sent (compressed).'),
};
export const UsageReply = Type.Object(
  {
    account_id: Type.String({ description: 'Whose usage it is (`acc_...`).' }),
    from: Type.String({ description: 'First day, YYYY-MM-DD in UTC.' }),
    to: Type.String({ description: 'Last day, included, YYYY-MM-DD in UTC.' }),
    group_by: Type.String({ description: 'What a row adds up: `day`, `key`, `endpoint_group` or `plan`.' }),
    data: Type.Array(
      Type.Object({
        day: Type.Optional(Type.String({ description: 'When grouped by day; days without requests have no row.' })),
        key_id: Type.Optional(Type.String({ description: 'When grouped by key.' })),
        endpoint_group: Type.Optional(
          Type.String({
            description:
              'When grouped by endpoint group: score, jobs, rms, chain, exports, alerts, watchlist, webhooks, usage, admin or other.',
          }),
        ),
        plan: Type.Optional(Type.String({ description: 'When grouped by plan.' })),
        ...sums,
      }),
      { description: 'One row per group that was used.' },
    ),
    totals: Type.Object(sums, { description: 'Of all rows.' }),
    next_cursor: noCursor,
    as_of: time('When it was read; requests of the last second may not be counted yet.'),
    data_mode: DataMode,
  },
  { title: 'Usage', description: 'What an account has used.' },
);

const breaches = Type.Array(enumerated(['availability', 'freshness', 'latency'], {}), {
  description: 'Promises the month has broken.',
});
/** A month compared with the service levels of a plan. */
export const serviceLevelFields = {
  availability_pct: nullableNumber('Measured, percent of the month; null: nothing was, or no longer is.'),
  market_age_seconds: nullableNumber(
    'Age of market data that 99 % of the assets kept in 99 % of the minutes, on the worst chain; null: not measured.',
  ),
  latency_p99_ms: nullableNumber('Of reads, within the service, milliseconds; null: nothing was measured.'),
  breaches,
  credit_pct: Type.Number({ description: 'What the breaches give back, percent of the month’s price.' }),
};

export const StatementReply = Type.Object(
  {
    account_id: Type.String({ description: 'Whose statement it is (`acc_...`).' }),
    month: Type.String({ description: 'Calendar month, YYYY-MM in UTC.' }),
    final: Type.Boolean({
      description: 'False during the month, and for a day after: what is final is not changed any more.',
    }),
    currency: Type.Literal('USD', { description: 'US dollars, always.' }),
    lines: Type.Array(
      Type.Object({
        plan: Type.String({ description: 'Name of the plan.' }),
        title: Type.String({ description: 'Display name of the plan.' }),
        keys: Type.Integer({ description: 'Keys of the plan that could be used in the month.' }),
        price_usd: Type.Union([Type.Null(), money('US dollars, two decimals.')], {
          description: 'Of the whole month; null: not sold by itself.',
        }),
        credit_usd: money('Owed for a broken service level.'),
        due_usd: money('Price less credit.'),
        ...sums,
        requests_per_day: nullableNumber('Quota of the plan; null: none.'),
        fullest_day: nullableText('Day with the most billable requests; null without any.'),
        fullest_day_billable: count('Billable requests of that day.'),
        service_level: Type.Union([Type.Null(), Type.Object(serviceLevelFields)], {
          description: 'The month compared with the plan’s promises; null: it promises none.',
        }),
      }),
      { description: 'A line for each plan that the account had a usable key of, or used.' },
    ),
    totals: Type.Object(
      {
        ...sums,
        price_usd: money('Sum of the lines.'),
        credit_usd: money('Sum of the lines.'),
        due_usd: money('Price less credit.'),
      },
      { description: 'Of all lines.' },
    ),
    as_of: time('When it was stated.'),
    data_mode: DataMode,
  },
  { title: 'Statement', description: 'What an account used in a month, and what is due for it.' },
);
