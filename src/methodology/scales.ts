import type { Band } from '../domain/index.ts';
import type { FeatureDefinition, Methodology } from './schema.ts';

/** Scores are published in steps of 0.1. */
export function toScore(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The band of a score (0-100, in steps of 0.1). D is only ever given by an event; a score below C's cut-off is C. */
export function bandOf(score: number, methodology: Methodology): Band {
  const rounded = toScore(score);
  const found = methodology.bands.find((row) => row.band !== 'D' && rounded >= row.from);
  return found?.band ?? 'C';
}

/**
 * Points (0-100) of a raw value: piecewise linear between the published anchors, in x or log10 x, clamped at the ends;
 * a logistic curve; or a table of states. Null for NaN, an unknown state, or a negative value on a log scale.
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
  // Counts, shares and money are never negative: such a number is an error and not a very good value.
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

/** Of two flags on the same fact only the more severe one counts. */
const OUTDONE: Readonly<Record<string, string>> = {
  LIQUIDITY_THIN: 'LIQUIDITY_CRITICAL',
  TAX_HIGH: 'SELL_TAX_EXTREME',
  DEPEG: 'DEPEG_SEVERE',
};

/** True when a more severe flag on the same fact is among those that are raised. */
export function isOutdone(code: string, raised: readonly { readonly code: string }[]): boolean {
  return raised.some((flag) => flag.code === OUTDONE[code]);
}
