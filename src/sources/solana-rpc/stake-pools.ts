import { key, u64 } from '../../chains/index.ts';
import type { Account } from './accounts.ts';

/** How much of the underlying stands behind how much of the token, both in raw units of nine decimals. */
export interface PoolRate {
  readonly underlying: bigint;
  readonly tokens: bigint;
  /** Epoch of the last reckoning; null where the layout does not tell. */
  readonly epoch: bigint | null;
}

/**
 * The rate a stake pool states of this mint; null for an account of another program, of another kind or of another mint.
 * Layouts: solana-program/stake-pool program/src/state.rs (`StakePool`); marinade-finance/liquid-staking-program state/mod.rs.
 */
export function poolRateOf(account: Account | null, layout: string, program: string, mint: string): PoolRate | null {
  if (account === null || account.owner !== program) return null;
  if (layout === 'spl_stake_pool') return stakePool(account.data, mint);
  return layout === 'marinade' ? marinade(account.data, mint) : null;
}

/** Account type, five keys around a bump seed, the mint, two keys more, then the three numbers. */
const POOL = { kind: 1, mintAt: 162, lamportsAt: 258, tokensAt: 266, epochAt: 274, bytes: 282 } as const;

function stakePool(data: Uint8Array, mint: string): PoolRate | null {
  if (data.length < POOL.bytes || data[0] !== POOL.kind || key(data, POOL.mintAt) !== mint) return null;
  const [underlying, tokens] = [u64(data, POOL.lamportsAt), u64(data, POOL.tokensAt)];
  return tokens === 0n ? null : { underlying, tokens, epoch: u64(data, POOL.epochAt) };
}

/** The first eight bytes of sha256("account:State"), then the mint; the price is in 2^-32. */
const MARINADE = {
  discriminator: [216, 146, 107, 94, 104, 75, 182, 177],
  mintAt: 8,
  priceAt: 512,
  bytes: 520,
} as const;
const MARINADE_ONE = 2n ** 32n;

function marinade(data: Uint8Array, mint: string): PoolRate | null {
  const isState = MARINADE.discriminator.every((byte, at) => data[at] === byte);
  if (data.length < MARINADE.bytes || !isState || key(data, MARINADE.mintAt) !== mint) return null;
  return { underlying: u64(data, MARINADE.priceAt), tokens: MARINADE_ONE, epoch: null };
}
