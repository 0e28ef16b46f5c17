import Type from 'typebox';
import type { Feature } from '../domain/index.ts';
import { round } from './view.ts';
import { fraction, nullableNumber, oneOf, type Reply } from './vocabulary.ts';

/** Fields of every view of a feature. */
export const featureFields = {
  id: Type.String({ description: 'Id of the feature.', examples: ['mq_depth2'] }),
  name: Type.String({ description: 'Name of the feature, as in the methodology’s tables.' }),
  status: oneOf(
    '`absent`: searched for in two registries and not there; `unknown`: a source failed or none states it; `not_applicable`: it does not count here.',
    ['observed', 'absent', 'unknown', 'not_applicable'],
  ),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: 'What was found, in `unit`, or the word of a state; null when nothing was.',
  }),
  unit: Type.String({ description: 'Unit of the value, such as `usd`, `fraction` or `days`.' }),
  score: nullableNumber('0-100, by the feature’s published curve; null when there is none.'),
  weight: Type.Number({ description: 'Weight within the factor.' }),
  confidence: fraction('How sure the value is.'),
  method: Type.String({ description: 'How it was computed, or from what.' }),
  rationale: Type.String({ description: 'The finding as a sentence.' }),
};

/** Fields of every view of a factor. */
export const factorFields = {
  code: Type.String({ description: 'Code of the factor.', examples: ['MQ'] }),
  name: Type.String({ description: 'Name of the factor.' }),
  score: Type.Number({ description: '0-100, after it was drawn towards its prior for lack of evidence.' }),
  weight: Type.Number({ description: 'Weight in the category; all weights add up to 100.' }),
  confidence: fraction('How much of what matters to it is known, and how surely.'),
};

/** Fields that explain the score of a factor. */
export const factorReasons = {
  raw_score: nullableNumber(
    'Weighted mean of the features, 0-100, before it is drawn towards the prior; null when nothing is known.',
  ),
  shrink: fraction('How much of the raw score is kept; the rest is the prior.'),
  prior: Type.Number({ description: 'What it is drawn towards, 0-100.' }),
  rationale: Type.String({ description: 'The finding as text.' }),
};

const FeatureFields = Type.Object(featureFields);

/** The view of a feature in all replies that show features; observations are separate members. */
export function featureView(feature: Feature): Reply<typeof FeatureFields> {
  return {
    id: feature.id,
    name: feature.name,
    status: feature.status,
    value: feature.raw,
    unit: feature.unit,
    score: feature.score === null ? null : round(feature.score, 1),
    weight: feature.weight,
    confidence: round(feature.confidence, 2),
    method: feature.method,
    rationale: feature.rationale,
  };
}
