import type { Vfr, VfrZone } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';

/** A result without a fair value, with the reason. */
export function noVfr(reason: string): Vfr {
  return {
    value: null,
    zone: 'INDETERMINATE',
    interval: null,
    z: null,
    method: 'none',
    peers: 0,
    drivers: [],
    reason,
    fairValueUsd: null,
    sd: null,
    r2: null,
    variants: { circulating: null, fullyDiluted: null },
    notes: [],
  };
}

/** Zone of ln vfr in units of its own standard deviation. A fixed percentage would be meaningless (methodology 0.7). */
export function zoneOf(ln: number, sd: number, zones: Methodology['vfr']['zones']): VfrZone {
  const z = ln / sd;
  if (Math.abs(z) < zones.mild || Math.abs(ln) < Math.log(zones.fairRatio)) return 'FAIR';
  if (z < 0) return z <= -zones.deep ? 'DEEP_DISCOUNT' : 'DISCOUNT';
  return z >= zones.deep ? 'EXTREME_PREMIUM' : 'PREMIUM';
}

/** Rounds to four significant digits; the interval does not support more. */
export function fourDigits(value: number): number {
  return Number(value.toPrecision(4));
}
