/** Program ids and fixed addresses of Solana that the decoders and the classification need (sources-chain A1-A4). */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
export const SQUADS_V4_PROGRAM = 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf';
/** Default instance of SPL Governance (Realms). */
export const GOVERNANCE_PROGRAM = 'GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw';

/** Nobody can sign for these: the incinerator and the system program itself. */
export const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  '1nc1nerator11111111111111111111111111111111',
  SYSTEM_PROGRAM,
]);

/** Exchanges whose pool account is itself the owner of its vaults. */
export const AMM_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8', 'Raydium AMM v4'],
  ['5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h', 'Raydium stable AMM'],
  ['CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', 'Raydium CPMM'],
  ['CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK', 'Raydium CLMM'],
  ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'Orca Whirlpool'],
  ['LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo', 'Meteora DLMM'],
  ['cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG', 'Meteora DAMM v2'],
  ['pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA', 'PumpSwap'],
]);

/** Launch curves: the unsold part of a supply sits with the curve. */
export const CURVE_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P', 'Pump bonding curve'],
  ['LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj', 'Raydium LaunchLab'],
]);

/** Programs that hold tokens until a date. */
export const LOCK_PROGRAMS: ReadonlyMap<string, { readonly kind: 'locker' | 'vesting'; readonly label: string }> =
  new Map([
    ['LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn', { kind: 'vesting', label: 'Jupiter Lock' }],
    ['strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m', { kind: 'vesting', label: 'Streamflow' }],
    ['LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE', { kind: 'locker', label: 'Raydium lock' }],
  ]);

/** One authority for all pools of a program: the derived address itself has no data, so only its name tells. */
export const FIXED_AUTHORITIES: ReadonlyMap<
  string,
  { readonly kind: 'amm' | 'curve' | 'locker'; readonly label: string }
> = new Map([
  ['5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1', { kind: 'amm', label: 'Raydium AMM v4 authority' }],
  ['GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL', { kind: 'amm', label: 'Raydium CPMM authority' }],
  ['WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh', { kind: 'curve', label: 'Raydium LaunchLab authority' }],
  ['HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC', { kind: 'amm', label: 'Meteora DAMM v2 authority' }],
  ['3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH', { kind: 'locker', label: 'Raydium CPMM lock authority' }],
  ['kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy', { kind: 'locker', label: 'Raydium CLMM lock authority' }],
]);
