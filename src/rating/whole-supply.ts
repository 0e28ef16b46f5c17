import { type Consensus, median, type RejectionReason, SUPPLY_OF_ALL_CHAINS } from '../domain/index.ts';
import { type Context, isRevised, isTightened, type Known, numberOf } from './context.ts';

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
  const tolerance = context.methodology.consensus.identities.declared_chain_supply;
  const isRead = Math.abs(total.value / supplyOnChain(context, total.consensus) - 1) <= tolerance;
  return burned !== null && isRead && burned.value < total.value
    ? { value: total.value - burned.value, support: [total, burned] }
    : { value: total.value, support: [total] };
}

/**
 * The tokens that circulate as registries state them, which repeat what the project says; since methodology 1.8.0 no more
 * than locks on chain leave. Null when no registry states it.
 */
export function circulatingOf(context: Context): Supply | null {
  const stated = numberOf(context, 'circulating_supply');
  if (stated === null) return null;
  const locked = isTightened(context) ? numberOf(context, 'locked_tokens') : null;
  const whole = locked === null ? null : wholeSupplyOf(context);
  if (locked === null || whole === null) return { value: stated.value, support: [stated] };
  const free = Math.max(0, whole.value - locked.value);
  return free < stated.value
    ? { value: free, support: [...whole.support, locked] }
    : { value: stated.value, support: [stated] };
}

/** What addresses without a key hold, where they hold anything. */
export function burnedOf(context: Context): Known<number> | null {
  const burned = numberOf(context, 'burned_tokens');
  return burned !== null && burned.value > 0 ? burned : null;
}

/** Reasons for which a reading of the chain says nothing about the supply now. */
export const UNUSABLE: ReadonlySet<RejectionReason | null> = new Set([
  'too_old',
  'weak_binding',
  'out_of_range',
  'malformed_value',
]);

/**
 * The supply as the chain states it: the median of the accepted readings, or of all where registries outvote them. 0
 * without a reading. Earlier methodologies take the first reading, whether it counts or not.
 */
export function supplyOnChain(context: Context, { voices }: Consensus): number {
  const readings = voices.filter((voice) => voice.tier === 'chain' && typeof voice.value === 'number');
  if (!isRevised(context)) return Number(readings[0]?.value ?? 0);
  const usable = readings.filter((voice) => !UNUSABLE.has(voice.reason));
  const accepted = usable.filter((voice) => voice.accepted);
  return median((accepted.length > 0 ? accepted : usable).map(({ value }) => Number(value))) ?? 0;
}
