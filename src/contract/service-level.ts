import Type from 'typebox';
import { standing } from './usage.ts';
import { count, nullableNumber, nullableTime, time } from './vocabulary.ts';

const freshness = Type.Object({
  chain: Type.String({ description: 'Name of the chain.' }),
  kind: Type.String({ description: '`market`, `holders` or `pools`.' }),
  cadence: Type.String({ description: 'How often the assets’ readers want news.' }),
  age_seconds_p50: Type.Number({ description: 'Half of the assets were at most so old in half of the minutes.' }),
  age_seconds_p99: Type.Number({ description: '99 % of the assets were at most so old in 99 % of the minutes.' }),
});

/** What the service measured of itself. */
export const ServiceLevelView = Type.Object(
  {
    measured_since: nullableTime('First minute measured; null: none yet.'),
    windows: Type.Array(
      Type.Object({
        window: Type.String({ enum: ['1h', '24h', '30d'], description: 'How far back it reaches.' }),
        from: time('First minute of the window.'),
        to: time('End of the window.'),
        availability_pct: nullableNumber(
          'Percent, of ratings, chain data and exports. A minute without any process counts as down, another by the share of requests answered 5xx.',
        ),
        requests: count('Requests counted.'),
        failures: count('Answered 5xx.'),
        latency_ms: Type.Union(
          [
            Type.Null(),
            Type.Object({
              p50: Type.Number({ description: 'Median, milliseconds.' }),
              p95: Type.Number({ description: '95th percentile, milliseconds.' }),
              p99: Type.Number({ description: '99th percentile, milliseconds.' }),
            }),
          ],
          {
            description:
              'Of reads of ratings and chain data, within the service; at most 4.5 % too high. Null without any.',
          },
        ),
        freshness: Type.Array(freshness, { description: 'Age of the newest snapshots, by chain, kind and cadence.' }),
      }),
      { description: 'The last hour, day and 30 days.' },
    ),
    plans: Type.Array(
      Type.Object({
        plan: Type.String({ description: 'Name of the plan.' }),
        month: Type.String({ description: 'The present month, UTC.' }),
        targets: Type.Object(
          {
            availability_pct: Type.Number({ description: 'At least, percent of the month.' }),
            market_age_seconds: Type.Integer({ description: 'At most, of market data.' }),
            latency_p99_ms: Type.Number({ description: 'At most, 99th percentile of reads, milliseconds.' }),
          },
          { description: 'What the plan promises.' },
        ),
        met: Type.Boolean({ description: 'Nothing promised is broken so far this month.' }),
        ...standing,
      }),
      { description: 'Plans that promise a service level, and the credit they would owe for the month as it stands.' },
    ),
  },
  { title: 'ServiceLevel', description: 'What the service measured of itself, and how plans’ promises stand.' },
);
