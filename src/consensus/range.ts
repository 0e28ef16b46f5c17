import type { Json } from '../domain/index.ts';
import { QUANTITIES, type QuantityId } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';

const SIGNED: ReadonlySet<string> = new Set(['percent', 'ln_ratio']);

/** True when a value cannot be: not finite, negative where nothing is negative, or beyond all reason. */
export function outOfRange(quantity: QuantityId, value: Json, { consensus }: Methodology): boolean {
  const { unit, kind } = QUANTITIES[quantity];
  if (typeof value !== 'number') return kind === 'log' || kind === 'linear' || kind === 'exact' || kind === 'share';
  if (!Number.isFinite(value)) return true;
  if (value < 0 && !SIGNED.has(unit)) return true;
  return Math.abs(value) > (consensus.largest[unit] ?? Number.MAX_VALUE);
}
