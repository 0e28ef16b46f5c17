import type { LabelKind } from '../domain/index.ts';
import type { EvmChain, ServiceAddress } from './chain.ts';

/** Public lists of labelled addresses. */
export const DEFILLAMA = 'DefiLlama/DefiLlama-Adapters';
export const SPELLBOOK = 'duneanalytics/spellbook';

export function service(address: string, kind: LabelKind, name: string, source: string): ServiceAddress {
  return { address, kind, name, source };
}

/** A chain's own coin as an ERC-20, with the file of Aave's address book that lists it. */
export function wrappedCoin(symbol: string, address: string, file: string): EvmChain['wrappedNative'] {
  return { symbol, address, source: `https://github.com/bgd-labs/aave-address-book/blob/main/src/ts/${file}.ts` };
}

interface BurnAddress {
  readonly address: string;
  readonly name: string;
  readonly source: string;
}

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** EVM addresses that tokens are burned to and that have no known key, lower-case. */
export const EVM_BURNS: readonly BurnAddress[] = [
  { address: ZERO_ADDRESS, name: 'zero address', source: 'nobody has a key' },
  { address: '0x000000000000000000000000000000000000dead', name: 'dead address', source: 'nobody has a key' },
];

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Solana addresses without a private key: the incinerator and the system program itself. */
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

/** Further EVM addresses without a known key, lower-case. Holder lists request the balances of burn addresses alone. */
const EVM_WITHOUT_KEY: readonly string[] = [
  // duneanalytics/spellbook, labels_burn_addresses.sql: both; the second holds the burned part of SHIB.
  '0x0000000000000000000000000000000000000001',
  '0xdead000000000000000042069420694206942069',
];

/** All EVM addresses without a known key. */
export const EVM_KEYLESS_ADDRESSES: readonly string[] = [...EVM_BURN_ADDRESSES, ...EVM_WITHOUT_KEY];
const ALL: ReadonlySet<string> = new Set([...SOLANA_BURN_ADDRESSES, ...EVM_BURN_ADDRESSES, ...EVM_WITHOUT_KEY]);

/** True for a burn address of any chain; EVM addresses in lower case. */
export function isBurnAddress(address: string): boolean {
  return ALL.has(address);
}

/**
 * The sanctions oracle of Chainalysis, at the same address on every chain except Base
 * (https://go.chainalysis.com/chainalysis-oracle-docs.html). It may lag the sanctions lists by days.
 */
export const SANCTIONS_ORACLE = '0x40c57923924b5c5c5455c48d93317139addac8fb';

/** Wallets of exchanges, the same on every EVM chain. Their balances belong to customers. */
export const EVM_EXCHANGE_WALLETS: readonly ServiceAddress[] = [
  service('0xf977814e90da44bfa03b6295a0616a897441acec', 'exchange', 'Binance', SPELLBOOK),
  service('0x28c6c06298d514db089934071355e5743bf21d60', 'exchange', 'Binance', SPELLBOOK),
  service('0x5a52e96bacdabb82fd05763e25335261b270efcb', 'exchange', 'Binance', SPELLBOOK),
  service('0x40b38765696e3d5d8d9d834d8aad4bb6e418e489', 'exchange', 'Robinhood', SPELLBOOK),
  service('0xf89d7b9c864f589bbf53a82105107622b35eaa40', 'exchange', 'Bybit', SPELLBOOK),
  service('0x6cc5f688a315f3dc28a7781717a9a798a59fda7b', 'exchange', 'OKX', SPELLBOOK),
  service('0xa9d1e08c7793af67e9d92fe308d5697fb81d3e43', 'exchange', 'Coinbase', SPELLBOOK),
  service('0x2910543af39aba0cd09dbb2d50200b3e800a63d2', 'exchange', 'Kraken', SPELLBOOK),
];

/** Contracts with one address on several chains. */
export const BALANCER_V2_VAULT: ServiceAddress = service(
  '0xba12222222228d8ba445958a75a0704d566bf2c8',
  'pool',
  'Balancer V2 Vault',
  'balancer/code-review',
);
export const BALANCER_V3_VAULT: ServiceAddress = service(
  '0xba1333333333a1ba1108e8412f11850a5c319ba9',
  'pool',
  'Balancer V3 Vault',
  DEFILLAMA,
);
export const SAFE_TOKEN_LOCKER: ServiceAddress = service(
  '0xf17a08a7d41f53b24ad07eb322cbbda2ebdec04b',
  'locker',
  'GoPlus SafeToken locker v2',
  DEFILLAMA,
);
