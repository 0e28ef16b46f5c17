import type { Category, DriverDay, DriverReadings, QuantityId } from '../../domain/index.ts';
import { DAY_MS, median } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import type { Driver } from './estimate.ts';

/** A driver as it is read today. */
export interface Reading {
  readonly quantity: QuantityId;
  readonly value: number;
  readonly confidence: number;
}

/** Drivers that say something about the value of a category: its own, then the weak ones of all. */
export function driversOf(category: Category, rules: Methodology['vfr']): readonly QuantityId[] {
  const own = rules.drivers[category];
  return own.length === 0 ? [] : [...own, ...rules.weak.quantities.filter((quantity) => !own.includes(quantity))];
}

/**
 * Today's readings as medians over the days before: day by day, drivers move more than values do, and ratios would with them
 * (methodology 0.6). Days from `asOf` on do not count.
 */
export function smoothed(
  today: readonly Reading[],
  days: readonly DriverDay[],
  asOf: string,
  rules: Methodology['vfr'],
): readonly Driver[] {
  return today.map(({ quantity, value, confidence }) => {
    const readings = [...readingsOf(quantity, days, asOf, rules), value];
    const isWeak = rules.weak.quantities.includes(quantity);
    return { quantity, value: median(readings) ?? value, confidence, days: readings.length, isWeak };
  });
}

function readingsOf(
  quantity: QuantityId,
  days: readonly DriverDay[],
  asOf: string,
  rules: Methodology['vfr'],
): readonly number[] {
  const { days: window, sums } = rules.smoothing;
  if (sums.includes(quantity)) return [];
  const today = asOf.slice(0, 10);
  const first = new Date(Date.parse(today) - (window - 1) * DAY_MS).toISOString().slice(0, 10);
  return days
    .filter(({ day }) => day >= first && day < today)
    .map(({ readings }) => readings[quantity])
    .filter((reading): reading is number => typeof reading === 'number' && reading > 0 && Number.isFinite(reading));
}

/** The medians alone, as the panel keeps them. */
export function mediansOf(drivers: readonly Driver[]): DriverReadings {
  return Object.fromEntries(drivers.map(({ quantity, value }) => [quantity, value]));
}
