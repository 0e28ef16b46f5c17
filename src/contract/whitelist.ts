import Type from 'typebox';
import { BANDS } from '../domain/index.ts';
import {
  assetClass,
  count,
  describedHere,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  time,
  words,
} from './vocabulary.ts';

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

export const WhitelistEntry = Type.Object(
  {
    asset: Type.String({ description: 'CAIP-19 id.' }),
    symbol: nullableText('As the newest rating has it, untrusted text; null when not known.'),
    name: nullableText('As the newest rating has it, untrusted text; null when not known.'),
    class: assetClass,
    added_at: time('When it was added.'),
    note: nullableText('The account’s own; null without one.'),
    alert_status: oneOf('`alerting`: some alert is not acknowledged.', ['ok', 'alerting']),
    last_alert: nullableTime('Time of the newest alert; null when there was none.'),
    open_alerts: count('Alerts that are not acknowledged.'),
    score: nullableNumber('Newest score, 0-100; null when not rated.'),
    band: nullableText('Newest band; null when it was never rated.'),
    as_of: nullableTime('Time of the newest rating; null when it was never rated.'),
    how_to_rate: Type.Union(
      [
        Type.Object({
          method: Type.String({ description: 'HTTP method.' }),
          path: Type.String({ description: 'Path of the request.' }),
          body: Type.Unknown({ description: 'JSON body of the request.' }),
        }),
        Type.Null(),
      ],
      { description: 'The request that has it rated; null once it is.' },
    ),
    thresholds: Type.Object(
      {
        min_score_change: Type.Number({ description: 'Points since the last score alert from which on one is made.' }),
        flag_severities: Type.Array(words(...SEVERITIES), { description: 'Flags of these severities alert.' }),
        bands: Type.Union([Type.Array(words(...BANDS)), Type.Null()], {
          description: 'Transitions into or out of these alert; null: all do. D and NR always do.',
        }),
      },
      { description: 'When it alerts.' },
    ),
  },
  { title: 'WhitelistEntry', description: 'An asset that the account watches.' },
);
export const ChangedEntry = describedHere(
  WhitelistEntry,
  'It was watched before; note and thresholds are the new ones.',
);
export const AddedEntry = describedHere(WhitelistEntry, 'It is watched from now on.');
export const WhitelistReply = Type.Array(WhitelistEntry, { description: 'The assets that the account watches.' });
