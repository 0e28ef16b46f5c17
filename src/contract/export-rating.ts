import Type from 'typebox';
import { orNull, rowHead, timeField } from './export.ts';
import { RatingView } from './rating.ts';
import { count, DataMode, list, nextCursor, nullableNumber, oneOf, RatedAssetView } from './vocabulary.ts';

const { properties: rating } = RatingView;

/** A row of the daily export of ratings. */
export const RatingExportRow = Type.Object(
  {
    ...rowHead,
    stage: rating.stage,
    score: rating.score,
    band: rating.band,
    trust_score: rating.trust_score,
    score_low: nullableNumber('Low end of the interval of the score, 80 %; null when not rated.'),
    score_high: nullableNumber('High end of the interval of the score, 80 %; null when not rated.'),
    outlook: rating.outlook,
    vfr: rating.vfr.properties.value,
    vfr_zone: rating.vfr.properties.zone,
    key_flags: list('Codes of the risk flags of severity medium and up, the worst first and each once.'),
    flags: count('Risk flags of any severity.'),
    rating_action: rating.rating_action,
    standing: oneOf(
      'What became of the rating by the end of the day; `lapsed`: it is older than 30 days; `defaulted`: band D; `withdrawn` and `not_rated`: NR.',
      ['rated', 'lapsed', 'not_rated', 'withdrawn', 'defaulted'],
    ),
    methodology_version: rating.methodology_version,
    job_id: rating.job_id,
    as_of: Type.String({ ...rating.as_of, format: 'date-time' }),
    class: RatedAssetView.properties.class,
    category_reason: RatedAssetView.properties.category_reason,
  },
  { title: 'RatingExportRow', description: 'The rating of one asset as it was known at the end of a day.' },
);

const { date: _, ...asset } = rowHead;
const { band, trust_score } = rating;
/** A row of what changed between the ends of two days. */
export const RatingChangeRow = Type.Object(
  {
    ...asset,
    change: oneOf(
      '`new`: not rated at the end of the first day; `gone`: withdrawn since; `changed`: band, score, trust, flags or standing differ.',
      ['new', 'gone', 'changed'],
    ),
    band_before: orNull(band, 'Band at the end of the first day; null when new.'),
    band_after: orNull(band, 'Band at the end of the second day.'),
    score_before: nullableNumber('Score then; null when new or not rated.'),
    score_after: nullableNumber('Score now; null when not rated.'),
    trust_before: orNull(trust_score, 'Trust score then; null when new.'),
    trust_after: orNull(trust_score, 'Trust score now.'),
    flags_raised: list('Codes of risk flags of any severity that are new.'),
    flags_cleared: list('Codes of risk flags that are gone.'),
    standing_before: orNull(RatingExportRow.properties.standing, 'Standing then; null when new.'),
    standing_after: RatingExportRow.properties.standing,
    as_of_before: timeField('Time of the rating then; null when new.'),
    as_of_after: timeField('Time of the rating now.'),
  },
  { title: 'RatingChangeRow', description: 'What changed about the rating of one asset.' },
);

const page = { next_cursor: nextCursor, data_mode: DataMode };
export const CurrentRatings = Type.Object(
  { data: Type.Array(RatingExportRow, { description: 'In the order of the asset ids.' }), ...page },
  { title: 'CurrentRatings', description: 'A page of the present ratings.' },
);
export const RatingChangeList = Type.Object(
  {
    from: Type.String({ description: 'The first day, YYYY-MM-DD in UTC.' }),
    to: Type.String({ description: 'The second day.' }),
    data: Type.Array(RatingChangeRow, {
      description: 'In the order of the asset ids. May be shorter than `limit`, or empty, before the last page.',
    }),
    ...page,
  },
  { title: 'RatingChanges', description: 'A page of what changed between the ends of two days.' },
);
