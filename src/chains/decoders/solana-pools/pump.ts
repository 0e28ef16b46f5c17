import { ok } from '../../../domain/index.ts';
import {
  addressBytes,
  derivedAddress,
  i128,
  key,
  keyOrNull,
  startsWith,
  u8,
  u32,
  u64,
  u128,
} from '../../codecs/accounts.ts';
import { fault } from '../../fault.ts';
import { constantProduct, divideUp } from '../../pool-math/pool-curve.ts';
import { PUMP, PUMP_FEES, PUMP_SWAP, TOKEN_2022_PROGRAM, USDC, WRAPPED_SOL } from '../../solana.ts';
import {
  type Accounts,
  liquidityTokenNeeds,
  liquidityTokenState,
  mintOf,
  poolProgram,
  tokenNotes,
  tokensOf,
} from './program.ts';

const BASIS_POINTS = 10_000n;
const ONE_BILLION_TOKENS = 1_000_000_000_000_000n;
/** Assumed, with a note, when the fee account was not read (`lp` and `protocol` of pools are from Pump's documentation). */
const CURVE_FALLBACK = { protocol: 95n, creator: 30n };
const SWAP_FALLBACK: PumpFees = { lp: 20n, protocol: 5n, creator: 5n };
const NO_FEE_ACCOUNT = 'the fee account was not read: the usual fee is given';

/** Pump.fun bonding curve (layout and swap: @pump-fun/pump-sdk 2.0). */
export const pumpCurve = poolProgram({
  address: PUMP,
  dex: 'pump',
  protocol: 'pump_curve',
  discriminator: '17b7f83760d8ac60',
  // The oldest curves end after `complete`.
  length: 49,
  decode({ address, data }, candidates) {
    // The curve does not store its mint: it is the one from which the curve's address is derived.
    const mint = candidates.find((candidate) => pumpCurveAddress(candidate) === address);
    if (mint === undefined) return fault('not_found', 'the mint of the curve is not among those given');
    return ok({
      // Wrapped SOL unless the account stores another quote mint.
      mints: [mint, keyOrNull(data, 83) ?? WRAPPED_SOL] as const,
      virtualToken: u64(data, 8),
      virtualQuote: u64(data, 16),
      realToken: u64(data, 24),
      realQuote: u64(data, 32),
      complete: u8(data, 48) === 1,
      creator: keyOrNull(data, 49),
      mayhem: u8(data, 81) === 1,
      creatorFeeBps: u64(data, 115),
    });
  },
  summary: ({ virtualToken, virtualQuote }) => ({
    price: virtualToken === 0n ? null : Number(virtualQuote) / Number(virtualToken),
    feeRate: null,
    liquidity: null,
  }),
  needs: ({ mints }) => [...mints, pumpFeeConfigAddress(PUMP), derivedAddress(['global'], PUMP)],
  tokens({ mints, realToken, realQuote }, accounts) {
    const [base, quote] = [mintOf(accounts, mints[0]), mintOf(accounts, mints[1])];
    if (base === null || quote === null) return fault('not_found', 'a mint of the curve is missing or not a mint');
    return ok([
      { address: mints[0], decimals: base.decimals, reserve: realToken },
      { address: mints[1], decimals: quote.decimals, reserve: realQuote },
    ]);
  },
  read(curve, accounts) {
    const { mints, virtualToken, virtualQuote } = curve;
    const config = pumpFeeConfigOf(accounts, PUMP);
    const supply = curve.mayhem ? (mintOf(accounts, mints[0])?.supply ?? 0n) : ONE_BILLION_TOKENS;
    const marketCap = virtualToken === 0n ? 0n : (virtualQuote * supply) / virtualToken;
    const scheduled = config && pumpFeesFor(config, { canonical: true, quoteMint: mints[1], marketCap });
    const global = accounts.get(derivedAddress(['global'], PUMP) ?? '')?.data;
    const fees = scheduled
      ? { ...scheduled, creator: creatorFee(curve.creator, curve.creatorFeeBps, scheduled.creator, global, 1045) }
      : CURVE_FALLBACK;
    return ok({
      kind: 'bonding_curve',
      feeRate: Number(fees.protocol + fees.creator) / 1e4,
      curve: pumpCurveMathematics(curve, fees),
      lp: null,
      inactive: curve.complete ? 'the curve is finished, trading has moved to its pool' : null,
      notes: [
        'the curve belongs to no liquidity provider',
        ...(config ? [] : [NO_FEE_ACCOUNT]),
        ...tokenNotes(accounts, [mints[0]]),
      ],
    });
  },
});

/** Address of a mint's bonding curve. */
function pumpCurveAddress(mint: string): string | null {
  const bytes = addressBytes(mint);
  return bytes && derivedAddress(['bonding-curve', bytes], PUMP);
}

interface CurveReserves {
  readonly virtualToken: bigint;
  readonly virtualQuote: bigint;
  readonly realToken: bigint;
  readonly realQuote: bigint;
}

/** A purchase pays the fee from the quote input, a sale from the quote output. */
function pumpCurveMathematics(curve: CurveReserves, fees: Omit<PumpFees, 'lp'>) {
  const total = fees.protocol + fees.creator;
  const part = (amount: bigint, bps: bigint) => divideUp(amount * bps, BASIS_POINTS);
  return constantProduct({
    reserve0: curve.virtualToken,
    reserve1: curve.virtualQuote,
    available0: curve.realToken,
    available1: curve.realQuote,
    capOutput0: true,
    fee: {
      how: 'separate',
      input: (amount, zeroForOne) =>
        zeroForOne ? 0n : amount - ((amount - 1n) * BASIS_POINTS) / (BASIS_POINTS + total),
      output: (amount, zeroForOne) => (zeroForOne ? part(amount, fees.protocol) + part(amount, fees.creator) : 0n),
    },
  });
}

const GLOBAL_FLAGS_AT = 56;
const BUY_OR_SELL_OFF = 8 | 16;

/** PumpSwap (layout and swap: @pump-fun/pump-swap-sdk 1.20). */
export const pumpSwap = poolProgram({
  address: PUMP_SWAP,
  dex: 'pump',
  protocol: 'pump_swap',
  discriminator: 'f19a6d0411b16dbc',
  // Up to the field of the coin's creator.
  length: 211,
  decode({ data }) {
    const virtual = i128(data, 245);
    return ok({
      creator: key(data, 11),
      mints: [key(data, 43), key(data, 75)] as const,
      lpMint: key(data, 107),
      vaults: [key(data, 139), key(data, 171)] as const,
      // Fees that wait in the vault to be paid out are subtracted from the virtual reserves, which are otherwise 0 or more.
      owed: [0n, virtual < 0n ? -virtual : 0n] as const,
      lpIssued: u64(data, 203),
      coinCreator: data.length >= 243 ? keyOrNull(data, 211) : null,
      mayhem: u8(data, 243) === 1,
      /** Virtual liquidity that is added to the quote reserve. 0 for accounts older than the field. */
      virtualQuote: virtual > 0n ? virtual : 0n,
      creatorFeeBps: u64(data, 261),
    });
  },
  summary: () => ({ price: null, feeRate: null, liquidity: null }),
  needs: (pool) => [
    ...pool.vaults,
    ...pool.mints,
    pumpFeeConfigAddress(PUMP_SWAP),
    derivedAddress(['global_config'], PUMP_SWAP),
    ...liquidityTokenNeeds(pool.lpMint, TOKEN_2022_PROGRAM),
  ],
  tokens: tokensOf,
  read(pool, accounts, [base, quote]) {
    const { mints, virtualQuote } = pool;
    const config = pumpFeeConfigOf(accounts, PUMP_SWAP);
    const supply = pool.mayhem ? ONE_BILLION_TOKENS : (mintOf(accounts, mints[0])?.supply ?? 0n);
    const marketCap = base.reserve === 0n ? 0n : ((quote.reserve + virtualQuote) * supply) / base.reserve;
    // Pump's own pools belong to an address derived from their mint.
    const mint = addressBytes(mints[0]);
    const canonical = mint !== null && derivedAddress(['pool-authority', mint], PUMP) === pool.creator;
    const scheduled = config ? pumpFeesFor(config, { canonical, quoteMint: mints[1], marketCap }) : SWAP_FALLBACK;
    const global = accounts.get(derivedAddress(['global_config'], PUMP_SWAP) ?? '')?.data;
    const creator = creatorFee(pool.coinCreator, pool.creatorFeeBps, scheduled.creator, global, 940);
    const fees = { ...scheduled, creator };
    const off = global ? (u8(global, GLOBAL_FLAGS_AT) & BUY_OR_SELL_OFF) !== 0 : false;
    return ok({
      kind: 'constant_product',
      feeRate: Number(fees.lp + fees.protocol + fees.creator) / 1e4,
      curve: pumpSwapMathematics(base.reserve, quote.reserve, virtualQuote, fees),
      lp: liquidityTokenState(accounts, pool.lpMint, pool.lpIssued, TOKEN_2022_PROGRAM),
      inactive: off ? 'swaps are turned off' : null,
      notes: [
        ...(virtualQuote !== 0n ? ['trades on virtual quote reserves that are not in the vault'] : []),
        ...(config ? [] : [NO_FEE_ACCOUNT]),
        ...tokenNotes(accounts, mints),
      ],
    });
  },
});

/** All fees are in quote: taken from the input of a purchase and from the output of a sale. */
function pumpSwapMathematics(base: bigint, quote: bigint, virtualQuote: bigint, fees: PumpFees) {
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

/** Quote that reaches the curve: the remainder after fees, each rounded up, minus one unit. */
function traded(amount: bigint, totalBps: bigint, feesOf: (amount: bigint) => bigint): bigint {
  const before = (amount * BASIS_POINTS) / (BASIS_POINTS + totalBps);
  const over = before + feesOf(before) - amount;
  return (over > 0n ? before - over : before) - 1n;
}

/**
 * Basis points for the creator of a coin: 0 without a creator; the coin's own rate if the program's global account allows
 * one (flag at `flagAt`); otherwise the scheduled rate.
 */
function creatorFee(
  creator: string | null,
  own: bigint,
  scheduled: bigint,
  global: Uint8Array | undefined,
  flagAt: number,
): bigint {
  if (creator === null) return 0n;
  return global && u8(global, flagAt) === 1 && own > 0n ? own : scheduled;
}

/** Basis points of the quote amount. */
interface PumpFees {
  readonly lp: bigint;
  readonly protocol: bigint;
  readonly creator: bigint;
}

/** FeeConfig account of Pump's fee program: what a trade pays by market capitalisation and quote token. */
interface PumpFeeConfig {
  readonly flat: PumpFees;
  readonly tiers: readonly PumpTier[];
  readonly stableTiers: readonly PumpTier[];
  /** Fees for other quote tokens; all zero means `flat`. */
  readonly exotic: PumpFees;
}

interface PumpTier {
  readonly threshold: bigint;
  readonly fees: PumpFees;
}

/** Old curves represent SOL by the zero key. */
const SOL_LIKE = new Set([
  '11111111111111111111111111111111',
  WRAPPED_SOL,
  '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP',
]);
const CONFIG_DISCRIMINATOR = '8f3492bbdb7b4c9b';
const FLAT_AT = 41;
const TIERS_AT = 65;
const TIER_LENGTH = 40;
const MOST_TIERS = 256;

/** Address of the account that stores a program's fees. */
function pumpFeeConfigAddress(program: string): string | null {
  const bytes = addressBytes(program);
  return bytes && derivedAddress(['fee_config', bytes], PUMP_FEES);
}

/** Fees of a program from its fee account; null if the account was not read or is of another kind. */
function pumpFeeConfigOf(accounts: Accounts, program: string): PumpFeeConfig | null {
  const account = accounts.get(pumpFeeConfigAddress(program) ?? '');
  if (!account || account.owner !== PUMP_FEES || !startsWith(account.data, CONFIG_DISCRIMINATOR)) return null;
  const { data } = account;
  const tiers = tiersAt(data, TIERS_AT);
  if (tiers === null) return null;
  const stable = tiersAt(data, tiers.end);
  return {
    flat: feesAt(data, FLAT_AT),
    tiers: tiers.tiers,
    stableTiers: stable?.tiers ?? [],
    exotic: feesAt(data, stable?.end ?? data.length),
  };
}

/** Fees of a pool: `flat` for pools that Pump did not create; otherwise by quote token and market capitalisation in that token. */
function pumpFeesFor(
  config: PumpFeeConfig,
  pool: { readonly canonical: boolean; readonly quoteMint: string; readonly marketCap: bigint },
): PumpFees {
  if (!pool.canonical) return config.flat;
  if (SOL_LIKE.has(pool.quoteMint)) return tierFor(config.tiers, pool.marketCap) ?? config.flat;
  if (pool.quoteMint === USDC) {
    return tierFor(config.stableTiers.length > 0 ? config.stableTiers : config.tiers, pool.marketCap) ?? config.flat;
  }
  const { lp, protocol, creator } = config.exotic;
  return lp === 0n && protocol === 0n && creator === 0n ? config.flat : config.exotic;
}

function tierFor(tiers: readonly PumpTier[], marketCap: bigint): PumpFees | null {
  return (tiers.findLast((tier) => marketCap >= tier.threshold) ?? tiers[0])?.fees ?? null;
}

function tiersAt(data: Uint8Array, at: number): { readonly tiers: readonly PumpTier[]; readonly end: number } | null {
  const count = u32(data, at);
  const end = at + 4 + count * TIER_LENGTH;
  if (count > MOST_TIERS || end > data.length) return null;
  const tiers = Array.from({ length: count }, (_, index) => {
    const start = at + 4 + index * TIER_LENGTH;
    return { threshold: u128(data, start), fees: feesAt(data, start + 16) };
  });
  return { tiers, end };
}

function feesAt(data: Uint8Array, at: number): PumpFees {
  return { lp: u64(data, at), protocol: u64(data, at + 8), creator: u64(data, at + 16) };
}
