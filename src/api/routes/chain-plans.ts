import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Plan, PlanBook } from '../../access/index.ts';
import { DataMode, noCursor, nullableNumber } from '../../contract/index.ts';

const list = (description: string) => Type.Union([Type.Literal('*'), Type.Array(Type.String())], { description });
const PlanView = Type.Object(
  {
    name: Type.String({ description: 'Name of the plan, as keys have it.', examples: ['CHAIN-3500'] }),
    title: Type.String({ description: 'The plan as people call it.' }),
    description: Type.String({ description: 'What it is for, in words.' }),
    price_usd_per_month: nullableNumber('US dollars; null: not sold by itself.'),
    scopes: list('What its keys may do; `*`: everything.'),
    chains: list('Chains whose data it includes; `*`: all.'),
    freshness_grid_seconds: Type.Integer({
      description:
        'Snapshots served are the newest at or before the last full multiple of so many seconds; 0: the newest.',
    }),
    requests_per_minute: nullableNumber('Null: no limit.'),
    requests_per_day: nullableNumber('Per UTC day; null: no limit.'),
    batch_size: Type.Integer({ description: 'Most assets in one batch.' }),
    concurrent_scoring_jobs: nullableNumber('Null: no limit.'),
    fresh_ratings_per_day: nullableNumber('Ratings made anew on demand, per account and UTC day; null: no limit.'),
    collections_per_day: nullableNumber(
      'Collections that scores start, per account and UTC day; joining one or reading its rating is free. Null: no limit.',
    ),
    watchlist_size: Type.Integer({ description: 'Most assets on an account’s watchlist.' }),
    webhooks: Type.Integer({ description: 'Most webhooks of an account.' }),
    stream_connections: Type.Integer({ description: 'Most event streams open at once, per account.' }),
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
export const PlanList = Type.Object(
  {
    data: Type.Array(PlanView, { description: 'In the order they are offered in.' }),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'The plans in force.' },
);

/** GET /v1/plans, open to everybody. */
export function planRoutes(server: FastifyInstance, plans: PlanBook, dataMode: string): void {
  server.get(
    '/v1/plans',
    {
      schema: {
        tags: ['service'],
        operationId: 'listPlans',
        summary: 'The plans, their limits and prices',
        description: 'Open to everybody. An operator may change them (docs/plans.md).',
        response: { 200: PlanList },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return { data: plans.plans.map(planView), next_cursor: null, data_mode: dataMode };
    },
  );
}

/** A plan as the interface shows it. */
export function planView(plan: Plan) {
  return {
    name: plan.name,
    title: plan.title,
    description: plan.description,
    price_usd_per_month: plan.priceUsdPerMonth,
    scopes: plan.scopes,
    chains: plan.chains,
    freshness_grid_seconds: plan.freshnessGridSeconds,
    requests_per_minute: plan.requestsPerMinute,
    requests_per_day: plan.requestsPerDay,
    batch_size: plan.batchSize,
    concurrent_scoring_jobs: plan.concurrentScoringJobs,
    fresh_ratings_per_day: plan.freshRatingsPerDay,
    collections_per_day: plan.collectionsPerDay,
    watchlist_size: plan.watchlistSize,
    webhooks: plan.webhooks,
    stream_connections: plan.streamConnections,
    exports: plan.exports,
    sla: plan.sla && {
      availability_pct: plan.sla.availabilityPct,
      market_age_seconds: plan.sla.marketAgeSeconds,
      latency_p99_ms: plan.sla.latencyP99Ms,
      credits: plan.sla.credits.map((step) => ({ below_pct: step.belowPct, credit_pct: step.creditPct })),
      freshness_credit_pct: plan.sla.freshnessCreditPct,
      latency_credit_pct: plan.sla.latencyCreditPct,
    },
  };
}
