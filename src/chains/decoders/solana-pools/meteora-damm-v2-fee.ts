import { u8, u16, u32, u64, u128 } from '../../codecs/account-data.ts';
import { divideUp, smaller } from '../../pool-math/integer.ts';

/** Base fee as it falls with time or with the price, and the dynamic part on top. Numerators of 1e9. */
export interface DammFee {
  readonly mode: 'time_linear' | 'time_exponential' | 'rate_limiter' | 'price_linear' | 'price_exponential' | 'unknown';
  readonly cliff: bigint;
  readonly periods: bigint;
  /** Seconds or slots per period (time), basis points of the square root per period (price). */
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
export function decodeDammFee(data: Uint8Array): DammFee {
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
 * Fee numerator, of 1e9, at a point of time (slot or seconds, as the pool counts) and price. The size-dependent limiter
 * gives its base fee. Without a clock a schedule counts as run down, as it is for all but the newest pools. Null: unknown kind.
 */
export function dammFeeAt(fee: DammFee, now: bigint | null, activation: bigint, sqrtPrice: bigint): bigint | null {
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
