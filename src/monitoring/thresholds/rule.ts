import type { ThresholdCondition, ThresholdFigure } from '../../contract/index.ts';

/** A line that a figure of a snapshot may cross. */
export interface ThresholdRule {
  readonly figure: ThresholdFigure;
  readonly condition: ThresholdCondition;
  /** In the unit of the figure; of `rises` and `falls` percent. Above zero. */
  readonly value: number;
  /** Null for `above` and `below`. */
  readonly windowSeconds: number | null;
  /** Percent of `value` by which the figure must return before it can cross again. */
  readonly hysteresisPct: number;
}

/** A figure at one time. */
export interface Reading {
  /** RFC 3339. */
  readonly at: string;
  readonly value: number;
}

/** State of a rule after the processed readings. */
export interface RuleState {
  /** Time of the newest reading; null before the first. */
  readonly at: string | null;
  /** Null before the first reading. */
  readonly isCrossed: boolean | null;
  /**
   * Readings that can become the extreme of the window, oldest first: for `falls` each is lower than the one before,
   * for `rises` higher. Empty for `above` and `below`.
   */
  readonly extremes: readonly Reading[];
}

/** A crossed threshold. `from`: start value of the change; null for `above` and `below`. */
export interface Crossing {
  readonly reading: Reading;
  readonly from: Reading | null;
  /** Percent; null for `above` and `below`. */
  readonly changePct: number | null;
}

export const UNREAD: RuleState = { at: null, isCrossed: null, extremes: [] };

/**
 * More readings of a window are thinned out: an extreme may then leave the window earlier, by the smallest of the gaps
 * between them.
 */
const MOST_EXTREMES = 64;

/**
 * Processes a reading. A crossing is reported once, and again only after the figure returned by `hysteresisPct` of the
 * line. The first reading reports nothing: a figure that is already beyond the line did not cross it. Readings that are
 * not newer change nothing. Pure.
 */
export function nextReading(
  state: RuleState,
  reading: Reading,
  rule: ThresholdRule,
): { readonly state: RuleState; readonly crossing: Crossing | null } {
  const at = Date.parse(reading.at);
  const isNewer = state.at === null || at > Date.parse(state.at);
  if (!Number.isFinite(at) || !Number.isFinite(reading.value) || !isNewer) return { state, crossing: null };
  const extremes = rule.windowSeconds === null ? [] : extremesWith(state.extremes, reading, rule, rule.windowSeconds);
  const from = extremes[0] ?? null;
  const changePct = from === null ? null : from.value > 0 ? ((reading.value - from.value) / from.value) * 100 : 0;
  const back = 1 - rule.hysteresisPct / 100;
  const measured = measureOf(rule.condition, reading.value, changePct);
  // For `below`, lower values are beyond the line, and the return distance is added to it.
  const isBelow = rule.condition === 'below';
  const isBeyond = isBelow ? measured <= rule.value : measured >= rule.value;
  const isBack = isBelow ? measured > rule.value * (1 + rule.hysteresisPct / 100) : measured < rule.value * back;
  const wasCrossed = state.isCrossed;
  const isCrossed = wasCrossed === true ? !isBack : isBeyond;
  const crossing = wasCrossed === false && isBeyond ? { reading, from, changePct } : null;
  return { state: { at: reading.at, isCrossed, extremes }, crossing };
}

function measureOf(condition: ThresholdCondition, value: number, changePct: number | null): number {
  if (condition === 'rises') return changePct ?? 0;
  if (condition === 'falls') return -(changePct ?? 0);
  return value;
}

function extremesWith(
  before: readonly Reading[],
  reading: Reading,
  { condition }: ThresholdRule,
  windowSeconds: number,
): readonly Reading[] {
  const start = Date.parse(reading.at) - windowSeconds * 1_000;
  const stays = before.filter(
    (one) =>
      Date.parse(one.at) >= start && (condition === 'falls' ? one.value > reading.value : one.value < reading.value),
  );
  // No percentage can be computed from zero: as the lowest reading it would hide every rise of its window.
  return thinned(condition === 'rises' && reading.value <= 0 ? stays : [...stays, reading]);
}

/** Removes the reading before the smallest gap; never the first one, which is the start of the change, nor the last. */
function thinned(readings: readonly Reading[]): readonly Reading[] {
  if (readings.length <= MOST_EXTREMES) return readings;
  let least = 1;
  let leastGap = Number.POSITIVE_INFINITY;
  for (let index = 1; index < readings.length - 1; index += 1) {
    const gap = Date.parse(readings[index + 1]?.at ?? '') - Date.parse(readings[index]?.at ?? '');
    if (gap < leastGap) [least, leastGap] = [index, gap];
  }
  return readings.toSpliced(least, 1);
}
