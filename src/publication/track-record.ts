import { BANDS, type Band, counted, DAY_MS } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { accuracyRatio, countScore, emptyBins, jeffreysInterval, type ScoreBins } from './accuracy.ts';

/** Outcomes of the ratings of one band within one horizon. */
export interface CohortOutcome {
  readonly band: Band;
  /** Number of members whose horizon has ended. A member is the first rating of an asset in a UTC month. */
  readonly rated: number;
  /** Number of distinct assets among them. */
  readonly assets: number;
  readonly failed: number;
  /** Members without a failure whose rating was withdrawn within the horizon; they are included in `rated`. */
  readonly withdrawn: number;
  /** Members that were no longer rated at the end of the horizon, so that their outcome is unknown. */
  readonly unfollowed: number;
  /** Failures divided by the members with a known outcome, 0-1; null without any. */
  readonly rate: number | null;
  /** Jeffreys interval of the rate. Each asset counts once, because its months are not independent. */
  readonly interval: readonly [number, number] | null;
  /** The methodology's target for 365 days; null for other horizons. */
  readonly target: number | null;
  /** The intended range of the band's failures within 365 days; null for other horizons. */
  readonly targetRange: readonly [number, number] | null;
  /** Members whose horizon has not ended, and the failures among them; not included in any rate. */
  readonly young: number;
  readonly youngFailed: number;
}

export interface HorizonRecord {
  readonly days: number;
  readonly bands: readonly CohortOutcome[];
  /**
   * Number of members by band at the rating and band at the end of the horizon: D after a default, NR when withdrawn or
   * lapsed.
   */
  readonly transitions: Readonly<Partial<Record<Band, Readonly<Partial<Record<Band, number>>>>>>;
  readonly accuracyRatio: number | null;
  /** Why there is no accuracy ratio; null when there is one. */
  readonly accuracyReason: string | null;
}

/** An asset that defaulted although it had a good rating shortly before. */
export interface Miss {
  readonly assetId: string;
  readonly symbol: string | null;
  /** The best band in the year before the default, and the last time it had that band. */
  readonly band: Band;
  readonly bandAsOf: string;
  /** The last band before the default. */
  readonly bandBefore: Band;
  readonly defaultedAt: string;
}

export interface TrackRecord {
  readonly asOf: string;
  readonly assets: number;
  readonly ratings: number;
  readonly defaults: number;
  /** Assets that were already in default at their first rating; this is no failure of their ratings. */
  readonly firstRatedInDefault: number;
  readonly horizons: readonly HorizonRecord[];
  /** Newest first. */
  readonly misses: readonly Miss[];
}

/**
 * Counts the outcomes of published ratings (methodology 4.4 and 11), one asset at a time, so that only sums are kept in
 * memory. The order of assets does not matter, and `result` may be called at any time. `asOf`: RFC 3339 UTC; later
 * ratings are ignored.
 */
export function openTrackRecord(asOf: string, methodology: Methodology) {
  const { trackRecord: rules, hysteresis } = methodology.publication;
  const end = Date.parse(asOf);
  const tallies = rules.horizonsDays.map(emptyTally);
  const misses: Miss[] = [];
  const totals = { assets: 0, ratings: 0, defaults: 0, firstRatedInDefault: 0 };

  const add = (series: RatedSeries): void => {
    const life = lifeOf(series, end);
    const first = life[0];
    if (first === undefined) return;
    const defaults = life.filter((one, index) => one.band === 'D' && index > 0 && life[index - 1]?.inDefault === false);
    totals.assets += 1;
    totals.ratings += life.length;
    totals.defaults += defaults.length;
    if (first.band === 'D') totals.firstRatedInDefault += 1;
    for (const one of defaults) {
      const miss = missOf(series, life, one, rules.missDays * DAY_MS, rules.missBand);
      if (miss) misses.push(miss);
    }
    const members = firstOfMonths(life);
    for (const tally of tallies) countMembers(tally, members, life, end, hysteresis.existingDays * DAY_MS);
  };
  const result = (): TrackRecord => ({
    asOf,
    ...totals,
    horizons: tallies.map((tally) => horizonOf(tally, methodology)),
    misses: misses.toSorted((a, b) => order(b.defaultedAt, a.defaultedAt) || order(a.assetId, b.assetId)),
  });
  return { add, result };
}

type Counts = {
  -readonly [Key in 'rated' | 'assets' | 'failed' | 'withdrawn' | 'unfollowed' | 'young' | 'youngFailed']: number;
};

interface Tally {
  readonly days: number;
  readonly bands: Map<Band, Counts>;
  /** Distinct assets of each band with a known outcome. */
  readonly followed: Map<Band, number>;
  readonly transitions: Map<Band, Map<Band, number>>;
  readonly scores: ScoreBins;
}

function emptyTally(days: number): Tally {
  return { days, bands: new Map(), followed: new Map(), transitions: new Map(), scores: emptyBins() };
}

function countMembers(
  tally: Tally,
  members: readonly RatedPoint[],
  life: readonly RatedPoint[],
  end: number,
  lapsesMs: number,
) {
  const seen = new Set<Band>();
  const followed = new Set<Band>();
  for (const member of members) {
    const horizon = member.at + tally.days * DAY_MS;
    const failed = member.nextDefault <= Math.min(horizon, end);
    const counts = countsOf(tally, member.band);
    if (horizon > end) {
      counts.young += 1;
      if (failed) counts.youngFailed += 1;
      continue;
    }
    const last = lastBefore(life, horizon) ?? member;
    const lapsed = horizon - last.at > lapsesMs;
    counts.rated += 1;
    if (!seen.has(member.band)) counts.assets += 1;
    seen.add(member.band);
    if (failed || !lapsed) followed.add(member.band);
    if (failed) counts.failed += 1;
    else if (lapsed) counts.unfollowed += 1;
    else if (member.band !== 'NR' && member.nextWithdrawal <= horizon) counts.withdrawn += 1;
    if (member.score !== null && (failed || !lapsed)) countScore(tally.scores, member.score, failed);
    const row = tally.transitions.getOrInsertComputed(member.band, () => new Map());
    const to = failed ? 'D' : lapsed ? 'NR' : last.band;
    row.set(to, (row.get(to) ?? 0) + 1);
  }
  for (const band of followed) tally.followed.set(band, (tally.followed.get(band) ?? 0) + 1);
}

const noCounts = (): Counts => ({
  rated: 0,
  assets: 0,
  failed: 0,
  withdrawn: 0,
  unfollowed: 0,
  young: 0,
  youngFailed: 0,
});

function countsOf(tally: Tally, band: Band): Counts {
  return tally.bands.getOrInsertComputed(band, noCounts);
}

function missOf(
  series: RatedSeries,
  life: readonly RatedPoint[],
  end: RatedPoint,
  withinMs: number,
  from: Band,
): Miss | null {
  const earlier = life.slice(0, life.indexOf(end));
  // Ratings before an earlier default are misses of that one.
  const before = earlier
    .slice(earlier.findLastIndex((one) => one.inDefault) + 1)
    .filter((one) => one.at <= end.at && one.band !== 'NR');
  const best = before
    .filter((one) => end.at - one.at <= withinMs && rank(one.band) <= rank(from))
    .reduce<RatedPoint | null>((found, one) => (found && rank(found.band) < rank(one.band) ? found : one), null);
  if (best === null) return null;
  return {
    assetId: series.assetId,
    symbol: series.symbol,
    band: best.band,
    bandAsOf: best.asOf,
    bandBefore: before.at(-1)?.band ?? best.band,
    defaultedAt: end.asOf,
  };
}

function horizonOf(tally: Tally, methodology: Methodology): HorizonRecord {
  const { confidence, minimumFailures } = methodology.publication.trackRecord;
  const ranges = methodology.calibration.targets;
  const known = BANDS.filter((band) => tally.bands.has(band));
  const failures = tally.scores.failed.reduce((sum, count) => sum + count, 0);
  const ratio = failures < minimumFailures ? null : accuracyRatio(tally.scores);
  return {
    days: tally.days,
    bands: known.map((band): CohortOutcome => {
      const counts = countsOf(tally, band);
      const followed = counts.rated - counts.unfollowed;
      const rate = followed === 0 ? null : counts.failed / followed;
      const independent = tally.followed.get(band) ?? 0;
      const target = tally.days === 365 ? methodology.bands.find((row) => row.band === band)?.failureTarget : null;
      return {
        band,
        ...counts,
        rate,
        interval: rate === null ? null : jeffreysInterval(rate * independent, independent, confidence),
        target: target ?? null,
        targetRange: (tally.days === 365 && ranges.find((row) => row.band === band)?.range) || null,
      };
    }),
    transitions: Object.fromEntries(
      BANDS.flatMap((band) => {
        const row = tally.transitions.get(band);
        return row === undefined
          ? []
          : [[band, Object.fromEntries(BANDS.filter((to) => row.has(to)).map((to) => [to, row.get(to)]))]];
      }),
    ),
    accuracyRatio: ratio,
    accuracyReason:
      ratio !== null
        ? null
        : failures < minimumFailures
          ? `${counted(failures, 'failure')} of ${minimumFailures} that it needs`
          : 'every member failed',
  };
}

function rank(band: Band): number {
  return BANDS.indexOf(band);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** All published ratings of one asset, in any order. */
export interface RatedSeries {
  readonly assetId: string;
  readonly symbol: string | null;
  readonly ratings: readonly { readonly asOf: string; readonly band: Band; readonly score: number | null }[];
}

/** One rating of an asset, with what followed it. */
export interface RatedPoint {
  readonly at: number;
  readonly asOf: string;
  readonly band: Band;
  readonly score: number | null;
  /** Time of the next default or withdrawal; infinite when there is none. */
  readonly nextDefault: number;
  readonly nextWithdrawal: number;
  /** True for D, and for a default that was withdrawn and not rated since. */
  readonly inDefault: boolean;
}

/** An asset's ratings ordered by time: after a clock was set back, the stored order may differ. */
export function lifeOf(series: RatedSeries, end: number): readonly RatedPoint[] {
  const life = series.ratings
    .map(({ asOf, band, score }) => ({
      at: Date.parse(asOf),
      asOf,
      band,
      score,
      nextDefault: Number.POSITIVE_INFINITY,
      nextWithdrawal: Number.POSITIVE_INFINITY,
      inDefault: band === 'D',
    }))
    .filter((one) => one.at <= end)
    .sort((a, b) => a.at - b.at);
  for (const [index, one] of life.entries()) if (one.band === 'NR') one.inDefault = life[index - 1]?.inDefault ?? false;
  for (let index = life.length - 2; index >= 0; index -= 1) {
    const [one, after] = [life[index], life[index + 1]];
    if (one === undefined || after === undefined) continue;
    one.nextDefault = after.band === 'D' ? after.at : after.nextDefault;
    one.nextWithdrawal = after.band === 'NR' ? after.at : after.nextWithdrawal;
  }
  return life;
}

/** The last rating up to a moment. */
export function lastBefore(life: readonly RatedPoint[], moment: number): RatedPoint | undefined {
  let [low, high] = [0, life.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((life[middle]?.at ?? moment) <= moment) low = middle + 1;
    else high = middle;
  }
  return life[low - 1];
}

/**
 * The first rating of each month, except defaults and withdrawn defaults. A token may fail on the day of its first rating, so a member's
 * horizon begins with the rating and not with the month.
 */
export function firstOfMonths(life: readonly RatedPoint[]): readonly RatedPoint[] {
  return life.filter(
    (one, index) => !one.inDefault && (index === 0 || life[index - 1]?.asOf.slice(0, 7) !== one.asOf.slice(0, 7)),
  );
}
