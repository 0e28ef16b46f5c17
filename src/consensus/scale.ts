import type { QuantityKind } from '../domain/index.ts';

const SMALLEST_SHARE = 1e-6;

/** Value on the scale on which observations are compared; null when the value has no place there. Zero is a state of its own (see numeric.ts). */
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

/** Back from the scale. */
export function fromScale(kind: QuantityKind, y: number): number {
  if (kind === 'linear') return y;
  if (kind === 'share') return 1 / (1 + Math.exp(-y));
  return Math.exp(y);
}

/**
 * The noise floor s0 on the scale. Shares are stated in percentage points: 2 pp at the share p is 0.02 / (p (1 - p)) in
 * logits; p is kept inside 5-95 %, else the floor would swallow everything at the ends.
 */
export function noiseOnScale(kind: QuantityKind, noise: number, centre: number): number {
  if (kind !== 'share') return noise;
  const p = Math.min(0.95, Math.max(0.05, fromScale('share', centre)));
  return noise / (p * (1 - p));
}
