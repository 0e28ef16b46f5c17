import Type from 'typebox';
import { ALL_FACTOR_CODES } from '../domain/index.ts';
import { factorFields, factorReasons, featureFields } from './factor.ts';
import { asOf, conflicts, gaps, riskFlags, trustScore } from './rating.ts';
import {
  AssetView,
  ageSeconds,
  Band,
  Cap,
  DataMode,
  here,
  jobId,
  list,
  methodologyHash,
  methodologyVersion,
  nullableNumber,
  oneOf,
} from './vocabulary.ts';

const Feature = Type.Object(
  {
    ...featureFields,
    sources: Type.Array(
      Type.Object({
        source: Type.String({ description: 'Who was heard.' }),
        quantity: Type.String({ description: 'On what: a quantity, or `quantity@scope`.' }),
        accepted: Type.Boolean({
          description: 'It counted; else it was outvoted, too old or not surely of this asset.',
        }),
        evidence: Type.String({ description: 'Id of the archived reply (GET /v1/jobs/{id}/evidence).' }),
      }),
      { description: 'Who was heard; `evidence` names the archived reply.' },
    ),
  },
  { title: 'Feature', description: 'One thing that a factor looks at, and who was heard on it.' },
);
const Factor = Type.Object(
  {
    ...factorFields,
    code: Type.String({ enum: [...ALL_FACTOR_CODES], description: 'Code of the factor.' }),
    ...factorReasons,
    contribution: Type.Number({ description: 'What it moves the score from the prior, in points.' }),
    features: Type.Array(Feature, { description: 'What it looks at.' }),
  },
  { title: 'Factor', description: 'One subject of the rating.' },
);
const Contribution = Type.Object(
  {
    kind: oneOf('What the line is; `standing_rating`: today’s evidence is too thin and the score before stands.', [
      'prior',
      'factor',
      'caps',
      'default',
      'fading_caps',
      'standing_rating',
    ]),
    code: Type.String({ description: 'PRIOR, a factor’s code, CAP, DEFAULT or STANDS.' }),
    name: Type.String({ description: 'What it is called.' }),
    points: Type.Number({ description: 'In steps of 0.1.' }),
    detail: Type.String({ description: 'Where the points come from, in words.' }),
  },
  { title: 'Contribution', description: 'One line of the sum that makes the score.' },
);

export const BreakdownView = Type.Object(
  {
    asset: AssetView,
    score: nullableNumber('As published.'),
    band: here(Band, 'As published.'),
    trust_score: trustScore,
    contributions: Type.Array(Contribution, {
      description: 'Their points add up to `score`, to the last digit. Empty when there is no score.',
    }),
    factors: Type.Array(Factor, { description: 'Every factor with everything it looks at.' }),
    caps: Type.Array(Cap, { description: 'Ceilings on the score whose condition held.' }),
    risk_flags: riskFlags,
    gaps,
    conflicts,
    summary: Type.String({ description: 'The rating in a few sentences.' }),
    limitations: list('What this rating cannot tell, in words.'),
    methodology_version: methodologyVersion,
    methodology_hash: methodologyHash,
    job_id: jobId,
    as_of: asOf,
    data_mode: DataMode,
    age_seconds: ageSeconds,
  },
  { title: 'Breakdown', description: 'What a rating is made of.' },
);
