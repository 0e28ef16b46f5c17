import { ok, type Result } from '../../../domain/index.ts';
import { key, startsWith, u8, u64, u128 } from '../../codecs/account-data.ts';
import type { ChainFault } from '../../fault.ts';
import { constantProduct } from '../../pool-math/constant-product.ts';
import { divideUp } from '../../pool-math/integer.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { CLOCK_SYSVAR, METEORA_DAMM_V2 } from '../../solana-programs.ts';
import type { SolanaAccount } from '../solana-account.ts';
import { type DammFee, dammFeeAt, decodeDammFee } from './meteora-damm-v2-fee.ts';
import { type Accounts, clockOf, fault, poolProgram, priceOfRoot, tokenNotes, tokensOf } from './program.ts';
import { singleRange } from './single-range.ts';

export interface MeteoraDammV2 {
  readonly address: string;
  readonly fee: DammFee;
  readonly mints: readonly [string, string];
  readonly vaults: readonly [string, string];
  /** Q64 on top of the square root's own 64 bits. */
  readonly liquidity: bigint;
  readonly permanentlyLocked: bigint;
  readonly owed: readonly [bigint, bigint];
  /** Q64.64. */
  readonly sqrtMin: bigint;
  readonly sqrtMax: bigint;
  readonly sqrtPrice: bigint;
  readonly activation: { readonly bySlot: boolean; readonly point: bigint };
  readonly enabled: boolean;
  /** 0: from what comes out. 1: in token 1. 2: in token 1, part of it compounding (a constant-product pool). */
  readonly collectFeeMode: number;
  /** Reserves the program keeps itself; what a compounding pool trades on. */
  readonly amounts: readonly [bigint, bigint];
}

const DISCRIMINATOR = 'f19a6d0411b16dbc';
const LENGTH = 1112;
const COMPOUNDING = 2;
const BILLION = 1_000_000_000n;

/** Meteora DAMM v2, cp-amm (layout and swap: @meteora-ag/cp-amm-sdk 1.5). */
export const meteoraDammV2 = poolProgram({
  address: METEORA_DAMM_V2,
  protocol: 'meteora_damm_v2',
  decode: decodeMeteoraDammV2,
  summary: (pool) => ({
    mints: pool.mints,
    decimals: null,
    price: pool.collectFeeMode === COMPOUNDING ? null : priceOfRoot(pool.sqrtPrice),
    feeRate: feeWithoutClock(pool),
    liquidity: pool.liquidity,
  }),
  needs: (pool) => [...pool.vaults, ...pool.mints, CLOCK_SYSVAR],
  read: readMeteoraDammV2,
});

export function decodeMeteoraDammV2({ address, data }: SolanaAccount): Result<MeteoraDammV2, ChainFault> {
  if (!startsWith(data, DISCRIMINATOR) || data.length < LENGTH) return fault('malformed', 'no Meteora DAMM v2 pool');
  const collectFeeMode = u8(data, 484);
  if (collectFeeMode > COMPOUNDING) return fault('malformed', `unknown way of collecting fees (${collectFeeMode})`);
  return ok({
    address,
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

export function readMeteoraDammV2(
  pool: MeteoraDammV2,
  accounts: Accounts,
  slot: number,
): Result<PoolReading, ChainFault> {
  const tokens = tokensOf(accounts, [
    { mint: pool.mints[0], vault: pool.vaults[0], owed: pool.owed[0] },
    { mint: pool.mints[1], vault: pool.vaults[1], owed: pool.owed[1] },
  ]);
  if (!tokens.ok) return tokens;
  const clock = clockOf(accounts);
  const now = clock === null ? null : pool.activation.bySlot ? clock.slot : clock.seconds;
  const fee = dammFeeAt(pool.fee, now, pool.activation.point, pool.sqrtPrice);
  if (fee === null) return fault('malformed', 'unknown kind of fee');
  const locked = pool.liquidity > 0n ? Number(pool.permanentlyLocked) / Number(pool.liquidity) : null;
  return ok({
    dex: 'meteora',
    protocol: 'meteora_damm_v2',
    kind: pool.collectFeeMode === COMPOUNDING ? 'constant_product' : 'concentrated',
    address: pool.address,
    tokens: tokens.value,
    feeRate: Number(fee) / 1e9,
    curve: dammCurve(pool, fee),
    lp: locked === null ? null : lockState(locked),
    height: slot,
    inactive: inactivity(pool, now),
    notes: [
      ...(pool.fee.mode === 'rate_limiter' ? ['the fee grows with the size of a trade: the base fee is given'] : []),
      ...(now === null && pool.fee.mode !== 'rate_limiter' ? ['the fee was told without a clock'] : []),
      ...tokenNotes(accounts, pool.mints),
    ],
  });
}

function feeWithoutClock(pool: MeteoraDammV2): number | null {
  const fee = dammFeeAt(pool.fee, null, pool.activation.point, pool.sqrtPrice);
  return fee === null ? null : Number(fee) / 1e9;
}

/** The pool's mathematics with a given fee, of 1e9. */
export function dammCurve(pool: MeteoraDammV2, fee: bigint) {
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
