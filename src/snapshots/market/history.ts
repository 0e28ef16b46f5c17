import type { Provenance } from '../../domain/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { Sourced } from './number.ts';

/** A price of our own, kept since the asset is indexed. */
export interface PricePoint {
  /** RFC 3339. */
  readonly at: string;
  readonly priceUsd: number;
}

/** Fewer daily returns say nothing about a month (methodology 9). */
const FEWEST_RETURNS = 20;
const MONTH_DAYS = 30;
/** A point this much older or younger, as a part of the span, still stands for its beginning. */
const SPAN_TOLERANCE = 0.1;

/** Percent since `spanMs` ago by our own prices; null when no point is near enough to that moment. */
export function changeOver(history: readonly PricePoint[], now: number, price: number, spanMs: number): Sourced | null {
  const wanted = now - spanMs;
  let best: PricePoint | null = null;
  for (const point of history) {
    const distance = Math.abs(Date.parse(point.at) - wanted);
    if (distance > spanMs * SPAN_TOLERANCE) continue;
    if (best === null || distance < Math.abs(Date.parse(best.at) - wanted)) best = point;
  }
  if (best === null || best.priceUsd <= 0) return null;
  return ours((price / best.priceUsd - 1) * 100);
}

/** Standard deviation of daily ln returns over 30 days, as a fraction per day; null with fewer than 20 returns. */
export function volatilityOf(history: readonly PricePoint[], now: number): Sourced | null {
  const closes = new Map<number, PricePoint>();
  for (const point of history) {
    const at = Date.parse(point.at);
    if (at > now || at < now - (MONTH_DAYS + 1) * DAY_MS || point.priceUsd <= 0) continue;
    const day = Math.floor(at / DAY_MS);
    const kept = closes.get(day);
    if (kept === undefined || Date.parse(kept.at) <= at) closes.set(day, point);
  }
  const returns: number[] = [];
  for (const [day, point] of closes) {
    const before = closes.get(day - 1);
    if (before !== undefined) returns.push(Math.log(point.priceUsd / before.priceUsd));
  }
  if (returns.length < FEWEST_RETURNS) return null;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return ours(Math.sqrt(squares / (returns.length - 1)));
}

/** The highest price we have seen ourselves; null without any. */
export function highestOf(history: readonly PricePoint[]): PricePoint | null {
  return history.reduce<PricePoint | null>(
    (best, point) => (best === null || point.priceUsd > best.priceUsd ? point : best),
    null,
  );
}

function ours(value: number): Sourced {
  const provenance: Provenance = { sources: [], outvoted: [], confidence: 0.6, interval: null, method: 'history' };
  return { value, provenance };
}
