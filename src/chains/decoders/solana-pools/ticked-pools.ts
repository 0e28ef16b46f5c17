import { ok, type Result } from '../../../domain/index.ts';
import {
  addressBytes,
  derivedAddress,
  i32,
  i128,
  key,
  startsWith,
  u8,
  u16,
  u32,
  u64,
  u128,
} from '../../codecs/accounts.ts';
import { type ChainFault, fault } from '../../fault.ts';
import { type Concentrated, concentrated, type Tick } from '../../pool-math/concentrated.ts';
import type { PoolCurve } from '../../pool-math/pool-curve.ts';
import { raydiumSqrtPriceAtTick, whirlpoolSqrtPriceAtTick } from '../../pool-math/tick-math.ts';
import { CLOCK_SYSVAR, RAYDIUM_CLMM, WHIRLPOOL } from '../../solana.ts';
import {
  type Accounts,
  beforeOpening,
  isUnmade,
  NO_SHARES,
  poolProgram,
  priceOfRoot,
  tokenNotes,
  tokensOf,
} from './program.ts';

/** A pool whose ticks are stored in separate accounts, many ticks in each. */
interface TickedPool {
  readonly address: string;
  readonly tickSpacing: number;
  readonly liquidity: bigint;
  /** Q64.64. */
  readonly sqrtPrice: bigint;
  readonly tick: number;
}

/** How a program stores the ticks of a pool. */
interface TickArrays {
  readonly ticksPerArray: number;
  readonly addressOf: (pool: string, startTick: number) => string | null;
  /** Initialised ticks of an array; null if the bytes are those of another account or array. */
  readonly ticksOf: (data: Uint8Array, start: number, spacing: number) => readonly Tick[] | null;
}

const LIMITS = { minTick: -443_636, maxTick: 443_636 };
/** Ticks read on each side of the price: 2,000 are 22 %, more than the widest published depth (5 %). */
const REACH_TICKS = 2_000;
const MOST_ARRAYS_PER_SIDE = 20;

/** The pool, or a fault if its tick or tick spacing is impossible. */
function checkTicks<Pool extends TickedPool>(pool: Pool): Result<Pool, ChainFault> {
  if (pool.tickSpacing === 0) return fault('malformed', 'the tick spacing is 0');
  if (pool.tick < LIMITS.minTick || pool.tick > LIMITS.maxTick) return fault('malformed', 'the tick is out of range');
  return ok(pool);
}

/** Addresses of the arrays around the current tick, outwards in both directions. */
function arrayNeeds({ address, tick, tickSpacing }: TickedPool, arrays: TickArrays): readonly (string | null)[] {
  const arrayTicks = tickSpacing * arrays.ticksPerArray;
  const present = Math.floor(tick / arrayTicks) * arrayTicks;
  const perSide = Math.min(MOST_ARRAYS_PER_SIDE, Math.ceil(REACH_TICKS / arrayTicks) + 1);
  const starts = [present];
  for (let step = 1; step <= perSide; step++) {
    if (present - step * arrayTicks > LIMITS.minTick - arrayTicks) starts.push(present - step * arrayTicks);
    if (present + step * arrayTicks <= LIMITS.maxTick) starts.push(present + step * arrayTicks);
  }
  return starts.map((start) => arrays.addressOf(address, start));
}

/**
 * The pool's curve with the ticks of the contiguous arrays that were read. An array that does not exist on chain has no
 * ticks; one that was not requested ends the window. A fault if the array at the current price was not read.
 */
function curveOf(
  pool: TickedPool,
  accounts: Accounts,
  arrays: TickArrays,
  fee: Pick<Concentrated, 'feeMillionths' | 'feeOnInput' | 'sqrtPriceAtTick'>,
): Result<PoolCurve, ChainFault> {
  const { address, tick, tickSpacing, liquidity, sqrtPrice } = pool;
  const arrayTicks = tickSpacing * arrays.ticksPerArray;
  const present = Math.floor(tick / arrayTicks) * arrayTicks;
  const ticks: Tick[] = [];
  const take = (start: number): boolean => {
    const account = accounts.get(arrays.addressOf(address, start) ?? '');
    if (account === undefined) return false;
    const found = account === null || isUnmade(account) ? [] : arrays.ticksOf(account.data, start, tickSpacing);
    if (found === null) return false;
    ticks.push(...found);
    return true;
  };
  if (!take(present)) return fault('not_found', 'the tick array at the present price was not read');
  let lowest = present;
  while (lowest > LIMITS.minTick && take(lowest - arrayTicks)) lowest -= arrayTicks;
  let end = present + arrayTicks;
  while (end <= LIMITS.maxTick && take(end)) end += arrayTicks;
  return ok(
    concentrated({
      bits: 64,
      sqrtPrice,
      tick,
      liquidity,
      ticks,
      lowest: Math.max(lowest, LIMITS.minTick),
      highest: Math.min(end - 1, LIMITS.maxTick),
      wordTicks: null,
      tickSpacing,
      ...fee,
    }),
  );
}

const WHIRLPOOL_ARRAYS: TickArrays = {
  ticksPerArray: 88,
  addressOf: whirlpoolTickArrayAddress,
  ticksOf: whirlpoolTicks,
};

/** Orca Whirlpool (orca-so/whirlpools programs/whirlpool/src/state; swap: math/swap_math.rs). */
export const orcaWhirlpool = poolProgram({
  address: WHIRLPOOL,
  dex: 'orca',
  protocol: 'orca_whirlpool',
  discriminator: '3f95d10ce1806309',
  length: 653,
  decode: ({ address, data }) =>
    checkTicks({
      address,
      tickSpacing: u16(data, 41),
      /** Differs from the tick spacing when the fee adapts to volatility (an oracle account stores its state). */
      feeTierIndex: u16(data, 43),
      feeMillionths: u16(data, 45),
      liquidity: u128(data, 49),
      sqrtPrice: u128(data, 65),
      tick: i32(data, 81),
      owed: [u64(data, 85), u64(data, 93)] as const,
      mints: [key(data, 101), key(data, 181)] as const,
      vaults: [key(data, 133), key(data, 213)] as const,
    }),
  summary: (pool) => ({
    price: priceOfRoot(pool.sqrtPrice),
    feeRate: pool.feeMillionths / 1e6,
    liquidity: pool.liquidity,
  }),
  needs: (pool) => [...pool.vaults, ...pool.mints, ...arrayNeeds(pool, WHIRLPOOL_ARRAYS)],
  tokens: tokensOf,
  read(pool, accounts) {
    const curve = curveOf(pool, accounts, WHIRLPOOL_ARRAYS, {
      feeMillionths: BigInt(pool.feeMillionths),
      sqrtPriceAtTick: whirlpoolSqrtPriceAtTick,
    });
    if (!curve.ok) return curve;
    const adaptive = pool.feeTierIndex !== pool.tickSpacing;
    return ok({
      kind: 'concentrated',
      feeRate: pool.feeMillionths / 1e6,
      curve: curve.value,
      lp: null,
      inactive: pool.sqrtPrice === 0n ? 'the pool has no price' : null,
      notes: [
        NO_SHARES,
        ...(adaptive ? ['the fee adapts to volatility: the base fee is given'] : []),
        ...tokenNotes(accounts, pool.mints),
      ],
    });
  },
});

/** Address of the tick array that begins at a tick. */
export function whirlpoolTickArrayAddress(pool: string, startTick: number): string | null {
  const bytes = addressBytes(pool);
  return bytes && derivedAddress(['tick_array', bytes, String(startTick)], WHIRLPOOL);
}

const FIXED_ARRAY = '4561bdbe6e0742bb';
const FIXED_LENGTH = 9_988;
const FIXED_TICK_LENGTH = 113;
const DYNAMIC_ARRAY = '11d8f68ee1c7da38';
const DYNAMIC_TICKS_AT = 60;
const DYNAMIC_TICK_LENGTH = 112;

/** Reads a fixed or a dynamic (growing) tick array. */
function whirlpoolTicks(data: Uint8Array, start: number, spacing: number): readonly Tick[] | null {
  const fixed = startsWith(data, FIXED_ARRAY) && data.length >= FIXED_LENGTH;
  if (!fixed && !startsWith(data, DYNAMIC_ARRAY)) return null;
  if (i32(data, 8) !== start) return null;
  const ticks: Tick[] = [];
  let at = fixed ? 12 : DYNAMIC_TICKS_AT;
  for (let slot = 0; slot < WHIRLPOOL_ARRAYS.ticksPerArray; slot++) {
    const initialised = u8(data, at) === 1;
    if (!fixed && at + 1 + (initialised ? DYNAMIC_TICK_LENGTH : 0) > data.length) return null;
    if (initialised) ticks.push({ index: start + slot * spacing, liquidityNet: i128(data, at + 1) });
    at += fixed ? FIXED_TICK_LENGTH : initialised ? 1 + DYNAMIC_TICK_LENGTH : 1;
  }
  return ticks;
}

const CONFIG_LENGTH = 117;
/** Bit of `status` that disables swaps. */
const SWAPS_OFF = 16;
const RAYDIUM_ARRAYS: TickArrays = {
  ticksPerArray: 60,
  addressOf: raydiumTickArrayAddress,
  ticksOf: (data, start, spacing) => raydiumTicks(data, start, spacing)?.ticks ?? null,
};

/** Raydium CLMM (raydium-clmm; layouts: raydium-sdk-v2 clmm/layout.ts, swap: clmm/libraries/swapMath.ts). */
export const raydiumClmm = poolProgram({
  address: RAYDIUM_CLMM,
  dex: 'raydium',
  protocol: 'raydium_clmm',
  discriminator: 'f7ede3f5d7c3de46',
  length: 1544,
  decode: ({ address, data }) =>
    checkTicks({
      address,
      config: key(data, 9),
      mints: [key(data, 73), key(data, 105)] as const,
      vaults: [key(data, 137), key(data, 169)] as const,
      decimals: [u8(data, 233), u8(data, 234)] as const,
      tickSpacing: u16(data, 235),
      liquidity: u128(data, 237),
      sqrtPrice: u128(data, 253),
      tick: i32(data, 269),
      owed: [u64(data, 309) + u64(data, 1064), u64(data, 317) + u64(data, 1072)] as const,
      status: u8(data, 389),
      /** 0: fee from the input; 1: in token 0 only; 2: in token 1 only. */
      feeOn: u8(data, 390),
      startTimeSeconds: u64(data, 1080),
      dynamicFee: u32(data, 1102) !== 0,
    }),
  summary: (pool) => ({ price: priceOfRoot(pool.sqrtPrice), feeRate: null, liquidity: pool.liquidity }),
  needs: (pool) => [...pool.vaults, pool.config, CLOCK_SYSVAR, ...pool.mints, ...arrayNeeds(pool, RAYDIUM_ARRAYS)],
  tokens: tokensOf,
  read(pool, accounts) {
    const config = accounts.get(pool.config);
    if (!config || config.owner !== RAYDIUM_CLMM || config.data.length < CONFIG_LENGTH)
      return fault('not_found', `fee configuration ${pool.config} is missing`);
    const feeMillionths = u32(config.data, 47);
    if (feeMillionths >= 1_000_000) return fault('malformed', 'the fee is not a fraction below one');
    let limitOrders = false;
    const ticksOf: TickArrays['ticksOf'] = (data, start, spacing) => {
      const found = raydiumTicks(data, start, spacing);
      limitOrders ||= found?.limitOrders === true;
      return found?.ticks ?? null;
    };
    const curve = curveOf(
      pool,
      accounts,
      { ...RAYDIUM_ARRAYS, ticksOf },
      {
        feeMillionths: BigInt(feeMillionths),
        feeOnInput: (zeroForOne) => pool.feeOn === 0 || (pool.feeOn === 1) === zeroForOne,
        sqrtPriceAtTick: raydiumSqrtPriceAtTick,
      },
    );
    if (!curve.ok) return curve;
    return ok({
      kind: 'concentrated',
      feeRate: feeMillionths / 1e6,
      curve: curve.value,
      lp: null,
      inactive: pool.status & SWAPS_OFF ? 'swaps are turned off' : beforeOpening(accounts, pool.startTimeSeconds),
      notes: [
        NO_SHARES,
        ...(pool.dynamicFee ? ['the fee moves with volatility: the base fee is given'] : []),
        ...(limitOrders ? ['limit orders are left out of the depth'] : []),
        ...tokenNotes(accounts, pool.mints),
      ],
    });
  },
});

/** Address of the tick array that begins at a tick (the start is big-endian in the seed). */
function raydiumTickArrayAddress(pool: string, startTick: number): string | null {
  const bytes = addressBytes(pool);
  const start = new Uint8Array(4);
  new DataView(start.buffer).setInt32(0, startTick, false);
  return bytes && derivedAddress(['tick_array', bytes, start], RAYDIUM_CLMM);
}

const RAYDIUM_ARRAY = 'c09b55cd31f9812a';
const RAYDIUM_ARRAY_LENGTH = 10_240;
const RAYDIUM_TICKS_AT = 44;
const RAYDIUM_TICK_LENGTH = 168;

function raydiumTicks(data: Uint8Array, start: number, spacing: number) {
  if (!startsWith(data, RAYDIUM_ARRAY) || data.length < RAYDIUM_ARRAY_LENGTH || i32(data, 40) !== start) return null;
  const ticks: Tick[] = [];
  let limitOrders = false;
  for (let slot = 0; slot < RAYDIUM_ARRAYS.ticksPerArray; slot++) {
    const at = RAYDIUM_TICKS_AT + slot * RAYDIUM_TICK_LENGTH;
    if (u64(data, at + 124) > 0n || u64(data, at + 132) > 0n) limitOrders = true;
    if (u128(data, at + 20) === 0n) continue;
    const index = i32(data, at);
    // The tick's index contradicts its slot, so the array is not used.
    if (index !== start + slot * spacing) return null;
    ticks.push({ index, liquidityNet: i128(data, at + 4) });
  }
  return { ticks, limitOrders };
}
