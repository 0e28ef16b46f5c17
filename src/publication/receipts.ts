import { type ConsensusSet, lostWorth } from '../domain/index.ts';
import type { PublicationRules } from '../methodology/index.ts';
import { type ConditionState, numberOf } from './facts.ts';

/**
 * Default tests of a staked, wrapped or bridged token (methodology 4.4): its price is far below its underlying for
 * several observed days, or is so now and its chart or a suspended redemption confirms it.
 */
export function receipt(consensus: ConsensusSet, rules: PublicationRules): readonly ConditionState[] {
  const { share, days } = rules.default.wrapped;
  const price = numberOf(consensus, 'price_usd', rules.default.evidence);
  const worth = numberOf(consensus, 'redemption_value_usd', rules.default.evidence);
  const { byChart, bySuspension } = lostWorth(consensus, { ...rules.default, ...rules.default.wrapped });
  const run = numberOf(consensus, 'redemption_days_below_80');
  const far = `below ${share} of what it stands for`;
  return [
    {
      key: 'D7 chart',
      code: 'D7',
      isTrue: byChart,
      days: 0,
      detail: `${far}, on ${run ?? days} days in a row by its price chart`,
    },
    {
      key: 'D7 suspended',
      code: 'D7',
      isTrue: bySuspension,
      days: 0,
      detail: `redemption is suspended and it is ${far}`,
    },
    {
      key: 'D7',
      code: 'D7',
      isTrue: price === null || worth === null || worth <= 0 ? null : price / worth < share,
      days,
      detail: `${far}, for ${days} days`,
    },
  ];
}
