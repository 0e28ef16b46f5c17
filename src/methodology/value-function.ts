import type { FeatureDefinition } from './types.ts';

/**
 * Points (0-100) of a raw value: piecewise linear between the published anchors, in x or log10 x, clamped at the ends; a
 * logistic curve; or a table of states. Null for NaN, an unknown state, or a negative value on a log scale.
 */
export function pointsOf(
  feature: Pick<FeatureDefinition, 'scale' | 'anchors' | 'states'>,
  raw: number | string | null,
): number | null {
  if (feature.scale === 'state')
    return typeof raw === 'string' && Object.hasOwn(feature.states, raw) ? (feature.states[raw] ?? null) : null;
  if (typeof raw !== 'number' || !Number.isFinite(raw)) return null;
  if (feature.scale === 'logistic') {
    const [slope, midpoint] = feature.anchors[0] ?? [1, 0];
    return 100 / (1 + Math.exp(-slope * (raw - midpoint)));
  }
  // Counts, shares and money are never negative: such a number is an error, not a very good value.
  if (raw < 0) return null;
  if (feature.scale === 'log') {
    return interpolate(
      Math.log10(Math.max(raw, 1e-300)),
      feature.anchors.map(([x, points]) => [Math.log10(x), points] as const),
    );
  }
  return interpolate(raw, feature.anchors);
}

function interpolate(x: number, anchors: readonly (readonly [number, number])[]): number | null {
  const first = anchors[0];
  const last = anchors.at(-1);
  if (!first || !last) return null;
  if (x <= first[0]) return first[1];
  for (let i = 1; i < anchors.length; i += 1) {
    const [a, from] = anchors[i - 1] ?? first;
    const [b, to] = anchors[i] ?? last;
    if (x <= b) return from + ((to - from) * (x - a)) / (b - a);
  }
  return last[1];
}
