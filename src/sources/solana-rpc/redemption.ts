import { CLOCK_SYSVAR, key, u32, u64 } from '../../chains/index.ts';
import { Refusal, rpcEndpoint } from '../json-rpc.ts';
import { mintOf } from '../plans.ts';
import { poolParams, solanaRedemption } from '../redemption/solana-issuers.ts';
import { implausibleRate, isAhead, learnRate, ONE, type Redemption, redemptionDrafts } from '../redemption/terms.ts';
import type { Params, ReplyMeta } from '../source.ts';
import {
  type Account,
  accountsCall,
  atEach,
  clockOf,
  MANY_ACCOUNTS,
  type RawAccount,
  readAccount,
} from './accounts.ts';

/** Pools are updated every epoch, about two days; a pool that is further behind is not used. */
const MOST_EPOCHS_BEHIND = 10n;

/** Params `{base, mint, underlying, basis, pool, program, layout}`: redemption value of one listed token, read in one slot. */
export const redemptionEndpoint = rpcEndpoint({
  name: 'redemption',
  doc: "getMultipleAccounts of the clock, Pyth's SOL / USD and the stake pool of the mint: lamports over tokens, at the price. Layouts: solana-program/stake-pool state.rs, marinade-finance state/mod.rs, pyth-crosschain price_update.rs.",
  plan: (facts) => {
    const terms = solanaRedemption(mintOf(facts) ?? '');
    if (terms === null) return [];
    const { underlying, basis } = terms;
    return atEach(facts, { underlying, basis, ...poolParams(terms) });
  },
  call: ({ pool }) => accountsCall([CLOCK_SYSVAR, SOL_USD, ...(typeof pool === 'string' ? [pool] : [])]),
  result: MANY_ACCOUNTS,
  read: ({ value }, params, meta) => readRedemption(value, params, meta),
  incomplete: ({ why }) => why,
  observe: (read, { pool }) => {
    const held = pool === null ? 'one for one' : 'lamports of the pool over its tokens';
    return redemptionDrafts(read, { meaning: `${held}, at Pyth's SOL / USD` });
  },
  learn: (read, params) => learnRate(`solana_rpc.redemption.${String(params.base)}`, params, read),
});

function readRedemption(
  [rawClock, rawPrice, rawPool]: readonly (RawAccount | null)[],
  params: Params,
  { fetchedAt }: ReplyMeta,
): Redemption | Refusal {
  const clock = clockOf(rawClock);
  if (clock === null || isAhead(clock.seconds, fetchedAt))
    return new Refusal('empty', 'the node gives no plausible clock');
  const rate = rateOf(rawPool, params, clock.epoch);
  if (typeof rate === 'string') return new Refusal('empty', rate);
  const at = new Date(Number(clock.seconds) * 1_000).toISOString();
  const price = solPriceOf(readAccount(rawPrice), clock.seconds);
  return typeof price === 'string' ? { rate, price: null, at, why: price } : { rate, price, at, why: null };
}

function rateOf(raw: RawAccount | null | undefined, params: Params, epoch: bigint): bigint | string {
  if (params.pool === null) return ONE;
  const pool = poolRateOf(readAccount(raw), params);
  if (pool === null) return 'the account is not a stake pool of this mint';
  if (pool.epoch !== null && epoch - pool.epoch > MOST_EPOCHS_BEHIND)
    return `the pool was last updated ${epoch - pool.epoch} epochs ago`;
  const rate = (pool.underlying * ONE) / pool.tokens;
  return implausibleRate(Number(rate) / 1e18) ?? rate;
}

/** Pyth's sponsored SOL / USD price account, and the program that owns it (docs.pyth.network, push feeds of Solana). */
export const SOL_USD = '7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE';
const RECEIVER = 'rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ';
const SOL_USD_ID = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';

/** Discriminator, writer, verification (one byte: fully verified), feed id, price, confidence, exponent, time. */
const LAYOUT = {
  discriminator: [34, 241, 35, 99, 157, 126, 244, 205],
  levelAt: 40,
  full: 1,
  idAt: 41,
  priceAt: 73,
} as const;
const BYTES = 101;
const LEAST_EXPONENT = -18;
/** The price is updated every minute or at a change of half a percent; after five minutes it is too old. */
const MOST_AGE_SECONDS = 300n;
/** A confidence interval wider than 1 / `WIDEST` of the price indicates a disturbed market. */
const WIDEST = 100n;

/**
 * Pyth's price of SOL in dollars, or the reason why it is rejected. `now`: Unix time in seconds. Layout: pyth-crosschain
 * `pyth_solana_receiver_sdk` price_update.rs (`PriceUpdateV2`).
 */
export function solPriceOf(
  account: Account | null,
  now: bigint,
): { readonly raw: bigint; readonly decimals: number } | string {
  if (account === null || account.owner !== RECEIVER || account.data.length < BYTES) return 'there is no price account';
  const { data } = account;
  if (!LAYOUT.discriminator.every((byte, at) => data[at] === byte)) return 'the price account is of another kind';
  if (data[LAYOUT.levelAt] !== LAYOUT.full) return 'the price is not fully verified';
  if (data.subarray(LAYOUT.idAt, LAYOUT.priceAt).toHex() !== SOL_USD_ID) return 'the price is of another feed';
  const raw = BigInt.asIntN(64, u64(data, LAYOUT.priceAt));
  const spread = u64(data, LAYOUT.priceAt + 8);
  const exponent = u32(data, LAYOUT.priceAt + 16) | 0;
  const published = BigInt.asIntN(64, u64(data, LAYOUT.priceAt + 20));
  if (raw <= 0n || exponent > 0 || exponent < LEAST_EXPONENT) return 'the price is not above zero';
  if (spread * WIDEST > raw) return 'the price is uncertain by more than a percent';
  if (now - published > MOST_AGE_SECONDS) return `the price was not updated for ${now - published} seconds`;
  return { raw, decimals: -exponent };
}

/** Amount of the underlying per amount of the token, both in raw units of nine decimals. */
export interface PoolRate {
  readonly underlying: bigint;
  readonly tokens: bigint;
  /** Tokens that the pool counts as issued. */
  readonly issued: bigint;
  /** Epoch of the last update; null if the layout has none. */
  readonly epoch: bigint | null;
}

/**
 * The rate that a stake pool states for this mint; null for an account of another program, kind or mint.
 * Layouts: solana-program/stake-pool program/src/state.rs (`StakePool`); marinade-finance/liquid-staking-program state/mod.rs.
 */
export function poolRateOf(account: Account | null, { layout, program, mint }: Params): PoolRate | null {
  if (account === null || account.owner !== program || typeof mint !== 'string') return null;
  if (layout === 'spl_stake_pool') return stakePool(account.data, mint);
  return layout === 'marinade' ? marinade(account.data, mint) : null;
}

/** Account type, five keys around a bump seed, the mint, two more keys, then the three numbers. */
const POOL = { kind: 1, mintAt: 162, lamportsAt: 258, tokensAt: 266, epochAt: 274, bytes: 282 } as const;

function stakePool(data: Uint8Array, mint: string): PoolRate | null {
  if (data.length < POOL.bytes || data[0] !== POOL.kind || key(data, POOL.mintAt) !== mint) return null;
  const [underlying, tokens] = [u64(data, POOL.lamportsAt), u64(data, POOL.tokensAt)];
  return tokens === 0n ? null : { underlying, tokens, issued: tokens, epoch: u64(data, POOL.epochAt) };
}

/** The first eight bytes of sha256("account:State"), then the mint; tokens issued, and the price in 2^-32. */
const MARINADE = {
  discriminator: [216, 146, 107, 94, 104, 75, 182, 177],
  mintAt: 8,
  issuedAt: 504,
  priceAt: 512,
  bytes: 520,
} as const;
const MARINADE_ONE = 2n ** 32n;

function marinade(data: Uint8Array, mint: string): PoolRate | null {
  const isState = MARINADE.discriminator.every((byte, at) => data[at] === byte);
  if (data.length < MARINADE.bytes || !isState || key(data, MARINADE.mintAt) !== mint) return null;
  const issued = u64(data, MARINADE.issuedAt);
  return { underlying: u64(data, MARINADE.priceAt), tokens: MARINADE_ONE, issued, epoch: null };
}
