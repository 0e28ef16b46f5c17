import { encodeAbiParameters, keccak256 } from 'viem/utils';
import type { EvmCall, Hex } from '../../codecs/abi.ts';
import { addressAt, callData, ERC20, intAt, uintAt, wordOf } from '../../codecs/abi.ts';
import type { Exchange } from '../../exchanges.ts';
import { ZERO_ADDRESS } from '../../fixed-addresses.ts';
import type { Tick } from '../../pool-math/concentrated.ts';
import { amountsWithin } from '../../pool-math/concentrated.ts';
import type { PoolReading } from '../../pool-math/pool-curve.ts';
import { bothTokens, decimalsOf } from './pool-shape.ts';
import {
  feeRateOf,
  HIGHEST_TICK,
  LOWEST_TICK,
  type RangedState,
  rangedCurve,
  rangedPool,
  rangedState,
} from './ranged.ts';

/** A Uniswap v4 pool: an id inside the pool manager, which holds the tokens of all pools, not a separate contract. */
export interface V4Key {
  readonly id: Hex;
  readonly row: Exchange;
  readonly token0: Hex;
  readonly token1: Hex;
  readonly fee: bigint;
  readonly tickSpacing: bigint;
  readonly hooks: Hex;
}

export interface V4State extends RangedState {
  readonly key: V4Key;
  readonly decimals: readonly [number, number];
}

const POOL_KEYS: Hex = '0x86b6be7d';
const EXTSLOAD: Hex = '0x1e2eaeaf';
/** Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24, int24, address, uint160, int24). */
export const INITIALIZE: Hex = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438';
export const NATIVE: Hex = ZERO_ADDRESS;
const ID_BYTES_KEPT = 25;
const DYNAMIC_FEE = 0x800000n;
const MILLION = 1_000_000n;
/** Storage of the pool manager and of a pool in it (v4-core, StateLibrary). */
const POOLS_SLOT = 6n;
const LIQUIDITY_OFFSET = 3n;
const TICKS_OFFSET = 4n;
const BITMAP_OFFSET = 5n;
/** The whole tick bitmap is read if it has at most this many words. */
const MOST_WORDS = 130;
/** Permissions of a hook, encoded in the low bits of its address (v4-core, Hooks). */
const CHANGES_SWAPS = 0b1100n;
const SEES_SWAPS = 0b1100_0000n;

/** The call to the position manager, which stores the key of a pool once its first position is created. */
export function keyCall(id: Hex, { positions }: Exchange): EvmCall {
  const kept = id.slice(0, 2 + ID_BYTES_KEPT * 2).padEnd(66, '0') as Hex;
  return { to: positions ?? NATIVE, data: `${POOL_KEYS}${kept.slice(2)}` };
}

/** The key from the result of `keyCall`; null when its hash is not the pool's id. */
export function readKey(id: Hex, row: Exchange, answer: Hex | null): V4Key | null {
  if (answer === null) return null;
  const [token0, token1] = [addressAt(answer, 0), addressAt(answer, 1)];
  return keyOf(id, row, token0, token1, uintAt(answer, 2), intAt(answer, 3, 24), addressAt(answer, 4));
}

/** The key from the `Initialize` log of a pool; null when its hash is not the pool's id. */
export function readInitialize(id: Hex, row: Exchange, topics: readonly Hex[], data: Hex): V4Key | null {
  const [token0, token1] = [addressAt(topics[2] ?? '0x', 0), addressAt(topics[3] ?? '0x', 0)];
  return keyOf(id, row, token0, token1, uintAt(data, 0), intAt(data, 1, 24), addressAt(data, 2));
}

function keyOf(
  id: Hex,
  row: Exchange,
  token0: Hex | null,
  token1: Hex | null,
  fee: bigint | null,
  tickSpacing: bigint | null,
  hooks: Hex | null,
): V4Key | null {
  if (token0 === null || token1 === null || fee === null || tickSpacing === null || hooks === null) return null;
  const words = [token0, token1, fee, tickSpacing, hooks].map(wordOf).join('');
  return keccak256(`0x${words}`) === id ? { id, row, token0, token1, fee, tickSpacing, hooks } : null;
}

/** Calls that read the state of a pool, all at one block. */
export function v4StateCalls(key: V4Key): readonly EvmCall[] {
  const pool = poolSlot(key.id);
  return [
    load(key, pool),
    load(key, pool + LIQUIDITY_OFFSET),
    ...[key.token0, key.token1].filter((token) => token !== NATIVE).map((to) => ({ to, data: ERC20.decimals })),
  ];
}

export function readV4State(key: V4Key, answers: readonly (Hex | null)[]): V4State | string {
  const slot0 = answers[0] ? uintAt(answers[0], 0) : null;
  if (slot0 === null) return 'its price and liquidity cannot be read';
  if (slot0 === 0n) return 'it was never given a price';
  const bits = (from: number, count: number) => (slot0 >> BigInt(from)) & ((1n << BigInt(count)) - 1n);
  const lpFee = bits(208, 24);
  const state = rangedState({
    sqrtPrice: bits(0, 160),
    tick: BigInt.asIntN(24, bits(160, 24)),
    liquidity: answers[1] ? uintAt(answers[1], 0) : null,
    fees: [swapFee(bits(184, 12), lpFee), swapFee(bits(196, 12), lpFee)],
    spacing: key.tickSpacing,
  });
  if (typeof state === 'string') return state;
  const told = answers.slice(2);
  const places = [key.token0, key.token1].map((token) => {
    if (token === NATIVE) return 18n;
    const answer = told.shift() ?? null;
    return answer === null ? null : uintAt(answer, 0);
  });
  const decimals = decimalsOf(places[0], places[1]);
  return typeof decimals === 'string' ? decimals : { ...state, key, decimals, words: wordsOf(state) };
}

/** The protocol's fee is taken first, the liquidity providers' fee from the remainder (v4-core, ProtocolFeeLibrary). */
function swapFee(protocolFee: bigint, lpFee: bigint): bigint {
  return protocolFee + lpFee - (protocolFee * lpFee) / MILLION;
}

/** All words of the bitmap if there are few, so that all liquidity is known; otherwise the words around the price. */
function wordsOf(state: RangedState): readonly [number, number] {
  const wordOfTick = (tick: number) => Math.floor(Math.floor(tick / state.tickSpacing) / 256);
  const all = [wordOfTick(LOWEST_TICK), wordOfTick(HIGHEST_TICK)] as const;
  return all[1] - all[0] < MOST_WORDS ? all : state.words;
}

export function v4BitmapCalls({ key, words }: V4State): readonly EvmCall[] {
  const calls: EvmCall[] = [];
  for (let word = words[0]; word <= words[1]; word += 1) calls.push(load(key, mapped(key.id, BITMAP_OFFSET, word)));
  return calls;
}

export function v4TickCalls({ key }: V4State, ticks: readonly number[]): readonly EvmCall[] {
  return ticks.map((tick) => load(key, mapped(key.id, TICKS_OFFSET, tick)));
}

/** The pool with its ticks. The manager holds the tokens of all pools, so reserves are computed from the liquidity that was read. */
export function readV4Pool(
  state: V4State,
  ticks: readonly number[],
  answers: readonly (Hex | null)[],
  block: number,
): PoolReading | string {
  const { key } = state;
  const initialised: Tick[] = [];
  for (const [index, tick] of ticks.entries()) {
    const word = answers[index] ? uintAt(answers[index], 0) : null;
    if (word === null) return 'its ticks cannot be read';
    initialised.push({ index: tick, liquidityNet: BigInt.asIntN(128, word >> 128n) });
  }
  const pool = rangedPool(state, initialised);
  const hooks = BigInt(key.hooks);
  const partial = pool.lowest > LOWEST_TICK || pool.highest < HIGHEST_TICK;
  return {
    dex: key.row.dex,
    protocol: key.row.protocol,
    kind: 'concentrated',
    address: key.id,
    tokens: bothTokens([tokenName(key.token0), tokenName(key.token1)], state.decimals, amountsWithin(pool)),
    feeRate: feeRateOf(state),
    curve: rangedCurve(pool, state),
    lp: null,
    height: block,
    inactive: null,
    unsure:
      hooks & CHANGES_SWAPS
        ? 'its hook may change what a swap gives'
        : key.fee === DYNAMIC_FEE
          ? 'its hook sets the fee of each swap'
          : hooks & SEES_SWAPS
            ? 'its hook is called at each swap and may refuse it or move the liquidity'
            : null,
    notes: [
      partial
        ? 'reserves are the liquidity near the price: positions far from it are not counted'
        : 'reserves are what its liquidity amounts to: the tokens lie together with those of all pools',
      ...(hooks === 0n ? [] : [`it has a hook at ${key.hooks}`]),
    ],
  };
}

function tokenName(token: Hex): string {
  return token === NATIVE ? 'native' : token;
}

function poolSlot(id: Hex): bigint {
  return hashed(id, POOLS_SLOT);
}

/** Storage slot of a mapping entry whose key is a signed integer. */
function mapped(id: Hex, offset: bigint, index: number): bigint {
  return hashed(`0x${wordOf(BigInt(index))}`, poolSlot(id) + offset);
}

function hashed(key: Hex, slot: bigint): bigint {
  return BigInt(keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [key, slot])));
}

function load({ row }: V4Key, slot: bigint): EvmCall {
  return { to: row.factory, data: callData(EXTSLOAD, slot) };
}
