import type { ConsensusSet, Feature, TrustScore } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';

/** Input of trust: the confidence of each feature, never its value. */
export type TrustFeature = Pick<
  Feature,
  'id' | 'status' | 'confidence' | 'parts' | 'weight' | 'critical' | 'method' | 'rest' | 'silent' | 'basis'
> & { readonly factorWeight: number };

/**
 * Quality of the evidence, 0-100 (methodology 2.1): identity times a geometric mean of coverage, agreement,
 * independence and freshness, each averaged over the features by weight. The result is limited to identity times the
 * value of evidence that rests on one lineage group (`mostOf`). The quality of the asset has no influence. An
 * accusation by a single source lowers the agreement (`isAccused`).
 */
export function trustOf(
  features: readonly TrustFeature[],
  match: number,
  consensus: ConsensusSet,
  methodology: Methodology,
  isAccused = false,
): TrustScore {
  const rules = methodology.trust;
  const applicable = features
    .filter((feature) => feature.status !== 'not_applicable')
    .map((feature) => ({
      feature,
      omega: feature.factorWeight * feature.weight * (feature.critical ? rules.criticalMultiple : 1),
    }))
    .filter(({ omega }) => omega > 0);
  const credit = (feature: TrustFeature) =>
    feature.status === 'observed' && feature.confidence >= rules.observedConfidence
      ? 1
      : feature.status === 'absent'
        ? rules.absentCredit
        : 0;
  const coverage = mean(applicable.map(({ feature, omega }) => [credit(feature), omega]));
  const known = applicable.filter(({ feature }) => feature.parts !== null && feature.status === 'observed');
  const agreed = mean(known.map(({ feature, omega }) => [feature.parts?.agreement ?? 0, omega]));
  const agreement = isAccused ? agreed * rules.unconfirmedAgreement : agreed;
  const independence = mean(known.map(({ feature, omega }) => [feature.parts?.independence ?? 0, omega]));
  const freshness = mean(known.map(({ feature, omega }) => [feature.parts?.freshness ?? 0, omega]));
  const total = applicable.reduce((sum, { omega }) => sum + omega, 0);
  const most = mostOf(known, total, consensus);
  const { score, tier } = trustScore(
    { coverage, agreement, independence, freshness, identity: match },
    methodology,
    most,
  );
  const gaps = applicable
    .filter(({ feature }) => credit(feature) < 1)
    .map(({ feature }) => ({ feature: feature.id, reason: gapReason(feature) }));
  return { score, tier, components: { coverage, agreement, independence, freshness, identity: match }, gaps };
}

type Weighed = { readonly feature: TrustFeature; readonly omega: number };

/**
 * Upper bound for the value of the whole evidence, 0-1. For each lineage group that alone supplies some features: the
 * mean independence of those features, plus the weight share of the features that other groups supply too. The lowest
 * result over the groups is returned. If one group supplies everything, the evidence is worth no more than one of its
 * values, however many features it covers. `total`: weight of all applicable features, so that more evidence never
 * lowers the result.
 */
function mostOf(known: readonly Weighed[], total: number, consensus: ConsensusSet): number {
  const alone = new Map<string, { omega: number; worth: number }>();
  for (const { feature, omega } of known) {
    const [group, second] = familiesOf(feature, consensus);
    if (group === undefined || second !== undefined) continue;
    const { omega: before, worth } = alone.get(group) ?? { omega: 0, worth: 0 };
    alone.set(group, { omega: before + omega, worth: worth + omega * (feature.parts?.independence ?? 0) });
  }
  const all = known.reduce((sum, { omega }) => sum + omega, 0);
  return Math.min(1, ...[...alone.values()].map(({ omega, worth }) => worth / omega + (all - omega) / total));
}

/** Lineage groups that support a feature. */
function familiesOf({ basis }: TrustFeature, consensus: ConsensusSet): readonly string[] {
  const families = new Set<string>();
  for (const key of basis)
    for (const voice of consensus[key]?.voices ?? []) if (voice.accepted) families.add(voice.family);
  return [...families];
}

/** T = 100 M (C^.35 A^.25 I^.20 F^.20), at most 100 M `most`, and its tier. */
export function trustScore(
  components: TrustScore['components'],
  methodology: Methodology,
  most = 1,
): { readonly score: number; readonly tier: TrustScore['tier'] } {
  const { exponents, tiers } = methodology.trust;
  const { coverage, agreement, independence, freshness, identity } = components;
  const evidence =
    coverage ** exponents.coverage *
    agreement ** exponents.agreement *
    independence ** exponents.independence *
    freshness ** exponents.freshness;
  const score = Math.round(1000 * identity * Math.min(evidence, most)) / 10;
  const tier = tiers.find((row) => score >= row.from)?.tier ?? 'insufficient';
  return { score, tier };
}

/** M: noisy-or of the links, multiplied by the factor for contradictions. */
export function identityMatch(
  links: readonly { readonly strength: number }[],
  contradictions: readonly { readonly factor: number }[],
): number {
  const doubt = links.reduce((product, link) => product * (1 - link.strength), 1);
  return contradictions.reduce((product, row) => product * row.factor, 1 - doubt);
}

function mean(rows: readonly (readonly [number, number])[]): number {
  const weight = rows.reduce((sum, [, omega]) => sum + omega, 0);
  return weight === 0 ? 0 : rows.reduce((sum, [value, omega]) => sum + value * omega, 0) / weight;
}

function gapReason(feature: TrustFeature): string {
  if (feature.silent) return `the project shows none: counts ${feature.rest.toFixed(1)} points (${feature.method})`;
  if (feature.status === 'absent') return `searched and not found: ${feature.method}`;
  return feature.status === 'observed' ? 'known too uncertainly to count' : `not known: ${feature.method}`;
}
