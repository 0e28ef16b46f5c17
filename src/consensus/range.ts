import type { Json } from '../domain/index.ts';
import { QUANTITIES, type QuantityId } from '../domain/index.ts';

/** Largest values that can be true at all: beyond them a number is an error of unit, not a big number. */
const LARGEST: Readonly<Record<string, number>> = {
  usd: 1e15,
  tokens: 1e24,
  count: 1e10,
  percent: 1e7,
  fraction: 1,
  fraction_of_circulating: 1e3,
  fraction_of_total: 1,
  fraction_per_day: 20,
  ratio: 1e4,
};
const SIGNED: ReadonlySet<string> = new Set(['percent', 'ln_ratio']);

/** True when a value cannot be: not finite, negative where nothing is negative, or beyond all reason. */
export function outOfRange(quantity: QuantityId, value: Json): boolean {
  const { unit, kind } = QUANTITIES[quantity];
  if (typeof value !== 'number') return kind === 'log' || kind === 'linear' || kind === 'exact' || kind === 'share';
  if (!Number.isFinite(value)) return true;
  if (value < 0 && !SIGNED.has(unit)) return true;
  return Math.abs(value) > (LARGEST[unit] ?? Number.MAX_VALUE);
}
