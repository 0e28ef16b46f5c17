import { ok } from '../../../domain/index.ts';
import { key, u8, u64 } from '../../codecs/accounts.ts';
import { fault } from '../../fault.ts';
import { constantProduct, divideUp } from '../../pool-math/pool-curve.ts';
import { CLOCK_SYSVAR, RAYDIUM_AMM_V4, RAYDIUM_CPMM } from '../../solana.ts';
import {
  type Accounts,
  beforeOpening,
  liquidityTokenNeeds,
  liquidityTokenState,
  poolProgram,
  tokenNotes,
  tokensOf,
} from './program.ts';

const AMM_LENGTH = 752;
/** AmmStatus in which swaps are allowed: initialised (with order book), swap only, waiting for the opening. */
const WITH_ORDER_BOOK = 1n;
const TRADING = new Set([WITH_ORDER_BOOK, 6n, 7n]);

/** Raydium AMM v4: x * y = k, fee of the input rounded up (raydium-amm processor.rs; layout: raydium-sdk-v2 liquidity/layout.ts). */
export const raydiumAmmV4 = poolProgram({
  address: RAYDIUM_AMM_V4,
  dex: 'raydium',
  protocol: 'raydium_amm_v4',
  discriminator: null,
  length: AMM_LENGTH,
  decode({ data }) {
    if (data.length !== AMM_LENGTH)
      return fault('malformed', `a Raydium AMM v4 pool has ${AMM_LENGTH} bytes, not ${data.length}`);
    const decimals = [u64(data, 32), u64(data, 40)] as const;
    const swapFee = { numerator: u64(data, 176), denominator: u64(data, 184) };
    if (decimals[0] > 255n || decimals[1] > 255n) return fault('malformed', 'decimals above 255');
    if (swapFee.denominator === 0n || swapFee.numerator >= swapFee.denominator)
      return fault('malformed', 'the swap fee is not a fraction below one');
    return ok({
      status: u64(data, 0),
      decimals: [Number(decimals[0]), Number(decimals[1])] as const,
      swapFee,
      feeRate: Number(swapFee.numerator) / Number(swapFee.denominator),
      /** Profit reserved for the protocol that is still in the vaults. */
      owed: [u64(data, 192), u64(data, 200)] as const,
      openTimeSeconds: u64(data, 224),
      vaults: [key(data, 336), key(data, 368)] as const,
      mints: [key(data, 400), key(data, 432)] as const,
      lpMint: key(data, 464),
      openOrders: key(data, 496),
      /** Liquidity tokens issued. */
      lpIssued: u64(data, 720),
    });
  },
  summary: ({ feeRate }) => ({ price: null, feeRate, liquidity: null }),
  needs: (pool) => [
    ...pool.vaults,
    ...(pool.status === WITH_ORDER_BOOK ? [pool.openOrders] : []),
    CLOCK_SYSVAR,
    ...pool.mints,
    ...liquidityTokenNeeds(pool.lpMint),
  ],
  tokens(pool, accounts) {
    const inOrders = pool.status === WITH_ORDER_BOOK ? openOrderTotals(accounts, pool.openOrders) : ([0n, 0n] as const);
    return tokensOf({ ...pool, owed: [pool.owed[0] - inOrders[0], pool.owed[1] - inOrders[1]] }, accounts);
  },
  read(pool, accounts, [token0, token1]) {
    const { numerator, denominator } = pool.swapFee;
    return ok({
      kind: 'constant_product',
      feeRate: pool.feeRate,
      curve: constantProduct({
        reserve0: token0.reserve,
        reserve1: token1.reserve,
        fee: { how: 'separate', input: (amount) => divideUp(amount * numerator, denominator), output: () => 0n },
      }),
      lp: liquidityTokenState(accounts, pool.lpMint, pool.lpIssued),
      inactive: TRADING.has(pool.status)
        ? beforeOpening(accounts, pool.openTimeSeconds)
        : `swaps are off (status ${pool.status})`,
      notes: tokenNotes(accounts, pool.mints),
    });
  },
});

/** Total base and quote of an OpenBook open-orders account ("serum", flags, market, owner, then four totals). */
function openOrderTotals(accounts: Accounts, address: string): readonly [bigint, bigint] {
  const data = accounts.get(address)?.data;
  return data && data.length >= 109 ? [u64(data, 85), u64(data, 101)] : [0n, 0n];
}

const CONFIG_LENGTH = 124;
const MILLION = 1_000_000n;
/** Bit of `status` that disables swaps. */
const SWAPS_OFF = 4;

/** Raydium CPMM: x * y = k, trade and creator fees rounded up (raydium-cp-swap; raydium-sdk-v2 cpmm/layout.ts, cpmm/curve). */
export const raydiumCpmm = poolProgram({
  address: RAYDIUM_CPMM,
  dex: 'raydium',
  protocol: 'raydium_cpmm',
  discriminator: 'f7ede3f5d7c3de46',
  length: 637,
  decode({ data }) {
    const owed = (protocol: number, fund: number, creator: number) =>
      u64(data, protocol) + u64(data, fund) + u64(data, creator);
    return ok({
      config: key(data, 8),
      vaults: [key(data, 72), key(data, 104)] as const,
      lpMint: key(data, 136),
      mints: [key(data, 168), key(data, 200)] as const,
      status: u8(data, 329),
      decimals: [u8(data, 331), u8(data, 332)] as const,
      lpIssued: u64(data, 333),
      /** Protocol, fund and creator fees that are still in the vaults. */
      owed: [owed(341, 357, 397), owed(349, 365, 405)] as const,
      openTimeSeconds: u64(data, 373),
      /** Token of the creator fee. 0: either; 1: token 0 only; 2: token 1 only. */
      creatorFeeOn: u8(data, 389),
      creatorFeeEnabled: u8(data, 390) === 1,
    });
  },
  summary: () => ({ price: null, feeRate: null, liquidity: null }),
  needs: (pool) => [...pool.vaults, pool.config, CLOCK_SYSVAR, ...pool.mints, ...liquidityTokenNeeds(pool.lpMint)],
  tokens: tokensOf,
  read(pool, accounts, [token0, token1]) {
    const config = accounts.get(pool.config);
    if (!config || config.owner !== RAYDIUM_CPMM || config.data.length < CONFIG_LENGTH)
      return fault('not_found', `fee configuration ${pool.config} is missing`);
    const tradeFee = u64(config.data, 12);
    const creatorFee = pool.creatorFeeEnabled ? u64(config.data, 108) : 0n;
    if (tradeFee + creatorFee >= MILLION) return fault('malformed', 'the fee is not a fraction below one');
    const creatorOnInput = (zeroForOne: boolean) => pool.creatorFeeOn === 0 || (pool.creatorFeeOn === 1) === zeroForOne;
    const part = (amount: bigint, rate: bigint) => divideUp(amount * rate, MILLION);
    return ok({
      kind: 'constant_product',
      feeRate: Number(tradeFee + creatorFee) / 1e6,
      curve: constantProduct({
        reserve0: token0.reserve,
        reserve1: token1.reserve,
        fee: {
          how: 'separate',
          input: (amount, zeroForOne) =>
            part(amount, tradeFee) + (creatorOnInput(zeroForOne) ? part(amount, creatorFee) : 0n),
          output: (amount, zeroForOne) => (creatorOnInput(zeroForOne) ? 0n : part(amount, creatorFee)),
        },
      }),
      lp: liquidityTokenState(accounts, pool.lpMint, pool.lpIssued),
      inactive: pool.status & SWAPS_OFF ? 'swaps are turned off' : beforeOpening(accounts, pool.openTimeSeconds),
      notes: tokenNotes(accounts, pool.mints),
    });
  },
});
