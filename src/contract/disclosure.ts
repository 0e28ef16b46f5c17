import Type from 'typebox';
import { SignatureView } from './rating.ts';
import {
  Band,
  count,
  DataMode,
  describedHere,
  jobId,
  nextCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  time,
} from './vocabulary.ts';

export const DISPUTE_STATES = ['received', 'accepted', 'rejected', 'restated'] as const;

/** The rating that a dispute or an appeal is about. */
export const disputedRating = Type.Union(
  [
    Type.Object({
      job_id: jobId,
      as_of: time('When its facts were true.'),
      band: Band,
      score: nullableNumber('0-100; null when not rated.'),
    }),
    Type.Null(),
  ],
  { description: 'The rating it is about; null when it is not kept.' },
);

const dispute = {
  id: Type.String({ description: 'Id of the dispute.', examples: ['dsp_5f0c1a9b8e7d6c5b4a39'] }),
  state: oneOf(
    '`accepted`: it will be restated; `restated`: it was; `rejected`: the rating is not changed.',
    DISPUTE_STATES,
  ),
  asset_id: Type.String({ description: 'CAIP-19 id of the asset.' }),
  rating: disputedRating,
  received_at: time('When it came.'),
  claim: Type.String({ description: 'What is wrong, as it was given.' }),
  contact: nullableText('As it was given; seen by the account and the operator alone.'),
  resolution: nullableText('What the operator found; null while it is open.'),
  resolved_at: nullableTime('When that was; null while it is open.'),
  restatement_id: nullableNumber('The correction it led to, see GET /v1/restatements; null without one.'),
  origin: oneOf('`public`: of somebody without a key.', ['account', 'public']),
};
export const DisputeView = Type.Object(
  { ...dispute, data_mode: DataMode },
  { title: 'Dispute', description: 'A statement that a rating is wrong, and its outcome.' },
);
/** Reply to a repeated statement, which creates no second dispute. */
export const KnownDispute = describedHere(
  DisputeView,
  'The same was stated before: that dispute, in its present state.',
);
const listed = Type.Object(dispute, {
  title: 'ListedDispute',
  description: 'A dispute as lists show it: without `data_mode`, which the list has.',
});
const newestFirst = { description: 'Newest first.' };
export const DisputeList = Type.Object(
  { data: Type.Array(listed, newestFirst), next_cursor: nextCursor, data_mode: DataMode },
  { description: 'A page of the account’s disputes.' },
);
export const AdminDisputeList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { ...dispute, account_id: nullableText('Account that disputes; null where none is kept.') },
        { title: 'AccountDispute', description: 'A dispute with the account it is of.' },
      ),
      newestFirst,
    ),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'A page of all accounts’ disputes.' },
);
export const RestatementView = Type.Object({
  id: Type.Integer({ description: 'Number of the correction; rises with time.' }),
  subject: Type.String({ description: '`rms` or a chain: a day of its export; `rating`: one rating.' }),
  date: nullableText('The corrected day, YYYY-MM-DD; null for a single rating.'),
  revision: nullableNumber(
    'Revision that holds the corrected rows; the ones before stay readable. Null for a single rating.',
  ),
  asset_id: nullableText('The corrected asset, CAIP-19 id; null for a day.'),
  made_at: time('When it was corrected.'),
  reason: Type.String({ description: 'The reason, as text.' }),
  detail: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What was changed: counts and rows of a day; a rating before and after.',
  }),
});
export const RestatementList = Type.Object(
  {
    data: Type.Array(RestatementView, newestFirst),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'A page of corrections.' },
);

const share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });
export const Miss = Type.Object(
  {
    asset_id: Type.String({ description: 'CAIP-19 id.' }),
    symbol: nullableText('Ticker, untrusted text; null when not known.'),
    band: describedHere(Band, 'The best band it held in the year before.'),
    band_as_of: time('When it held that band last.'),
    band_before: describedHere(Band, 'The band it held last before it defaulted.'),
    defaulted_at: time('When it defaulted.'),
  },
  { title: 'Miss', description: 'A default of what was rated well in the year before.' },
);

/** The signed content. */
export const TrackRecord = Type.Object({
  as_of: time('When it was computed; what was published until then is in it.'),
  methodology_version: Type.String({ description: 'Whose default tests, horizons and targets it uses.' }),
  assets: count('Assets ever rated.'),
  ratings: count('Ratings ever published.'),
  defaults: count('Defaults among them.'),
  first_rated_in_default: Type.Integer({ description: 'No rating of theirs failed.' }),
  horizons: Type.Array(
    Type.Object({
      days: Type.Integer({ description: 'Length of the horizon.' }),
      bands: Type.Array(
        Type.Object({
          band: Band,
          rated: Type.Integer({
            description: 'Members whose horizon is over: per asset and UTC month, its first rating of the month.',
          }),
          assets: Type.Integer({ description: 'Different assets among them.' }),
          failed: Type.Integer({ description: 'Defaulted within the horizon (methodology 4.4).' }),
          withdrawn: count('Without a failure, but withdrawn within the horizon; they stay in `rated`.'),
          unfollowed: Type.Integer({
            description: 'Not rated any more at the end: their outcome is not known.',
          }),
          young: Type.Integer({ description: 'Members whose horizon is not over: in no rate yet.' }),
          rate: share('Failures among those that were followed.'),
          interval: Type.Union([Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), Type.Null()], {
            description: 'Jeffreys, 95 %; each asset counts once.',
          }),
          target: share('The methodology’s target, for 365 days.'),
          target_range: Type.Union([Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), Type.Null()], {
            description: 'Range of failures within 365 days that the band is meant for; null for other horizons.',
          }),
          young_failed: count('Of them, those that defaulted already.'),
        }),
        { description: 'One row per band.' },
      ),
      transitions: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()), {
        description: 'From band to band at the horizon’s end; D once defaulted, NR when withdrawn or lapsed.',
      }),
      accuracy_ratio: nullableNumber('1: every failure was rated below every survivor; 0: no better than chance.'),
      accuracy_reason: nullableText('Why there is no accuracy ratio; null when there is one.'),
    }),
    { description: 'What became of them, one entry per horizon.' },
  ),
  misses: Type.Array(Miss, {
    description: 'Defaults of what was rated well in the year before; the newest hundred.',
  }),
  misses_total: Type.Integer({ description: 'All of them: GET /v1/track-record/misses.' }),
  data_mode: DataMode,
});
export const TrackRecordView = Type.Object(
  {
    ...TrackRecord.properties,
    signature: describedHere(SignatureView, 'Over the canonical JSON (RFC 8785) of the reply without this member.'),
  },
  { title: 'TrackRecord', description: 'What became of everything that was ever published here.' },
);
export const MissList = Type.Object(
  {
    data: Type.Array(Miss, newestFirst),
    next_cursor: nextCursor,
    as_of: time('When it was computed.'),
    data_mode: DataMode,
  },
  { description: 'A page of misses.' },
);
