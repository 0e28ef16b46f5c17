import { addressBytes, derivedAddress, startsWith, u32, u64, u128 } from '../../codecs/accounts.ts';
import { USDC, WRAPPED_SOL } from '../../solana.ts';
import { PUMP_FEES } from '../../solana-programs.ts';
import type { Accounts } from './program.ts';

/** Basis points of the quote amount. */
export interface PumpFees {
  readonly lp: bigint;
  readonly protocol: bigint;
  readonly creator: bigint;
}

/** FeeConfig account of Pump's fee program: what a trade pays by market capitalisation and quote token. */
export interface PumpFeeConfig {
  readonly flat: PumpFees;
  readonly tiers: readonly PumpTier[];
  readonly stableTiers: readonly PumpTier[];
  /** For other quote tokens; all zero means `flat`. */
  readonly exotic: PumpFees;
}

interface PumpTier {
  readonly threshold: bigint;
  readonly fees: PumpFees;
}

/** The zero key is how old curves write SOL. */
const SOL_LIKE = new Set([
  '11111111111111111111111111111111',
  WRAPPED_SOL,
  '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP',
]);
const DISCRIMINATOR = '8f3492bbdb7b4c9b';
const FLAT_AT = 41;
const TIERS_AT = 65;
const TIER_LENGTH = 40;
const MOST_TIERS = 256;

/** Where a program's fees are written. */
export function pumpFeeConfigAddress(program: string): string | null {
  const bytes = addressBytes(program);
  return bytes && derivedAddress(['fee_config', bytes], PUMP_FEES);
}

/** Fees a program charges, from its fee account; null when that was not read or is none. */
export function pumpFeeConfigOf(accounts: Accounts, program: string): PumpFeeConfig | null {
  const account = accounts.get(pumpFeeConfigAddress(program) ?? '');
  if (!account || account.owner !== PUMP_FEES || !startsWith(account.data, DISCRIMINATOR)) return null;
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

/** Fees of a pool: flat for pools that Pump did not make; else by quote token and market capitalisation in it. */
export function pumpFeesFor(
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
