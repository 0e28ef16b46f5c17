import Type from 'typebox';
import { BANDS } from '../../domain/rating.ts';
import { nullableNumber, nullableText, words } from './chain.ts';

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

export const WhitelistEntry = Type.Object(
  {
    asset: Type.String({ description: 'CAIP-19 id.' }),
    added_at: Type.String(),
    note: nullableText('The account’s own.'),
    alert_status: words('ok', 'alerting'),
    last_alert: nullableText('Time of the newest alert; null when there was none.'),
    open_alerts: Type.Integer({ minimum: 0, description: 'Alerts that are not acknowledged.' }),
    score: nullableNumber('Newest score; null when not rated.'),
    band: nullableText('Newest band; null when it was never rated.'),
    as_of: nullableText('Time of the newest rating.'),
    how_to_rate: Type.Union(
      [Type.Object({ method: Type.String(), path: Type.String(), body: Type.Unknown() }), Type.Null()],
      { description: 'The request that has it rated, with the project’s name and site filled in; null once it is.' },
    ),
    thresholds: Type.Object({
      min_score_change: Type.Number(),
      flag_severities: Type.Array(words(...SEVERITIES)),
      bands: Type.Union([Type.Array(words(...BANDS)), Type.Null()]),
    }),
  },
  { title: 'WhitelistEntry' },
);
export const WhitelistReply = Type.Array(WhitelistEntry);
export const WhitelistWish = Type.Object(
  {
    note: Type.Optional(Type.Union([Type.String({ maxLength: 500, pattern: '^[^\\u0000]*$' }), Type.Null()])),
    thresholds: Type.Optional(
      Type.Object(
        {
          min_score_change: Type.Optional(
            Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 5, description: 'Points since the last alert.' }),
          ),
          flag_severities: Type.Optional(
            Type.Array(words(...SEVERITIES), { uniqueItems: true, description: 'Default: high and critical.' }),
          ),
          bands: Type.Optional(
            Type.Union([Type.Array(words(...BANDS), { uniqueItems: true }), Type.Null()], {
              description: 'Transitions into or out of these; null (the default): all. D and NR always count.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
