import { ok, type Result } from '../../../domain/index.ts';
import { key, u64 } from '../../codecs/account-data.ts';
import type { ChainFault } from '../../fault.ts';
import { constantProduct } from '../../pool-math/constant-product.ts';
import { divideUp } from '../../pool-math/integer.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { CLOCK_SYSVAR, RAYDIUM_AMM_V4 } from '../../solana-programs.ts';
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

export interface RaydiumAmmV4 {
  readonly address: string;
  readonly status: bigint;
  readonly decimals: readonly [number, number];
  readonly swapFee: { readonly numerator: bigint; readonly denominator: bigint };
  /** Profit set aside for the protocol, still lying in the vaults. */
  readonly owed: readonly [bigint, bigint];
  readonly openTimeSeconds: bigint;
  readonly vaults: readonly [string, string];
  readonly mints: readonly [string, string];
  readonly lpMint: string;
  readonly openOrders: string;
  /** Liquidity tokens given out. */
  readonly lpIssued: bigint;
}

/** Account length; the program has no discriminator. */
const LENGTH = 752;
/** AmmStatus in which swaps are allowed: initialised (with order book), swap only, waiting for the opening. */
const WITH_ORDER_BOOK = 1n;
const TRADING = new Set([WITH_ORDER_BOOK, 6n, 7n]);

/** Raydium AMM v4: x * y = k, fee of the input rounded up (raydium-amm processor.rs; layout: raydium-sdk-v2 liquidity/layout.ts). */
export const raydiumAmmV4 = poolProgram({
  address: RAYDIUM_AMM_V4,
  protocol: 'raydium_amm_v4',
  decode: decodeRaydiumAmmV4,
  summary: (pool) => ({
    mints: pool.mints,
    decimals: pool.decimals,
    price: null,
    feeRate: Number(pool.swapFee.numerator) / Number(pool.swapFee.denominator),
    liquidity: null,
  }),
  needs: (pool) => [
    ...pool.vaults,
    ...(pool.status === WITH_ORDER_BOOK ? [pool.openOrders] : []),
    CLOCK_SYSVAR,
    ...pool.mints,
    ...liquidityTokenNeeds(pool.lpMint),
  ],
  read: readRaydiumAmmV4,
});

export function decodeRaydiumAmmV4({ address, data }: SolanaAccount): Result<RaydiumAmmV4, ChainFault> {
  if (data.length !== LENGTH)
    return fault('malformed', `a Raydium AMM v4 pool has ${LENGTH} bytes, not ${data.length}`);
  const decimals = [u64(data, 32), u64(data, 40)] as const;
  const swapFee = { numerator: u64(data, 176), denominator: u64(data, 184) };
  if (decimals[0] > 255n || decimals[1] > 255n) return fault('malformed', 'decimals above 255');
  if (swapFee.denominator === 0n || swapFee.numerator >= swapFee.denominator) {
    return fault('malformed', 'the swap fee is no fraction below one');
  }
  return ok({
    address,
    status: u64(data, 0),
    decimals: [Number(decimals[0]), Number(decimals[1])],
    swapFee,
    owed: [u64(data, 192), u64(data, 200)],
    openTimeSeconds: u64(data, 224),
    vaults: [key(data, 336), key(data, 368)],
    mints: [key(data, 400), key(data, 432)],
    lpMint: key(data, 464),
    openOrders: key(data, 496),
    lpIssued: u64(data, 720),
  });
}

export function readRaydiumAmmV4(
  pool: RaydiumAmmV4,
  accounts: Accounts,
  slot: number,
): Result<PoolReading, ChainFault> {
  const inOrders = pool.status === WITH_ORDER_BOOK ? openOrderTotals(accounts, pool.openOrders) : ([0n, 0n] as const);
  const tokens = tokensOf(accounts, [
    { mint: pool.mints[0], vault: pool.vaults[0], owed: pool.owed[0] - inOrders[0], decimals: pool.decimals[0] },
    { mint: pool.mints[1], vault: pool.vaults[1], owed: pool.owed[1] - inOrders[1], decimals: pool.decimals[1] },
  ]);
  if (!tokens.ok) return tokens;
  const { numerator, denominator } = pool.swapFee;
  return ok({
    dex: 'raydium',
    protocol: 'raydium_amm_v4',
    kind: 'constant_product',
    address: pool.address,
    tokens: tokens.value,
    feeRate: Number(numerator) / Number(denominator),
    curve: constantProduct({
      reserve0: tokens.value[0].reserve,
      reserve1: tokens.value[1].reserve,
      fee: { how: 'separate', input: (amount) => divideUp(amount * numerator, denominator), output: () => 0n },
    }),
    lp: liquidityTokenState(accounts, pool.lpMint, pool.lpIssued),
    height: slot,
    inactive: inactivity(pool, accounts),
    notes: tokenNotes(accounts, pool.mints),
  });
}

/** Base and quote an OpenBook open-orders account holds in all ("serum", flags, market, owner, then four totals). */
function openOrderTotals(accounts: Accounts, address: string): readonly [bigint, bigint] {
  const data = accounts.get(address)?.data;
  return data && data.length >= 109 ? [u64(data, 85), u64(data, 101)] : [0n, 0n];
}

function inactivity(pool: RaydiumAmmV4, accounts: Accounts): string | null {
  if (!TRADING.has(pool.status)) return `swaps are off (status ${pool.status})`;
  const now = clockOf(accounts)?.seconds;
  return now !== undefined && pool.openTimeSeconds > now ? 'trading has not opened' : null;
}
