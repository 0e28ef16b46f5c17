import { decodeMint, TOKEN_PROGRAM, WRAPPED_SOL } from '../../chains/index.ts';
import { Refusal, rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { mintOf } from '../plans.ts';
import { poolParams, solanaRedemption } from '../redemption/solana-issuers.ts';
import type { Params } from '../source.ts';
import { accountsCall, atEach, MANY_ACCOUNTS, type RawAccount, readAccount } from './accounts.ts';
import { poolRateOf } from './redemption.ts';

/**
 * Params `{base, mint, pool, program, layout}`: tokens that a stake pool of the redemption list counts as issued, over the supply of the mint.
 * The pool's program controls and counts stake accounts on the same chain; tokens minted outside the pool would have no claim to them.
 * Wrapped SOL is fully backed, because the token program keeps the lamports in the token accounts themselves.
 */
export const backingEndpoint = rpcEndpoint({
  name: 'backing',
  doc: 'getMultipleAccounts of the mint and of the stake pool of the redemption list: tokens that the pool counts over the supply of the mint. Layouts as for `redemption`.',
  plan: (facts) => {
    const terms = solanaRedemption(mintOf(facts) ?? '');
    return terms === null ? [] : atEach(facts, poolParams(terms));
  },
  call: ({ mint, pool }) => accountsCall([mint ?? null, ...(typeof pool === 'string' ? [pool] : [])]),
  result: MANY_ACCOUNTS,
  read: ({ value }, params) =>
    ratioOf(value, params) ?? new Refusal('empty', 'the accounts are not a mint and its stake pool'),
  observe: (ratio, { pool }) =>
    observed(
      'backing_ratio',
      ratio,
      pool === null
        ? 'lamports in the token accounts themselves'
        : 'tokens that the stake pool counts over those that exist',
    ),
});

/** At most 1, because a surplus does not belong to the holders. Null if the accounts cannot be read. */
function ratioOf([rawMint, rawPool]: readonly (RawAccount | null)[], params: Params): number | null {
  const account = readAccount(rawMint);
  const mint = account && decodeMint(account.owner, account.data);
  if (mint === null) return null;
  if (params.pool === null) return params.mint === WRAPPED_SOL && account?.owner === TOKEN_PROGRAM ? 1 : null;
  const pool = poolRateOf(readAccount(rawPool), params);
  return pool === null || pool.underlying === 0n || mint.supply === 0n
    ? null
    : Math.min(1, Number(pool.issued) / Number(mint.supply));
}
