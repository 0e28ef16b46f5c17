import { encodeFunctionData, parseAbiItem } from 'viem/utils';
import { EVM_CHAINS, type EvmCall, type EvmChain, type Hex } from '../../chains/index.ts';
import type { Facts, Params } from '../source.ts';

/** The token of an EVM job and the bases of its chain, or null. The chain's own coin has no contract. */
export function tokenOf(
  facts: Facts,
): { readonly chain: string; readonly token: string; readonly bases: readonly string[] } | null {
  if (facts.chain?.kind !== 'evm' || facts.address === null || facts.address === 'native') return null;
  return { chain: facts.chain.name, token: facts.address, bases: [facts.chain.name, `${facts.chain.name}_2`] };
}

/** Plans `{base, token}` at both operators. */
export function tokenAtEach(facts: Facts): readonly Params[] {
  const asset = tokenOf(facts);
  return asset === null ? [] : asset.bases.map((base) => ({ base, token: asset.token }));
}

/** Name of the chain that the base of a request belongs to. */
export function chainOfBase({ base }: Params): string {
  return String(base).replace(/_2$/, '');
}

/** The EVM chain with this name. */
export function evmChainOf(name: string | undefined): EvmChain | undefined {
  return EVM_CHAINS.find((chain) => chain.name === name);
}

/** A call of a getter by its signature, for example `balanceOf(address)`; the caller decodes the result. */
export function callOf(to: unknown, signature: string, ...args: readonly unknown[]): EvmCall {
  const abi = [parseAbiItem(`function ${signature}`)];
  return { to: String(to) as Hex, data: encodeFunctionData({ abi, args } as never) };
}

/** The two public nodes of every chain: base names and their URLs. */
export function operatorBases(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    EVM_CHAINS.flatMap(({ name, nodes }) => [
      [name, nodes[0]],
      [`${name}_2`, nodes[1]],
    ]),
  );
}
