import Type from 'typebox';
import { EVM_CHAINS } from '../../chains/index.ts';
import type { ObservationDraft } from '../../domain/index.ts';
import { rpcReply } from '../json-rpc.ts';
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

/** The two public nodes of every chain: base names to addresses. */
export function operatorBases(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    EVM_CHAINS.flatMap(({ name, nodes }) => [
      [name, nodes[0]],
      [`${name}_2`, nodes[1]],
    ]),
  );
}
