import Type from 'typebox';
import { DataMode, noCursor, nullableNumber } from './vocabulary.ts';

const list = (description: string) => Type.Union([Type.Literal('*'), Type.Array(Type.String())], { description });
export const PlanView = Type.Object(
  {
    name: Type.String({ description: 'Name of the plan, as keys have it.', examples: ['CHAIN-3500'] }),
    title: Type.String({ description: 'Display name of the plan.' }),
    description: Type.String({ description: 'Its purpose.' }),
    price_usd_per_month: nullableNumber('US dollars; null: not sold by itself.'),
    scopes: list('What its keys may do; `*`: everything.'),
    chains: list('Chains whose data it includes; `*`: all.'),
    freshness_grid_seconds: Type.Integer({
      description:
        'Snapshots served are the newest at or before the last full multiple of so many seconds; 0: the newest.',
    }),
    history_days: nullableNumber('Days back from now that history is served of; null: all that is kept.'),
    requests_per_minute: nullableNumber('Null: no limit.'),
    requests_per_day: nullableNumber('Per UTC day; null: no limit.'),
    batch_size: Type.Integer({ description: 'Most assets in one batch.' }),
    concurrent_scoring_jobs: nullableNumber('Null: no limit.'),
    fresh_ratings_per_day: nullableNumber('Ratings made anew on demand, per account and UTC day; null: no limit.'),
    collections_per_day: nullableNumber(
      'Collections that scores start, per account and UTC day; joining one or reading its rating is free. Null: no limit.',
    ),
    indexed_assets: Type.Integer({
      description: 'Most assets whose indexing an account may request (PUT /v1/{chain}/index/{asset}).',
    }),
    bulk_rows: Type.Integer({ description: 'Most rows of one bulk job (POST /v1/bulk) that are scored.' }),
    watchlist_size: Type.Integer({ description: 'Most assets on an account’s watchlist.' }),
    webhooks: Type.Integer({ description: 'Most webhooks of an account.' }),
    stream_connections: Type.Integer({ description: 'Most event streams open at once, per account.' }),
    stream_assets: Type.Integer({
      description: 'Most assets that one stream of chain data follows (GET /v1/{chain}/stream); 0: no such streams.',
    }),
    threshold_assets: Type.Integer({
      description:
        'Most assets on whose snapshots an account may set thresholds (PUT /v1/{chain}/thresholds/{asset}); 0: none.',
    }),
    kept_days: nullableNumber(
      'Days that jobs and results which are not published are kept for the caller who requested them; null: as long as the operator has set for all.',
    ),
    exports: list('Exports it includes; `*`: all.'),
    sla: Type.Union(
      [
        Type.Null(),
        Type.Object({
          availability_pct: Type.Number({ description: 'At least, percent of the calendar month (UTC).' }),
          market_age_seconds: Type.Integer({
            description: 'At most, of market data of assets indexed for the newest, in 99 of 100 minutes.',
          }),
          latency_p99_ms: Type.Number({ description: 'At most, 99th percentile of reads, milliseconds.' }),
          credits: Type.Array(
            Type.Object({
              below_pct: Type.Number({ description: 'Availability of the calendar month (UTC), percent.' }),
              credit_pct: Type.Number({ description: 'Of the price, when it fell below.' }),
            }),
            { description: 'The lowest step that the month fell below counts.' },
          ),
          freshness_credit_pct: Type.Number({ description: 'Credit when the month broke market_age_seconds.' }),
          latency_credit_pct: Type.Number({ description: 'Credit when the month broke latency_p99_ms.' }),
        }),
      ],
      { description: 'What it promises, and what a breach gives back of the price; null: nothing.' },
    ),
  },
  { title: 'Plan', description: 'What keys of the plan may do, how much of it, and for what price.' },
);
const Sold = Type.Object(
  {
    class: Type.Union([Type.Literal('ratings'), Type.Literal('snapshots')], {
      description: '`ratings`: GET /v1/rms/{asset}; `snapshots`: market, holders and pools of an asset.',
    }),
    price: Type.String({ description: 'Of one request, in whole tokens.', examples: ['0.05'] }),
    amount: Type.String({ description: 'The same in units of the token, as it is signed.', examples: ['50000'] }),
    plan: Type.String({ description: 'The plan under which a payer is served.' }),
  },
  { title: 'SoldRequest', description: 'A class of requests that is sold one by one.' },
);
const PayPerCallView = Type.Object(
  {
    protocol: Type.Literal('x402', { description: 'The payment protocol, version 2, scheme `exact` (docs/x402.md).' }),
    network: Type.String({ description: 'CAIP-2 id of the chain that payers pay on.', examples: ['eip155:8453'] }),
    token: Type.String({ description: 'Contract of the token.' }),
    token_name: Type.String({ description: 'What the token calls itself.', examples: ['USD Coin'] }),
    pay_to: Type.String({ description: 'Address that payments go to.' }),
    prices: Type.Array(Sold, { description: 'What is sold.' }),
  },
  { title: 'PayPerCall', description: 'Single requests that are sold to callers without a key.' },
);

export const PlanList = Type.Object(
  {
    data: Type.Array(PlanView, { description: 'In the order they are offered in.' }),
    pay_per_call: Type.Union([PayPerCallView, Type.Null()], {
      description: 'What a request without a key costs; null where nothing is sold without one.',
    }),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'The plans in force.' },
);
