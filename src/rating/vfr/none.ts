import type { Vfr } from '../../domain/index.ts';

/** No fair value, with the reason. */
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
