import { ok, type Result } from '../../../domain/index.ts';
import type { SolanaAccount } from '../../codecs/accounts.ts';
import { addressBytes, derivedAddress, i32, i128, key, startsWith, u8, u16, u64, u128 } from '../../codecs/accounts.ts';
import { type ChainFault, fault } from '../../fault.ts';
import { concentrated, type Tick } from '../../pool-math/concentrated.ts';
import { whirlpoolSqrtPriceAtTick } from '../../pool-math/tick-math.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { WHIRLPOOL } from '../../solana-programs.ts';
import { type Accounts, poolProgram, priceOfRoot, tokenNotes, tokensOf } from './program.ts';
import { arrayStarts, tickWindow } from './tick-window.ts';

export interface Whirlpool {
  readonly address: string;
  readonly tickSpacing: number;
  /** Differs from the tick spacing where the fee adapts to volatility (an oracle account holds its state). */
  readonly feeTierIndex: number;
  /** Millionths. */
  readonly feeRate: number;
  readonly liquidity: bigint;
  /** Q64.64. */
  readonly sqrtPrice: bigint;
  readonly tick: number;
  readonly owed: readonly [bigint, bigint];
  readonly mints: readonly [string, string];
  readonly vaults: readonly [string, string];
}

const DISCRIMINATOR = '3f95d10ce1806309';
const LENGTH = 653;
const LIMITS = { minTick: -443_636, maxTick: 443_636 };
const TICKS_PER_ARRAY = 88;

/** Orca Whirlpool (orca-so/whirlpools programs/whirlpool/src/state; swap: math/swap_math.rs). */
export const orcaWhirlpool = poolProgram({
  address: WHIRLPOOL,
  protocol: 'orca_whirlpool',
  decode: decodeWhirlpool,
  summary: (pool) => ({
    mints: pool.mints,
    decimals: null,
    price: priceOfRoot(pool.sqrtPrice),
    feeRate: pool.feeRate / 1e6,
    liquidity: pool.liquidity,
  }),
  needs: (pool) => [
    ...pool.vaults,
    ...pool.mints,
    ...arrayStarts(pool.tick, pool.tickSpacing * TICKS_PER_ARRAY, LIMITS.minTick, LIMITS.maxTick).map((start) =>
      whirlpoolTickArrayAddress(pool.address, start),
    ),
  ],
  read: readWhirlpool,
});

export function decodeWhirlpool({ address, data }: SolanaAccount): Result<Whirlpool, ChainFault> {
  if (!startsWith(data, DISCRIMINATOR) || data.length < LENGTH) return fault('malformed', 'no Whirlpool account');
  const pool = {
    address,
    tickSpacing: u16(data, 41),
    feeTierIndex: u16(data, 43),
    feeRate: u16(data, 45),
    liquidity: u128(data, 49),
    sqrtPrice: u128(data, 65),
    tick: i32(data, 81),
    owed: [u64(data, 85), u64(data, 93)] as const,
    mints: [key(data, 101), key(data, 181)] as const,
    vaults: [key(data, 133), key(data, 213)] as const,
  };
  if (pool.tickSpacing === 0) return fault('malformed', 'the tick spacing is 0');
  if (pool.tick < LIMITS.minTick || pool.tick > LIMITS.maxTick) return fault('malformed', 'the tick is out of range');
  return ok(pool);
}

/** Address of the tick array that begins at a tick. */
export function whirlpoolTickArrayAddress(pool: string, startTick: number): string | null {
  const bytes = addressBytes(pool);
  return bytes && derivedAddress(['tick_array', bytes, String(startTick)], WHIRLPOOL);
}

export function readWhirlpool(pool: Whirlpool, accounts: Accounts, slot: number): Result<PoolReading, ChainFault> {
  const tokens = tokensOf(accounts, pool);
  if (!tokens.ok) return tokens;
  const curve = whirlpoolCurve(pool, accounts);
  if (curve === null) return fault('not_found', 'the tick array at the present price was not read');
  const adaptive = pool.feeTierIndex !== pool.tickSpacing;
  return ok({
    dex: 'orca',
    protocol: 'orca_whirlpool',
    kind: 'concentrated',
    address: pool.address,
    tokens: tokens.value,
    feeRate: pool.feeRate / 1e6,
    curve,
    lp: null,
    height: slot,
    inactive: pool.sqrtPrice === 0n ? 'the pool has no price' : null,
    notes: [
      'liquidity lies in positions: burned and locked shares are not known',
      ...(adaptive ? ['the fee adapts to volatility: the base fee is given'] : []),
      ...tokenNotes(accounts, pool.mints),
    ],
  });
}

/** The pool's mathematics from the tick arrays that were read; null when the present one is not among them. */
export function whirlpoolCurve(pool: Whirlpool, accounts: Accounts) {
  const arrayTicks = pool.tickSpacing * TICKS_PER_ARRAY;
  const window = tickWindow(
    accounts,
    pool.tick,
    arrayTicks,
    LIMITS,
    (start) => whirlpoolTickArrayAddress(pool.address, start),
    (data, start) => ticksOf(data, start, pool.tickSpacing),
  );
  return (
    window &&
    concentrated({
      bits: 64,
      sqrtPrice: pool.sqrtPrice,
      tick: pool.tick,
      liquidity: pool.liquidity,
      feeMillionths: BigInt(pool.feeRate),
      ...window,
      wordTicks: null,
      tickSpacing: pool.tickSpacing,
      sqrtPriceAtTick: whirlpoolSqrtPriceAtTick,
    })
  );
}

const FIXED_ARRAY = '4561bdbe6e0742bb';
const FIXED_LENGTH = 9_988;
const FIXED_TICK_LENGTH = 113;
const DYNAMIC_ARRAY = '11d8f68ee1c7da38';
const DYNAMIC_TICKS_AT = 60;
const DYNAMIC_TICK_LENGTH = 112;

/** Initialised ticks of a fixed or a dynamic (growing) tick array; null when the bytes are neither. */
function ticksOf(data: Uint8Array, start: number, spacing: number): readonly Tick[] | null {
  const fixed = startsWith(data, FIXED_ARRAY) && data.length >= FIXED_LENGTH;
  if (!fixed && !startsWith(data, DYNAMIC_ARRAY)) return null;
  if (i32(data, 8) !== start) return null;
  const ticks: Tick[] = [];
  let at = fixed ? 12 : DYNAMIC_TICKS_AT;
  for (let slot = 0; slot < TICKS_PER_ARRAY; slot++) {
    const initialised = u8(data, at) === 1;
    if (!fixed && at + 1 + (initialised ? DYNAMIC_TICK_LENGTH : 0) > data.length) return null;
    if (initialised) ticks.push({ index: start + slot * spacing, liquidityNet: i128(data, at + 1) });
    at += fixed ? FIXED_TICK_LENGTH : initialised ? 1 + DYNAMIC_TICK_LENGTH : 1;
  }
  return ticks;
}
