import Type from 'typebox';
import { tokenOn } from '../on-chain.ts';
import type { Facts, Params } from '../source.ts';

export const TEXT = Type.Optional(Type.Union([Type.String(), Type.Null()]));
export const FLAG = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

/** Params `{base, token}`; the bases are the chains that have a Blockscout instance. */
export function plan(facts: Facts): readonly Params[] {
  return tokenOn('blockscout')(facts).map(({ chain, address }) => ({ base: chain ?? null, token: address ?? null }));
}
