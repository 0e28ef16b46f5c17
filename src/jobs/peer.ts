import type { DriverReadings, EvidenceRecord, QuantityId, ScoreReport } from '../domain/index.ts';
import { consensusKey } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { isByRedemption, lastRound, marketValueOf, mediansOf, smoothed, subjectOf } from '../rating/index.ts';
import type { PanelEntry } from '../store/index.ts';

type RatedEvidence = Pick<ScoreReport, 'consensus' | 'rating'> & {
  readonly evidence: Pick<EvidenceRecord, 'identification' | 'asOf' | 'driverDays'>;
};

/**
 * What this report adds to the peer panel. Null where its market value is no yardstick for others: not known well enough, pegged,
 * not rated, defaulted, or with a critical flag (what a trap is quoted at nobody can realise).
 */
export function peerOf({ evidence, consensus, rating }: RatedEvidence, rules: Methodology['vfr']): PanelEntry | null {
  if (rating.band === 'NR' || rating.band === 'D' || isByRedemption(rating.class, rules)) return null;
  if (rating.flags.some((flag) => flag.severity === 'critical')) return null;
  const { identification, asOf } = evidence;
  const known = (quantity: QuantityId) => {
    const found = consensus[consensusKey(quantity, 'asset')];
    return found && typeof found.value === 'number' && found.confidence >= rules.minimumDriverConfidence
      ? { quantity, value: found.value, confidence: found.confidence }
      : null;
  };
  const marketValue = identification.stage === 'pre_tge' ? null : marketValueOf((name) => known(name)?.value ?? null);
  const round = lastRound(consensus.raises ?? null, asOf, rules.rounds);
  if (marketValue === null && round === null) return null;
  const quantities = [...new Set([...Object.values(rules.drivers).flat(), ...rules.weak.quantities])];
  const today = quantities.flatMap((quantity) => known(quantity) ?? []).filter(({ value }) => value > 0);
  const { assetId, aliases } = subjectOf(identification);
  return {
    peer: {
      assetId,
      category: rating.category,
      class: rating.class,
      asOf,
      marketValueUsd: marketValue && sixDigits(marketValue.diluted),
      drivers: rounded(mediansOf(smoothed(today, evidence.driverDays ?? [], asOf, rules))),
      trust: rating.trust.score,
      aliases,
      round,
    },
    readings: rounded(Object.fromEntries(today.map(({ quantity, value }) => [quantity, value]))),
  };
}

/** Panels are archived with every rating: no digit more than a median can use. */
function rounded(readings: DriverReadings): DriverReadings {
  return Object.fromEntries(Object.entries(readings).map(([quantity, value]) => [quantity, sixDigits(value)]));
}

function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}
