import {
  type AssetClass,
  DAY_MS,
  type DriverDay,
  type DriverReadings,
  median,
  type QuantityId,
} from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';

/** Value of one of the asset's drivers. */
export interface Driver {
  readonly quantity: QuantityId;
  readonly value: number;
  /** 0-1. */
  readonly confidence: number;
  /** Number of days of our own readings in the median; 1: only today. */
  readonly days: number;
  readonly isWeak: boolean;
}

/** One estimate of the fair value. */
export interface Estimate {
  readonly estimator: 'multiple' | 'regression';
  /** Driver that the multiple divides by; null for the regression. */
  readonly driver: Driver | null;
  readonly lnFair: number;
  readonly sd: number;
  /** 0-1. */
  readonly confidence: number;
  readonly peers: number;
  /** Error (in ln) on each peer of the category when that peer is left out, by asset id. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Today's reading of a driver. */
export interface Reading {
  readonly quantity: QuantityId;
  readonly value: number;
  readonly confidence: number;
}

/** Drivers that are informative for a class: its own, then the weak ones that all classes share. */
export function driversOf(of: AssetClass, rules: Methodology['vfr']): readonly QuantityId[] {
  const own = rules.drivers[of];
  return own.length === 0 ? [] : [...own, ...rules.weak.quantities.filter((quantity) => !own.includes(quantity))];
}

/**
 * Medians of today's readings and those of the days before. Single daily readings of drivers fluctuate more than values
 * do, which would make the ratios fluctuate (methodology 0.6). Days from `asOf` on are ignored.
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

/** The medians alone, as stored in the panel. */
export function mediansOf(drivers: readonly Driver[]): DriverReadings {
  return Object.fromEntries(drivers.map(({ quantity, value }) => [quantity, value]));
}

export interface MarketValue {
  /**
   * Price x (circulating supply + unlocks scheduled for the next 12 months), USD. Dilution is thus part of the
   * numerator.
   */
  readonly diluted: number;
  /** Price x circulating supply, or the capitalisation that the lists report; USD. */
  readonly circulating: number;
  /** Price x maximum supply, or total supply without a maximum; null when neither is known. USD. */
  readonly full: number | null;
}

/**
 * Market value in its three common definitions. `read` returns the agreed value of a quantity, or null when its
 * confidence is too low. Null when neither price and supply nor a capitalisation is known.
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
