import type { ServiceAddress } from './chain.ts';

interface BurnAddress {
  readonly address: string;
  readonly name: string;
  readonly source: string;
}

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** EVM addresses nobody has a key for and that tokens are sent to for good, lower-case. */
export const EVM_BURNS: readonly BurnAddress[] = [
  { address: ZERO_ADDRESS, name: 'zero address', source: 'nobody has a key' },
  { address: '0x000000000000000000000000000000000000dead', name: 'dead address', source: 'nobody has a key' },
];

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Solana addresses nobody can sign for: the incinerator and the system program itself. */
export const SOLANA_BURNS: readonly BurnAddress[] = [
  {
    address: '1nc1nerator11111111111111111111111111111111',
    name: 'incinerator',
    source: 'Solana runtime: its balance is destroyed',
  },
  { address: SYSTEM_PROGRAM, name: 'system program', source: 'no token can be moved from it' },
];

export const EVM_BURN_ADDRESSES: readonly string[] = EVM_BURNS.map((row) => row.address);
export const SOLANA_BURN_ADDRESSES: readonly string[] = SOLANA_BURNS.map((row) => row.address);

/**
 * Further EVM addresses nobody has a key for, lower-case. They are known where they turn up, as a holder or as an owner; their balances
 * are not looked up.
 */
const EVM_NOBODY: readonly string[] = [
  // duneanalytics/spellbook, labels_burn_addresses.sql: both; the second holds the burned part of SHIB.
  '0x0000000000000000000000000000000000000001',
  '0xdead000000000000000042069420694206942069',
];

const ALL: ReadonlySet<string> = new Set([...SOLANA_BURN_ADDRESSES, ...EVM_BURN_ADDRESSES, ...EVM_NOBODY]);

/** True for a burn address of any chain; EVM addresses in lower case. */
export function isBurnAddress(address: string): boolean {
  return ALL.has(address);
}

/**
 * The sanctions oracle of Chainalysis, the same address on every chain but Base
 * (https://go.chainalysis.com/chainalysis-oracle-docs.html). It may run days behind the lists.
 */
export const SANCTIONS_ORACLE = '0x40c57923924b5c5c5455c48d93317139addac8fb';

/** Wallets of exchanges, the same on every EVM chain: what they hold belongs to their customers. */
export const EVM_EXCHANGE_WALLETS: readonly ServiceAddress[] = [
  {
    address: '0xf977814e90da44bfa03b6295a0616a897441acec',
    kind: 'exchange',
    name: 'Binance',
    source: 'duneanalytics/spellbook',
  },
  {
    address: '0x28c6c06298d514db089934071355e5743bf21d60',
    kind: 'exchange',
    name: 'Binance',
    source: 'duneanalytics/spellbook',
  },
  {
    address: '0x5a52e96bacdabb82fd05763e25335261b270efcb',
    kind: 'exchange',
    name: 'Binance',
    source: 'duneanalytics/spellbook',
  },
  {
    address: '0x40b38765696e3d5d8d9d834d8aad4bb6e418e489',
    kind: 'exchange',
    name: 'Robinhood',
    source: 'duneanalytics/spellbook',
  },
  {
    address: '0xf89d7b9c864f589bbf53a82105107622b35eaa40',
    kind: 'exchange',
    name: 'Bybit',
    source: 'duneanalytics/spellbook',
  },
  {
    address: '0x6cc5f688a315f3dc28a7781717a9a798a59fda7b',
    kind: 'exchange',
    name: 'OKX',
    source: 'duneanalytics/spellbook',
  },
  {
    address: '0xa9d1e08c7793af67e9d92fe308d5697fb81d3e43',
    kind: 'exchange',
    name: 'Coinbase',
    source: 'duneanalytics/spellbook',
  },
  {
    address: '0x2910543af39aba0cd09dbb2d50200b3e800a63d2',
    kind: 'exchange',
    name: 'Kraken',
    source: 'duneanalytics/spellbook',
  },
];

/** Contracts that stand at one address on several chains. */
export const BALANCER_V2_VAULT: ServiceAddress = {
  address: '0xba12222222228d8ba445958a75a0704d566bf2c8',
  kind: 'pool',
  name: 'Balancer V2 Vault',
  source: 'balancer/code-review',
};
export const BALANCER_V3_VAULT: ServiceAddress = {
  address: '0xba1333333333a1ba1108e8412f11850a5c319ba9',
  kind: 'pool',
  name: 'Balancer V3 Vault',
  source: 'DefiLlama/DefiLlama-Adapters',
};
export const SAFE_TOKEN_LOCKER: ServiceAddress = {
  address: '0xf17a08a7d41f53b24ad07eb322cbbda2ebdec04b',
  kind: 'locker',
  name: 'GoPlus SafeToken locker v2',
  source: 'DefiLlama/DefiLlama-Adapters',
};
