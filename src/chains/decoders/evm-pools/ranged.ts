import type { EvmCall, Hex } from '../../codecs/abi.ts';
import { callData, ERC20, intAt, uintAt } from '../../codecs/abi.ts';
import { type Concentrated, concentrated, type Tick } from '../../pool-math/concentrated.ts';
import type { PoolCurve, PoolReading } from '../../pool-math/pool-curve.ts';
import { uniswapSqrtPriceAtTick } from '../../pool-math/tick-math.ts';
import { bothTokens, decimalsOf, FEE, GLOBAL_STATE, type PoolShape, SLOT0, TICK_SPACING } from './pool-shape.ts';

const LIQUIDITY: Hex = '0x1a686502';
const TICK_BITMAP: Hex = '0x5339c296';
const TICK_TABLE: Hex = '0xc677e3e0';
const TICKS: Hex = '0xf30dba93';
const WORD_TICKS = 256;
/** Ticks read on each side of the price: 1.0001^2300 is about 26 %. */
const TICKS_EACH_SIDE = 2_300;
export const LOWEST_TICK = -887_272;
export const HIGHEST_TICK = 887_272;

/** State of a pool of ranged positions, without its ticks. */
export interface RangedState {
  readonly sqrtPrice: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Taker's fee in millionths of the input: first for token 0 as input, then for token 1. */
  readonly feeMillionths: readonly [bigint, bigint];
  readonly tickSpacing: number;
  /** First and last word of the tick bitmap that are read. */
  readonly words: readonly [number, number];
}

/** The current state of a pool that is a separate contract. */
export interface PoolState extends RangedState {
  readonly shape: PoolShape;
  readonly decimals: readonly [number, number];
  readonly reserves: readonly [bigint, bigint];
}

/** Calls that read the state, all at one block. */
export function stateCalls({ address, form, token0, token1 }: PoolShape): readonly EvmCall[] {
  return [
    { to: address, data: form === 'algebra' ? GLOBAL_STATE : SLOT0 },
    { to: address, data: LIQUIDITY },
    // Algebra stores the fee in the same getter as the price.
    { to: address, data: form === 'algebra' ? GLOBAL_STATE : FEE },
    { to: address, data: TICK_SPACING },
    { to: token0, data: ERC20.decimals },
    { to: token1, data: ERC20.decimals },
    { to: token0, data: callData(ERC20.balanceOf, address) },
    { to: token1, data: callData(ERC20.balanceOf, address) },
  ];
}

/** The state from the results of `stateCalls`; an error text if it cannot be read. */
export function readState(shape: PoolShape, answers: readonly (Hex | null)[]): PoolState | string {
  const at = (index: number): Hex => answers[index] ?? '0x';
  const fees = shape.form === 'algebra' ? algebraFees(at(2)) : [uintAt(at(2), 0), uintAt(at(2), 0)];
  // Algebra pools with a fee for each direction index ticks by tick number, because their spacing may change; others index
  // them by multiples of the spacing.
  const isRaw = shape.form === 'algebra' && uintAt(at(0), 7) !== null;
  const state = rangedState({
    sqrtPrice: uintAt(at(0), 0),
    tick: intAt(at(0), 1, 24),
    liquidity: uintAt(at(1), 0),
    fees: [fees[0] ?? null, fees[1] ?? null],
    spacing: isRaw ? 1n : intAt(at(3), 0, 24),
  });
  if (typeof state === 'string') return state;
  const decimals = decimalsOf(uintAt(at(4), 0), uintAt(at(5), 0));
  if (typeof decimals === 'string') return decimals;
  return {
    ...state,
    shape,
    decimals,
    reserves: [uintAt(at(6), 0) ?? 0n, uintAt(at(7), 0) ?? 0n],
  };
}

/** Algebra 1.9 has a fee for each direction in its eight words; the older form has seven words and one fee. */
function algebraFees(globalState: Hex): readonly (bigint | null)[] {
  const eighth = uintAt(globalState, 7);
  const fee = uintAt(globalState, 2);
  return eighth === null ? [fee, fee] : [fee, uintAt(globalState, 3)];
}

/** Checks the state that a contract reports; returns an error text if it is impossible. */
export function rangedState(told: {
  readonly sqrtPrice: bigint | null;
  readonly tick: bigint | null;
  readonly liquidity: bigint | null;
  readonly fees: readonly [bigint | null, bigint | null];
  readonly spacing: bigint | null;
}): RangedState | string {
  const { sqrtPrice, tick, liquidity, spacing } = told;
  const [down, up] = told.fees;
  if (sqrtPrice === null || tick === null || liquidity === null || down === null || up === null || spacing === null)
    return 'its price and liquidity cannot be read';
  if (down > 1_000_000n || up > 1_000_000n || spacing < 1n || sqrtPrice >> 160n)
    return 'its fee or tick spacing is implausible';
  const tickSpacing = Number(spacing);
  const wordOf = (one: number) => Math.floor(Math.floor(one / tickSpacing) / WORD_TICKS);
  return {
    sqrtPrice,
    tick: Number(tick),
    liquidity,
    feeMillionths: [down, up],
    tickSpacing,
    words: [
      wordOf(Math.max(LOWEST_TICK, Number(tick) - TICKS_EACH_SIDE)),
      wordOf(Math.min(HIGHEST_TICK, Number(tick) + TICKS_EACH_SIDE)),
    ],
  };
}

/** Words of the tick bitmap around the price. */
export function bitmapCalls({ shape, words }: PoolState): readonly EvmCall[] {
  const selector = shape.form === 'algebra' ? TICK_TABLE : TICK_BITMAP;
  const calls: EvmCall[] = [];
  for (let word = words[0]; word <= words[1]; word += 1)
    calls.push({ to: shape.address, data: callData(selector, BigInt(word)) });
  return calls;
}

/** Initialised ticks in the bitmap words; an error text when a word cannot be read. */
export function ticksOf(
  { words, tickSpacing }: RangedState,
  answers: readonly (Hex | null)[],
): readonly number[] | string {
  const ticks: number[] = [];
  for (const [index, answer] of answers.entries()) {
    const bits = answer === null ? null : uintAt(answer, 0);
    if (bits === null) return 'its ticks cannot be read';
    for (let bit = 0; bit < WORD_TICKS; bit += 1)
      if ((bits >> BigInt(bit)) & 1n) ticks.push(((words[0] + index) * WORD_TICKS + bit) * tickSpacing);
  }
  return ticks;
}

export function tickCalls({ shape }: Pick<PoolState, 'shape'>, ticks: readonly number[]): readonly EvmCall[] {
  return ticks.map((tick) => ({ to: shape.address, data: callData(TICKS, BigInt(tick)) }));
}

/** The pool with its ticks. Reserves are the pool's balances, which include uncollected fees: a few tenths of a percent too high. */
export function readPool(
  state: PoolState,
  ticks: readonly number[],
  answers: readonly (Hex | null)[],
  block: number,
  span: TickSpan = spanOf(state),
): PoolReading | string {
  const { shape } = state;
  const initialised: Tick[] = [];
  for (const [index, tick] of ticks.entries()) {
    const liquidityNet = answers[index] ? intAt(answers[index], 1, 128) : null;
    if (liquidityNet === null) return 'its ticks cannot be read';
    initialised.push({ index: tick, liquidityNet });
  }
  return {
    dex: shape.dex?.dex ?? 'unknown',
    protocol: shape.dex?.protocol ?? `${shape.form}_like`,
    kind: 'concentrated',
    address: shape.address,
    tokens: bothTokens([shape.token0, shape.token1], state.decimals, state.reserves),
    feeRate: feeRateOf(state),
    curve: rangedCurve(rangedPool(state, initialised, span), state),
    // Positions are NFTs, whose holders are not read.
    lp: null,
    height: block,
    inactive:
      shape.dex === null
        ? 'no known factory or registry confirms it'
        : state.sqrtPrice === 0n
          ? 'it was never given a price'
          : null,
    notes: [
      ...shape.notes,
      'reserves include fees not collected yet',
      ...(shape.form === 'algebra' ? ['its fee moves with volatility: it may differ at the next swap'] : []),
      ...(state.feeMillionths[0] === state.feeMillionths[1]
        ? []
        : [
            `its fee depends on the direction: ${state.feeMillionths[0]} and ${state.feeMillionths[1]} millionths of what goes in`,
          ]),
    ],
  };
}

/** The larger fee of the two directions, as a fraction. */
export function feeRateOf({ feeMillionths: [down, up] }: RangedState): number {
  return Math.max(Number(down), Number(up)) / 1e6;
}

/** The ticks that were read, both included. */
export interface TickSpan {
  readonly lowest: number;
  readonly highest: number;
}

/** All ticks of the words of the bitmap that were read. */
function spanOf({ tickSpacing, words }: RangedState): TickSpan {
  const wordTicks = WORD_TICKS * tickSpacing;
  return { lowest: words[0] * wordTicks, highest: (words[1] + 1) * wordTicks - 1 };
}

/** Input of the curve calculation from a state and its ticks. */
export function rangedPool(state: RangedState, ticks: readonly Tick[], span: TickSpan = spanOf(state)): Concentrated {
  const { tickSpacing } = state;
  const wordTicks = WORD_TICKS * tickSpacing;
  return {
    bits: 96,
    sqrtPrice: state.sqrtPrice,
    tick: state.tick,
    liquidity: state.liquidity,
    feeMillionths: state.feeMillionths[0],
    ticks,
    lowest: Math.max(LOWEST_TICK, span.lowest),
    highest: Math.min(HIGHEST_TICK, span.highest),
    wordTicks,
    tickSpacing,
    sqrtPriceAtTick: uniswapSqrtPriceAtTick,
  };
}

/** The curve, with the fee of each direction. */
export function rangedCurve(pool: Concentrated, { feeMillionths: [down, up] }: RangedState): PoolCurve {
  const curve = concentrated(pool);
  if (down === up) return curve;
  const other = concentrated({ ...pool, feeMillionths: up });
  return {
    ...curve,
    swapExactIn: (amountIn, zeroForOne) => (zeroForOne ? curve : other).swapExactIn(amountIn, zeroForOne),
  };
}
