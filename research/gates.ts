import { medianHigh } from '../src/domain/index.ts';
import type { DataSetReport, Gate } from './data-set-report.ts';

/** Thresholds of methodology 7.2. */
const ACCURACY_RATIO = 0.6;
const RANK_SHIFT = 0.03;
const WITHIN_ONE_BAND = 0.9;
const PSI = 0.1;
const RANK_CORRELATION_30_DAYS = 0.93;
const REVERSALS = 0.05;

/** The gates that this data set can judge. They guard against going back; meeting them is no claim of performance. */
export function gatesOf(report: Omit<DataSetReport, 'gates'>): readonly Gate[] {
  const { outcome, sensitivity, stability } = report;
  const monthly = stability?.transitions.find((row) => row.horizonDays === 30)?.rankCorrelation ?? null;
  const psi = stability === null ? [] : stability.psi.map((row) => row.value);
  const reversals =
    stability === null || stability.reversals.changes === 0
      ? null
      : stability.reversals.takenBack / stability.reversals.changes;
  const ratio = outcome?.measured[0]?.values.accuracyRatio ?? null;
  const inversions = outcome?.bands.inversions.filter((row) => row.beyondOneError).length ?? null;
  const bands = outcome?.bands.verdict === 'one_band' ? null : inversions;
  const suspects =
    outcome === null
      ? null
      : outcome.leakage.columns.filter((row) => row.mapped && row.verdict === 'knows_outcome').length;
  const late = outcome?.leakage.times?.tooLate ?? null;
  return [
    gate('accuracy ratio', `at least ${ACCURACY_RATIO}`, ratio, (value) => value >= ACCURACY_RATIO),
    gate('band inversions beyond one standard error', 'none', bands, (value) => value === 0),
    gate('mapped columns that know the outcome', 'none', suspects, (value) => value === 0),
    gate('members measured at or after their outcome', 'none', late, (value) => value === 0),
    gate(
      'median rank shift under other judgement',
      `below ${RANK_SHIFT}`,
      sensitivity.rankShift.median,
      (value) => value < RANK_SHIFT,
    ),
    gate(
      'share within one band under other judgement',
      `at least ${WITHIN_ONE_BAND}`,
      sensitivity.withinOneBand,
      (value) => value >= WITHIN_ONE_BAND,
    ),
    gate(
      'rank correlation over 30 days',
      `at least ${RANK_CORRELATION_30_DAYS}`,
      monthly,
      (value) => value >= RANK_CORRELATION_30_DAYS,
    ),
    gate('monthly PSI, median', `below ${PSI}`, medianHigh(psi), (value) => value < PSI),
    gate(
      'band changes taken back in 30 days, before smoothing',
      `below ${REVERSALS}`,
      reversals,
      (value) => value < REVERSALS,
    ),
  ].filter((row) => row.found !== null);
}

function gate(name: string, wanted: string, found: number | null, passes: (value: number) => boolean): Gate {
  return { name, wanted, found, met: found !== null && passes(found) };
}
