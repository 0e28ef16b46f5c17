import type { AdverseFeature, Feature } from '../domain/index.ts';

/** Features as they would be with the last adverse values of those who fell silent; without `recall` they stay as they are. */
export function recalled(features: readonly Feature[], recall: readonly AdverseFeature[] = []): readonly Feature[] {
  return features.map((feature) => {
    const last = recall.find((one) => one.feature === feature.id);
    if (last === undefined || (feature.score !== null && feature.score <= last.points)) return feature;
    const detail = `last seen on ${last.seenAt.slice(0, 10)} (${last.families.join(', ')}); nobody has said otherwise`;
    return {
      ...feature,
      status: 'observed',
      score: last.points,
      confidence: Math.max(last.confidence, feature.confidence),
      method: detail,
      rationale: `${feature.name}: ${detail}`,
    };
  });
}
