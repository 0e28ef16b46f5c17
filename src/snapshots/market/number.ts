import type { Provenance } from '../../contract/index.ts';
import { type Consensus, type ConsensusSet, DAY_MS, HOUR_MS, type QuantityId } from '../../domain/index.ts';
import { type Known, numberAt } from '../../metrics/index.ts';

/** A number with its provenance. */
export interface Sourced {
  readonly value: number;
  readonly provenance: Provenance;
}

/** The agreed number of a quantity; null when no observation counts. */
export function agreed(set: ConsensusSet, quantity: QuantityId, scope = 'asset'): Sourced | null {
  return sourced(numberAt(set, quantity, scope));
}

/** A known number with its provenance. */
export function sourced(known: Known<number> | null): Sourced | null {
  return known && { value: known.value, provenance: provenanceOf(known.consensus) };
}

/** Names of the sources whose observations counted, sorted. */
export function sourcesOf(consensus: Consensus): readonly string[] {
  return [...new Set(consensus.voices.filter((voice) => voice.accepted).map((voice) => voice.source))].sort();
}

/** The same number in another unit. */
export function scaled(number: Sourced | null, factor: number): Sourced | null {
  if (number === null) return null;
  const { interval, outvoted, ...rest } = number.provenance;
  return {
    value: number.value * factor,
    provenance: {
      ...rest,
      interval: interval === null ? null : [interval[0] * factor, interval[1] * factor],
      outvoted: outvoted.map((voice) => ({ ...voice, value: voice.value === null ? null : voice.value * factor })),
    },
  };
}

/**
 * A number computed from others, with the lowest of their confidences. Null when one is missing, or the result is not
 * finite.
 */
export function derived(
  parts: readonly (Sourced | null)[],
  work: (...values: number[]) => number | null,
): Sourced | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length) return null;
  const value = work(...known.map((part) => part.value));
  if (value === null || !Number.isFinite(value)) return null;
  return {
    value,
    provenance: {
      sources: [...new Set(known.flatMap((part) => part.provenance.sources))].sort(),
      outvoted: [],
      confidence: Math.min(...known.map((part) => part.provenance.confidence)),
      interval: null,
      method: 'derived',
    },
  };
}

function provenanceOf(consensus: Consensus): Provenance {
  return {
    sources: sourcesOf(consensus),
    outvoted: consensus.voices.flatMap((voice) =>
      voice.reason !== null && typeof voice.value === 'number'
        ? [{ source: voice.source, value: voice.value, reason: voice.reason }]
        : [],
    ),
    confidence: consensus.confidence,
    interval: consensus.low === null || consensus.high === null ? null : [consensus.low, consensus.high],
    method: 'consensus',
  };
}

/** One of our own prices, recorded since the asset is indexed. */
export interface PricePoint {
  /** RFC 3339. */
  readonly at: string;
  readonly priceUsd: number;
}

/** Least number of daily returns for a monthly figure (methodology 9). */
const FEWEST_RETURNS = 20;
const MONTH_DAYS = 30;
/** Largest distance of a point from the start of a span, as a share of the span. */
const SPAN_TOLERANCE = 0.1;

/** Percent change since `spanMs` ago, by our own prices; null when no point is near enough to that time. */
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

/**
 * The highest of our own prices that held for an hour: the lowest point from one to the first that is an hour later. One point alone may
 * be an error of one source. Null without such points.
 */
export function highestOf(history: readonly PricePoint[]): PricePoint | null {
  const points = history.map((point) => ({ ...point, time: Date.parse(point.at) })).sort((a, b) => a.time - b.time);
  let best: PricePoint | null = null;
  let end = 0;
  for (const [from, { time }] of points.entries()) {
    while (end < points.length && (points[end]?.time ?? 0) < time + HOUR_MS) end += 1;
    if (end === points.length) break;
    const low = points.slice(from, end + 1).reduce((one, other) => (other.priceUsd < one.priceUsd ? other : one));
    if (best === null || low.priceUsd > best.priceUsd) best = { at: low.at, priceUsd: low.priceUsd };
  }
  return best;
}

function ours(value: number): Sourced {
  const provenance: Provenance = { sources: [], outvoted: [], confidence: 0.6, interval: null, method: 'history' };
  return { value, provenance };
}
