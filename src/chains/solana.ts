import type { LabelKind } from '../domain/index.ts';
import type { SolanaChain } from './chain.ts';
import { SPELLBOOK, service } from './fixed-addresses.ts';

/** Solana programs that the decoders need (https://solana.com/docs, documentation of the exchanges). */
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

/** Known roles of an owner of token accounts. */
export type OwnerRole = 'amm' | 'curve' | 'locker' | 'vesting' | 'multisig' | 'dao';

interface OwnerProgram {
  readonly address: string;
  /** Role in observations of an account of this program that owns tokens; `name` is its label there. */
  readonly role: OwnerRole;
  readonly name: string;
  /** The label in holder snapshots; null: no label. */
  readonly label: { readonly kind: LabelKind; readonly name: string } | null;
}

const LABEL_KIND: Readonly<Record<OwnerRole, LabelKind>> = {
  amm: 'pool',
  curve: 'pool',
  locker: 'locker',
  vesting: 'vesting',
  multisig: 'program',
  dao: 'program',
};

/** Programs whose accounts hold tokens for others: a pool's authority, a lock, a stream, a multisig. */
export const OWNER_PROGRAMS: readonly OwnerProgram[] = [
  owner(RAYDIUM_AMM_V4, 'amm', 'Raydium AMM v4'),
  { ...owner('5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h', 'amm', 'Raydium stable AMM'), label: null },
  owner(RAYDIUM_CPMM, 'amm', 'Raydium CPMM'),
  owner(RAYDIUM_CLMM, 'amm', 'Raydium CLMM'),
  owner(WHIRLPOOL, 'amm', 'Orca Whirlpool'),
  owner(METEORA_DLMM, 'amm', 'Meteora DLMM'),
  owner(METEORA_DAMM_V2, 'amm', 'Meteora DAMM v2'),
  owner(PUMP_SWAP, 'amm', 'PumpSwap'),
  // Launch curves: the curve holds the unsold part of the supply.
  owner(PUMP, 'curve', 'Pump bonding curve', 'pump.fun curve'),
  { ...owner('LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj', 'curve', 'Raydium LaunchLab'), label: null },
  {
    ...owner('LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn', 'vesting', 'Jupiter Lock'),
    label: { kind: 'locker', name: 'Jupiter Lock' },
  },
  owner('strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m', 'vesting', 'Streamflow'),
  owner('LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE', 'locker', 'Raydium lock'),
  // Default instance of SPL Governance (Realms).
  owner('GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw', 'dao', 'SPL Governance', 'Realms governance'),
  owner(SQUADS_V4_PROGRAM, 'multisig', 'Squads multisig'),
];

function owner<Role extends OwnerRole>(address: string, role: Role, name: string, label = name) {
  return { address, role, name, label: { kind: LABEL_KIND[role], name: label } };
}

interface FixedAuthority {
  readonly address: string;
  readonly role: 'amm' | 'curve' | 'locker';
  readonly name: string;
  readonly label: { readonly kind: LabelKind; readonly name: string };
  readonly source: string;
}

/** Authorities shared by all pools of a program. The derived address has no data, so it can only be recognised by this list. */
export const FIXED_AUTHORITIES: readonly FixedAuthority[] = [
  authority('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1', 'amm', 'Raydium AMM v4', 'amm authority'),
  authority('GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL', 'amm', 'Raydium CPMM', 'vault_and_lp_mint_auth_seed'),
  authority('WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh', 'curve', 'Raydium LaunchLab', 'vault_auth_seed'),
  authority('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC', 'amm', 'Meteora DAMM v2', 'pool_authority'),
  raydiumLock('3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH', 'CPMM'),
  raydiumLock('kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy', 'CLMM'),
];

/** The derived authority of a program's pools. `seed`: the seed of the derivation. */
function authority(address: string, role: 'amm' | 'curve', program: string, seed: string): FixedAuthority {
  return { ...owner(address, role, `${program} authority`, program), source: `derived: ${seed}` };
}

function raydiumLock(address: string, program: string): FixedAuthority {
  const label = `Raydium burn and earn (${program})`;
  return { ...owner(address, 'locker', `Raydium ${program} lock authority`, label), source: 'Raydium documents' };
}

/** Authorities that hold locked liquidity tokens, with the name of the locker. */
export const LIQUIDITY_LOCKERS: ReadonlyMap<string, string> = new Map([
  ['3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH', 'Raydium burn and earn'],
]);

/**
 * Addresses with which launchpads create tokens for others. Their other tokens and their holdings say nothing about the creator of
 * a token. Maintained by hand, each with a public source.
 */
const LAUNCHPAD_KEYS: ReadonlySet<string> = new Set([
  // Believe (on Meteora's bonding curve): https://docs.bitquery.io/docs/blockchain/Solana/Believe-API
  '5qWya6UjwWnGVhdSBL3hyZ7B45jbk6Byt1hwd7ohEGXE',
  // The pump.fun program's mint authority (derived: mint-authority), which RugCheck calls the creator of tokens that it saw a minute ago.
  'TSLvdd1pWpHVjahSpsvCXUbgwsL3JAcvokwaKt1eokM',
]);

/** True when this address creates tokens on behalf of any caller. */
export function isLaunchpadKey(address: string): boolean {
  return LAUNCHPAD_KEYS.has(address);
}

export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

export const solana: SolanaChain = {
  name: 'solana',
  kind: 'solana',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  evmChainId: null,
  title: 'Solana',
  aliases: ['sol'],
  native: { symbol: 'SOL', slip44: 501, coingeckoId: 'solana' },
  nodes: ['https://api.mainnet-beta.solana.com', 'https://solana-rpc.publicnode.com'],
  explorers: ['solscan.io', 'www.solscan.io', 'explorer.solana.com', 'solana.fm', 'xray.helius.xyz'],
  otherQuotes: [
    { symbol: 'JitoSOL', address: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn' },
    { symbol: 'mSOL', address: 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So' },
  ],
  counterTokens: [
    { symbol: 'cbBTC', address: 'cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij' },
    { symbol: 'WBTC', address: '3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh' },
    { symbol: 'WETH', address: '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs' },
    { symbol: 'PYUSD', address: '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo' },
    { symbol: 'USDS', address: 'USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA' },
    { symbol: 'USDG', address: '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH' },
    { symbol: 'EURC', address: 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr' },
    { symbol: 'bSOL', address: 'bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1' },
    { symbol: 'jupSOL', address: 'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v' },
    { symbol: 'BNSOL', address: 'BNso1VUJnh4zcfpZa6986Ea66P6TCp59hvtNJ8b1X85' },
    { symbol: 'INF', address: '5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm' },
    { symbol: 'JLP', address: '27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4' },
    { symbol: 'JUP', address: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' },
    { symbol: 'RAY', address: '4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R' },
    { symbol: 'BONK', address: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' },
  ],
  names: {
    coingecko: 'solana',
    geckoterminal: 'solana',
    coinmarketcap: 'solana',
    coinpaprika: 'sol-solana',
    dexpaprika: 'solana',
    dexscreener: 'solana',
    defillama: 'solana',
    birdeye: 'solana',
    goplus: 'solana',
  },
  quoteTokens: [
    { symbol: 'SOL', address: WRAPPED_SOL, decimals: 9 },
    { symbol: 'USDC', address: USDC, decimals: 6 },
    { symbol: 'USDT', address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
    { symbol: 'USD1', address: 'USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB', decimals: 6 },
  ],
  serviceAddresses: [
    ...FIXED_AUTHORITIES.map(({ address, label, source }) => ({ address, ...label, source })),
    service(
      'GugU1tP7doLeTw9hQP51xRJyS8Da1fWxuiy2rVrnMD2m',
      'bridge',
      'Wormhole custody signer',
      'public code: custody authority of the token bridge',
    ),
    service('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'exchange', 'Binance', SPELLBOOK),
    service('5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9', 'exchange', 'Binance', SPELLBOOK),
    service('2AQdpHJ2JpcEgPiATUXjQxA8QmafFegfQwSLWSprPicm', 'exchange', 'Coinbase', SPELLBOOK),
    service('AC5RDfQFmDS1deWZos921JfqscXdByf8BKHs5ACWjtW2', 'exchange', 'Bybit', SPELLBOOK),
  ],
};

/** Decimals of the most common quote tokens, for pools that are read without their mints. */
export const KNOWN_DECIMALS: ReadonlyMap<string, number> = new Map(
  solana.quoteTokens.map((token) => [token.address, token.decimals]),
);
