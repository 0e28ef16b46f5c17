import { ok, type Result } from '../../../domain/index.ts';
import { key, startsWith, u8, u64 } from '../../codecs/account-data.ts';
import type { ChainFault } from '../../fault.ts';
import { constantProduct } from '../../pool-math/constant-product.ts';
import { divideUp } from '../../pool-math/integer.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { CLOCK_SYSVAR, RAYDIUM_CPMM } from '../../solana-programs.ts';
import type { SolanaAccount } from '../solana-account.ts';
import {
  type Accounts,
  clockOf,
  fault,
  liquidityTokenNeeds,
  liquidityTokenState,
  poolProgram,
  tokenNotes,
  tokensOf,
} from './program.ts';

export interface RaydiumCpmm {
  readonly address: string;
  readonly config: string;
  readonly vaults: readonly [string, string];
  readonly mints: readonly [string, string];
  readonly lpMint: string;
  readonly status: number;
  readonly decimals: readonly [number, number];
  readonly lpIssued: bigint;
  /** Protocol, fund and creator fees that still lie in the vaults. */
  readonly owed: readonly [bigint, bigint];
  readonly openTimeSeconds: bigint;
  /** 0 either token, 1 token 0 only, 2 token 1 only. */
  readonly creatorFeeOn: number;
  readonly creatorFeeEnabled: boolean;
}

const DISCRIMINATOR = 'f7ede3f5d7c3de46';
const LENGTH = 637;
const CONFIG_LENGTH = 124;
const MILLION = 1_000_000n;
/** Bit of `status` that turns swaps off. */
const SWAPS_OFF = 4;

/** Raydium CPMM: x * y = k, trade and creator fees rounded up (raydium-cp-swap; raydium-sdk-v2 cpmm/layout.ts, cpmm/curve). */
export const raydiumCpmm = poolProgram({
  address: RAYDIUM_CPMM,
  protocol: 'raydium_cpmm',
  decode: decodeRaydiumCpmm,
  summary: (pool) => ({ mints: pool.mints, decimals: pool.decimals, price: null, feeRate: null, liquidity: null }),
  needs: (pool) => [...pool.vaults, pool.config, CLOCK_SYSVAR, ...pool.mints, ...liquidityTokenNeeds(pool.lpMint)],
  read: readRaydiumCpmm,
});

export function decodeRaydiumCpmm({ address, data }: SolanaAccount): Result<RaydiumCpmm, ChainFault> {
  if (!startsWith(data, DISCRIMINATOR) || data.length < LENGTH) return fault('malformed', 'no Raydium CPMM pool');
  const owed = (protocol: number, fund: number, creator: number) =>
    u64(data, protocol) + u64(data, fund) + u64(data, creator);
  return ok({
    address,
    config: key(data, 8),
    vaults: [key(data, 72), key(data, 104)],
    lpMint: key(data, 136),
    mints: [key(data, 168), key(data, 200)],
    status: u8(data, 329),
    decimals: [u8(data, 331), u8(data, 332)],
    lpIssued: u64(data, 333),
    owed: [owed(341, 357, 397), owed(349, 365, 405)],
    openTimeSeconds: u64(data, 373),
    creatorFeeOn: u8(data, 389),
    creatorFeeEnabled: u8(data, 390) === 1,
  });
}

export function readRaydiumCpmm(pool: RaydiumCpmm, accounts: Accounts, slot: number): Result<PoolReading, ChainFault> {
  const config = accounts.get(pool.config);
  if (!config || config.owner !== RAYDIUM_CPMM || config.data.length < CONFIG_LENGTH) {
    return fault('not_found', `fee configuration ${pool.config} is missing`);
  }
  const tradeFee = u64(config.data, 12);
  const creatorFee = pool.creatorFeeEnabled ? u64(config.data, 108) : 0n;
  if (tradeFee + creatorFee >= MILLION) return fault('malformed', 'the fee is no fraction below one');
  const tokens = tokensOf(accounts, [
    { mint: pool.mints[0], vault: pool.vaults[0], owed: pool.owed[0], decimals: pool.decimals[0] },
    { mint: pool.mints[1], vault: pool.vaults[1], owed: pool.owed[1], decimals: pool.decimals[1] },
  ]);
  if (!tokens.ok) return tokens;
  const creatorOnInput = (zeroForOne: boolean) => pool.creatorFeeOn === 0 || (pool.creatorFeeOn === 1) === zeroForOne;
  const part = (amount: bigint, rate: bigint) => divideUp(amount * rate, MILLION);
  return ok({
    dex: 'raydium',
    protocol: 'raydium_cpmm',
    kind: 'constant_product',
    address: pool.address,
    tokens: tokens.value,
    feeRate: Number(tradeFee + creatorFee) / 1e6,
    curve: constantProduct({
      reserve0: tokens.value[0].reserve,
      reserve1: tokens.value[1].reserve,
      fee: {
        how: 'separate',
        input: (amount, zeroForOne) =>
          part(amount, tradeFee) + (creatorOnInput(zeroForOne) ? part(amount, creatorFee) : 0n),
        output: (amount, zeroForOne) => (creatorOnInput(zeroForOne) ? 0n : part(amount, creatorFee)),
      },
    }),
    lp: liquidityTokenState(accounts, pool.lpMint, pool.lpIssued),
    height: slot,
    inactive: inactivity(pool, accounts),
    notes: tokenNotes(accounts, pool.mints),
  });
}

function inactivity(pool: RaydiumCpmm, accounts: Accounts): string | null {
  if (pool.status & SWAPS_OFF) return 'swaps are turned off';
  const now = clockOf(accounts)?.seconds;
  return now !== undefined && pool.openTimeSeconds > now ? 'trading has not opened' : null;
}
