import { concentrated, type Tick } from '../../pools/concentrated.ts';
import { uniswapSqrtPriceAtTick } from '../../pools/tick-math.ts';
import type { PoolReading } from '../../pools/types.ts';
import { callData, intAt, uintAt } from '../abi.ts';
import { SELECTORS } from '../token.ts';
import type { EvmCall, Hex } from '../types.ts';
import { FEE, type PoolShape, SLOT0 } from './shape.ts';

const LIQUIDITY: Hex = '0x1a686502';
const TICK_SPACING: Hex = '0xd0c93a7c';
const TICK_BITMAP: Hex = '0x5339c296';
const TICKS: Hex = '0xf30dba93';
const WORD_TICKS = 256;
/** Prices read on each side: 1.0001^2300 is about 26 %. */
const TICKS_EACH_SIDE = 2_300;
const LOWEST_TICK = -887_272;
const HIGHEST_TICK = 887_272;

/** The present state of a pool, without its ticks. */
export interface PoolState {
  readonly shape: PoolShape;
  readonly sqrtPrice: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  readonly feeMillionths: bigint;
  readonly tickSpacing: number;
  readonly decimals: readonly [number, number];
  readonly reserves: readonly [bigint, bigint];
  /** First and last word of the tick bitmap that is read. */
  readonly words: readonly [number, number];
}

/** What has to be asked first, all at one block. */
export function stateCalls({ address, token0, token1 }: PoolShape): readonly EvmCall[] {
  return [
    { to: address, data: SLOT0 },
    { to: address, data: LIQUIDITY },
    { to: address, data: FEE },
    { to: address, data: TICK_SPACING },
    { to: token0, data: SELECTORS.decimals },
    { to: token1, data: SELECTORS.decimals },
    { to: token0, data: callData(SELECTORS.balanceOf, address) },
    { to: token1, data: callData(SELECTORS.balanceOf, address) },
  ];
}

/** The state from the answers to `stateCalls`; a text says why it cannot be read. */
export function readState(shape: PoolShape, answers: readonly (Hex | null)[]): PoolState | string {
  const at = (index: number): Hex => answers[index] ?? '0x';
  const [sqrtPrice, tick] = [uintAt(at(0), 0), intAt(at(0), 1, 24)];
  const [liquidity, fee, spacing] = [uintAt(at(1), 0), uintAt(at(2), 0), intAt(at(3), 0, 24)];
  const places = [uintAt(at(4), 0), uintAt(at(5), 0)];
  if (sqrtPrice === null || tick === null || liquidity === null || fee === null || spacing === null)
    return 'its price and liquidity cannot be read';
  if (fee > 1_000_000n || spacing < 1n || sqrtPrice >> 160n) return 'its fee or tick spacing is absurd';
  const [first, second] = places;
  if (first === null || second === null || first === undefined || second === undefined || first > 255n || second > 255n)
    return 'the decimals of its tokens cannot be read';
  const tickSpacing = Number(spacing);
  const wordOf = (one: number) => Math.floor(Math.floor(one / tickSpacing) / WORD_TICKS);
  return {
    shape,
    sqrtPrice,
    tick: Number(tick),
    liquidity,
    feeMillionths: fee,
    tickSpacing,
    decimals: [Number(first), Number(second)],
    reserves: [uintAt(at(6), 0) ?? 0n, uintAt(at(7), 0) ?? 0n],
    words: [
      wordOf(Math.max(LOWEST_TICK, Number(tick) - TICKS_EACH_SIDE)),
      wordOf(Math.min(HIGHEST_TICK, Number(tick) + TICKS_EACH_SIDE)),
    ],
  };
}

/** Words of the tick bitmap around the price. */
export function bitmapCalls({ shape, words }: PoolState): readonly EvmCall[] {
  const calls: EvmCall[] = [];
  for (let word = words[0]; word <= words[1]; word += 1)
    calls.push({ to: shape.address, data: callData(TICK_BITMAP, BigInt(word)) });
  return calls;
}

/** Initialised ticks that the bitmap's words name; a text when a word cannot be read. */
export function ticksOf(state: PoolState, answers: readonly (Hex | null)[]): readonly number[] | string {
  const ticks: number[] = [];
  for (const [index, answer] of answers.entries()) {
    const bits = answer === null ? null : uintAt(answer, 0);
    if (bits === null) return 'its ticks cannot be read';
    for (let bit = 0; bit < WORD_TICKS; bit += 1)
      if ((bits >> BigInt(bit)) & 1n) ticks.push(((state.words[0] + index) * WORD_TICKS + bit) * state.tickSpacing);
  }
  return ticks;
}

export function tickCalls({ shape }: PoolState, ticks: readonly number[]): readonly EvmCall[] {
  return ticks.map((tick) => ({ to: shape.address, data: callData(TICKS, BigInt(tick)) }));
}

/** The pool with its ticks. Reserves are what it holds, uncollected fees among them: a few parts in a thousand too many. */
export function readPool(
  state: PoolState,
  ticks: readonly number[],
  answers: readonly (Hex | null)[],
  block: number,
): PoolReading | string {
  const { shape, tickSpacing, words } = state;
  const initialised: Tick[] = [];
  for (const [index, tick] of ticks.entries()) {
    const liquidityNet = answers[index] ? intAt(answers[index], 1, 128) : null;
    if (liquidityNet === null) return 'its ticks cannot be read';
    initialised.push({ index: tick, liquidityNet });
  }
  const wordTicks = WORD_TICKS * tickSpacing;
  const curve = concentrated({
    bits: 96,
    sqrtPrice: state.sqrtPrice,
    tick: state.tick,
    liquidity: state.liquidity,
    feeMillionths: state.feeMillionths,
    ticks: initialised,
    lowest: Math.max(LOWEST_TICK, words[0] * wordTicks),
    highest: Math.min(HIGHEST_TICK, (words[1] + 1) * wordTicks - 1),
    wordTicks,
    tickSpacing,
    sqrtPriceAtTick: uniswapSqrtPriceAtTick,
  });
  return {
    dex: shape.dex?.dex ?? 'unknown',
    protocol: shape.dex?.protocol ?? 'uniswap_v3_like',
    kind: 'concentrated',
    address: shape.address,
    tokens: [
      { address: shape.token0, decimals: state.decimals[0], reserve: state.reserves[0] },
      { address: shape.token1, decimals: state.decimals[1], reserve: state.reserves[1] },
    ],
    feeRate: Number(state.feeMillionths) / 1e6,
    curve,
    // Positions are NFTs: who holds them is not asked here.
    lp: null,
    height: block,
    inactive:
      shape.dex === null ? 'nobody known vouches for it' : state.sqrtPrice === 0n ? 'it was never given a price' : null,
    notes: [...shape.notes, 'reserves include fees not collected yet'],
  };
}
