import {
  type Accounts,
  type ChainFault,
  decodeMint,
  decodeTokenAccount,
  EVM_CHAINS,
  type Hex,
  i64,
  KNOWN_DECIMALS,
  keyOrNull,
  type Mint,
  type OpenedPool,
  openPool,
  type PoolReading,
  type SolanaAccount,
  type TokenAccount,
  u8,
  u16,
  u64,
  wholeTokens,
} from '../chains/index.ts';
import { finite, ok, type Result } from '../domain/index.ts';
import { DEPTH_MOVES_PCT } from '../metrics/index.ts';
import { readErc20 } from './evm/ledger.ts';
import { readEvmPools } from './evm/pools.ts';
import type { EvmReader } from './evm/reader.ts';

/**
 * A pool that was read, as plain JSON in its own two tokens, without dollars and without a rated asset. Amounts in base
 * units are strings.
 */
export function describeReading(reading: PoolReading): Readonly<Record<string, unknown>> {
  const [token0, token1] = reading.tokens;
  const price = reading.curve.price * 10 ** (token0.decimals - token1.decimals);
  return {
    kind: 'pool',
    dex: reading.dex,
    protocol: reading.protocol,
    pool_kind: reading.kind,
    address: reading.address,
    complete: true,
    tokens: reading.tokens.map((token) => ({
      address: token.address,
      decimals: token.decimals,
      reserve_raw: token.reserve.toString(),
      reserve: wholeTokens(token.reserve, token.decimals),
    })),
    price_1_per_0: finite(price),
    price_0_per_1: finite(1 / price),
    fee_rate_pct: finite(reading.feeRate * 100),
    depth: DEPTH_MOVES_PCT.map((movePct) => ({
      move_pct: movePct,
      down_token_1: flow(reading, 1 - movePct / 100),
      up_token_1: flow(reading, 1 + movePct / 100),
    })),
    lp: reading.lp,
    inactive: reading.inactive,
    height: reading.height || null,
    notes: reading.notes,
  };
}

/** Whole tokens 1 that flow in or out when the price moves by a factor. */
function flow({ curve, tokens }: PoolReading, factor: number): number | null {
  return finite(Math.abs(curve.toPrice(curve.price * factor).amount1) / 10 ** tokens[1].decimals);
}

/**
 * Describes an address of an EVM chain: a pool of a known kind (or the id of one), else an ERC-20 token. `not_found`,
 * with the reason, when it is neither.
 */
export async function describeContract(
  reader: EvmReader,
  chain: string,
  address: Hex,
  signal?: AbortSignal,
): Promise<Result<Readonly<Record<string, unknown>>, ChainFault>> {
  const exchanges = EVM_CHAINS.find((row) => row.name === chain)?.exchanges ?? [];
  const pools = await readEvmPools(reader, exchanges, [address], null, signal);
  if (!pools.ok) return pools;
  const [reading] = pools.value.readings;
  if (reading !== undefined) return ok(describeReading(reading));
  const why = pools.value.failures[0]?.detail ?? 'nothing is known of it';
  const token = await readErc20(reader, address, 'latest', signal);
  if (!token.ok) return token.reason === 'not_found' ? { ok: false, reason: 'not_found', detail: why } : token;
  const { name, symbol, decimals, supply, block } = token.value;
  return ok({
    kind: 'token',
    address,
    standard: 'erc20',
    name,
    symbol,
    decimals,
    supply_raw: supply.toString(),
    supply: wholeTokens(supply, decimals),
    height: block,
  });
}

/** A decoded account as JSON: amounts in base units are strings, unknown numbers are null. */
export type AccountDescription = Readonly<Record<string, unknown>>;

/**
 * Describes an account: a mint, a token account or a pool of a known DEX. A pool is described completely when the file
 * contains the accounts that it needs; else from its own account, with the addresses that are missing.
 */
export function describeAccount(file: AccountFile): Result<AccountDescription, ChainFault> {
  const { account, others, slot } = file;
  const mint = decodeMint(account.owner, account.data);
  if (mint) return ok(mintDescription(account.address, mint));
  const token = decodeTokenAccount(account.owner, account.data);
  if (token) return ok(tokenDescription(account.address, token, others));
  const mints = others.filter((other) => decodeMint(other.owner, other.data) !== null).map((other) => other.address);
  const opened = openPool(account, mints);
  if (!opened.ok) return opened;
  const accounts: Accounts = new Map([...others, account].map((one) => [one.address, one]));
  const reading = opened.value.read(accounts, slot);
  return ok(
    reading.ok
      ? poolDescription(reading.value, opened.value)
      : partialDescription(opened.value, accounts, reading.detail),
  );
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

/** Properties of an extension that change a holder's balance or the result of a swap; {} for other extensions. */
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

/** A file of accounts: the requested one, and others. `slot` is 0 when the file has none. */
export interface AccountFile {
  readonly account: SolanaAccount;
  readonly others: readonly SolanaAccount[];
  readonly slot: number;
}

export type AccountFileReading =
  | { readonly ok: true; readonly value: AccountFile }
  | { readonly ok: false; readonly detail: string };

/** Largest data of an account on chain. */
const LARGEST_DATA = 10 * 1024 * 1024;
const MOST_OTHERS = 1_000;

/**
 * Reads an account as written by `solana account --output json` (`pubkey`, `account`), as returned by getAccountInfo
 * (`result.value`), or bare; `accounts` may list others in the same forms. The address is '' when the account has none.
 */
export function readAccountFile(json: unknown): AccountFileReading {
  if (!isRecord(json)) return { ok: false, detail: 'expected a JSON object with an account' };
  const account = accountOf(json);
  if (typeof account === 'string') return { ok: false, detail: account };
  const beside = json.accounts ?? [];
  if (!Array.isArray(beside) || beside.length > MOST_OTHERS) {
    return { ok: false, detail: `accounts: expected a list of at most ${MOST_OTHERS} accounts` };
  }
  const others: SolanaAccount[] = [];
  for (const [index, entry] of beside.entries()) {
    const other = isRecord(entry) ? accountOf(entry) : 'expected an object';
    if (typeof other === 'string') return { ok: false, detail: `accounts[${index}]: ${other}` };
    others.push(other);
  }
  return ok({ account, others, slot: slotOf(json) });
}

/** The account, or an error message. */
function accountOf(json: Readonly<Record<string, unknown>>): SolanaAccount | string {
  const result = isRecord(json.result) ? json.result : json;
  const inner = [result.value, json.account, result].find((candidate) => isRecord(candidate) && 'owner' in candidate);
  if (!isRecord(inner)) return 'expected an account with data and owner';
  const { data, owner, lamports } = inner;
  const address = json.pubkey ?? json.address ?? inner.pubkey ?? '';
  if (typeof owner !== 'string') return 'owner: expected the address of a program';
  if (typeof address !== 'string') return 'pubkey: expected an address';
  if (!Array.isArray(data) || typeof data[0] !== 'string' || data[1] !== 'base64') {
    return 'data: expected ["...", "base64"]; ask the RPC for encoding base64';
  }
  if (data[0].length > (LARGEST_DATA * 4) / 3 + 4) return 'data: longer than an account can be (10 MiB)';
  try {
    const bytes = Uint8Array.fromBase64(data[0]);
    const whole = typeof lamports === 'number' && Number.isSafeInteger(lamports) ? BigInt(lamports) : 0n;
    return { address, owner, lamports: whole, data: bytes };
  } catch {
    return 'data: not base64';
  }
}

function slotOf(json: Readonly<Record<string, unknown>>): number {
  const context = isRecord(json.result) ? json.result.context : json.context;
  const slot = isRecord(context) ? context.slot : undefined;
  return typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0 ? slot : 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
