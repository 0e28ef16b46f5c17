import { type ConsensusSet, DAY_MS, type DayPoint, type DefaultTest, type QuantityId } from '../domain/index.ts';
import type { PublicationRules } from '../methodology/index.ts';

/** State of a default test: whether its condition is true now, and how long it must remain true. `null`: unknown. */
export interface ConditionState {
  /** A test may have several conditions, each with a separate duration. */
  readonly key: string;
  readonly code: DefaultTest['code'];
  readonly isTrue: boolean | null;
  readonly days: number;
  readonly detail: string;
  /** Liquidity below which D1 is met, US dollars. */
  readonly liquidityUsd?: number;
}

/** A number with at least this confidence; otherwise null. */
export function numberOf(consensus: ConsensusSet, quantity: QuantityId, least = 0): number | null {
  const row = consensus[quantity];
  return row && typeof row.value === 'number' && Number.isFinite(row.value) && row.confidence >= least
    ? row.value
    : null;
}

/** A state with at least this confidence; otherwise null. */
export function wordOf(consensus: ConsensusSet, quantity: QuantityId, least = 0): string | null {
  const row = consensus[quantity];
  return row && typeof row.value === 'string' && row.confidence >= least ? row.value : null;
}

/** True for methodologies with this revision of the rules (`publication.revision`), or a later one. */
export function isRevised({ revision }: PublicationRules, least: 2 | 3 | 4 = 2): boolean {
  return (revision ?? 1) >= least;
}

/** Longer than the look-back period of any rule. */
const MOST_DAYS = 100;

/** Days from one time to a later one; 0 when the clock was set back. */
export function daysBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Adds the newest values to the days. An unknown value keeps the earlier value of the day. */
export function withDay(days: readonly DayPoint[], point: DayPoint): readonly DayPoint[] {
  const last = days.at(-1);
  if (last !== undefined && last.day > point.day) return days;
  if (last?.day !== point.day) return [...days, point].slice(-MOST_DAYS);
  const merged = {
    day: point.day,
    score: point.score ?? last.score,
    priceUsd: point.priceUsd ?? last.priceUsd,
    liquidityUsd: point.liquidityUsd ?? last.liquidityUsd,
  };
  return [...days.slice(0, -1), merged];
}

/** The given number of days up to `asOf`. */
export function lastDays(days: readonly DayPoint[], asOf: string, count: number): readonly DayPoint[] {
  const from = new Date(Date.parse(asOf) - count * DAY_MS).toISOString().slice(0, 10);
  return days.filter((one) => one.day > from);
}

export function dayOf(asOf: string): string {
  return asOf.slice(0, 10);
}
