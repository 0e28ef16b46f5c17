import type { Account } from './accounts.ts';
import { addressBytes } from './base58.ts';
import { isOnCurve } from './derived_address.ts';
import {
  AMM_PROGRAMS,
  BURN_ADDRESSES,
  CURVE_PROGRAMS,
  FIXED_AUTHORITIES,
  GOVERNANCE_PROGRAM,
  LOCK_PROGRAMS,
  SQUADS_V4_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './programs.ts';

export interface OwnerClass {
  readonly kind: 'burn' | 'amm' | 'curve' | 'locker' | 'vesting' | 'multisig' | 'dao' | 'contract_unknown' | 'wallet';
  readonly label: string | null;
}

/**
 * What the owner of a token account is (sources-chain A4), from its own account: null when that does not exist. A name
 * is only given for a listed program; a wallet is system-owned with a key pair; everything else stays `contract_unknown`.
 */
export function classifyOwner(owner: string, account: Account | null): OwnerClass {
  if (BURN_ADDRESSES.has(owner)) return { kind: 'burn', label: 'burn address' };
  const fixed = FIXED_AUTHORITIES.get(owner);
  if (fixed) return fixed;
  if (account === null || account.owner === SYSTEM_PROGRAM) {
    const bytes = addressBytes(owner);
    // System-owned and off the curve: a program signs for it, for example a Squads vault; which one cannot be told.
    return bytes !== null && isOnCurve(bytes)
      ? { kind: 'wallet', label: null }
      : { kind: 'contract_unknown', label: null };
  }
  const amm = AMM_PROGRAMS.get(account.owner);
  if (amm) return { kind: 'amm', label: `${amm} pool` };
  const curve = CURVE_PROGRAMS.get(account.owner);
  if (curve) return { kind: 'curve', label: curve };
  const lock = LOCK_PROGRAMS.get(account.owner);
  if (lock) return lock;
  if (account.owner === SQUADS_V4_PROGRAM) return { kind: 'multisig', label: 'Squads multisig' };
  if (account.owner === GOVERNANCE_PROGRAM) return { kind: 'dao', label: 'SPL Governance' };
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
  if (BURN_ADDRESSES.has(authority)) return { state: 'none', why: 'set to an address nobody can sign for' };
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
