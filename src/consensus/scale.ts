import { type Json, MAD_TO_SD, QUANTITIES, type QuantityId, type QuantityKind } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';

const SMALLEST_SHARE = 1e-6;

/**
 * The value on the scale on which observations are compared; null if the scale has no such value. Zero is treated
 * separately (see numeric.ts).
 */
export function toScale(kind: QuantityKind, value: number): number | null {
  if (!Number.isFinite(value)) return null;
  if (kind === 'linear') return value;
  if (kind === 'share') {
    if (value < 0 || value > 1) return null;
    const inside = Math.min(1 - SMALLEST_SHARE, Math.max(SMALLEST_SHARE, value));
    return Math.log(inside / (1 - inside));
  }
  return value > 0 ? Math.log(value) : null;
}

/** The value for a point on the scale. */
export function fromScale(kind: QuantityKind, y: number): number {
  if (kind === 'linear') return y;
  if (kind === 'share') return 1 / (1 + Math.exp(-y));
  return Math.exp(y);
}

/**
 * The noise floor s0 on the scale. Shares are in percentage points: 2 pp at the share p are 0.02 / (p (1 - p)) in
 * logits. p is limited to 5-95 %, because near 0 and 100 % the floor would exceed every difference.
 */
export function noiseOnScale(kind: QuantityKind, noise: number, centre: number): number {
  if (kind !== 'share') return noise;
  const p = Math.min(0.95, Math.max(0.05, fromScale('share', centre)));
  return noise / (p * (1 - p));
}

/** A value on the scale with its weight. */
export interface Weighted {
  readonly y: number;
  readonly weight: number;
}

/**
 * Weighted quantile: the smallest value whose cumulative weight reaches q. Where the cumulative weight equals q, it is
 * the midpoint to the next value, so that the median of two equal weights is their mean. NaN without values.
 */
export function weightedQuantile(values: readonly Weighted[], q: number): number {
  return quantileOfSorted(byValue(values), q);
}

/** Sorts values in ascending order; stable. */
export function byValue(values: readonly Weighted[]): readonly Weighted[] {
  for (let at = 1; at < values.length; at += 1)
    if (!((values[at - 1] as Weighted).y <= (values[at] as Weighted).y)) return [...values].sort((a, b) => a.y - b.y);
  return values;
}

/** The weighted quantile of values sorted by `byValue`. */
export function quantileOfSorted(sorted: readonly Weighted[], q: number): number {
  let total = 0;
  for (const { weight } of sorted) total += weight;
  let cumulated = 0;
  for (let i = 0; i < sorted.length; i += 1) {
    const { y, weight } = sorted[i] as Weighted;
    cumulated += weight;
    if (cumulated < q * total - 1e-12) continue;
    const next = sorted[i + 1];
    return next && Math.abs(cumulated - q * total) < 1e-12 ? (y + next.y) / 2 : y;
  }
  return sorted.at(-1)?.y ?? Number.NaN;
}

/** 1.4826 x the weighted median absolute deviation from `centre`: a standard deviation for normal noise. */
export function robustSpread(values: readonly Weighted[], centre: number): number {
  return (
    MAD_TO_SD *
    weightedQuantile(
      values.map(({ y, weight }) => ({ y: Math.abs(y - centre), weight })),
      0.5,
    )
  );
}

const SIGNED: ReadonlySet<string> = new Set(['percent', 'ln_ratio']);

/**
 * True for an impossible value: not finite, negative where the unit has no negative values, or above the largest
 * credible value.
 */
export function outOfRange(quantity: QuantityId, value: Json, { consensus }: Methodology): boolean {
  const { unit, kind } = QUANTITIES[quantity];
  if (typeof value !== 'number') return kind === 'log' || kind === 'linear' || kind === 'exact' || kind === 'share';
  if (!Number.isFinite(value)) return true;
  if (value < 0 && !SIGNED.has(unit)) return true;
  return Math.abs(value) > (consensus.largest[unit] ?? Number.MAX_VALUE);
}
