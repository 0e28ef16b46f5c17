import { type Json, MAD_TO_SD, type QuantityDefinition, type QuantityKind } from '../domain/index.ts';
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
 * Values on the scale in ascending order, and their weights in the same places. Two lists of numbers, because a record
 * for each value would take most of the time of a consensus.
 */
export interface Sample {
  readonly ys: number[];
  readonly weights: number[];
}

/** The values in ascending order; equal values stay in their order. */
export function sampleOf(values: readonly Weighted[]): Sample {
  const sample: Sample = { ys: [], weights: [] };
  for (const { y, weight } of values) insert(sample, y, weight);
  return sample;
}

/** Adds a value to a sample, after the values that equal it. */
export function insert({ ys, weights }: Sample, y: number, weight: number): void {
  let at = ys.length;
  ys.push(y);
  weights.push(weight);
  for (; at > 0 && (ys[at - 1] as number) > y; at -= 1) {
    ys[at] = ys[at - 1] as number;
    weights[at] = weights[at - 1] as number;
  }
  ys[at] = y;
  weights[at] = weight;
}

/**
 * Weighted quantile: the smallest value whose cumulative weight reaches q. Where the cumulative weight equals q, it is
 * the midpoint to the next value, so that the median of two equal weights is their mean. NaN without values.
 */
export function quantileOf({ ys, weights }: Sample, q: number): number {
  let total = 0;
  for (const weight of weights) total += weight;
  let cumulated = 0;
  for (let i = 0; i < ys.length; i += 1) {
    const y = ys[i] as number;
    cumulated += weights[i] as number;
    if (cumulated < q * total - 1e-12) continue;
    const next = ys[i + 1];
    return next !== undefined && Math.abs(cumulated - q * total) < 1e-12 ? (y + next) / 2 : y;
  }
  return ys.at(-1) ?? Number.NaN;
}

/** 1.4826 x the weighted median absolute deviation from `centre`: a standard deviation for normal noise. */
export function robustSpread(values: readonly Weighted[], centre: number): number {
  const distances: Sample = { ys: [], weights: [] };
  for (const { y, weight } of values) insert(distances, Math.abs(y - centre), weight);
  return MAD_TO_SD * quantileOf(distances, 0.5);
}

const SIGNED: ReadonlySet<string> = new Set(['percent', 'ln_ratio']);

/**
 * True for an impossible value: not finite, negative where the unit has no negative values, or above the largest
 * credible value.
 */
export function outOfRange({ kind, unit }: QuantityDefinition, value: Json, { consensus }: Methodology): boolean {
  if (typeof value !== 'number') return kind === 'log' || kind === 'linear' || kind === 'exact' || kind === 'share';
  if (!Number.isFinite(value)) return true;
  if (value < 0 && !SIGNED.has(unit)) return true;
  return Math.abs(value) > (consensus.largest[unit] ?? Number.MAX_VALUE);
}
