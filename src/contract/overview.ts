import Type from 'typebox';
import { Band, count, DataMode, nullableNumber, nullableText, nullableTime, Severity, time } from './vocabulary.ts';

const asset = Type.Object(
  {
    id: Type.String({ description: 'CAIP-19 id, or `project:` and a domain.' }),
    symbol: nullableText('Ticker, untrusted text.'),
    name: Type.String({ description: 'What it calls itself: untrusted text.' }),
    class: nullableText('Class of the methodology; null for ratings from before classes.'),
  },
  { title: 'OverviewAsset', description: 'An asset of the overview.' },
);

/** State of all rated assets at a moment. */
export const OverviewView = Type.Object(
  {
    as_of: time('The moment that everything here is counted at; a plan with delayed data has its grid point.'),
    assets: count('Assets that were ever rated.'),
    scored: count('Of these, assets with a score.'),
    bands: Type.Array(
      Type.Object({
        band: Band,
        assets: count('Assets in the band.'),
        assets_30d_ago: count('Assets that were in it 30 days before.'),
      }),
      { description: 'Every band, the best first.' },
    ),
    actions_7d: Type.Object(
      {
        new: count('First ratings.'),
        upgrade: count('Upgrades.'),
        downgrade: count('Downgrades.'),
        withdraw: count('Withdrawals.'),
      },
      { description: 'Rating actions of the last seven days.' },
    ),
    movers_7d: Type.Array(
      Type.Object({
        asset,
        band: Band,
        score: Type.Number({ description: 'Now.' }),
        band_before: Band,
        score_before: Type.Number({ description: 'Seven days before.' }),
        change: Type.Number({ description: 'Points.' }),
        reason: Type.String({ description: 'What moved it most.' }),
        as_of: time('Time of the rating that the reason is of.'),
      }),
      {
        description:
          'The largest movements of the score within seven days, at most 12. Assets rated for less than that are not among them.',
      },
    ),
    severe_flags: Type.Object(
      {
        critical: count('Critical flags that are raised.'),
        high: count('High flags that are raised.'),
        assets: count('Assets with any of them.'),
        new_24h: count('Of these flags, first raised within 24 hours.'),
        newest: Type.Array(
          Type.Object({
            asset,
            code: Type.String({ description: 'Code of the flag.' }),
            severity: Severity,
            title: Type.String({ description: 'The condition in short.' }),
            detail: Type.String({ description: 'What was seen, with its numbers.' }),
            since: nullableTime('First seen raised, without a break since.'),
          }),
          { description: 'The newest, at most 12.' },
        ),
      },
      { description: 'Flags of the severities critical and high.' },
    ),
    defaults: Type.Array(
      Type.Object({
        asset,
        since: nullableTime('When it defaulted.'),
        cures_at: nullableTime('When it is cured if nothing comes up again.'),
        detail: Type.String({ description: 'The tests that are met; empty while it waits to be cured.' }),
      }),
      { description: 'Assets in default, the newest first, at most 12; all are in `bands`.' },
    ),
    pegs: Type.Array(
      Type.Object({
        asset,
        severity: Severity,
        title: Type.String({ description: 'The condition in short.' }),
        detail: Type.String({ description: 'How far it is off.' }),
        since: nullableTime('First seen raised, without a break since.'),
      }),
      { description: 'Assets with a flag that they are off their peg, the newest first, at most 12.' },
    ),
    classes: Type.Array(
      Type.Object({
        class: nullableText('Class of the methodology; null: rated before classes.'),
        assets: count('Assets ever rated.'),
        scored: count('With a score.'),
        within_1h: count('Scored within the last hour.'),
        within_6h: count('Scored within the last six hours, the last one included.'),
        within_24h: count('Scored within the last day, the last six hours included.'),
      }),
      { description: 'Coverage and age of the newest rating by class, the largest class first.' },
    ),
    age_seconds: Type.Object(
      {
        p50: nullableNumber('Median; null without a scored asset.'),
        p95: nullableNumber('95 % are at most so old.'),
      },
      { description: 'Age of the newest ratings of scored assets.' },
    ),
    trust: Type.Object(
      {
        median: nullableNumber('0-100.'),
        median_30d_ago: nullableNumber('The same, 30 days before; null when nothing was rated then.'),
        below_60: count('Assets whose trust is lower than 60.'),
      },
      { description: 'Trust in the evidence over all rated assets.' },
    ),
    data_mode: DataMode,
  },
  { title: 'Overview', description: 'Overview of all rated assets.' },
);
