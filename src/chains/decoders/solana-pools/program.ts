import { ok, type Result } from '../../../domain/index.ts';
import type { SolanaAccount } from '../../codecs/accounts.ts';
import { associatedTokenAddress, decodeClock, startsWith } from '../../codecs/accounts.ts';
import { type ChainFault, fault } from '../../fault.ts';
import { SOLANA_BURN_ADDRESSES, SYSTEM_PROGRAM } from '../../fixed-addresses.ts';
import type { PoolReading, PoolToken } from '../../pool-math/pool-curve.ts';
import { CLOCK_SYSVAR, KNOWN_DECIMALS, LIQUIDITY_LOCKERS, TOKEN_PROGRAM } from '../../solana.ts';
import {
  decodeMint,
  decodeTokenAccount,
  highestFee,
  type Mint,
  type MintExtensions,
  type TokenAccount,
} from '../token-programs.ts';

/** Accounts that were read. A null value: the account does not exist; a missing key: it was not requested. */
export type Accounts = ReadonlyMap<string, SolanaAccount | null>;

/** What a pool's account states without further accounts. */
export interface PoolSummary {
  readonly mints: readonly [string, string];
  /** Null when the account does not store them: they are then read from the mints. */
  readonly decimals: readonly [number, number] | null;
  /** Token 1 per token 0 in base units; null when it is computed from the vaults. */
  readonly price: number | null;
  readonly feeRate: number | null;
  /** As the program counts it; null if the program stores no such number. */
  readonly liquidity: bigint | null;
}

/** A decoded pool: the further accounts that it needs, and a function that makes the reading from them. */
export interface OpenedPool {
  readonly address: string;
  readonly protocol: string;
  readonly summary: PoolSummary;
  readonly needs: readonly string[];
  readonly read: (accounts: Accounts, slot: number) => Result<PoolReading, ChainFault>;
}

/** What the pool account of every program holds. */
interface DecodedPool extends Pick<PoolSummary, 'mints'> {
  readonly decimals?: readonly [number, number];
  readonly vaults: readonly [string, string];
  /** The part of each vault that does not belong to the liquidity providers. */
  readonly owed: readonly [bigint, bigint];
}

/** Pump's curve has no field for its vaults. */
type AnyPool = Pick<DecodedPool, 'mints' | 'decimals'> & Partial<Pick<DecodedPool, 'vaults'>>;

type Tokens = readonly [PoolToken, PoolToken];

/** One DEX program: how its pools are decoded and read. */
interface ProgramDefinition<Decoded extends AnyPool> {
  readonly address: string;
  readonly dex: string;
  readonly protocol: string;
  /** First eight bytes of a pool's account, hex; null when the program writes no discriminator. */
  readonly discriminator: string | null;
  /** Minimum length of a pool's account; newer versions may append fields. */
  readonly length: number;
  readonly decode: (account: SolanaAccount, mints: readonly string[]) => Result<Decoded, ChainFault>;
  readonly summary: (pool: Decoded) => Omit<PoolSummary, 'mints' | 'decimals'>;
  readonly needs: (pool: Decoded) => readonly (string | null)[];
  readonly tokens: (pool: Decoded, accounts: Accounts) => Result<Tokens, ChainFault>;
  /** The reading without the fields that `poolProgram` fills in for every pool. */
  readonly read: (
    pool: Decoded,
    accounts: Accounts,
    tokens: Tokens,
  ) => Result<Omit<PoolReading, 'dex' | 'protocol' | 'address' | 'tokens' | 'height'>, ChainFault>;
}

/** A DEX program as callers see it, without the type that it decodes to. */
export type PoolProgram = ReturnType<typeof poolProgram>;

export function poolProgram<Decoded extends AnyPool>(program: ProgramDefinition<Decoded>) {
  const { address: owner, dex, protocol, discriminator, length } = program;
  return {
    address: owner,
    protocol,
    /**
     * Rejects an account of another program, kind or length. `mints`: candidate mints for a pool whose account does not
     * store its mint (Pump's curve).
     */
    open(account: SolanaAccount, mints: readonly string[] = []): Result<OpenedPool, ChainFault> {
      const { address, data } = account;
      if (account.owner !== owner) return fault('malformed', `the account is not of ${protocol}`);
      if ((discriminator !== null && !startsWith(data, discriminator)) || data.length < length)
        return fault('malformed', `the account is not a pool of ${protocol}`);
      const decoded = program.decode(account, mints);
      if (!decoded.ok) return decoded;
      const pool = decoded.value;
      return ok({
        address,
        protocol,
        summary: { mints: pool.mints, decimals: pool.decimals ?? null, ...program.summary(pool) },
        needs: [...new Set(program.needs(pool).filter((one) => one !== null))],
        read(accounts, height) {
          const tokens = program.tokens(pool, accounts);
          if (!tokens.ok) return tokens;
          const read = program.read(pool, accounts, tokens.value);
          if (!read.ok) return read;
          const inactive = read.value.inactive ?? immovable(pool, accounts);
          return ok({ dex, protocol, address, tokens: tokens.value, height, ...read.value, inactive });
        },
      });
    },
  };
}

/** True for an account that holds nothing but lamports, which anybody can send to an address that no program has used yet. */
export function isUnmade({ owner, data }: SolanaAccount): boolean {
  return owner === SYSTEM_PROGRAM && data.length === 0;
}

/** A mint among the accounts; null when it is missing or not a mint. */
export function mintOf(accounts: Accounts, address: string): Mint | null {
  const account = accounts.get(address);
  return account ? decodeMint(account.owner, account.data) : null;
}

/** A token account among the accounts that holds the given mint; null otherwise. */
function vaultOf(accounts: Accounts, address: string, mint: string): TokenAccount | null {
  const account = accounts.get(address);
  const vault = account ? decodeTokenAccount(account.owner, account.data) : null;
  return vault?.mint === mint ? vault : null;
}

/**
 * Both tokens of a pool. Each reserve is the vault's balance minus `owed`. A fault names the missing account.
 * Decimals come from the pool's account if it stores them, otherwise from the mint.
 */
export function tokensOf(pool: DecodedPool, accounts: Accounts): Result<Tokens, ChainFault> {
  const tokens: PoolToken[] = [];
  for (const side of [0, 1] as const) {
    const [address, owed] = [pool.mints[side], pool.owed[side]];
    const vault = vaultOf(accounts, pool.vaults[side], address);
    if (vault === null) return fault('not_found', `vault ${pool.vaults[side]} is missing or holds another token`);
    const decimals = pool.decimals?.[side] ?? mintOf(accounts, address)?.decimals ?? KNOWN_DECIMALS.get(address);
    if (decimals === undefined) return fault('not_found', `mint ${address} is missing or not a mint`);
    tokens.push({ address, decimals, reserve: vault.amount > owed ? vault.amount - owed : 0n });
  }
  return ok(tokens as unknown as Tokens);
}

/** Note on every pool whose liquidity is not a fungible token. */
export const NO_SHARES = 'liquidity lies in positions: burned and locked shares are not known';

/** Why the tokens of a pool cannot move, so that it cannot trade whatever its program says; null when they can. */
function immovable({ mints, vaults }: AnyPool, accounts: Accounts): string | null {
  for (const [side, mint] of mints.entries()) {
    if (mintOf(accounts, mint)?.extensions.pausable?.paused === true) return `transfers of ${mint} are paused`;
    const vault = vaults?.[side];
    if (vault !== undefined && vaultOf(accounts, vault, mint)?.frozen === true)
      return `its vault of ${mint} is frozen by the token's freeze authority`;
  }
  return null;
}

/** Token-2022 features of the two mints that change what a swap gives, as notes. */
export function tokenNotes(accounts: Accounts, mints: readonly string[]): readonly string[] {
  const epoch = clockOf(accounts)?.epoch ?? null;
  return mints.flatMap((mint) => {
    const extensions = mintOf(accounts, mint)?.extensions;
    if (extensions === undefined) return [];
    const { transferHook, unassessed } = extensions;
    const hasHook = (transferHook !== null && transferHook.program !== null) || unassessed.includes(HOOK_TYPE);
    return [feeNote(extensions, epoch), hasHook ? 'has a transfer hook' : null]
      .filter((what) => what !== null)
      .map((what) => `${mint} ${what}, not in the figures`);
  });
}

const FEE_TYPE = 1;
const HOOK_TYPE = 14;

/** What a mint's transfer fee is at an epoch: until the epoch of the newer rate, the older one applies. Null: none. */
function feeNote({ transferFee, unassessed }: MintExtensions, epoch: bigint | null): string | null {
  if (unassessed.includes(FEE_TYPE)) return 'has a transfer fee';
  if (transferFee === null) return null;
  const { older, newer } = transferFee;
  const [before, after] = [highestFee(older) > 0, highestFee(newer) > 0];
  if (epoch === null)
    return before && after ? 'has a transfer fee' : before || after ? 'may have a transfer fee' : null;
  if (epoch >= newer.epoch ? after : before) return 'has a transfer fee';
  return epoch < newer.epoch && after ? `has a transfer fee from epoch ${newer.epoch} on` : null;
}

/** Slot, epoch and Unix time of the chain, from the clock account that was read with the pool; null if it was not read. */
export function clockOf(accounts: Accounts): ReturnType<typeof decodeClock> {
  const clock = accounts.get(CLOCK_SYSVAR);
  return clock ? decodeClock(clock.data) : null;
}

/** Why a pool that opens at a Unix time (seconds) does not trade yet; null when it does, or the clock was not read. */
export function beforeOpening(accounts: Accounts, openTimeSeconds: bigint): string | null {
  const now = clockOf(accounts)?.seconds;
  return now !== undefined && openTimeSeconds > now ? 'trading has not opened' : null;
}

/** Accounts that show how much of a pool's liquidity token is burned or locked. */
export function liquidityTokenNeeds(lpMint: string, tokenProgram = TOKEN_PROGRAM): readonly (string | null)[] {
  const owners = [...SOLANA_BURN_ADDRESSES, ...LIQUIDITY_LOCKERS.keys()];
  return [lpMint, ...owners.map((owner) => associatedTokenAddress(owner, lpMint, tokenProgram))];
}

/**
 * Burned and locked shares of a fungible liquidity token. `issued` is the amount that the pool counts as issued. The
 * difference to the mint's supply was burned, and so were the tokens of owners for whom nobody can sign.
 */
export function liquidityTokenState(
  accounts: Accounts,
  lpMint: string,
  issued: bigint,
  tokenProgram = TOKEN_PROGRAM,
): PoolReading['lp'] {
  const mint = mintOf(accounts, lpMint);
  if (mint === null || issued <= 0n) return null;
  const total = issued > mint.supply ? issued : mint.supply;
  const held = (owner: string) => {
    const address = associatedTokenAddress(owner, lpMint, tokenProgram);
    return address === null ? 0n : (vaultOf(accounts, address, lpMint)?.amount ?? 0n);
  };
  const burned = total - mint.supply + SOLANA_BURN_ADDRESSES.reduce((sum, owner) => sum + held(owner), 0n);
  const lockers = [...LIQUIDITY_LOCKERS].map(([owner, name]) => ({ name, amount: held(owner) }));
  const locked = lockers.reduce((sum, locker) => sum + locker.amount, 0n);
  return {
    burned: Number(burned) / Number(total),
    locked: Number(locked) / Number(total),
    locker: lockers.find((locker) => locker.amount > 0n)?.name ?? null,
    unlocksAt: null,
    source: 'liquidity token supply and holders on chain',
  };
}

/** Price from its square root in Q64.64. */
export function priceOfRoot(sqrtPrice: bigint): number {
  return (Number(sqrtPrice) / 2 ** 64) ** 2;
}
