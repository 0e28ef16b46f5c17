import type { Accounts, ChainFault, OpenedPool, PoolReading } from '../../chains/index.ts';
import {
  decodeMint,
  decodeTokenAccount,
  i64,
  KNOWN_DECIMALS,
  keyOrNull,
  type Mint,
  openPool,
  type TokenAccount,
  u8,
  u16,
  u64,
  wholeTokens,
} from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';
import { finite } from '../../domain/index.ts';
import { describeReading } from '../pools/describe-reading.ts';
import type { AccountFile } from './account-file.ts';

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
    extensions: mint.extensions.entries.map(({ type, name, value, truncated }) => ({
      name,
      facts: truncated ? { truncated: true } : extensionFacts(type, value),
    })),
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

/** What an extension changes of what a holder has or a swap gives; {} for the others. */
function extensionFacts(type: number, value: Uint8Array): Readonly<Record<string, string | number | boolean | null>> {
  switch (type) {
    case 1:
      return {
        authority: keyOrNull(value, 0),
        older_epoch: u64(value, 72).toString(),
        older_basis_points: u16(value, 88),
        newer_epoch: u64(value, 90).toString(),
        newer_basis_points: u16(value, 106),
      };
    case 3:
    case 12:
    case 28:
      return { authority: keyOrNull(value, 0) };
    case 6:
      return { frozen_by_default: u8(value, 0) === 2 };
    case 10:
      return { rate_basis_points: (u16(value, 50) << 16) >> 16 };
    case 14:
      return { authority: keyOrNull(value, 0), program: keyOrNull(value, 32) };
    case 25:
      return { authority: keyOrNull(value, 0), effective_at_seconds: i64(value, 40).toString() };
    case 26:
      return { authority: keyOrNull(value, 0), paused: u8(value, 32) === 1 };
    default:
      return {};
  }
}
