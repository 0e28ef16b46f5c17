import {
  addressBytes,
  FIXED_AUTHORITIES,
  isOnCurve,
  OWNER_PROGRAMS,
  SOLANA_BURN_ADDRESSES,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/index.ts';
import type { Account } from './accounts.ts';

export interface OwnerClass {
  readonly kind: 'burn' | 'amm' | 'curve' | 'locker' | 'vesting' | 'multisig' | 'dao' | 'contract_unknown' | 'wallet';
  readonly label: string | null;
}

/**
 * What the owner of a token account is, from its own account: null when that does not exist. A name
 * is only given for a listed program; a wallet is system-owned with a key pair; everything else stays `contract_unknown`.
 */
export function classifyOwner(owner: string, account: Account | null): OwnerClass {
  if (SOLANA_BURN_ADDRESSES.includes(owner)) return { kind: 'burn', label: 'burn address' };
  const fixed = FIXED_AUTHORITIES.find((row) => row.address === owner);
  if (fixed) return { kind: fixed.role, label: fixed.name };
  if (account === null || account.owner === SYSTEM_PROGRAM) {
    const bytes = addressBytes(owner);
    // System-owned and off the curve: a program signs for it, for example a Squads vault; which one cannot be told.
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

/** What kind of key an authority is. A multisig that one signature satisfies is a plain key. */
export function classifyAuthority(authority: string, account: Account | null): AuthorityClass {
  if (SOLANA_BURN_ADDRESSES.includes(authority)) return { state: 'none', why: 'set to an address nobody can sign for' };
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
