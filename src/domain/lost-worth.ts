import type { Consensus, ConsensusSet } from './consensus.ts';
import type { QuantityId } from './quantities.ts';

/** Conditions under which a receipt has lost its redemption value (methodology 4.4). */
export interface LossTerms {
  /** Price over redemption value below which it is far off. */
  readonly share: number;
  /** Days in a row that its chart must show, up to the newest. */
  readonly days: number;
  /** Lineage groups that must agree on the price, and as many on the redemption value. */
  readonly witnesses: number;
  /** Least confidence of the price and of the redemption value, which hangs on the price of the underlying. */
  readonly marketEvidence: number;
  /** Least confidence of the statement that redemption is suspended: above that of an unconfirmed row of a register. */
  readonly evidence: number;
}

/** Evidence at one moment that a receipt has lost its redemption value. Null: not known. */
export interface LostWorth {
  /** Its chart has been far below its redemption value, for days up to now. */
  readonly byChart: boolean | null;
  /** Redemption is said to be suspended. */
  readonly bySuspension: boolean | null;
}

/**
 * Whether a staked, wrapped or bridged token has lost what it stands for, seen at once and without own days. Both need a price far below the
 * redemption value now, each agreed by several lineage groups: a chart comes from one group, a suspension from one register.
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

/** True when both are, false when one is not, null where that is not known. */
function both(one: boolean | null, other: boolean | null): boolean | null {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
}

function consensusOf(set: ConsensusSet, quantity: QuantityId, least: number): Consensus | null {
  const row = set[quantity];
  return row === undefined || row.status === 'missing' || row.confidence < least ? null : row;
}
