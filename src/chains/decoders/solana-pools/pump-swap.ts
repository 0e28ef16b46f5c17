import { ok, type Result } from '../../../domain/index.ts';
import type { SolanaAccount } from '../../codecs/accounts.ts';
import { addressBytes, derivedAddress, i128, key, keyOrNull, startsWith, u8, u64 } from '../../codecs/accounts.ts';
import { type ChainFault, fault } from '../../fault.ts';
import { constantProduct } from '../../pool-math/constant-product.ts';
import { divideUp } from '../../pool-math/integer.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { PUMP, PUMP_SWAP, TOKEN_2022_PROGRAM } from '../../solana-programs.ts';
import {
  type Accounts,
  liquidityTokenNeeds,
  liquidityTokenState,
  mintOf,
  poolProgram,
  tokenNotes,
  tokensOf,
} from './program.ts';
import { type PumpFees, pumpFeeConfigAddress, pumpFeeConfigOf, pumpFeesFor } from './pump-fees.ts';

export interface PumpSwap {
  readonly address: string;
  readonly creator: string;
  readonly mints: readonly [string, string];
  readonly vaults: readonly [string, string];
  readonly lpMint: string;
  readonly lpIssued: bigint;
  readonly coinCreator: string | null;
  readonly mayhem: boolean;
  /** Added to the quote vault before trading: liquidity that is not there. 0 for accounts made before the field was. */
  readonly virtualQuote: bigint;
  readonly creatorFeeBps: bigint;
}

const DISCRIMINATOR = 'f19a6d0411b16dbc';
/** Up to the creator of the coin; later fields were added behind. */
const LENGTH = 211;
const BASIS_POINTS = 10_000n;
const ONE_BILLION_TOKENS = 1_000_000_000_000_000n;
const GLOBAL_FLAGS_AT = 56;
const GLOBAL_CREATOR_FEE_AT = 940;
const BUY_AND_SELL_OFF = 8 | 16;
/** Assumed, with a note, when the fee account was not read (lp and protocol: Pump's documentation). */
const FALLBACK: PumpFees = { lp: 20n, protocol: 5n, creator: 5n };

/** PumpSwap (layout and swap: @pump-fun/pump-swap-sdk 1.20). */
export const pumpSwap = poolProgram({
  address: PUMP_SWAP,
  protocol: 'pump_swap',
  decode: decodePumpSwap,
  summary: (pool) => ({ mints: pool.mints, decimals: null, price: null, feeRate: null, liquidity: null }),
  needs: (pool) => [
    ...pool.vaults,
    ...pool.mints,
    pumpFeeConfigAddress(PUMP_SWAP),
    derivedAddress(['global_config'], PUMP_SWAP),
    ...liquidityTokenNeeds(pool.lpMint, TOKEN_2022_PROGRAM),
  ],
  read: readPumpSwap,
});

export function decodePumpSwap({ address, data }: SolanaAccount): Result<PumpSwap, ChainFault> {
  if (!startsWith(data, DISCRIMINATOR) || data.length < LENGTH) return fault('malformed', 'no PumpSwap pool');
  return ok({
    address,
    creator: key(data, 11),
    mints: [key(data, 43), key(data, 75)],
    lpMint: key(data, 107),
    vaults: [key(data, 139), key(data, 171)],
    lpIssued: u64(data, 203),
    coinCreator: data.length >= 243 ? keyOrNull(data, 211) : null,
    mayhem: u8(data, 243) === 1,
    virtualQuote: i128(data, 245),
    creatorFeeBps: u64(data, 261),
  });
}

export function readPumpSwap(pool: PumpSwap, accounts: Accounts, slot: number): Result<PoolReading, ChainFault> {
  const tokens = tokensOf(accounts, { ...pool, owed: [0n, 0n] });
  if (!tokens.ok) return tokens;
  const [base, quote] = tokens.value;
  const global = accounts.get(derivedAddress(['global_config'], PUMP_SWAP) ?? '');
  const config = pumpFeeConfigOf(accounts, PUMP_SWAP);
  const effectiveQuote = quote.reserve + pool.virtualQuote;
  const supply = pool.mayhem ? ONE_BILLION_TOKENS : (mintOf(accounts, pool.mints[0])?.supply ?? 0n);
  const scheduled = config
    ? pumpFeesFor(config, {
        canonical: isMadeByPump(pool),
        quoteMint: pool.mints[1],
        marketCap: base.reserve === 0n ? 0n : (effectiveQuote * supply) / base.reserve,
      })
    : FALLBACK;
  const configurable = global ? u8(global.data, GLOBAL_CREATOR_FEE_AT) === 1 : false;
  const fees = {
    ...scheduled,
    creator:
      pool.coinCreator === null ? 0n : configurable && pool.creatorFeeBps > 0n ? pool.creatorFeeBps : scheduled.creator,
  };
  const off = global ? (u8(global.data, GLOBAL_FLAGS_AT) & BUY_AND_SELL_OFF) === BUY_AND_SELL_OFF : false;
  return ok({
    dex: 'pump',
    protocol: 'pump_swap',
    kind: 'constant_product',
    address: pool.address,
    tokens: tokens.value,
    feeRate: Number(fees.lp + fees.protocol + fees.creator) / 1e4,
    curve: pumpSwapMathematics(base.reserve, quote.reserve, pool.virtualQuote, fees),
    lp: liquidityTokenState(accounts, pool.lpMint, pool.lpIssued, TOKEN_2022_PROGRAM),
    height: slot,
    inactive: off ? 'swaps are turned off' : null,
    notes: [
      ...(pool.virtualQuote !== 0n ? ['trades on virtual quote reserves that are not in the vault'] : []),
      ...(config ? [] : ['the fee account was not read: the usual fee is given']),
      ...tokenNotes(accounts, pool.mints),
    ],
  });
}

/** Pump's own pools belong to an address derived from their mint. */
function isMadeByPump(pool: PumpSwap): boolean {
  const bytes = addressBytes(pool.mints[0]);
  return bytes !== null && derivedAddress(['pool-authority', bytes], PUMP) === pool.creator;
}

/** All fees are in quote: off what comes in when buying, off what goes out when selling. */
export function pumpSwapMathematics(base: bigint, quote: bigint, virtualQuote: bigint, fees: PumpFees) {
  const parts = [fees.lp, fees.protocol, fees.creator];
  const total = fees.lp + fees.protocol + fees.creator;
  const feesOf = (amount: bigint) => parts.reduce((sum, bps) => sum + divideUp(amount * bps, BASIS_POINTS), 0n);
  return constantProduct({
    reserve0: base,
    reserve1: quote + virtualQuote,
    available0: base,
    available1: quote,
    // The liquidity providers' fee stays in the vault.
    leaving: (curveOut, zeroForOne) => (zeroForOne ? curveOut - divideUp(curveOut * fees.lp, BASIS_POINTS) : curveOut),
    fee: {
      how: 'separate',
      input: (amount, zeroForOne) => (zeroForOne ? 0n : amount - traded(amount, total, feesOf)),
      output: (amount, zeroForOne) => (zeroForOne ? feesOf(amount) : 0n),
    },
  });
}

/** Quote that reaches the curve: what is left after fees rounded up one by one, less one unit. */
function traded(amount: bigint, totalBps: bigint, feesOf: (amount: bigint) => bigint): bigint {
  const before = (amount * BASIS_POINTS) / (BASIS_POINTS + totalBps);
  const over = before + feesOf(before) - amount;
  return (over > 0n ? before - over : before) - 1n;
}
