import type { Feature } from '../../domain/index.ts';
import { round } from './standard.ts';

/** A feature as every reply that shows features has it; who was heard on it is told beside. */
export function featureView(feature: Feature) {
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
