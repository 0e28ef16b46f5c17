import type { AssetClass, Band, FailureProbability } from '../domain/index.ts';
import type { Calibration, CalibrationGroup } from './calibration.ts';

/** Properties that decide which assets of known outcome an asset is compared with. */
export interface FailureSubject {
  readonly class: AssetClass;
  readonly stage: 'post_tge' | 'pre_tge';
  /** Lowest rank on a market list; null: on none. */
  readonly rank: number | null;
  /** Days since its first observation; null: not known. */
  readonly ageDays: number | null;
}

/** The calibration group of an asset; null: there are no outcomes of similar assets. */
export function failureGroup(subject: FailureSubject, calibration: Calibration): CalibrationGroup | null {
  if (subject.stage === 'pre_tge') return null;
  return calibration.groups.find((group) => isLike(subject, group)) ?? null;
}

function isLike({ class: of, rank, ageDays }: FailureSubject, group: CalibrationGroup): boolean {
  if (!group.classes.includes(of)) return false;
  if (group.maximumRank === null && rank !== null) return false;
  if (typeof group.maximumRank === 'number' && (rank === null || rank > group.maximumRank)) return false;
  return group.maximumAgeDays === null || (ageDays !== null && ageDays <= group.maximumAgeDays);
}

const HORIZONS = [
  { horizon: '30d', key: 'd30', words: '30 days' },
  { horizon: '365d', key: 'd365', words: 'a year' },
] as const;

/**
 * Probability that an asset with this band and score fails within 30 days and within a year, from the outcomes of the
 * group. `group` is the id from `failureGroup`; null for none. Outside the range of scores of the group's members, only
 * a bound is returned. Pure.
 */
export function failureProbability(
  group: string | null,
  { band, score }: { readonly band: Band; readonly score: number | null },
  calibration: Calibration,
): readonly FailureProbability[] {
  const found = calibration.groups.find((row) => row.id === group) ?? null;
  return HORIZONS.map(({ horizon, key, words }) => ({
    horizon,
    ...foundAt(found, { band, score }, key, words),
    group: found?.id ?? null,
    calibrationHash: calibration.hash,
  }));
}

type Found = Pick<FailureProbability, 'value' | 'interval' | 'basis' | 'detail'>;

function foundAt(
  group: CalibrationGroup | null,
  { band, score }: { readonly band: Band; readonly score: number | null },
  key: 'd30' | 'd365',
  words: string,
): Found {
  if (band === 'D') return none('defaulted', 'It has failed already.');
  if (band === 'NR' || score === null) return none('not_rated', 'It is not rated.');
  if (group === null) return none('no_evidence', 'No outcomes of such assets are known here.');
  const [worst, best] = [group.points[0], group.points.at(-1)];
  if (worst === undefined || best === undefined)
    return none('no_evidence', 'No outcomes of such assets are known here.');
  const failures = group.cohorts.reduce((sum, cohort) => sum + cohort.failures, 0);
  const members = group.cohorts.reduce((sum, cohort) => sum + cohort.members, 0);
  const of = `${failures} failures of ${members} ${group.title}; failure there: ${group.event}.`;
  if (score > best.score)
    return {
      value: null,
      interval: [0, best[key].high],
      basis: 'upper_bound',
      detail: `At most that of a score of ${best.score}, the best that was followed, within ${words}. ${of}`,
    };
  if (score < worst.score)
    return {
      value: null,
      interval: [worst[key].low, 1],
      basis: 'lower_bound',
      detail: `At least that of a score of ${worst.score}, the worst that was followed, within ${words}. ${of}`,
    };
  const { value, low, high } = between(group, score, key);
  return {
    value,
    interval: [low, high],
    basis: group.lowDefault ? 'low_default' : 'calibrated',
    detail: `${group.lowDefault ? 'Few failures are known: the upper end takes those of all lower scores. ' : ''}${of}`,
  };
}

function none(basis: 'defaulted' | 'not_rated' | 'no_evidence', detail: string): Found {
  return { value: null, interval: null, basis, detail };
}

/** Linear interpolation between two points of the curve. */
function between({ points }: CalibrationGroup, score: number, key: 'd30' | 'd365') {
  const at = points.findIndex((point) => point.score >= score);
  const [below, above] = [points[Math.max(0, at - 1)], points[at]];
  if (below === undefined || above === undefined) throw new Error('the score lies beyond the curve');
  const share = above.score === below.score ? 0 : (score - below.score) / (above.score - below.score);
  const mix = (part: 'value' | 'low' | 'high') =>
    fourDigits(below[key][part] + share * (above[key][part] - below[key][part]));
  return { value: mix('value'), low: mix('low'), high: mix('high') };
}

function fourDigits(value: number): number {
  return Number(value.toPrecision(4));
}
