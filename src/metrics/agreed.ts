import { type Consensus, type ConsensusSet, consensusKey, oncePer, type QuantityId } from '../domain/index.ts';

/** A value with its confidence. */
export interface Known<Value> {
  readonly value: Value;
  /** 0-1. */
  readonly confidence: number;
  readonly consensus: Consensus;
}

/** The consensus of a quantity; null when no observation counts. */
export function consensusAt(set: ConsensusSet, quantity: QuantityId, scope = 'asset'): Consensus | null {
  const found = set[consensusKey(quantity, scope)];
  return found === undefined || found.status === 'missing' || found.value === null ? null : found;
}

/** The agreed number of a quantity; null when it is not known. */
export function numberAt(set: ConsensusSet, quantity: QuantityId, scope = 'asset'): Known<number> | null {
  const found = consensusAt(set, quantity, scope);
  return found && typeof found.value === 'number'
    ? { value: found.value, confidence: found.confidence, consensus: found }
    : null;
}

const NO_ROWS: readonly Consensus[] = [];
const byQuantity = oncePer((set: ConsensusSet) => Map.groupBy(Object.values(set), ({ quantity }) => quantity));

/** Every consensus of a quantity in all scopes, including those without a value, in the order of the set. */
export function rowsWith(set: ConsensusSet, quantity: QuantityId): readonly Consensus[] {
  return byQuantity(set).get(quantity) ?? NO_ROWS;
}

/** Scopes (`pool:...`, `venue:...`) that carry a quantity, in a stable order. */
export function scopesWith(set: ConsensusSet, quantity: QuantityId): readonly string[] {
  return rowsWith(set, quantity)
    .filter((row) => row.scope !== 'asset' && row.value !== null)
    .map((row) => row.scope)
    .sort();
}

/** Least liquidity of a pool that counts as a venue, US dollars: nobody can trade at the price of a smaller one. */
export const SMALLEST_POOL_USD = 1_000;

/** Liquidity of the asset: both sides of all its pools, US dollars. Null when no source gives a total. */
export function liquidityOf(set: ConsensusSet): Known<number> | null {
  return numberAt(set, 'liquidity_dex_usd');
}
