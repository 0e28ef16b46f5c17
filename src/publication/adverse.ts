import type { AdverseFeature, ConsensusSet, Feature, PublicationState, Rating } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { daysBetween } from './days.ts';

/** Lineage groups remembered of one feature. */
const MOST_FAMILIES = 8;

/**
 * Features that stand below `adversePoints`, with who said so, and earlier ones that nobody has said otherwise of since (methodology
 * 4): an accusation stands until a source of the same lineage group, or two of others, say otherwise. At most one a feature.
 */
export function adverseAfter(
  rating: Rating,
  consensus: ConsensusSet,
  previous: PublicationState | null,
  asOf: string,
  methodology: Methodology,
): readonly AdverseFeature[] {
  const { adversePoints } = methodology.publication.replacement;
  const kept = silenced(rating, consensus, previous, asOf, methodology);
  const now = featuresOf(rating).flatMap((feature): readonly AdverseFeature[] => {
    const families = voicesOf(feature, consensus);
    if (feature.status !== 'observed' || feature.score === null || families.length === 0) return [];
    if (feature.score >= adversePoints) return [];
    const { id, score, confidence } = feature;
    return [{ feature: id, points: score, confidence, seenAt: asOf, families: families.slice(0, MOST_FAMILIES) }];
  });
  const seen = new Set(now.map((one) => one.feature));
  return [...now, ...kept.filter((one) => !seen.has(one.feature))].sort((a, b) => (a.feature < b.feature ? -1 : 1));
}

/** Adverse values of before that those who said them do not repeat now, and nobody else contradicts. */
export function silenced(
  rating: Rating,
  consensus: ConsensusSet,
  previous: Pick<PublicationState, 'adverse' | 'standing'> | null,
  asOf: string,
  methodology: Methodology,
): readonly AdverseFeature[] {
  if (previous?.adverse === undefined) return [];
  // Another category needs other requests.
  if (previous.standing !== undefined && previous.standing.category !== rating.category) return [];
  const features = new Map(featuresOf(rating).map((feature) => [feature.id, feature]));
  return previous.adverse.filter((one) => {
    const feature = features.get(one.feature);
    if (feature === undefined || daysBetween(one.seenAt, asOf) > methodology.publication.replacement.memoryDays)
      return false;
    if (feature.status !== 'observed') return true;
    const families = voicesOf(feature, consensus);
    return families.length < 2 && !families.some((family) => one.families.includes(family));
  });
}

function featuresOf(rating: Rating): readonly Feature[] {
  return rating.factors.flatMap((factor) => factor.features).filter((feature) => feature.weight > 0);
}

/** Lineage groups that were heard now on what a feature rests on, sorted. */
function voicesOf({ basis }: Feature, consensus: ConsensusSet): readonly string[] {
  const heard = basis
    .flatMap((key) => consensus[key]?.voices ?? [])
    .filter((voice) => voice.accepted && !voice.carried);
  return [...new Set(heard.map((voice) => voice.family))].sort();
}
