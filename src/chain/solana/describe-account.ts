import type { Result } from '../../domain/result.ts';
import { finite } from '../../domain/statistics.ts';
import type { ChainFault } from '../fault.ts';
import { describeReading } from '../pools/describe-reading.ts';
import { wholeTokens } from '../pools/integer.ts';
import type { PoolReading } from '../pools/types.ts';
import type { AccountFile } from './account-file.ts';
import { decodeMint, type Mint } from './mint.ts';
import { openPool } from './pools/index.ts';
import type { Accounts, OpenedPool } from './pools/program.ts';
import { KNOWN_DECIMALS } from './programs.ts';
import { decodeTokenAccount, type TokenAccount } from './token-account.ts';

/** A decoded account as JSON: amounts in base units are strings, numbers not known are null. */
export type AccountDescription = Readonly<Record<string, unknown>>;

/**
 * Says what an account is: a mint, a token account or a pool of a known DEX. A pool is told in full when the accounts it
 * needs stand beside it; else from its own account, with the addresses that are missing.
 */
export function describeAccount(file: AccountFile): Result<AccountDescription, ChainFault> {
  const { account, others, slot } = file;
  const mint = decodeMint(account.owner, account.data);
  if (mint) return { ok: true, value: mintDescription(account.address, mint) };
  const token = decodeTokenAccount(account.owner, account.data);
  if (token) return { ok: true, value: tokenDescription(account.address, token, others) };
  const mints = others.filter((other) => decodeMint(other.owner, other.data) !== null).map((other) => other.address);
  const opened = openPool(account, mints);
  if (!opened.ok) return opened;
  const accounts: Accounts = new Map([...others, account].map((one) => [one.address, one]));
  const reading = opened.value.read(accounts, slot);
  return {
    ok: true,
    value: reading.ok
      ? poolDescription(reading.value, opened.value)
      : partialDescription(opened.value, accounts, reading.detail),
  };
}

function mintDescription(address: string, mint: Mint): AccountDescription {
  return {
    kind: 'mint',
    address: address || null,
    standard: mint.standard,
    decimals: mint.decimals,
    supply_raw: mint.supply.toString(),
    supply: wholeTokens(mint.supply, mint.decimals),
    mint_authority: mint.mintAuthority,
    freeze_authority: mint.freezeAuthority,
    extensions: mint.extensions,
  };
}

function tokenDescription(address: string, token: TokenAccount, others: AccountFile['others']): AccountDescription {
  const mint = others.find((other) => other.address === token.mint);
  const decimals = (mint && decodeMint(mint.owner, mint.data)?.decimals) ?? KNOWN_DECIMALS.get(token.mint) ?? null;
  return {
    kind: 'token_account',
    address: address || null,
    mint: token.mint,
    owner: token.owner,
    amount_raw: token.amount.toString(),
    amount: decimals === null ? null : wholeTokens(token.amount, decimals),
    decimals,
    frozen: token.frozen,
    delegate: token.delegate,
    delegated_raw: token.delegatedAmount.toString(),
    close_authority: token.closeAuthority,
  };
}

function poolDescription(reading: PoolReading, { summary }: OpenedPool): AccountDescription {
  return { ...describeReading(reading), liquidity: summary.liquidity?.toString() ?? null };
}

function partialDescription(pool: OpenedPool, accounts: Accounts, missingWhat: string): AccountDescription {
  const { summary } = pool;
  const decimals = summary.mints.map((mint, side) => {
    const account = accounts.get(mint);
    const read = account ? decodeMint(account.owner, account.data)?.decimals : undefined;
    return summary.decimals?.[side] ?? read ?? KNOWN_DECIMALS.get(mint) ?? null;
  });
  const [decimals0, decimals1] = decimals;
  const known = typeof decimals0 === 'number' && typeof decimals1 === 'number' && summary.price !== null;
  const price = known ? (summary.price ?? 0) * 10 ** ((decimals0 ?? 0) - (decimals1 ?? 0)) : null;
  return {
    kind: 'pool',
    protocol: pool.protocol,
    address: pool.address || null,
    complete: false,
    tokens: summary.mints.map((address, side) => ({
      address,
      decimals: decimals[side] ?? null,
      reserve_raw: null,
      reserve: null,
    })),
    price_1_per_0: finite(price),
    price_0_per_1: price === null ? null : finite(1 / price),
    price_raw: finite(summary.price),
    fee_rate_pct: summary.feeRate === null ? null : finite(summary.feeRate * 100),
    liquidity: summary.liquidity?.toString() ?? null,
    missing: missingWhat,
    needs: pool.needs.filter((address) => !accounts.has(address)),
  };
}
