import {
  type AssetClass,
  DAY_MS,
  type DriverDay,
  type DriverReadings,
  median,
  type QuantityId,
} from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';

/** Reading of an asset's driver. */
export interface Driver {
  readonly quantity: QuantityId;
  readonly value: number;
  /** 0-1. */
  readonly confidence: number;
  /** Days of our own readings behind the median; 1: today alone. */
  readonly days: number;
  readonly isWeak: boolean;
}

/** One estimate of the fair value. */
export interface Estimate {
  readonly estimator: 'multiple' | 'regression';
  /** What a multiple divides by; null for the regression. */
  readonly driver: Driver | null;
  readonly lnFair: number;
  readonly sd: number;
  /** 0-1. */
  readonly confidence: number;
  readonly peers: number;
  /** How far off (in ln) it is on each peer of the category when that peer is left out, by asset id. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** A driver as it is read today. */
export interface Reading {
  readonly quantity: QuantityId;
  readonly value: number;
  readonly confidence: number;
}

/** Drivers that say something about the value of a class: its own, then the weak ones of all. */
export function driversOf(of: AssetClass, rules: Methodology['vfr']): readonly QuantityId[] {
  const own = rules.drivers[of];
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

export interface MarketValue {
  /** Price x (circulating + scheduled unlocks of the next 12 months), USD: dilution is in the numerator. */
  readonly diluted: number;
  /** Price x circulating supply, else the capitalisation the lists report; USD. */
  readonly circulating: number;
  /** Price x all that will ever exist, else all that exists; null when neither is known. USD. */
  readonly full: number | null;
}

/**
 * What the market pays, in the three meanings people use. `read` gives the agreed value of a quantity, null when it is not known
 * well enough. Null when neither price and supply nor a capitalisation is known.
 */
export function marketValueOf(read: (quantity: QuantityId) => number | null): MarketValue | null {
  const price = read('price_usd');
  const supply = read('circulating_supply');
  const circulating = price !== null && supply !== null ? price * supply : read('market_cap_usd');
  if (circulating === null || !isPositive(circulating)) return null;
  const unlocks = read('unlock_next_12m_share') ?? 0;
  const whole = read('max_supply') ?? read('total_supply');
  const full = price !== null && whole !== null ? price * whole : null;
  return {
    circulating,
    diluted: circulating * (1 + (unlocks > 0 && Number.isFinite(unlocks) ? unlocks : 0)),
    full: full !== null && isPositive(full) ? full : null,
  };
}

function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
