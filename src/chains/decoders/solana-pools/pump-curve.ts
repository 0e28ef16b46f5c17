import { ok, type Result } from '../../../domain/index.ts';
import type { SolanaAccount } from '../../codecs/accounts.ts';
import { addressBytes, derivedAddress, keyOrNull, startsWith, u8, u64 } from '../../codecs/accounts.ts';
import { type ChainFault, fault } from '../../fault.ts';
import { constantProduct } from '../../pool-math/constant-product.ts';
import { divideUp } from '../../pool-math/integer.ts';
import type { PoolReading } from '../../pool-math/types.ts';
import { WRAPPED_SOL } from '../../solana.ts';
import { PUMP } from '../../solana-programs.ts';
import { type Accounts, mintOf, poolProgram, tokenNotes } from './program.ts';
import { type PumpFeeConfig, pumpFeeConfigAddress, pumpFeeConfigOf, pumpFeesFor } from './pump-fees.ts';

export interface PumpCurve {
  readonly address: string;
  /** The curve does not name its mint: it is the one the curve's address is derived from. */
  readonly mint: string;
  /** Wrapped SOL where the account writes none. */
  readonly quoteMint: string;
  readonly virtualToken: bigint;
  readonly virtualQuote: bigint;
  readonly realToken: bigint;
  readonly realQuote: bigint;
  readonly complete: boolean;
  readonly creator: string | null;
  readonly mayhem: boolean;
  readonly creatorFeeBps: bigint;
}

const DISCRIMINATOR = '17b7f83760d8ac60';
/** The oldest curves end after `complete`; later fields were added behind. */
const LENGTH = 49;
const BASIS_POINTS = 10_000n;
const ONE_BILLION_TOKENS = 1_000_000_000_000_000n;
const GLOBAL_CREATOR_FEE_AT = 1045;
/** Assumed, with a note, when the fee account was not read. */
const FALLBACK_BPS = { protocol: 95n, creator: 30n };

/** Pump.fun bonding curve (layout and swap: @pump-fun/pump-sdk 2.0). */
export const pumpCurve = poolProgram({
  address: PUMP,
  protocol: 'pump_curve',
  decode: decodePumpCurve,
  summary: (curve) => ({
    mints: [curve.mint, curve.quoteMint],
    decimals: null,
    price: curve.virtualToken === 0n ? null : Number(curve.virtualQuote) / Number(curve.virtualToken),
    feeRate: null,
    liquidity: null,
  }),
  needs: (curve) => [curve.mint, curve.quoteMint, pumpFeeConfigAddress(PUMP), derivedAddress(['global'], PUMP)],
  read: readPumpCurve,
});

export function decodePumpCurve(
  { address, data }: SolanaAccount,
  mints: readonly string[],
): Result<PumpCurve, ChainFault> {
  if (!startsWith(data, DISCRIMINATOR) || data.length < LENGTH) return fault('malformed', 'no Pump bonding curve');
  const mint = mints.find((candidate) => pumpCurveAddress(candidate) === address);
  if (mint === undefined) return fault('not_found', 'the mint of the curve is not among those given');
  return ok({
    address,
    mint,
    quoteMint: keyOrNull(data, 83) ?? WRAPPED_SOL,
    virtualToken: u64(data, 8),
    virtualQuote: u64(data, 16),
    realToken: u64(data, 24),
    realQuote: u64(data, 32),
    complete: u8(data, 48) === 1,
    creator: keyOrNull(data, 49),
    mayhem: u8(data, 81) === 1,
    creatorFeeBps: u64(data, 115),
  });
}

/** Address of a mint's bonding curve. */
export function pumpCurveAddress(mint: string): string | null {
  const bytes = addressBytes(mint);
  return bytes && derivedAddress(['bonding-curve', bytes], PUMP);
}

export function readPumpCurve(curve: PumpCurve, accounts: Accounts, slot: number): Result<PoolReading, ChainFault> {
  const mint = mintOf(accounts, curve.mint);
  const quote = mintOf(accounts, curve.quoteMint);
  if (mint === null || quote === null) return fault('not_found', 'a mint of the curve is missing or no mint');
  const config = pumpFeeConfigOf(accounts, PUMP);
  const global = accounts.get(derivedAddress(['global'], PUMP) ?? '');
  const configurable = global ? u8(global.data, GLOBAL_CREATOR_FEE_AT) === 1 : false;
  const fees = config
    ? curveFees(curve, config, curve.mayhem ? mint.supply : ONE_BILLION_TOKENS, configurable)
    : FALLBACK_BPS;
  return ok({
    dex: 'pump',
    protocol: 'pump_curve',
    kind: 'bonding_curve',
    address: curve.address,
    tokens: [
      { address: curve.mint, decimals: mint.decimals, reserve: curve.realToken },
      { address: curve.quoteMint, decimals: quote.decimals, reserve: curve.realQuote },
    ],
    feeRate: Number(fees.protocol + fees.creator) / 1e4,
    curve: pumpCurveMathematics(curve, fees),
    lp: null,
    height: slot,
    inactive: curve.complete ? 'the curve is finished, trading has moved to its pool' : null,
    notes: [
      'the curve belongs to no liquidity provider',
      ...(config ? [] : ['the fee account was not read: the usual fee is given']),
      ...tokenNotes(accounts, [curve.mint]),
    ],
  });
}

/** Protocol's and creator's basis points; nothing goes to the creator of a curve that names none. */
export function curveFees(curve: PumpCurve, config: PumpFeeConfig, supply: bigint, configurable: boolean) {
  const marketCap = curve.virtualToken === 0n ? 0n : (curve.virtualQuote * supply) / curve.virtualToken;
  const fees = pumpFeesFor(config, { canonical: true, quoteMint: curve.quoteMint, marketCap });
  const creator = configurable && curve.creatorFeeBps > 0n ? curve.creatorFeeBps : fees.creator;
  return { protocol: fees.protocol, creator: curve.creator === null ? 0n : creator };
}

/** Buying takes the fee off the quote that comes in, selling off the quote that goes out. */
export function pumpCurveMathematics(curve: PumpCurve, fees: { readonly protocol: bigint; readonly creator: bigint }) {
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
