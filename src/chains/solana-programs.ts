import type { LabelKind } from '../domain/index.ts';

/** Programs of Solana that the decoders need (https://solana.com/docs, the exchanges' own documents). */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';

export const RAYDIUM_AMM_V4 = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8';
export const RAYDIUM_CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
export const RAYDIUM_CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
export const WHIRLPOOL = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc';
export const METEORA_DLMM = 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo';
export const METEORA_DAMM_V2 = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
export const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
export const PUMP_SWAP = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';
export const PUMP_FEES = 'pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ';
export const SQUADS_V4_PROGRAM = 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf';

/** What an owner of token accounts is, when it is known. */
export type OwnerRole = 'amm' | 'curve' | 'locker' | 'vesting' | 'multisig' | 'dao';

interface OwnerProgram {
  readonly address: string;
  /** What an account of this program is when it owns tokens, and what observations call it. */
  readonly role: OwnerRole;
  readonly name: string;
  /** The label in holder snapshots; null: the snapshots give none. */
  readonly label: { readonly kind: LabelKind; readonly name: string } | null;
}

/** Programs whose accounts hold tokens for others: a pool's authority, a lock, a stream, a multisig. */
export const OWNER_PROGRAMS: readonly OwnerProgram[] = [
  pools(RAYDIUM_AMM_V4, 'Raydium AMM v4'),
  { ...pools('5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h', 'Raydium stable AMM'), label: null },
  pools(RAYDIUM_CPMM, 'Raydium CPMM'),
  pools(RAYDIUM_CLMM, 'Raydium CLMM'),
  pools(WHIRLPOOL, 'Orca Whirlpool'),
  pools(METEORA_DLMM, 'Meteora DLMM'),
  pools(METEORA_DAMM_V2, 'Meteora DAMM v2'),
  pools(PUMP_SWAP, 'PumpSwap'),
  // Launch curves: the unsold part of a supply sits with the curve.
  { address: PUMP, role: 'curve', name: 'Pump bonding curve', label: { kind: 'pool', name: 'pump.fun curve' } },
  { address: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj', role: 'curve', name: 'Raydium LaunchLab', label: null },
  {
    address: 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn',
    role: 'vesting',
    name: 'Jupiter Lock',
    label: { kind: 'locker', name: 'Jupiter Lock' },
  },
  {
    address: 'strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m',
    role: 'vesting',
    name: 'Streamflow',
    label: { kind: 'vesting', name: 'Streamflow' },
  },
  {
    address: 'LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE',
    role: 'locker',
    name: 'Raydium lock',
    label: { kind: 'locker', name: 'Raydium lock' },
  },
  {
    // Default instance of SPL Governance (Realms).
    address: 'GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw',
    role: 'dao',
    name: 'SPL Governance',
    label: { kind: 'program', name: 'Realms governance' },
  },
  {
    address: SQUADS_V4_PROGRAM,
    role: 'multisig',
    name: 'Squads multisig',
    label: { kind: 'program', name: 'Squads multisig' },
  },
];

interface FixedAuthority {
  readonly address: string;
  readonly role: 'amm' | 'curve' | 'locker';
  readonly name: string;
  readonly label: { readonly kind: LabelKind; readonly name: string };
  readonly source: string;
}

/** One authority for all pools of a program: the derived address itself has no data, so only its name tells. */
export const FIXED_AUTHORITIES: readonly FixedAuthority[] = [
  {
    address: '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1',
    role: 'amm',
    name: 'Raydium AMM v4 authority',
    label: { kind: 'pool', name: 'Raydium AMM v4' },
    source: 'derived: amm authority',
  },
  {
    address: 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
    role: 'amm',
    name: 'Raydium CPMM authority',
    label: { kind: 'pool', name: 'Raydium CPMM' },
    source: 'derived: vault_and_lp_mint_auth_seed',
  },
  {
    address: 'WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh',
    role: 'curve',
    name: 'Raydium LaunchLab authority',
    label: { kind: 'pool', name: 'Raydium LaunchLab' },
    source: 'derived: vault_auth_seed',
  },
  {
    address: 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC',
    role: 'amm',
    name: 'Meteora DAMM v2 authority',
    label: { kind: 'pool', name: 'Meteora DAMM v2' },
    source: 'derived: pool_authority',
  },
  {
    address: '3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH',
    role: 'locker',
    name: 'Raydium CPMM lock authority',
    label: { kind: 'locker', name: 'Raydium burn and earn (CPMM)' },
    source: 'Raydium documents',
  },
  {
    address: 'kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy',
    role: 'locker',
    name: 'Raydium CLMM lock authority',
    label: { kind: 'locker', name: 'Raydium burn and earn (CLMM)' },
    source: 'Raydium documents',
  },
];

/** Authorities that keep liquidity tokens locked, by the name of the locker. */
export const LIQUIDITY_LOCKERS: ReadonlyMap<string, string> = new Map([
  ['3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH', 'Raydium burn and earn'],
]);

function pools(address: string, name: string): OwnerProgram {
  return { address, role: 'amm', name, label: { kind: 'pool', name } };
}

/**
 * Keys with which launchpads create tokens for others: what else they created, and what they hold, says nothing of who is
 * behind a token. Short and kept by hand, each with a public source.
 */
const LAUNCHPAD_KEYS: ReadonlySet<string> = new Set([
  // Believe (on Meteora's bonding curve): https://docs.bitquery.io/docs/blockchain/Solana/Believe-API
  '5qWya6UjwWnGVhdSBL3hyZ7B45jbk6Byt1hwd7ohEGXE',
]);

/** True when this address creates tokens for whoever asks. */
export function isLaunchpadKey(address: string): boolean {
  return LAUNCHPAD_KEYS.has(address);
}
