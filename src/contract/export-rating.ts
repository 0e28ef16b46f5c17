import Type from 'typebox';
import { rowHead } from './export.ts';
import { RatingView } from './rating.ts';
import { count, list, nullableNumber, oneOf, RatedAssetView } from './vocabulary.ts';

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
