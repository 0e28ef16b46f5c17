import { ok, type Result } from '../../../domain/index.ts';
import { key, type SolanaAccount, u8, u16, u32, u64, u128 } from '../../codecs/accounts.ts';
import { type ChainFault, fault } from '../../fault.ts';
import {
  constantProduct,
  divideDown,
  divideUp,
  type PoolCurve,
  type PoolReading,
  smaller,
} from '../../pool-math/pool-curve.ts';
import { CLOCK_SYSVAR, METEORA_DAMM_V2 } from '../../solana.ts';
import { clockOf, poolProgram, priceOfRoot, tokenNotes, tokensOf } from './program.ts';

/** Meteora DAMM v2, cp-amm (layout and swap: @meteora-ag/cp-amm-sdk 1.5). */
export const meteoraDammV2 = poolProgram({
  address: METEORA_DAMM_V2,
  dex: 'meteora',
  protocol: 'meteora_damm_v2',
  discriminator: 'f19a6d0411b16dbc',
  length: 1112,
  decode: decodeMeteoraDammV2,
  summary(pool) {
    const fee = dammFeeAt(pool.fee, null, pool.activation.point, pool.sqrtPrice);
    return {
      price: pool.collectFeeMode === COMPOUNDING ? null : priceOfRoot(pool.sqrtPrice),
      feeRate: fee === null ? null : Number(fee) / 1e9,
      liquidity: pool.liquidity,
    };
  },
  needs: (pool) => [...pool.vaults, ...pool.mints, CLOCK_SYSVAR],
  tokens: tokensOf,
  read(pool, accounts) {
    const clock = clockOf(accounts);
    const now = clock === null ? null : pool.activation.bySlot ? clock.slot : clock.seconds;
    const fee = dammFeeAt(pool.fee, now, pool.activation.point, pool.sqrtPrice);
    if (fee === null) return fault('malformed', 'unknown kind of fee');
    const locked = pool.liquidity > 0n ? Number(pool.permanentlyLocked) / Number(pool.liquidity) : null;
    return ok({
      kind: pool.collectFeeMode === COMPOUNDING ? 'constant_product' : 'concentrated',
      feeRate: Number(fee) / 1e9,
      curve: dammCurve(pool, fee),
      lp: locked === null ? null : lockState(locked),
      inactive: inactivity(pool, now),
      notes: [
        ...(pool.fee.mode === 'rate_limiter' ? ['the fee grows with the size of a trade: the base fee is given'] : []),
        ...(now === null && pool.fee.mode !== 'rate_limiter' ? ['the fee was computed without a clock'] : []),
        ...tokenNotes(accounts, pool.mints),
      ],
    });
  },
});

export interface MeteoraDammV2 {
  readonly fee: DammFee;
  readonly mints: readonly [string, string];
  readonly vaults: readonly [string, string];
  /** Has 64 fraction bits in addition to the 64 of the square root. */
  readonly liquidity: bigint;
  readonly permanentlyLocked: bigint;
  readonly owed: readonly [bigint, bigint];
  /** Q64.64. */
  readonly sqrtMin: bigint;
  readonly sqrtMax: bigint;
  readonly sqrtPrice: bigint;
  readonly activation: { readonly bySlot: boolean; readonly point: bigint };
  readonly enabled: boolean;
  /** 0: from the output. 1: in token 1. 2: in token 1, partly compounding (a constant-product pool). */
  readonly collectFeeMode: number;
  /** Reserves that the program tracks; a compounding pool trades on them. */
  readonly amounts: readonly [bigint, bigint];
}

const COMPOUNDING = 2;
const BILLION = 1_000_000_000n;

export function decodeMeteoraDammV2({ data }: SolanaAccount): Result<MeteoraDammV2, ChainFault> {
  const collectFeeMode = u8(data, 484);
  if (collectFeeMode > COMPOUNDING) return fault('malformed', `unknown way of collecting fees (${collectFeeMode})`);
  return ok({
    fee: decodeDammFee(data),
    mints: [key(data, 168), key(data, 200)],
    vaults: [key(data, 232), key(data, 264)],
    liquidity: u128(data, 360),
    owed: [u64(data, 392), u64(data, 400)],
    sqrtMin: u128(data, 424),
    sqrtMax: u128(data, 440),
    sqrtPrice: u128(data, 456),
    activation: { bySlot: u8(data, 480) === 0, point: u64(data, 472) },
    enabled: u8(data, 481) === 0,
    collectFeeMode,
    permanentlyLocked: u128(data, 552),
    amounts: [u64(data, 680), u64(data, 688)],
  });
}

/** The pool's curve with a given fee, in units of 1e-9. */
function dammCurve(pool: MeteoraDammV2, fee: bigint) {
  const onInput = (zeroForOne: boolean) => pool.collectFeeMode !== 0 && !zeroForOne;
  const part = (amount: bigint) => divideUp(amount * fee, BILLION);
  const fees = {
    input: (amount: bigint, zeroForOne: boolean) => (onInput(zeroForOne) ? part(amount) : 0n),
    output: (amount: bigint, zeroForOne: boolean) => (onInput(zeroForOne) ? 0n : part(amount)),
  };
  return pool.collectFeeMode === COMPOUNDING
    ? constantProduct({ reserve0: pool.amounts[0], reserve1: pool.amounts[1], fee: { how: 'separate', ...fees } })
    : singleRange({ ...pool, ...fees });
}

function lockState(locked: number): PoolReading['lp'] {
  return {
    burned: null,
    locked: Math.min(locked, 1),
    locker: locked > 0 ? 'Meteora permanent lock' : null,
    unlocksAt: null,
    source: 'permanently locked liquidity of the pool account; vesting positions not counted',
  };
}

function inactivity(pool: MeteoraDammV2, now: bigint | null): string | null {
  if (!pool.enabled) return 'the pool is disabled';
  return now !== null && pool.activation.point > now ? 'not yet activated' : null;
}

/** Base fee, which falls with time or price, and the dynamic fee that is added to it. Numerators over 1e9. */
interface DammFee {
  readonly mode: 'time_linear' | 'time_exponential' | 'rate_limiter' | 'price_linear' | 'price_exponential' | 'unknown';
  readonly cliff: bigint;
  readonly periods: bigint;
  /** Seconds or slots per period (time modes), basis points of the square root per period (price modes). */
  readonly periodLength: bigint;
  /** Seconds or slots after activation when a price schedule ends. */
  readonly expiration: bigint;
  readonly reduction: bigint;
  readonly dynamic: { readonly accumulator: bigint; readonly binStep: bigint; readonly control: bigint } | null;
  readonly initialSqrtPrice: bigint;
  readonly version: number;
}

const MODES = ['time_linear', 'time_exponential', 'rate_limiter', 'price_linear', 'price_exponential'] as const;
const BASE_AT = 8;

/** Fee part of a cp-amm pool account (PoolFeesStruct with its PodAligned base fee). */
function decodeDammFee(data: Uint8Array): DammFee {
  const mode = MODES[u8(data, BASE_AT + 8)] ?? 'unknown';
  const byPrice = mode === 'price_linear' || mode === 'price_exponential';
  return {
    mode,
    cliff: u64(data, BASE_AT),
    periods: BigInt(u16(data, BASE_AT + 14)),
    periodLength: byPrice ? BigInt(u32(data, BASE_AT + 16)) : u64(data, BASE_AT + 16),
    expiration: BigInt(u32(data, BASE_AT + 20)),
    reduction: u64(data, BASE_AT + 24),
    dynamic:
      u8(data, 56) === 0
        ? null
        : { control: BigInt(u32(data, 68)), binStep: BigInt(u16(data, 72)), accumulator: u128(data, 120) },
    initialSqrtPrice: u128(data, 152),
    version: u8(data, 486),
  };
}

/**
 * Fee numerator over 1e9 at a time (slot or seconds, as the pool counts) and price. The rate limiter, whose fee depends on
 * the size, gives its base fee. Without a clock a schedule counts as completed, which is true of all but the newest pools.
 * Null: unknown mode.
 */
function dammFeeAt(fee: DammFee, now: bigint | null, activation: bigint, sqrtPrice: bigint): bigint | null {
  const base = baseFee(fee, now, activation, sqrtPrice);
  if (base === null) return null;
  const most = fee.version === 0 ? 500_000_000n : 990_000_000n;
  const dynamic =
    fee.dynamic === null
      ? 0n
      : divideUp(fee.dynamic.control * (fee.dynamic.accumulator * fee.dynamic.binStep) ** 2n, 100_000_000_000n);
  return smaller(base + dynamic, most);
}

function baseFee(fee: DammFee, now: bigint | null, activation: bigint, sqrtPrice: bigint): bigint | null {
  switch (fee.mode) {
    case 'rate_limiter':
      return fee.cliff;
    case 'time_linear':
    case 'time_exponential':
      if (fee.periodLength === 0n) return fee.cliff;
      return reduced(fee, now === null || now < activation ? fee.periods : (now - activation) / fee.periodLength);
    case 'price_linear':
    case 'price_exponential':
      return reduced(fee, pricePeriod(fee, now, activation, sqrtPrice));
    default:
      return null;
  }
}

function pricePeriod(fee: DammFee, now: bigint | null, activation: bigint, sqrtPrice: bigint): bigint {
  if (now === null || now > activation + fee.expiration || now < activation) return fee.periods;
  const { initialSqrtPrice } = fee;
  if (sqrtPrice <= initialSqrtPrice || initialSqrtPrice === 0n || fee.periodLength === 0n) return 0n;
  return ((sqrtPrice - initialSqrtPrice) * 10_000n) / initialSqrtPrice / fee.periodLength;
}

function reduced(fee: DammFee, passed: bigint): bigint {
  const period = smaller(passed, fee.periods);
  if (fee.mode === 'time_linear' || fee.mode === 'price_linear') {
    const left = fee.cliff - period * fee.reduction;
    return left > 0n ? left : 0n;
  }
  if (period === 0n) return fee.cliff;
  const one = 1n << 64n;
  const factor = one - (fee.reduction << 64n) / 10_000n;
  return factor <= 0n ? 0n : (fee.cliff * powerQ64(factor, period)) / one;
}

/** base^exponent for a Q64.64 base below one, rounded after every product as the program does. */
function powerQ64(base: bigint, exponent: bigint): bigint {
  let result = 1n << 64n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) >> 64n;
    square = (square * square) >> 64n;
  }
  return result;
}

interface SingleRange {
  readonly liquidity: bigint;
  /** Q64.64. */
  readonly sqrtPrice: bigint;
  readonly sqrtMin: bigint;
  readonly sqrtMax: bigint;
  readonly input: (amount: bigint, zeroForOne: boolean) => bigint;
  readonly output: (amount: bigint, zeroForOne: boolean) => bigint;
}

/** A single range for all liquidity, which has 64 additional fraction bits (Meteora DAMM v2, liquidity/concentrated). */
function singleRange(pool: SingleRange): PoolCurve {
  const scale = 2 ** 64;
  const liquidity = Number(pool.liquidity) / scale;
  const [root, low, high] = [pool.sqrtPrice, pool.sqrtMin, pool.sqrtMax].map((value) => Number(value) / scale) as [
    number,
    number,
    number,
  ];
  return {
    price: root * root,
    toPrice(target) {
      const wanted = Math.sqrt(target);
      if (!(root > 0) || !(wanted > 0) || !Number.isFinite(wanted)) return { amount0: 0, amount1: 0, reached: false };
      const end = Math.min(Math.max(wanted, low), high);
      if (!(end > 0)) return { amount0: 0, amount1: 0, reached: false };
      return {
        amount0: liquidity * (1 / end - 1 / root),
        amount1: liquidity * (end - root),
        reached: end === wanted,
      };
    },
    swapExactIn(amountIn, zeroForOne) {
      if (amountIn <= 0n || pool.liquidity <= 0n || pool.sqrtPrice <= 0n) return null;
      const feeIn = pool.input(amountIn, zeroForOne);
      const gross = zeroForOne ? swap0(pool, amountIn - feeIn) : swap1(pool, amountIn - feeIn);
      if (gross === null) return null;
      const feeOut = pool.output(gross, zeroForOne);
      const asInput = gross === 0n ? 0n : divideUp(amountIn * feeOut, gross);
      return { amountIn, amountOut: gross - feeOut, fee: feeIn + asInput };
    },
  };
}

function swap0({ liquidity, sqrtPrice, sqrtMin }: SingleRange, amount: bigint): bigint | null {
  const next = divideUp(liquidity * sqrtPrice, liquidity + amount * sqrtPrice);
  return next < sqrtMin ? null : (liquidity * (sqrtPrice - next)) >> 128n;
}

function swap1({ liquidity, sqrtPrice, sqrtMax }: SingleRange, amount: bigint): bigint | null {
  const next = sqrtPrice + (amount << 128n) / liquidity;
  return next > sqrtMax ? null : divideDown(liquidity * (next - sqrtPrice), sqrtPrice * next);
}
