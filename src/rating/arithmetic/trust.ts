import type { Feature, TrustScore } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';

/** What trust looks at: how well each feature is known, never what it says. */
export type TrustFeature = Pick<
  Feature,
  'id' | 'status' | 'confidence' | 'parts' | 'weight' | 'critical' | 'method' | 'rest' | 'silent'
> & { readonly factorWeight: number };

/**
 * Quality of the evidence, 0-100 (methodology 2.1): identity x a geometric mean of coverage, agreement, independence and
 * freshness, each weighted by how much a feature matters. Asset quality does not enter. An accusation that one source makes alone is an agreement
 * that is missing (`isAccused`).
 */
export function trustOf(
  features: readonly TrustFeature[],
  match: number,
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
  const { score, tier } = trustScore({ coverage, agreement, independence, freshness, identity: match }, methodology);
  const gaps = applicable
    .filter(({ feature }) => credit(feature) < 1)
    .map(({ feature }) => ({ feature: feature.id, reason: gapReason(feature) }));
  return { score, tier, components: { coverage, agreement, independence, freshness, identity: match }, gaps };
}

/** T = 100 M (C^.35 A^.25 I^.20 F^.20), and its tier. */
export function trustScore(
  components: TrustScore['components'],
  methodology: Methodology,
): { readonly score: number; readonly tier: TrustScore['tier'] } {
  const { exponents, tiers } = methodology.trust;
  const { coverage, agreement, independence, freshness, identity } = components;
  const evidence =
    coverage ** exponents.coverage *
    agreement ** exponents.agreement *
    independence ** exponents.independence *
    freshness ** exponents.freshness;
  const score = Math.round(1000 * identity * evidence) / 10;
  const tier = tiers.find((row) => score >= row.from)?.tier ?? 'insufficient';
  return { score, tier };
}

/** M: noisy-or of the links, times the contradictions. */
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
