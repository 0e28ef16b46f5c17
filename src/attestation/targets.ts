import { base58 } from '@scure/base';
import type { Address } from 'viem';

/** An EVM chain for which records are signed; its EAS contract is the verifying contract of their domain. */
export interface EasTarget {
  readonly kind: 'eas';
  /** CAIP-2. */
  readonly chain: string;
  readonly chainId: number;
  readonly contract: Address;
  /** Version in the contract's EIP-712 domain. */
  readonly version: string;
}

/** A cluster of Solana for which records are signed. */
export interface SolanaTarget {
  readonly kind: 'solana';
  /** CAIP-2. */
  readonly chain: string;
  /** Hash of the genesis block, 32 bytes. */
  readonly genesis: Uint8Array;
}

const eas = (chainId: number, version: string, contract: Address): EasTarget => ({
  kind: 'eas',
  chain: `eip155:${chainId}`,
  chainId,
  contract,
  version,
});
/** CAIP-2 names a cluster by the first 32 characters of its genesis hash. */
const solana = (genesis: string): SolanaTarget => ({
  kind: 'solana',
  chain: `solana:${genesis.slice(0, 32)}`,
  genesis: base58.decode(genesis),
});

/** Chains by their CAIP-2 name; contracts and versions as eas-contracts 1.9.0 lists them. */
export const TARGETS: readonly (EasTarget | SolanaTarget)[] = [
  eas(1, '0.26', '0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587'),
  eas(10, '1.0.1', '0x4200000000000000000000000000000000000021'),
  eas(8453, '1.0.1', '0x4200000000000000000000000000000000000021'),
  eas(42161, '0.26', '0xbD75f629A22Dc1ceD33dDA0b68c546A1c035c458'),
  solana('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'),
  solana('EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'),
];

/** The chain with this CAIP-2 id; null if records are not signed for it. */
export function targetOf(chain: string): EasTarget | SolanaTarget | null {
  return TARGETS.find((one) => one.chain === chain) ?? null;
}
