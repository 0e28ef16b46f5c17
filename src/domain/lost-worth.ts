import type { Consensus, ConsensusSet } from './consensus.ts';
import type { QuantityId } from './quantities.ts';

/** Conditions under which a receipt has lost its redemption value (methodology 4.4). */
export interface LossTerms {
  /** Ratio of price to redemption value below which the price counts as far off. */
  readonly share: number;
  /** Consecutive days, up to the newest, for which the chart must show it. */
  readonly days: number;
  /** Minimum number of lineage groups that agree on the price, and on the redemption value. */
  readonly witnesses: number;
  /** Minimum confidence of the price and of the redemption value. The latter depends on the price of the underlying. */
  readonly marketEvidence: number;
  /** Minimum confidence that redemption is suspended: higher than that of an unconfirmed register row. */
  readonly evidence: number;
}

/** Evidence at one time that a receipt has lost its redemption value. Null: unknown. */
export interface LostWorth {
  /** True when its chart shows a price far below the redemption value for days up to now. */
  readonly byChart: boolean | null;
  /** True when sources state that redemption is suspended. */
  readonly bySuspension: boolean | null;
}

/**
 * Whether a staked, wrapped or bridged token has lost its redemption value, judged from current evidence without stored
 * days. Both results require a price far below the redemption value now, with price and redemption value each agreed by
 * several lineage groups, because the chart comes from one group and the suspension from one register.
 */
export function lostWorth(set: ConsensusSet, terms: LossTerms): LostWorth {
  const { share, days, witnesses, marketEvidence, evidence } = terms;
  const agreed = (quantity: QuantityId): number | null => {
    const row = consensusOf(set, quantity, marketEvidence);
    return typeof row?.value === 'number' && row.value > 0 && row.families >= witnesses ? row.value : null;
  };
  const [price, worth] = [agreed('price_usd'), agreed('redemption_value_usd')];
  const isLow = price === null || worth === null ? null : price / worth < share;
  const run = consensusOf(set, 'redemption_days_below_80', 0)?.value;
  const state = (consensusOf(set, 'redemption_state', evidence) ?? consensusOf(set, 'redemption_route_state', evidence))
    ?.value;
  return {
    byChart: both(isLow, typeof run === 'number' ? run >= days : null),
    bySuspension: both(isLow, typeof state === 'string' ? state === 'none' : null),
  };
}

/** True when both are true, false when one is false, otherwise null. */
function both(one: boolean | null, other: boolean | null): boolean | null {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
}

function consensusOf(set: ConsensusSet, quantity: QuantityId, least: number): Consensus | null {
  const row = set[quantity];
  return row === undefined || row.status === 'missing' || row.confidence < least ? null : row;
}
