import { CHAINS, chainCalled, type NamingSource, nameAt } from '../chains/index.ts';
import type { Facts, Params } from './source.ts';

/** Plans `{chain, address}` for the token of a job where the source has its chain; [] otherwise, and for a chain's own coin. */
export function tokenOn(source: NamingSource): (facts: Pick<Facts, 'chain' | 'address'>) => readonly Params[] {
  return ({ chain, address }) =>
    chain !== null && nameAt(source, chain) !== null && address !== null && address !== '' && address !== 'native'
      ? [{ chain: chain.name, address }]
      : [];
}

/** Plans `{chainId, address}`, the chain by the source's own number. */
export function contractOn(source: NamingSource): (facts: Pick<Facts, 'chain' | 'address'>) => readonly Params[] {
  return (facts) =>
    tokenOn(source)(facts).map(({ address }) => ({
      chainId: facts.chain && nameAt(source, facts.chain),
      address: address ?? null,
    }));
}

/** What the source calls the chain in `params`; '' when there is none. */
export function chainNameIn(params: Params, source: NamingSource): string {
  const chain = CHAINS.find((row) => row.name === params.chain);
  return String((chain && nameAt(source, chain)) ?? '');
}

/** A place that a source names by its own word for a chain: `{chain, address}` in our words; null when the chain is none of ours. */
export function placeOn(
  source: NamingSource,
  name: unknown,
  address: unknown,
): { readonly chain: string; readonly address: string } | null {
  const chain = chainCalled(source, name);
  return chain && typeof address === 'string' && address !== ''
    ? { chain: chain.name, address: chain.kind === 'evm' ? address.toLowerCase() : address }
    : null;
}
