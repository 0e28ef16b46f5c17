import { DAY_MS } from '../../domain/index.ts';
import {
  type Database,
  type FreshnessSpan,
  firstServiceMinute,
  freshnessBetween,
  serviceBetween,
} from '../../store/index.ts';
import type { Plan, ServiceLevel } from '../plans/plans.ts';
import type { EndpointGroup } from '../usage/meter.ts';

/** The service's own measurements over a span of time. */
export interface Measured {
  /** RFC 3339 UTC; not before the first measured minute. */
  readonly from: string;
  readonly to: string;
  /**
   * Minutes without any process count as down; other minutes by the share of requests that failed on our side. Null:
   * nothing measured yet.
   */
  readonly availabilityPct: number | null;
  readonly requests: number;
  readonly failures: number;
  /** Latency of reads (ratings and chain data), in milliseconds within the service; null without reads. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number } | null;
  readonly freshness: readonly FreshnessSpan[];
}

export interface ServiceLevelReader {
  /** The last hour, day and 30 days. */
  windows(): Promise<readonly (Measured & { readonly window: (typeof WINDOWS)[number]['window'] })[]>;
  /** A calendar month (UTC), `YYYY-MM`, up to now; null when it is no longer stored or has not begun. */
  month(month: string): Promise<Measured | null>;
  /** RFC 3339 UTC; null before the first minute. */
  since(): Promise<string | null>;
}

/**
 * The groups that promises cover. Failures of others (such as a source that fails during scoring) do not count against
 * us.
 */
const PROMISED: readonly EndpointGroup[] = ['rms', 'chain', 'exports'];
const READS: readonly EndpointGroup[] = ['rms', 'chain'];
const MINUTE_MS = 60_000;
/** Time for which minutes are stored. */
const KNOWN_MS = 100 * DAY_MS;
/** Length of a window, and how long its result is cached: `/v1/status` is open to everybody and must be cheap. */
const WINDOWS = [
  { window: '1h', lengthMs: 3_600_000, keepMs: 10_000 },
  { window: '24h', lengthMs: DAY_MS, keepMs: 60_000 },
  { window: '30d', lengthMs: 30 * DAY_MS, keepMs: 600_000 },
] as const;
const MONTH_KEEP_MS = 600_000;
/** All windows are measured together; the result is cached for this time. */
const SHOWN_MS = 10_000;
const STALE_TIMES = 10;

/** Stored measurements of a span, before quantiles are computed. Milliseconds; the end is exclusive. */
interface Sums {
  readonly from: number;
  readonly to: number;
  readonly service: Awaited<ReturnType<typeof serviceBetween>>;
  readonly freshness: readonly FreshnessSpan[];
}

/**
 * Processes store a minute within seconds of its end. A window that is cached longer ends before the minutes that may
 * still change.
 */
const SETTLED_MS = 5 * MINUTE_MS;

/**
 * Caches results. A slightly outdated result is served while a new one is measured, so that no request waits for 30
 * days to be summed.
 */
function keeper<Value>(now: () => number, isKnown: (value: Value) => boolean) {
  const kept = new Map<string, { readonly at: number; readonly value: Promise<Value> }>();
  return (name: string, keepMs: number, measure: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(name);
    const age = now() - (known?.at ?? Number.NEGATIVE_INFINITY);
    if (known && age < keepMs) return known.value;
    const value = measure();
    const isUsable = known !== undefined && age < keepMs * STALE_TIMES;
    if (isUsable) kept.set(name, { at: now(), value: known.value });
    else kept.set(name, { at: now(), value });
    value.then(
      (measured) => {
        // Missing measurements become known within a minute.
        if (isKnown(measured)) kept.set(name, { at: now(), value });
        else kept.delete(name);
      },
      () => kept.delete(name),
    );
    return isUsable ? known.value : value;
  };
}

/** Reads the service level from the minutes that all processes store. `now` in milliseconds. */
export function createServiceLevelReader(db: Database, now: () => number): ServiceLevelReader {
  const keepSums = keeper<Sums | null>(now, (sums) => sums !== null && sums.to - sums.from >= MINUTE_MS);
  const keepWindows = keeper<Awaited<ReturnType<ServiceLevelReader['windows']>>>(now, (rows) =>
    rows.some(({ availabilityPct }) => availabilityPct !== null),
  );

  /** Sums the full minutes from `from` up to, but not including, `to`; both in milliseconds. */
  async function between(from: number, to: number): Promise<Sums | null> {
    const first = await firstServiceMinute(db);
    const begin = Math.max(from, first === null ? Number.POSITIVE_INFINITY : Date.parse(first));
    if (begin > to || begin === Number.POSITIVE_INFINITY) return null;
    const span = { from: new Date(begin).toISOString(), to: new Date(to).toISOString() };
    const [service, freshness] = await Promise.all([
      serviceBetween(db, { ...span, groups: PROMISED, latencyGroups: READS }),
      freshnessBetween(db, span.from, span.to),
    ]);
    return { from: begin, to, service, freshness };
  }

  /**
   * Measures all windows up to the same minute. Longer windows are only recomputed occasionally; newer minutes are
   * added to them, so that no window counts less than a shorter one within it.
   */
  async function measureWindows(end: number) {
    const rows = await Promise.all(
      WINDOWS.map(async ({ window, lengthMs, keepMs }) => {
        if (keepMs <= SHOWN_MS) return { window, sums: await between(end - lengthMs, end) };
        const base = await keepSums(window, keepMs, () => between(end - lengthMs, end - SETTLED_MS));
        if (base === null || base.to > end) return { window, sums: await between(end - lengthMs, end) };
        return { window, sums: added(base, await between(base.to, end)) };
      }),
    );
    return rows.flatMap(({ window, sums }) => (sums === null ? [] : [{ ...measuredOf(sums), window }]));
  }

  const lastMinute = () => Math.floor(now() / MINUTE_MS) * MINUTE_MS;

  return {
    windows: () => keepWindows('all', SHOWN_MS, () => measureWindows(lastMinute())),
    async month(month) {
      const [from, end] = monthSpan(month);
      const to = Math.min(end, lastMinute());
      if (from > now() || end < now() - KNOWN_MS) return null;
      const sums = await keepSums(month, MONTH_KEEP_MS, () => between(from, to));
      return sums && measuredOf(sums);
    },
    since: () => firstServiceMinute(db),
  };
}

/**
 * Combines a span with the one that follows it. Snapshot ages are those of the longer span, because they cannot be
 * added.
 */
function added(first: Sums, next: Sums | null): Sums {
  if (next === null) return first;
  const latency = new Map(first.service.latency);
  for (const [bucket, count] of next.service.latency) latency.set(bucket, (latency.get(bucket) ?? 0) + count);
  const service = {
    aliveMinutes: first.service.aliveMinutes + next.service.aliveMinutes,
    failedMinutes: first.service.failedMinutes + next.service.failedMinutes,
    requests: first.service.requests + next.service.requests,
    failures: first.service.failures + next.service.failures,
    latency,
  };
  const freshness = first.freshness.length > 0 ? first.freshness : next.freshness;
  return { from: first.from, to: next.to, service, freshness };
}

function measuredOf({ from, to, service, freshness }: Sums): Measured {
  const minutes = (to - from) / MINUTE_MS;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(service.latency, share));
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    availabilityPct: minutes < 1 ? null : percent((service.aliveMinutes - service.failedMinutes) / minutes),
    requests: service.requests,
    failures: service.failures,
    latencyMs:
      p50 == null || p95 == null || p99 == null ? null : { p50: rounded(p50), p95: rounded(p95), p99: rounded(p99) },
    freshness,
  };
}

/** First and last instant (exclusive) of a month `YYYY-MM`, UTC, milliseconds. */
export function monthSpan(month: string): readonly [from: number, to: number] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return [Date.UTC(year, number - 1, 1), Date.UTC(year, number, 1)] as const;
}

/** Rounds down, so that a month slightly below its target is below it. */
function percent(share: number): number {
  return Math.floor(Math.min(1, Math.max(0, share)) * 1e6) / 1e4;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

export type Breach = 'availability' | 'freshness' | 'latency';

/** A month compared with the promises of a plan. */
export interface ServiceLevelStatus {
  readonly availabilityPct: number | null;
  /** The highest age among the plan's chains; null when nothing was measured. */
  readonly marketAgeSeconds: number | null;
  readonly latencyP99Ms: number | null;
  readonly breaches: readonly Breach[];
  /** Percentage of the month's price. */
  readonly creditPct: number;
}

/**
 * The credit that a plan owes for a month: the step of availability that the month fell below, plus the credits for
 * broken freshness and latency, up to the whole price. Promises without measurements are not broken.
 */
export function serviceLevelStatus(plan: Plan, promised: ServiceLevel, measured: Measured | null): ServiceLevelStatus {
  const availabilityPct = measured?.availabilityPct ?? null;
  const latencyP99Ms = measured?.latencyMs?.p99 ?? null;
  const ages = (measured?.freshness ?? [])
    .filter((row) => row.kind === 'market' && row.cadence === 'newest')
    .filter((row) => plan.chains === '*' || plan.chains.includes(row.chain))
    .map((row) => row.ageP99Seconds);
  const marketAgeSeconds = ages.length === 0 ? null : Math.max(...ages);
  const breaches: Breach[] = [];
  let creditPct = 0;
  if (availabilityPct !== null && availabilityPct < promised.availabilityPct) {
    breaches.push('availability');
    creditPct += Math.max(
      0,
      ...promised.credits.filter((step) => availabilityPct < step.belowPct).map((step) => step.creditPct),
    );
  }
  if (marketAgeSeconds !== null && marketAgeSeconds > promised.marketAgeSeconds) {
    breaches.push('freshness');
    creditPct += promised.freshnessCreditPct;
  }
  if (latencyP99Ms !== null && latencyP99Ms > promised.latencyP99Ms) {
    breaches.push('latency');
    creditPct += promised.latencyCreditPct;
  }
  return { availabilityPct, marketAgeSeconds, latencyP99Ms, breaches, creditPct: Math.min(100, creditPct) };
}

/**
 * Counts by bucket. Buckets grow by the sixteenth root of 2, so that quantiles are at most 4.5 % too high and never too
 * low.
 */
export type Histogram = Uint32Array;

const LOWEST = 0.01;
const PER_OCTAVE = 16;
const HIGHEST_INDEX = 640;

export function emptyHistogram(): Histogram {
  return new Uint32Array(HIGHEST_INDEX + 1);
}

/** Counts a value in any unit (milliseconds, seconds); values up to 0.01 share the lowest bucket. */
export function addValue(histogram: Histogram, value: number): void {
  const index = indexOf(value);
  histogram[index] = (histogram[index] ?? 0) + 1;
}

/** The upper edge of the bucket that contains the quantile (0 to 1), from counts by bucket; null without counts. */
export function quantile(counts: ReadonlyMap<number, number>, share: number): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  for (const index of [...counts.keys()].sort((a, b) => a - b)) {
    left -= counts.get(index) ?? 0;
    if (left <= 0) return LOWEST * 2 ** (index / PER_OCTAVE);
  }
  return null;
}

/** `index:count` pairs separated by spaces, in order. */
export function histogramText(histogram: Histogram): string {
  const pairs: string[] = [];
  for (const [index, count] of histogram.entries()) if (count > 0) pairs.push(`${index}:${count}`);
  return pairs.join(' ');
}

function indexOf(value: number): number {
  if (!(value > LOWEST)) return 0;
  return Math.min(HIGHEST_INDEX, Math.ceil(Math.log2(value / LOWEST) * PER_OCTAVE));
}
