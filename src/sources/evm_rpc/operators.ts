import Type from 'typebox';
import { CHAINS } from '../../domain/chains.ts';
import type { ObservationDraft } from '../../domain/observation.ts';
import { rpcReply } from '../json_rpc.ts';
import type { Facts, Params } from '../source.ts';

/** `eth_call`, `eth_getCode` and `eth_getStorageAt` all answer with hex. */
export const HEX_REPLY = rpcReply(Type.String());

/** The token of an EVM job and the bases of its chain, or null. The chain's own coin has no contract. */
export function tokenOf(
  facts: Facts,
): { readonly chain: string; readonly token: string; readonly bases: readonly string[] } | null {
  if (facts.chain?.kind !== 'evm' || facts.address === null || facts.address === 'native') return null;
  return { chain: facts.chain.name, token: facts.address, bases: [facts.chain.name, `${facts.chain.name}_2`] };
}

/** Puts the operator's family on every draft: two operators are two families. */
export function fromOperator(params: Params, drafts: readonly ObservationDraft[]): readonly ObservationDraft[] {
  return drafts.map((draft) => ({ ...draft, family: draft.family ?? `chain:${String(params.base)}` }));
}

/** The chain a base belongs to. */
export function chainOfBase(base: string): string {
  return base.replace(/_2$/, '');
}

/** Two keyless operators for every EVM chain (chainlist, tracking-free ones first; sources-chain B). */
const HOSTS: Readonly<Record<string, readonly [string, string]>> = {
  ethereum: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
  base: ['https://base-rpc.publicnode.com', 'https://mainnet.base.org'],
  bsc: ['https://bsc-rpc.publicnode.com', 'https://bsc-dataseed.bnbchain.org'],
  arbitrum: ['https://arbitrum-one-rpc.publicnode.com', 'https://arb1.arbitrum.io/rpc'],
  polygon: ['https://polygon-bor-rpc.publicnode.com', 'https://polygon.drpc.org'],
  optimism: ['https://optimism-rpc.publicnode.com', 'https://mainnet.optimism.io'],
  avalanche: ['https://avalanche-c-chain-rpc.publicnode.com', 'https://api.avax.network/ext/bc/C/rpc'],
};

/** Base names to addresses; a chain without known operators has none until the operator of the installation names them. */
export function operatorBases(): Readonly<Record<string, string>> {
  const rows = CHAINS.filter((chain) => chain.kind === 'evm').flatMap((chain): (readonly [string, string])[] => {
    const hosts = HOSTS[chain.name];
    return hosts
      ? [
          [chain.name, hosts[0]],
          [`${chain.name}_2`, hosts[1]],
        ]
      : [];
  });
  return Object.fromEntries(rows);
}
