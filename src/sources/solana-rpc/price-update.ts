import { u32, u64 } from '../../chains/index.ts';
import type { Account } from './accounts.ts';

/** Pyth's account of SOL / USD that its sponsors keep fresh, and the program that owns it (docs.pyth.network, push feeds of Solana). */
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
/** Updated every minute, or at half a percent; five missed minutes are silence. */
const SILENCE_SECONDS = 300n;
/** A confidence interval wider than this part of the price tells of a disturbed market. */
const WIDEST = 100n;

/**
 * SOL in dollars as Pyth states it at `now` (seconds), or in words why it is none. Layout: pyth-crosschain
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
  if (now - published > SILENCE_SECONDS) return `the price was silent for ${now - published} seconds`;
  return { raw, decimals: -exponent };
}
