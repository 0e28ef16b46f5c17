import { ok, type Result } from '../../../domain/index.ts';
import type { SolanaAccount } from '../../codecs/accounts.ts';
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
import { concentrated, type Tick } from '../../pool-math/concentrated.ts';
import { raydiumSqrtPriceAtTick } from '../../pool-math/tick-math.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { CLOCK_SYSVAR, RAYDIUM_CLMM } from '../../solana-programs.ts';
import { type Accounts, beforeOpening, poolProgram, priceOfRoot, tokenNotes, tokensOf } from './program.ts';
import { arrayStarts, tickWindow } from './tick-window.ts';

export interface RaydiumClmm {
  readonly address: string;
  readonly config: string;
  readonly mints: readonly [string, string];
  readonly vaults: readonly [string, string];
  readonly decimals: readonly [number, number];
  readonly tickSpacing: number;
  readonly liquidity: bigint;
  /** Q64.64. */
  readonly sqrtPrice: bigint;
  readonly tick: number;
  readonly owed: readonly [bigint, bigint];
  readonly status: number;
  /** 0 from the input, 1 in token 0 only, 2 in token 1 only. */
  readonly feeOn: number;
  readonly startTimeSeconds: bigint;
  readonly dynamicFee: boolean;
}

const DISCRIMINATOR = 'f7ede3f5d7c3de46';
const LENGTH = 1544;
const CONFIG_LENGTH = 117;
const LIMITS = { minTick: -443_636, maxTick: 443_636 };
const TICKS_PER_ARRAY = 60;
/** Bit of `status` that turns swaps off. */
const SWAPS_OFF = 16;

/** Raydium CLMM (raydium-clmm; layouts: raydium-sdk-v2 clmm/layout.ts, swap: clmm/libraries/swapMath.ts). */
export const raydiumClmm = poolProgram({
  address: RAYDIUM_CLMM,
  protocol: 'raydium_clmm',
  decode: decodeRaydiumClmm,
  summary: (pool) => ({
    mints: pool.mints,
    decimals: pool.decimals,
    price: priceOfRoot(pool.sqrtPrice),
    feeRate: null,
    liquidity: pool.liquidity,
  }),
  needs: (pool) => [
    ...pool.vaults,
    pool.config,
    CLOCK_SYSVAR,
    ...pool.mints,
    ...arrayStarts(pool.tick, pool.tickSpacing * TICKS_PER_ARRAY, LIMITS.minTick, LIMITS.maxTick).map((start) =>
      raydiumTickArrayAddress(pool.address, start),
    ),
  ],
  read: readRaydiumClmm,
});

export function decodeRaydiumClmm({ address, data }: SolanaAccount): Result<RaydiumClmm, ChainFault> {
  if (!startsWith(data, DISCRIMINATOR) || data.length < LENGTH) return fault('malformed', 'no Raydium CLMM pool');
  const pool = {
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
    feeOn: u8(data, 390),
    startTimeSeconds: u64(data, 1080),
    dynamicFee: u32(data, 1102) !== 0,
  };
  if (pool.tickSpacing === 0) return fault('malformed', 'the tick spacing is 0');
  if (pool.tick < LIMITS.minTick || pool.tick > LIMITS.maxTick) return fault('malformed', 'the tick is out of range');
  return ok(pool);
}

/** Address of the tick array that begins at a tick (the start is big-endian in the seed). */
export function raydiumTickArrayAddress(pool: string, startTick: number): string | null {
  const bytes = addressBytes(pool);
  const start = new Uint8Array(4);
  new DataView(start.buffer).setInt32(0, startTick, false);
  return bytes && derivedAddress(['tick_array', bytes, start], RAYDIUM_CLMM);
}

export function readRaydiumClmm(pool: RaydiumClmm, accounts: Accounts, slot: number): Result<PoolReading, ChainFault> {
  const config = accounts.get(pool.config);
  if (!config || config.owner !== RAYDIUM_CLMM || config.data.length < CONFIG_LENGTH) {
    return fault('not_found', `fee configuration ${pool.config} is missing`);
  }
  const feeMillionths = u32(config.data, 47);
  if (feeMillionths >= 1_000_000) return fault('malformed', 'the fee is no fraction below one');
  const tokens = tokensOf(accounts, pool);
  if (!tokens.ok) return tokens;
  let limitOrders = false;
  const window = tickWindow(
    accounts,
    pool.tick,
    pool.tickSpacing * TICKS_PER_ARRAY,
    LIMITS,
    (start) => raydiumTickArrayAddress(pool.address, start),
    (data, start) => {
      const found = ticksOf(data, start, pool.tickSpacing);
      limitOrders ||= found?.limitOrders === true;
      return found?.ticks ?? null;
    },
  );
  if (window === null) return fault('not_found', 'the tick array at the present price was not read');
  return ok({
    dex: 'raydium',
    protocol: 'raydium_clmm',
    kind: 'concentrated',
    address: pool.address,
    tokens: tokens.value,
    feeRate: feeMillionths / 1e6,
    curve: concentrated({
      bits: 64,
      sqrtPrice: pool.sqrtPrice,
      tick: pool.tick,
      liquidity: pool.liquidity,
      feeMillionths: BigInt(feeMillionths),
      feeOnInput: (zeroForOne) => pool.feeOn === 0 || (pool.feeOn === 1) === zeroForOne,
      ...window,
      wordTicks: null,
      tickSpacing: pool.tickSpacing,
      sqrtPriceAtTick: raydiumSqrtPriceAtTick,
    }),
    lp: null,
    height: slot,
    inactive: pool.status & SWAPS_OFF ? 'swaps are turned off' : beforeOpening(accounts, pool.startTimeSeconds),
    notes: [
      'liquidity lies in positions: burned and locked shares are not known',
      ...(pool.dynamicFee ? ['the fee moves with volatility: the base fee is given'] : []),
      ...(limitOrders ? ['limit orders are left out of the depth'] : []),
      ...tokenNotes(accounts, pool.mints),
    ],
  });
}

const ARRAY_DISCRIMINATOR = 'c09b55cd31f9812a';
const ARRAY_LENGTH = 10_240;
const TICKS_AT = 44;
const TICK_LENGTH = 168;

function ticksOf(data: Uint8Array, start: number, spacing: number) {
  if (!startsWith(data, ARRAY_DISCRIMINATOR) || data.length < ARRAY_LENGTH || i32(data, 40) !== start) return null;
  const ticks: Tick[] = [];
  let limitOrders = false;
  for (let slot = 0; slot < TICKS_PER_ARRAY; slot++) {
    const at = TICKS_AT + slot * TICK_LENGTH;
    if (u64(data, at + 124) > 0n || u64(data, at + 132) > 0n) limitOrders = true;
    if (u128(data, at + 20) === 0n) continue;
    const index = i32(data, at);
    // A tick whose index contradicts its slot: the array is not used.
    if (index !== start + slot * spacing) return null;
    ticks.push({ index, liquidityNet: i128(data, at + 4) });
  }
  return { ticks, limitOrders };
}
