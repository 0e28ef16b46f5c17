import { BANDS, type Band } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { jeffreysInterval } from '../src/publication/index.ts';

export interface CalibrationGroup {
  readonly members: number;
  readonly failures: number;
  readonly meanScore: number;
  readonly rate: number;
  readonly interval: readonly [low: number, high: number];
}

export interface Calibration {
  /** About ten groups of equal size by score, worst first; members with the same score are in the same group. */
  readonly groups: readonly CalibrationGroup[];
  /** Largest increase of the failure rate from a group to the next better one; 0: the rate never increases. */
  readonly largestRise: number;
  /** The band's failure target, taken as a probability. */
  readonly ladder: {
    /** Mean squared difference of prediction and outcome, 0-1. */
    readonly brier: number;
    /** The same if every member were predicted the base rate. */
    readonly brierOfBaseRate: number;
    readonly expected: number;
    readonly observed: number;
    /** Bands whose target lies outside the Jeffreys interval of their rate. */
    readonly outside: readonly Band[];
    /**
     * Sum over bands of (observed - expected)^2 / (expected (1 - target)), and its degrees of freedom (Hosmer and
     * Lemeshow).
     */
    readonly chiSquare: number;
    readonly degrees: number;
  } | null;
  /** Murphy's parts of the Brier score over the groups. */
  readonly resolution: number;
  readonly uncertainty: number;
}

const GROUPS = 10;

/** Observed failure rates by score and by band, compared with the ladder. */
export function calibrationOf(
  scores: readonly number[],
  failed: readonly boolean[],
  table: BandTable,
  confidence = 0.95,
): Calibration {
  const parts = tenths(scores);
  const groups = parts.map((part): CalibrationGroup => {
    const failures = part.filter((index) => failed[index]).length;
    return {
      members: part.length,
      failures,
      meanScore: part.reduce((sum, index) => sum + (scores[index] ?? 0), 0) / part.length,
      rate: failures / part.length,
      interval: jeffreysInterval(failures, part.length, confidence) ?? [0, 1],
    };
  });
  const base = failed.filter(Boolean).length / failed.length;
  return {
    groups,
    largestRise: groups
      .slice(1)
      .reduce((most, group, index) => Math.max(most, group.rate - (groups[index]?.rate ?? 1)), 0),
    ladder: ladderOf(table, base),
    resolution: groups.reduce((sum, group) => sum + (group.members / failed.length) * (group.rate - base) ** 2, 0),
    uncertainty: base * (1 - base),
  };
}

/**
 * Indices of the members by score, in about ten groups; a group is extended by ties, and the remaining members are
 * divided again.
 */
function tenths(scores: readonly number[]): readonly (readonly number[])[] {
  const order = scores.map((_, index) => index).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0));
  const parts: (readonly number[])[] = [];
  for (let start = 0; start < order.length; ) {
    const wanted = Math.ceil((order.length - start) / Math.max(1, GROUPS - parts.length));
    let end = Math.min(order.length, start + wanted);
    while (end < order.length && scores[order[end] ?? 0] === scores[order[end - 1] ?? 0]) end += 1;
    parts.push(order.slice(start, end));
    start = end;
  }
  return parts;
}

function ladderOf(table: BandTable, base: number): Calibration['ladder'] {
  const rows = table.rows.flatMap((row) =>
    row.members > 0 && row.target !== null ? [{ ...row, target: row.target }] : [],
  );
  const members = rows.reduce((sum, row) => sum + row.members, 0);
  if (members === 0) return null;
  const expected = rows.reduce((sum, row) => sum + row.members * row.target, 0);
  return {
    brier:
      rows.reduce(
        (sum, row) => sum + row.failures * (1 - row.target) ** 2 + (row.members - row.failures) * row.target ** 2,
        0,
      ) / members,
    brierOfBaseRate: base * (1 - base),
    expected: expected / members,
    observed: rows.reduce((sum, row) => sum + row.failures, 0) / members,
    outside: rows
      .filter((row) => row.interval !== null && (row.target < row.interval[0] || row.target > row.interval[1]))
      .map((row) => row.band),
    chiSquare: rows.reduce(
      (sum, row) =>
        sum + (row.failures - row.members * row.target) ** 2 / (row.members * row.target * (1 - row.target)),
      0,
    ),
    degrees: rows.length,
  };
}

export interface BandRow {
  readonly band: Band;
  readonly members: number;
  readonly failures: number;
  /** Observed failure rate, 0-1; null without members. */
  readonly rate: number | null;
  /** Jeffreys interval of the rate. */
  readonly interval: readonly [low: number, high: number] | null;
  /** The ladder's target over twelve months. */
  readonly target: number | null;
}

/** Two bands, of which the worse one failed less often. */
export interface Inversion {
  readonly better: Band;
  readonly worse: Band;
  /** One-sided p-value of "the worse band fails at least as often": pooled two-proportion z. */
  readonly pValue: number;
  /** The difference is larger than its own standard error. */
  readonly beyondOneError: boolean;
}

export interface BandTable {
  readonly rows: readonly BandRow[];
  readonly inversions: readonly Inversion[];
  /** `monotone`: each worse band fails more. `within_error`: inversions, none beyond one standard error. */
  readonly verdict: 'monotone' | 'within_error' | 'not_monotone' | 'one_band';
  /** Neighbouring bands whose rates do not differ significantly (two-sided p > .1). */
  readonly indistinct: readonly (readonly [Band, Band])[];
}

/** Failure rates by band, best first, and whether worse bands fail more often (methodology 7.2). */
export function bandTable(
  bands: readonly Band[],
  failed: readonly boolean[],
  methodology: Methodology,
  confidence = 0.95,
): BandTable {
  const rows = BANDS.filter((band) => band !== 'NR').map((band): BandRow => {
    let [members, failures] = [0, 0];
    for (const [index, own] of bands.entries())
      if (own === band) {
        members += 1;
        if (failed[index]) failures += 1;
      }
    return {
      band,
      members,
      failures,
      rate: members === 0 ? null : failures / members,
      interval: jeffreysInterval(failures, members, confidence),
      target: methodology.bands.find((row) => row.band === band)?.failureTarget ?? null,
    };
  });
  const held = rows.filter((row) => row.members > 0);
  const neighbours = held.slice(1).map((worse, index) => [held[index] ?? worse, worse] as const);
  const inversions = neighbours
    .filter(([better, worse]) => (better.rate ?? 0) > (worse.rate ?? 0))
    .map(([better, worse]): Inversion => {
      const z = difference(better, worse);
      return { better: better.band, worse: worse.band, pValue: 1 - normalBelow(z), beyondOneError: z > 1 };
    });
  return {
    rows,
    inversions,
    verdict:
      held.length < 2
        ? 'one_band'
        : inversions.length === 0
          ? 'monotone'
          : inversions.some((row) => row.beyondOneError)
            ? 'not_monotone'
            : 'within_error',
    indistinct: neighbours
      .filter(([better, worse]) => 2 * (1 - normalBelow(Math.abs(difference(better, worse)))) > 0.1)
      .map(([better, worse]) => [better.band, worse.band] as const),
  };
}

/** Difference of the better band's rate minus the worse one's, in standard errors. */
function difference(better: BandRow, worse: BandRow): number {
  const pooled = (better.failures + worse.failures) / (better.members + worse.members);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / better.members + 1 / worse.members));
  return error === 0 ? 0 : ((better.rate ?? 0) - (worse.rate ?? 0)) / error;
}

/** Standard normal distribution function, to 1e-7 (Abramowitz and Stegun 7.1.26). */
export function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-x * x);
  return z >= 0 ? 1 - tail / 2 : tail / 2;
}
