import type { HolderLabel, LabelKind } from '../../domain/snapshot.ts';
import { bookOf, type LabelBook } from '../../metrics/index.ts';

type Row = readonly [address: string, kind: LabelKind, name: string, source: string];

const EVM_BURNS: readonly Row[] = [
  ['0x0000000000000000000000000000000000000000', 'burn', 'zero address', 'nobody has a key'],
  ['0x000000000000000000000000000000000000dead', 'burn', 'dead address', 'nobody has a key'],
];

/** Fixed addresses that public documents or code name, by chain; each row says where. Few and sure rather than many. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  solana: [
    ['1nc1nerator11111111111111111111111111111111', 'burn', 'incinerator', 'Solana runtime: its balance is destroyed'],
    ['11111111111111111111111111111111', 'burn', 'system program', 'no token can be moved from it'],
    ['5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1', 'pool', 'Raydium AMM v4', 'derived: amm authority'],
    ['GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL', 'pool', 'Raydium CPMM', 'derived: vault_and_lp_mint_auth_seed'],
    ['WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh', 'pool', 'Raydium LaunchLab', 'derived: vault_auth_seed'],
    ['HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC', 'pool', 'Meteora DAMM v2', 'derived: pool_authority'],
    ['3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH', 'locker', 'Raydium burn and earn (CPMM)', 'Raydium documents'],
    ['kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy', 'locker', 'Raydium burn and earn (CLMM)', 'Raydium documents'],
  ],
  ethereum: [
    ...EVM_BURNS,
    ['0x000000000004444c5dc75cb358380d2e3de08a90', 'pool', 'Uniswap v4 PoolManager', 'docs.uniswap.org'],
    ['0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214', 'locker', 'UNCX', 'UNCX documents'],
    ['0x59d7d55ddc58494fbbbca29904f108ece82ac7fb', 'locker', 'UNCX', 'UNCX documents'],
    ['0xe2fe530c047f2d85298b07d9333c05737f1435fb', 'locker', 'Team Finance', 'Team Finance contracts'],
  ],
  base: [
    ...EVM_BURNS,
    ['0x498581ff718922c3f8e6a244956af099b2652b2b', 'pool', 'Uniswap v4 PoolManager', 'docs.uniswap.org'],
  ],
  optimism: [
    ...EVM_BURNS,
    ['0x9a13f98cb987694c9f086b1f5eb990eea8264ec3', 'pool', 'Uniswap v4 PoolManager', 'docs.uniswap.org'],
    ['0x5923c3911d9424f7725cad33ed176a6b885484d6', 'locker', 'UNCX', 'UNCX documents'],
  ],
  arbitrum: [...EVM_BURNS, ['0x63f4b2c082b1e0bba38874567e053800379bf8d7', 'locker', 'UNCX', 'UNCX documents']],
  polygon: [...EVM_BURNS, ['0x939d71ade0bf94d3f8cf578413bf2a2f248bf58b', 'locker', 'UNCX', 'UNCX documents']],
  bsc: EVM_BURNS,
  avalanche: EVM_BURNS,
};

/**
 * Programs whose accounts hold tokens for others. An owner of tokens that is an account of such a program is named by it:
 * a pool's authority, a lock, a stream (sources-chain A4).
 */
const PROGRAMS: Readonly<Record<string, readonly [LabelKind, string]>> = {
  '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8': ['pool', 'Raydium AMM v4'],
  CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C: ['pool', 'Raydium CPMM'],
  CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK: ['pool', 'Raydium CLMM'],
  whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc: ['pool', 'Orca Whirlpool'],
  LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo: ['pool', 'Meteora DLMM'],
  cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG: ['pool', 'Meteora DAMM v2'],
  '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P': ['pool', 'pump.fun curve'],
  pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA: ['pool', 'PumpSwap'],
  LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn: ['locker', 'Jupiter Lock'],
  strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m: ['vesting', 'Streamflow'],
  LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE: ['locker', 'Raydium lock'],
  GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw: ['program', 'Realms governance'],
  SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf: ['program', 'Squads multisig'],
};

/** The built-in book of a chain. */
export function knownAddresses(chain: string): LabelBook {
  return bookOf(
    (ROWS[chain] ?? []).map(
      ([address, kind, name, source]) => [address, { kind, name, source, confidence: 1 }] as const,
    ),
  );
}

/** Names of owners that are accounts of known programs; `programs` gives the program of each owner that has an account. */
export function byProgram(programs: ReadonlyMap<string, string>): LabelBook {
  return {
    labelsOf(address): readonly HolderLabel[] {
      const program = programs.get(address);
      const known = program === undefined ? undefined : PROGRAMS[program];
      if (known === undefined) return [];
      return [{ kind: known[0], name: known[1], source: 'program_owner', confidence: 0.95 }];
    },
  };
}

/** Pools of the asset as they were found, with what else holds their reserves (authorities, vaults). */
export function poolAddresses(pools: Iterable<readonly [address: string, dex: string]>): LabelBook {
  return bookOf(
    [...pools].map(([address, dex]) => [
      address,
      { kind: 'pool', name: `${dex} pool`, source: 'pools_snapshot', confidence: 0.9 } as const,
    ]),
  );
}
