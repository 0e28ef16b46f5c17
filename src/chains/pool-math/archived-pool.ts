import type { Json, PoolKind } from '../../domain/index.ts';
import { curveOfState, nearPrice, type Prices } from './curve-state.ts';
import type { PoolReading } from './types.ts';

/** A pool of an observation: a reading without its swaps, which need the program's own fees and rounding. */
export interface ArchivedPool extends Omit<PoolReading, 'curve'> {
  readonly curve: Prices;
}

/** The widest depth that is published is 5 %, from a common price that may be a little apart. */
const REACH = 0.065;
/** Ratings use the depth at 2 %. */
const LEAST = 0.022;
const KINDS: ReadonlySet<unknown> = new Set<PoolKind>([
  'constant_product',
  'concentrated',
  'bins',
  'stableswap',
  'bonding_curve',
]);
const NATURAL = /^[0-9]{1,78}$/;
const MOST_NOTES = 10;

/**
 * What a rating keeps of a pool that was read, as JSON. Null where the mathematics has no such form (stable curves), may not
 * be what a swap gives, or was not read as far as 2 % from the price.
 */
export function archivePool(reading: PoolReading): Json | null {
  const state = reading.unsure ? null : (reading.curve.state?.() ?? null);
  const curve = state === null ? null : nearPrice(state, REACH, LEAST);
  if (curve === null || !(reading.feeRate >= 0) || reading.feeRate >= 1) return null;
  return {
    dex: reading.dex,
    protocol: reading.protocol,
    kind: reading.kind,
    tokens: reading.tokens.map(({ address, decimals, reserve }) => ({ address, decimals, reserve: String(reserve) })),
    feeRate: reading.feeRate,
    curve: curve as unknown as Json,
    lp: reading.lp as unknown as Json,
    height: reading.height,
    inactive: reading.inactive,
    notes: reading.notes.slice(0, MOST_NOTES),
  };
}

/** The pool of an archived value; null when it is none. Never throws. */
export function openArchived(address: string, value: unknown): ArchivedPool | null {
  if (typeof value !== 'object' || value === null) return null;
  const row = value as Readonly<Record<string, unknown>>;
  const curve = curveOfState(row.curve);
  const tokens = (Array.isArray(row.tokens) ? row.tokens : []).map(tokenOf);
  const [token0, token1] = tokens;
  if (curve === null || tokens.length !== 2 || !token0 || !token1 || !KINDS.has(row.kind)) return null;
  if (typeof row.feeRate !== 'number' || typeof row.height !== 'number') return null;
  return {
    dex: String(row.dex),
    protocol: String(row.protocol),
    kind: row.kind as PoolKind,
    address,
    tokens: [token0, token1],
    feeRate: row.feeRate,
    curve,
    lp: (row.lp ?? null) as PoolReading['lp'],
    height: row.height,
    inactive: typeof row.inactive === 'string' ? row.inactive : null,
    notes: Array.isArray(row.notes) ? row.notes.map(String) : [],
  };
}

function tokenOf(value: unknown): PoolReading['tokens'][0] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { address, decimals, reserve } = value as Readonly<Record<string, unknown>>;
  return typeof address === 'string' &&
    typeof decimals === 'number' &&
    typeof reserve === 'string' &&
    NATURAL.test(reserve)
    ? { address, decimals, reserve: BigInt(reserve) }
    : null;
}
