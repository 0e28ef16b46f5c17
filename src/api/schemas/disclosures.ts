import Type from 'typebox';
import { BANDS } from '../../domain/rating.ts';
import { DISPUTE_STATES } from '../disclosures.ts';
import { nullable, nullableNumber, nullableText, words } from './chain.ts';
import { SignatureView } from './rms.ts';

const plainText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^(?=[^]*\\S)[^\\u0000]*$', description });
const cursor = Type.Optional(
  Type.String({ maxLength: 300, pattern: '^[A-Za-z0-9_-]+$', description: 'next_cursor of the page before.' }),
);
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, description: 'A whole number from 1 to 200; default 50.' }),
);
const state = Type.Optional(
  Type.String({ enum: [...DISPUTE_STATES], description: `One of ${DISPUTE_STATES.join(', ')}.` }),
);

export const DisputeBody = Type.Object(
  {
    asset: Type.String({ maxLength: 300, description: 'As in rating reads: an id, an address, or a symbol.' }),
    job_id: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[a-z0-9_]+$',
        description: '`job_id` of the rating that is wrong; without it: the newest.',
      }),
    ),
    claim: plainText(4_000, 'What is wrong, and what shows it.'),
    contact: Type.Optional(plainText(200, 'Where questions may be sent. Never shown in public.')),
  },
  { additionalProperties: false },
);

const dispute = {
  id: Type.String({ examples: ['dsp_5f0c1a9b8e7d6c5b4a39'] }),
  state: words(...DISPUTE_STATES),
  asset_id: Type.String(),
  rating: Type.Union(
    [
      Type.Object({
        job_id: Type.String(),
        as_of: Type.String(),
        band: Type.String({ enum: [...BANDS] }),
        score: nullableNumber('Null when not rated.'),
      }),
      Type.Null(),
    ],
    { description: 'The rating it is about.' },
  ),
  received_at: Type.String(),
  claim: Type.String(),
  contact: nullableText('As it was given; seen by the account and the operator alone.'),
  resolution: nullableText('What the operator found, in words.'),
  resolved_at: nullableText('When.'),
  restatement_id: nullableNumber('The correction it led to, see GET /v1/restatements.'),
};
export const DisputeView = Type.Object({ ...dispute, data_mode: Type.String() }, { title: 'Dispute' });
export const DisputeList = Type.Object({
  data: Type.Array(Type.Object(dispute)),
  next_cursor: nullable(Type.String()),
  data_mode: Type.String(),
});
export const AdminDisputeList = Type.Object({
  data: Type.Array(Type.Object({ ...dispute, account_id: nullableText('Who disputes.') })),
  next_cursor: nullable(Type.String()),
  data_mode: Type.String(),
});
export const DisputeParams = Type.Object({ id: Type.String() });
export const DisputeQuery = Type.Object({ state, limit, cursor });
export const Resolution = Type.Object(
  {
    state: Type.String({
      enum: ['accepted', 'rejected', 'restated'],
      description: 'accepted: it will be restated; restated: it was.',
    }),
    resolution: plainText(4_000, 'What was found, in words the account reads.'),
    restatement_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Needed for restated.' })),
  },
  { additionalProperties: false },
);

export const RestatementQuery = Type.Object({
  limit,
  cursor: Type.Optional(
    Type.String({ maxLength: 15, pattern: '^[1-9][0-9]*$', description: 'next_cursor of the page before.' }),
  ),
});
export const RestatementList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.Integer(),
      subject: Type.String({ description: '`rms` or a chain: a day of its export; `rating`: one rating.' }),
      date: nullableText('The corrected day.'),
      revision: nullableNumber('Revision that holds the corrected rows; the ones before stay readable.'),
      asset_id: nullableText('The corrected asset.'),
      made_at: Type.String(),
      reason: Type.String(),
      detail: Type.Record(Type.String(), Type.Unknown(), {
        description: 'What was changed: counts and rows of a day; a rating before and after.',
      }),
    }),
  ),
  next_cursor: nullable(Type.String()),
  data_mode: Type.String(),
});

const band = Type.String({ enum: [...BANDS] });
const share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });
const Miss = Type.Object({
  asset_id: Type.String(),
  symbol: nullableText('Text of strangers.'),
  band: band,
  band_as_of: Type.String({ description: 'When it held that band last.' }),
  band_before: band,
  defaulted_at: Type.String(),
});

export const TrackRecordView = Type.Object({
  as_of: Type.String({ description: 'When it was computed; what was published until then is in it.' }),
  methodology_version: Type.String({ description: 'Whose default tests, horizons and targets it uses.' }),
  assets: Type.Integer(),
  ratings: Type.Integer(),
  defaults: Type.Integer(),
  first_rated_in_default: Type.Integer({ description: 'No rating of theirs failed.' }),
  horizons: Type.Array(
    Type.Object({
      days: Type.Integer(),
      bands: Type.Array(
        Type.Object({
          band,
          rated: Type.Integer({
            description: 'Members whose horizon is over: per asset and UTC month, its first rating of the month.',
          }),
          assets: Type.Integer({ description: 'Different assets among them.' }),
          failed: Type.Integer({ description: 'Defaulted within the horizon (methodology 4.4).' }),
          withdrawn: Type.Integer(),
          unfollowed: Type.Integer({
            description: 'Nobody rated them any more at the end: what became of them is not known.',
          }),
          rate: share('Failures among those that were followed.'),
          interval: Type.Union([Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), Type.Null()], {
            description: 'Jeffreys, 95 %; each asset counts once.',
          }),
          target: share('The methodology’s target, for 365 days.'),
          young: Type.Integer({ description: 'Members whose horizon is not over: in no rate yet.' }),
          young_failed: Type.Integer(),
        }),
      ),
      transitions: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()), {
        description: 'From band to band at the horizon’s end; D once defaulted, NR when withdrawn or lapsed.',
      }),
      accuracy_ratio: nullableNumber('1: every failure was rated below every survivor; 0: no better than chance.'),
      accuracy_reason: nullableText('Why there is no accuracy ratio.'),
    }),
  ),
  misses: Type.Array(Miss, { description: 'Defaults of what was rated well in the year before; the newest hundred.' }),
  misses_total: Type.Integer({ description: 'All of them: GET /v1/track-record/misses.' }),
  data_mode: Type.String(),
  signature: SignatureView,
});
export const MissQuery = Type.Object({
  limit,
  cursor: Type.Optional(
    Type.String({ maxLength: 9, pattern: '^[1-9][0-9]*$', description: 'next_cursor of the page before.' }),
  ),
});
export const MissList = Type.Object({
  data: Type.Array(Miss),
  next_cursor: nullable(Type.String()),
  as_of: Type.String(),
  data_mode: Type.String(),
});
