import Type, { type TSchema } from 'typebox';
import {
  addressBytes,
  CLOCK_LENGTH,
  decodeClock,
  FIXED_AUTHORITIES,
  fromBase64,
  isOnCurve,
  OWNER_PROGRAMS,
  SOLANA_BURN_ADDRESSES,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/index.ts';
import type { Json } from '../../domain/index.ts';
import { mintOf } from '../plans.ts';
import type { Facts, Params } from '../source.ts';

/** An account as returned by `getAccountInfo` and `getMultipleAccounts` with base64 (recorded replies of mainnet, agave 3.1). */
const ACCOUNT = Type.Object({
  data: Type.Tuple([Type.String(), Type.Literal('base64')]),
  owner: Type.String(),
  executable: Type.Optional(Type.Boolean()),
});
const CONTEXT = Type.Object({ slot: Type.Number() });
const AT_SLOT = <Value extends TSchema>(value: Value) => Type.Object({ context: CONTEXT, value });

export const ONE_ACCOUNT = AT_SLOT(Type.Union([Type.Null(), ACCOUNT]));
export const MANY_ACCOUNTS = AT_SLOT(Type.Array(Type.Union([Type.Null(), ACCOUNT])));
export const SUPPLY = AT_SLOT(
  Type.Object({
    amount: Type.String(),
    decimals: Type.Integer(),
    uiAmountString: Type.Optional(Type.String()),
  }),
);
export const LARGEST = AT_SLOT(Type.Array(Type.Object({ address: Type.String(), amount: Type.String() })));

/** Bases of the two public nodes. Data that needs no second confirmation is requested from the first only. */
export const BASES = ['main', 'second'] as const;

/** Plans `{base, mint}` at the first node, with the params in `more`; [] while `more` is null. */
export function atFirst(facts: Facts, more: Params | null = {}): readonly Params[] {
  const mint = mintOf(facts);
  return mint === null || more === null ? [] : [{ base: BASES[0], mint, ...more }];
}

/** Plans `{base, mint}` at both nodes, or at the given bases of another source. */
export function atEach(facts: Facts, more: Params | null = {}, bases: readonly string[] = BASES): readonly Params[] {
  return atFirst(facts, more).flatMap((params) => bases.map((base) => ({ ...params, base })));
}

/** Call for one account. */
export function accountCall(address: Json): readonly [string, Json] {
  return ['getAccountInfo', [address, { encoding: 'base64', commitment: 'confirmed' }]];
}

/** Call for several accounts, or the first `length` bytes of each. */
export function accountsCall(addresses: Json, length?: number): readonly [string, Json] {
  const options = { encoding: 'base64', commitment: 'confirmed' };
  const slice = length === undefined ? options : { ...options, dataSlice: { offset: 0, length } };
  return ['getMultipleAccounts', [addresses, slice]];
}

export interface RawAccount {
  readonly data: readonly [string, string];
  readonly owner: string;
  readonly executable?: boolean;
}

export interface Account {
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** The account with its bytes; null when it does not exist or its bytes are not base64. */
export function readAccount(raw: RawAccount | null | undefined): Account | null {
  const data = raw ? fromBase64(raw.data[0]) : null;
  return raw && data ? { owner: raw.owner, data, executable: raw.executable === true } : null;
}

const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
/** A time beyond the year 9999 is invalid. */
const LAST_SECOND = 253_402_300_799n;

/** Epoch and unix time of the clock sysvar; null for another account, or an impossible time. */
export function clockOf(
  raw: RawAccount | null | undefined,
): { readonly epoch: bigint; readonly seconds: bigint } | null {
  const account = readAccount(raw);
  if (account === null || account.owner !== SYSVARS || account.data.byteLength !== CLOCK_LENGTH) return null;
  const clock = decodeClock(account.data);
  return clock !== null && clock.seconds > 0n && clock.seconds <= LAST_SECOND ? clock : null;
}

export interface OwnerClass {
  readonly kind: 'burn' | 'amm' | 'curve' | 'locker' | 'vesting' | 'multisig' | 'dao' | 'contract_unknown' | 'wallet';
  readonly label: string | null;
}

/**
 * Kind of the owner of a token account. `account`: the owner's own account, null if it does not exist. Only listed programs
 * get a label; a wallet is system-owned with a key pair; everything else is `contract_unknown`.
 */
export function classifyOwner(owner: string, account: Account | null): OwnerClass {
  if (SOLANA_BURN_ADDRESSES.includes(owner)) return { kind: 'burn', label: 'burn address' };
  const fixed = FIXED_AUTHORITIES.find((row) => row.address === owner);
  if (fixed) return { kind: fixed.role, label: fixed.name };
  if (account === null || account.owner === SYSTEM_PROGRAM) {
    const bytes = addressBytes(owner);
    // System-owned and off the curve: an unknown program signs for it, for example a Squads vault.
    return bytes !== null && isOnCurve(bytes)
      ? { kind: 'wallet', label: null }
      : { kind: 'contract_unknown', label: null };
  }
  const program = OWNER_PROGRAMS.find((row) => row.address === account.owner);
  if (program) return { kind: program.role, label: program.role === 'amm' ? `${program.name} pool` : program.name };
  const signers = tokenMultisig(account);
  if (signers) return { kind: 'multisig', label: `token multisig ${signers.needed} of ${signers.of}` };
  return { kind: 'contract_unknown', label: null };
}

export interface AuthorityClass {
  readonly state: 'none' | 'multisig' | 'contract' | 'eoa';
  readonly why: string;
}

/** Kind of key of an authority. A multisig that needs only one signature counts as a plain key. */
export function classifyAuthority(authority: string, account: Account | null): AuthorityClass {
  if (SOLANA_BURN_ADDRESSES.includes(authority))
    return { state: 'none', why: 'set to an address for which nobody can sign' };
  const signers = account ? tokenMultisig(account) : null;
  if (signers)
    return signers.needed >= 2
      ? { state: 'multisig', why: `token multisig ${signers.needed} of ${signers.of}` }
      : { state: 'eoa', why: 'token multisig that one signature satisfies' };
  const owner = classifyOwner(authority, account);
  if (owner.kind === 'wallet') return { state: 'eoa', why: 'system account with a key pair' };
  if (owner.kind === 'multisig') return { state: 'multisig', why: owner.label ?? 'multisig' };
  return { state: 'contract', why: owner.label ?? 'a program signs for it' };
}

const MULTISIG_LENGTH = 355;

/** SPL token multisig: m, n, initialised (spl-token `Multisig`). */
function tokenMultisig(account: Account): { readonly needed: number; readonly of: number } | null {
  if (account.owner !== TOKEN_PROGRAM && account.owner !== TOKEN_2022_PROGRAM) return null;
  const [needed, of, initialised] = account.data;
  if (account.data.length !== MULTISIG_LENGTH || initialised !== 1 || needed === undefined || of === undefined)
    return null;
  return needed >= 1 && of >= needed && of <= 11 ? { needed, of } : null;
}
