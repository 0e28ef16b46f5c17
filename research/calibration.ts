import type { Band } from '../src/domain/index.ts';
import { jeffreysInterval } from '../src/publication/index.ts';
import type { BandTable } from './bands.ts';

export interface CalibrationGroup {
  readonly members: number;
  readonly failures: number;
  readonly meanScore: number;
  readonly rate: number;
  readonly interval: readonly [low: number, high: number];
}

export interface Calibration {
  /** About ten groups of equal size by score, worst first; members with one score are never split. */
  readonly groups: readonly CalibrationGroup[];
  /** Largest rise of the rate from a group to the next better one. 0: the curve falls throughout. */
  readonly largestRise: number;
  /** The ladder's promise taken at its word: the band's failure target as a probability. */
  readonly ladder: {
    /** Mean squared distance of promise and outcome, 0-1. */
    readonly brier: number;
    /** The same for everybody given the base rate. */
    readonly brierOfBaseRate: number;
    readonly expected: number;
    readonly observed: number;
    /** Bands whose target lies outside the Jeffreys interval of their rate. */
    readonly outside: readonly Band[];
    /** Sum over bands of (observed - expected)^2 / (expected (1 - target)), and its degrees of freedom (Hosmer and Lemeshow). */
    readonly chiSquare: number;
    readonly degrees: number;
  } | null;
  /** Murphy's parts of the Brier score over the groups. */
  readonly resolution: number;
  readonly uncertainty: number;
}

const GROUPS = 10;

/** Whether scores mean what the ladder says: observed failure rates by score and by band. */
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

/** Places of the members by score, cut into about ten; what ties take up, the remaining parts share. */
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
