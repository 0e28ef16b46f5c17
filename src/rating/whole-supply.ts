import { SUPPLY_OF_ALL_CHAINS } from '../domain/index.ts';
import { type Context, type Known, numberOf } from './context.ts';

/** A supply with the values that it was computed from. */
export interface Supply {
  /** Tokens. */
  readonly value: number;
  readonly support: readonly Known<number>[];
}

/**
 * The tokens that exist on all chains without burned ones, as registries count what circulates; null when no supply is
 * known. A supply that equals the reading of the chain still includes what addresses without a key hold.
 */
export function wholeSupplyOf(context: Context): Supply | null {
  const all = numberOf(context, 'total_supply', SUPPLY_OF_ALL_CHAINS);
  if (all !== null) return { value: all.value, support: [all] };
  const total = numberOf(context, 'total_supply');
  if (total === null) return null;
  const burned = burnedOf(context);
  const read = total.consensus.voices.find((voice) => voice.tier === 'chain' && typeof voice.value === 'number');
  const isRead = Math.abs(total.value / Number(read?.value) - 1) <= toleranceOf(context);
  return burned !== null && isRead && burned.value < total.value
    ? { value: total.value - burned.value, support: [total, burned] }
    : { value: total.value, support: [total] };
}

/** What addresses without a key hold, where they hold anything. */
export function burnedOf(context: Context): Known<number> | null {
  const burned = numberOf(context, 'burned_tokens');
  return burned !== null && burned.value > 0 ? burned : null;
}

function toleranceOf({ methodology }: Context): number {
  return methodology.consensus.identities.declared_chain_supply;
}
