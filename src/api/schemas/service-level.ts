import Type from 'typebox';
import { nullableNumber, nullableText } from './chain.ts';
import { standing } from './usage.ts';

const freshness = Type.Object({
  chain: Type.String(),
  kind: Type.String(),
  cadence: Type.String({ description: 'How often the assets’ readers want news.' }),
  age_seconds_p50: Type.Number({ description: 'Half of the assets were at most so old in half of the minutes.' }),
  age_seconds_p99: Type.Number({ description: '99 % of the assets were at most so old in 99 % of the minutes.' }),
});

/** What the service measured of itself. */
export const ServiceLevelView = Type.Object(
  {
    measured_since: nullableText('First minute measured; null: none yet.'),
    windows: Type.Array(
      Type.Object({
        window: Type.String({ enum: ['1h', '24h', '30d'] }),
        from: Type.String(),
        to: Type.String(),
        availability_pct: nullableNumber(
          'Of ratings, chain data and exports. A minute without any process counts as down, another by the share of requests answered 5xx.',
        ),
        requests: Type.Integer(),
        failures: Type.Integer({ description: 'Answered 5xx.' }),
        latency_ms: Type.Union(
          [Type.Null(), Type.Object({ p50: Type.Number(), p95: Type.Number(), p99: Type.Number() })],
          { description: 'Of reads of ratings and chain data, within the service; at most 4.5 % too high.' },
        ),
        freshness: Type.Array(freshness, { description: 'Age of the newest snapshots, by chain, kind and cadence.' }),
      }),
    ),
    plans: Type.Array(
      Type.Object({
        plan: Type.String(),
        month: Type.String({ description: 'The present month, UTC.' }),
        targets: Type.Object({
          availability_pct: Type.Number(),
          market_age_seconds: Type.Integer(),
          latency_p99_ms: Type.Number(),
        }),
        met: Type.Boolean({ description: 'Nothing promised is broken so far this month.' }),
        ...standing,
      }),
      { description: 'Plans that promise a service level, and the credit they would owe for the month as it stands.' },
    ),
  },
  { title: 'ServiceLevel' },
);
