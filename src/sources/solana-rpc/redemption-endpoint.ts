import { CLOCK_SYSVAR } from '../../chains/index.ts';
import type { AskOutcome, Json } from '../../domain/index.ts';
import { tokensOf } from '../amounts.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { learnRate } from '../redemption/learned.ts';
import { solanaRedemption } from '../redemption/solana-issuers.ts';
import { implausibleRate } from '../redemption/terms.ts';
import { type Endpoint, endpoint, type Params } from '../source.ts';
import { MANY_ACCOUNTS, type RawAccount, readAccount } from './accounts.ts';
import { clockOf } from './clock.ts';
import { fromOperator, mintOf, type Operators } from './mint-endpoints.ts';
import { SOL_USD, solPriceOf } from './price-update.ts';
import { poolRateOf } from './stake-pools.ts';

const RATE_DECIMALS = 18;
const ONE = 10n ** 18n;
/** A pool is reckoned anew every epoch, some two days; one this far behind is left alone. */
const MOST_EPOCHS_BEHIND = 10n;
/** A node's clock may run this far ahead of ours. */
const AHEAD_SECONDS = 120;

/** Params `{base, mint, underlying, basis, pool, program, layout}`: what one listed token can be redeemed for, read in one slot. */
export function redemptionEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'redemption',
    doc: "getMultipleAccounts of the clock, Pyth's SOL / USD and the stake pool of the mint: lamports over tokens, at the price. Layouts: solana-program/stake-pool state.rs, marinade-finance state/mod.rs, pyth-crosschain price_update.rs.",
    plan: (facts) => {
      const mint = mintOf(facts);
      const terms = mint === null ? null : solanaRedemption(mint);
      if (mint === null || terms === null) return [];
      const { underlying, basis, pool } = terms;
      return operators.bases.map((base) => ({
        base,
        mint,
        underlying,
        basis,
        pool: pool?.account ?? null,
        program: pool?.program ?? null,
        layout: pool?.layout ?? null,
      }));
    },
    request: (params) =>
      rpcCall(String(params.base), 'getMultipleAccounts', [
        [CLOCK_SYSVAR, SOL_USD, ...(typeof params.pool === 'string' ? [params.pool] : [])],
        { encoding: 'base64', commitment: 'confirmed' },
      ]),
    reply: MANY_ACCOUNTS,
    classify: (reply, meta, params) => {
      const verdict = classifyRpc(reply);
      if (verdict.outcome !== 'ok') return verdict;
      const read = readRedemption(reply.result?.value ?? [], params, meta.fetchedAt);
      return read.rate === null || read.price === null
        ? // The rate alone is worth keeping: markets may know the price of the underlying.
          { outcome: (read.rate === null ? 'empty' : 'ok') as AskOutcome, detail: read.why }
        : verdict;
    },
    observe: (reply, params, meta) => {
      const { rate, price, at } = readRedemption(reply.result?.value ?? [], params, meta.fetchedAt);
      const value = rate === null || price === null ? null : tokensOf(rate * price.raw, RATE_DECIMALS + price.decimals);
      if (value === null || at === null) return [];
      const held = params.pool === null ? 'one for one' : 'lamports of the pool over its tokens';
      return fromOperator(operators, params, [
        { quantity: 'redemption_value_usd', value, observedAt: at, meaning: `${held}, at Pyth's SOL / USD` },
      ]);
    },
    learn: (reply, params, meta): Readonly<Record<string, Json>> => {
      const { rate } = readRedemption(reply.result?.value ?? [], params, meta.fetchedAt);
      return rate === null
        ? {}
        : learnRate(`solana_rpc.redemption.${String(params.base)}`, params, tokensOf(rate, RATE_DECIMALS));
    },
  });
}

interface Redemption {
  /** SOL per token, 18 decimals; null when it is not known or cannot be true. */
  readonly rate: bigint | null;
  readonly price: { readonly raw: bigint; readonly decimals: number } | null;
  /** Time of the slot. */
  readonly at: string | null;
  readonly why: string;
}

function readRedemption(accounts: readonly (RawAccount | null)[], params: Params, fetchedAt: string): Redemption {
  const nothing = { rate: null, price: null, at: null };
  const clock = clockOf(accounts[0]);
  if (clock === null || Number(clock.seconds) > Date.parse(fetchedAt) / 1_000 + AHEAD_SECONDS)
    return { ...nothing, why: 'the node gives no clock that can be true' };
  const rate = rateOf(accounts[2], params, clock.epoch);
  if (typeof rate === 'string') return { ...nothing, why: rate };
  const at = new Date(Number(clock.seconds) * 1_000).toISOString();
  const price = solPriceOf(readAccount(accounts[1]), clock.seconds);
  return typeof price === 'string' ? { rate, price: null, at, why: price } : { rate, price, at, why: '' };
}

function rateOf(raw: RawAccount | null | undefined, params: Params, epoch: bigint): bigint | string {
  if (params.pool === null) return ONE;
  const [layout, program, mint] = [params.layout, params.program, params.mint].map(String) as [string, string, string];
  const pool = poolRateOf(readAccount(raw), layout, program, mint);
  if (pool === null) return 'the account is no stake pool of this mint';
  if (pool.epoch !== null && epoch - pool.epoch > MOST_EPOCHS_BEHIND)
    return `the pool was last reckoned ${epoch - pool.epoch} epochs ago`;
  const rate = (pool.underlying * ONE) / pool.tokens;
  return implausibleRate(Number(rate) / 1e18) ?? rate;
}
