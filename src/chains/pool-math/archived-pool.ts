import type { Json, PoolKind } from '../../domain/index.ts';
import { type Bin, binned } from './bins.ts';
import { concentrated, type Tick } from './concentrated.ts';
import { type CurveState, constantProduct, type PoolCurve, type PoolReading } from './pool-curve.ts';
import { uniswapSqrtPriceAtTick } from './tick-math.ts';

/** A pool restored from an observation. It cannot compute swaps, which need the program's fees and rounding. */
export interface ArchivedPool extends Omit<PoolReading, 'curve'> {
  readonly curve: Prices;
}

/** The widest published depth is 5 %, measured from a common price that may differ slightly from the pool's. */
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
 * The archived form of a pool reading, as JSON. Null when the curve has no archived form (stable curves), when it may differ
 * from real swaps (`unsure`), or when less than 2 % around the price was read.
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

/** The pool of an archived value; null if it is invalid. Never throws. */
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

/** The parts of a curve that depth and routing need, fee not included. */
export type Prices = Pick<PoolCurve, 'price' | 'toPrice'>;

/** Maximum number of ticks or bins of one pool; those further from the price are dropped. */
const MOST_STEPS = 400;
/** The largest integer on chain, 256 bits, has 78 digits. */
const INTEGER = /^-?[0-9]{1,78}$/;
const FURTHEST = 2 ** 31;

/** The curve of an archived state; null when the state is invalid. Never throws. */
export function curveOfState(state: unknown): Prices | null {
  if (typeof state !== 'object' || state === null) return null;
  const row = state as Readonly<Record<string, unknown>>;
  if (row.shape === 'constant_product') return ofProduct(row);
  if (row.shape === 'concentrated') return ofTicks(row);
  return row.shape === 'bins' ? ofBins(row) : null;
}

/**
 * The part of a state within `reach` of the price (a fraction, 0.06 is 6 %), with at most `MOST_STEPS` ticks or bins; null
 * when that many do not cover `least`. A state without ticks or bins is returned whole.
 */
export function nearPrice(state: CurveState, reach: number, least: number): CurveState | null {
  if (state.shape === 'constant_product') return state;
  if (state.shape === 'concentrated') {
    const part = within(state.ticks, state.tick, ticksOf(reach), state);
    const needed = ticksOf(least);
    const covered = part.lowest <= state.tick - needed && part.highest >= state.tick + needed;
    return covered ? { ...state, lowest: part.lowest, highest: part.highest, ticks: part.rows } : null;
  }
  const stepLn = lnStep(state.bins);
  const binsIn = (fraction: number) => (stepLn === null ? 0 : Math.ceil(Math.log1p(fraction) / stepLn));
  const part = within(state.bins, state.active, stepLn === null ? MOST_STEPS : binsIn(reach), state);
  const covered = part.lowest <= state.active - binsIn(least) && part.highest >= state.active + binsIn(least);
  return covered ? { ...state, lowest: part.lowest, highest: part.highest, bins: part.rows } : null;
}

function within<Row extends readonly [number, ...unknown[]]>(
  rows: readonly Row[],
  middle: number,
  reach: number,
  whole: { readonly lowest: number; readonly highest: number },
): { readonly rows: readonly Row[]; readonly lowest: number; readonly highest: number } {
  let lowest = Math.max(whole.lowest, middle - reach);
  let highest = Math.min(whole.highest, middle + reach);
  let kept = rows.filter(([at]) => at >= lowest && at <= highest);
  if (kept.length > MOST_STEPS) {
    const nearest = kept.toSorted((a, b) => Math.abs(a[0] - middle) - Math.abs(b[0] - middle) || a[0] - b[0]);
    const distance = Math.abs((nearest[MOST_STEPS] as Row)[0] - middle) - 1;
    lowest = Math.max(lowest, middle - distance);
    highest = Math.min(highest, middle + distance);
    kept = kept.filter(([at]) => at >= lowest && at <= highest);
  }
  return { rows: kept, lowest, highest };
}

function ticksOf(fraction: number): number {
  return Math.ceil(Math.log1p(fraction) / Math.log(1.0001));
}

/** Logarithmic price step from one bin to the next, computed from the two outermost bins. */
function lnStep(bins: Extract<CurveState, { shape: 'bins' }>['bins']): number | null {
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined || last[0] <= first[0]) return null;
  const step = Math.log(Number(last[3]) / Number(first[3])) / (last[0] - first[0]);
  return Number.isFinite(step) && step > 0 ? step : null;
}

function ofProduct(row: Readonly<Record<string, unknown>>): Prices | null {
  const [reserve0, reserve1, available0, available1] = [
    row.reserve0,
    row.reserve1,
    row.available0 ?? row.reserve0,
    row.available1 ?? row.reserve1,
  ].map(natural);
  if (reserve0 == null || reserve1 == null || available0 == null || available1 == null) return null;
  return constantProduct({
    reserve0,
    reserve1,
    available0,
    available1,
    fee: { how: 'folded', keep: 1n, of: 1n },
  });
}

function ofTicks(row: Readonly<Record<string, unknown>>): Prices | null {
  const [sqrtPrice, liquidity] = [natural(row.sqrtPrice), natural(row.liquidity)];
  const [tick, lowest, highest] = [place(row.tick), place(row.lowest), place(row.highest)];
  if (row.bits !== 64 && row.bits !== 96) return null;
  if (sqrtPrice === null || liquidity === null || tick === null || lowest === null || highest === null) return null;
  const ticks: Tick[] = [];
  for (const pair of rowsOf(row.ticks)) {
    const [index, liquidityNet] = [place(pair[0]), integer(pair[1])];
    if (index === null || liquidityNet === null) return null;
    ticks.push({ index, liquidityNet });
  }
  return concentrated({
    bits: row.bits,
    sqrtPrice,
    tick,
    liquidity,
    feeMillionths: 0n,
    ticks,
    lowest,
    highest,
    wordTicks: null,
    tickSpacing: 1,
    sqrtPriceAtTick: uniswapSqrtPriceAtTick,
  });
}

function ofBins(row: Readonly<Record<string, unknown>>): Prices | null {
  const [active, lowest, highest] = [place(row.active), place(row.lowest), place(row.highest)];
  const activePrice = natural(row.activePrice);
  if (row.bits !== 64 && row.bits !== 128) return null;
  if (active === null || lowest === null || highest === null || activePrice === null) return null;
  const bins: Bin[] = [];
  for (const one of rowsOf(row.bins)) {
    const id = place(one[0]);
    const [amount0, amount1, price] = [natural(one[1]), natural(one[2]), natural(one[3])];
    if (id === null || amount0 === null || amount1 === null || price === null) return null;
    bins.push({ id, amount0, amount1, price });
  }
  return binned({
    bits: row.bits,
    activeId: active,
    bins,
    lowest,
    highest,
    activePrice,
    feeScale: 1n,
    fee: () => 0n,
    compare: 'gross',
  });
}

function rowsOf(value: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(value) ? value.filter((row) => Array.isArray(row)).slice(0, MOST_STEPS) : [];
}

function place(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < FURTHEST ? value : null;
}

function integer(value: unknown): bigint | null {
  return typeof value === 'string' && INTEGER.test(value) ? BigInt(value) : null;
}

function natural(value: unknown): bigint | null {
  const known = integer(value);
  return known !== null && known >= 0n ? known : null;
}
