import {
  BANDS,
  type Band,
  type CapApplied,
  type ConsensusSet,
  DAY_MS,
  type DayPoint,
  type Flag,
  type Outlook,
  type PublicationState,
  type Watch,
} from '../domain/index.ts';
import { bandOf, type Methodology, type PublicationRules } from '../methodology/index.ts';
import { dayOf, daysBetween, isRevised, lastDays, numberOf, wordOf } from './facts.ts';

export interface Moment {
  readonly band: Band;
  readonly score: number;
  readonly smoothed: number;
  readonly asOf: string;
  /** True when a new cap or knock-out limits the score. */
  readonly newCap: boolean;
  /** True when a default ended recently: the band must not jump upwards. */
  readonly isCured: boolean;
}

export interface Held {
  readonly band: Band;
  readonly above: PublicationState['above'];
  readonly reason: string;
}

/**
 * The published band after one more score (methodology 4.2). It rises only when the smoothed score was above the
 * cut-off plus the margin in three daily snapshots, or is far above its band, and never above the band of the score
 * itself: after a fall at once, the smoothed score is higher and still falling. It falls when the smoothed score is
 * below the cut-off minus the margin, and at once when the score itself is far below or a new cap applies. A single
 * high score does not raise the band.
 */
export function holdBand(moment: Moment, above: PublicationState['above'], methodology: Methodology): Held {
  const { margin, snapshotsAbove } = methodology.publication.hysteresis;
  const { band, score, smoothed } = moment;
  const isBound = isRevised(methodology.publication);
  const direct = bandOf(score, methodology);
  if (moment.newCap && rank(direct) > rank(band)) return { band: direct, above: null, reason: 'a cap struck' };
  if (rank(direct) > rank(band) && isFar(score, band, methodology))
    return { band: direct, above: null, reason: 'the score is far from its band' };
  if (smoothed < cutOff(band, methodology) - margin) {
    const lower = bandOf(smoothed + margin, methodology);
    return { band: rank(lower) > rank(band) ? lower : next(band), above: null, reason: 'the smoothed score fell' };
  }
  const supported = bandOf(smoothed - margin, methodology);
  const higher = isBound ? lesser(supported, direct) : supported;
  if (isBound && rank(supported) < rank(band) && rank(direct) >= rank(band))
    return { band, above, reason: 'the smoothed score falls towards its band' };
  if (rank(higher) < rank(band) && !moment.isCured && isFar(smoothed, band, methodology))
    return { band: higher, above: null, reason: 'the smoothed score is far above its band' };
  if (rank(higher) >= rank(band)) return { band, above: null, reason: 'the score stays near its band' };
  const counted = countDay(above, dayOf(moment.asOf), smoothed);
  if (counted.count < snapshotsAbove)
    return {
      band,
      above: counted,
      reason: `above the next band in ${counted.count} of ${snapshotsAbove} daily snapshots`,
    };
  const least = bandOf(counted.least - margin, methodology);
  const risen = isBound ? lesser(least, direct) : least;
  return { band: rank(risen) < rank(band) ? risen : higher, above: null, reason: 'the smoothed score rose and stayed' };
}

function lesser(one: Band, other: Band): Band {
  return rank(one) > rank(other) ? one : other;
}

/** Several ratings on one day count as one snapshot, with the lowest of their scores. */
function countDay(
  above: PublicationState['above'],
  day: string,
  smoothed: number,
): NonNullable<PublicationState['above']> {
  if (above === null || day < above.day) return { count: 1, day, least: smoothed };
  return { count: day === above.day ? above.count : above.count + 1, day, least: Math.min(above.least, smoothed) };
}

function isFar(score: number, band: Band, methodology: Methodology): boolean {
  const low = methodology.bands.find((row) => row.band === band)?.from ?? 0;
  const better = methodology.bands.filter((row) => row.band !== 'D' && row.from > low).map((row) => row.from);
  const high = better.length > 0 ? Math.min(...better) : 100;
  const width = high - low;
  return Math.abs(score - (low + high) / 2) >= methodology.publication.hysteresis.immediateBandWidths * width;
}

/** Lowest score of a band; minus infinity for the lowest band. */
export function cutOff(band: Band, methodology: Methodology): number {
  const lowest = methodology.bands.filter((row) => row.band !== 'D').at(-1)?.band;
  if (band === lowest) return Number.NEGATIVE_INFINITY;
  return methodology.bands.find((row) => row.band === band)?.from ?? Number.NEGATIVE_INFINITY;
}

export function rank(band: Band): number {
  return BANDS.indexOf(band);
}

function next(band: Band): Band {
  return BANDS[rank(band) + 1] ?? band;
}

/**
 * The smoothed score after one more score, `days` later. Half of a fall is included after the half-life for falls, and
 * half of a rise after the half-life for rises.
 */
export function smooth(before: number | null, score: number, days: number, rules: PublicationRules): number {
  if (before === null) return score;
  const { halfLifeDownDays, halfLifeUpDays } = rules.smoothing;
  const halfLife = score < before ? halfLifeDownDays : halfLifeUpDays;
  return before + (score - before) * (1 - 2 ** (-days / halfLife));
}

/**
 * Caps whose condition ended less than seven days ago, or less than their own fade period ago (methodology 3.4), which
 * still bind. Caps that depend on age or on the evidence end at once. While the flag of a cap is held because its
 * evidence could not be read, the period does not begin. In a correction, a contradicted cap ends at once.
 */
export function fadingCaps(
  before: Pick<PublicationState, 'fadingCaps' | 'last'> | null,
  now: readonly CapApplied[],
  asOf: string,
  methodology: Methodology,
  { flags, corrects }: { readonly flags: PublicationState['last']['flags']; readonly corrects: boolean } = NOTHING_HELD,
): PublicationState['fadingCaps'] {
  if (before === null) return [];
  const binding = new Set(now.map((cap) => cap.code));
  const fades = new Map(
    methodology.caps
      .filter((cap) => !['with age', 'with the evidence'].includes(cap.expiry))
      .map((cap) => [cap.code, cap.fadeDays ?? methodology.publication.capFadeDays]),
  );
  const ended = before.last.caps
    .filter((cap) => !before.fadingCaps.some((old) => old.code === cap.code))
    .map((cap) => ({ ...cap, falseSince: asOf }));
  const unread = new Set(flags.filter((flag) => flag.seenAt !== asOf && !flag.falseSince).map((flag) => flag.code));
  const isUnread = (code: string) => {
    const flag = methodology.caps.find((cap) => cap.code === code)?.flag ?? null;
    return flag !== null && unread.has(flag);
  };
  return [...before.fadingCaps, ...ended]
    .map((cap) => (isUnread(cap.code) ? { ...cap, falseSince: asOf } : cap))
    .filter(
      (cap) =>
        !binding.has(cap.code) &&
        !(corrects && !isUnread(cap.code)) &&
        daysBetween(cap.falseSince, asOf) < (fades.get(cap.code) ?? Number.NEGATIVE_INFINITY),
    );
}

const NOTHING_HELD = { flags: [], corrects: false };

/**
 * Outlook of the score (methodology 4.3): the Theil-Sen slope of its daily values, extrapolated by 90 days. Null with
 * too few days.
 */
export function outlookOf(
  days: readonly DayPoint[],
  asOf: string,
  at: { readonly band: Band; readonly smoothed: number; readonly watch: Watch | null },
  methodology: Methodology,
): Outlook | null {
  const { days: window, minimumPoints, projectionDays, margin } = methodology.publication.outlook;
  const points = lastDays(days, asOf, window).flatMap(({ day, score }) =>
    score === null ? [] : [{ at: Date.parse(day) / DAY_MS, score }],
  );
  if (points.length < minimumPoints || at.band === 'D' || at.band === 'NR') return null;
  if (at.watch?.direction === 'developing') return 'developing';
  const projected = at.smoothed + theilSen(points) * projectionDays;
  const low = cutOff(at.band, methodology);
  // The lowest band has no lower end, and begins above zero all the same.
  const own = methodology.bands.find((row) => row.band === at.band)?.from ?? low;
  const from = isRevised(methodology.publication) ? own : low;
  const better = methodology.bands.filter((row) => row.band !== 'D' && row.from > from).map((row) => row.from);
  if (better.length > 0 && projected > Math.min(...better) + margin) return 'positive';
  return projected < low - margin ? 'negative' : 'stable';
}

/**
 * The median of the slopes between all pairs of points (Theil 1950, Sen 1968), which is robust against a few outlier
 * days.
 */
function theilSen(points: readonly { readonly at: number; readonly score: number }[]): number {
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2);
  let count = 0;
  for (const [index, one] of points.entries())
    for (const other of points.slice(index + 1)) {
      slopes[count] = (other.score - one.score) / (other.at - one.at);
      count += 1;
    }
  slopes.sort();
  const half = slopes.length >> 1;
  const upper = slopes[half] ?? 0;
  return slopes.length % 2 === 1 ? upper : (upper + (slopes[half - 1] ?? upper)) / 2;
}

type WatchReason = Pick<Watch, 'direction' | 'reason' | 'detail'>;

/** Current holders of a token's keys. An unknown holder keeps the earlier value. */
export function authoritiesOf(
  consensus: ConsensusSet,
  before: PublicationState['authorities'] | null,
  { authorityConfidence }: PublicationRules['watch'],
) {
  return {
    mint: wordOf(consensus, 'mint_authority_state', authorityConfidence) ?? before?.mint ?? null,
    freeze: wordOf(consensus, 'freeze_authority_state', authorityConfidence) ?? before?.freeze ?? null,
  };
}

const BY_FLAG: readonly (readonly [flag: string, reason: string, direction: Watch['direction']])[] = [
  ['EXPLOIT_UNRESOLVED', 'exploit_under_investigation', 'negative'],
  ['EXPLOIT_RECENT', 'exploit_under_investigation', 'negative'],
  ['DELISTING', 'delisting_notice', 'negative'],
  ['UNLOCK_CLIFF', 'unlock_pending', 'negative'],
  ['DATA_CONFLICT', 'source_conflict', 'developing'],
];

/**
 * The pending event; null without one (methodology 4.3). It ends with its cause, or is renewed with a reason at its
 * deadline.
 */
export function watchOf(
  moment: {
    readonly consensus: ConsensusSet;
    readonly flags: readonly Flag[];
    readonly authorities: PublicationState['authorities'];
    readonly notRated: string | null;
    readonly asOf: string;
  },
  before: Pick<PublicationState, 'watch' | 'authorities'> | null,
  rules: PublicationRules,
): Watch | null {
  const { asOf } = moment;
  const deadline = new Date(Date.parse(asOf) + rules.watch.days * DAY_MS).toISOString();
  const old = before?.watch ?? null;
  const seen = watchReasonOf(moment, before);
  if (seen === null) {
    // A change of keys is completed at once; the new holders are watched until the deadline.
    return old?.reason === 'authority_change' && old.deadline > asOf ? old : null;
  }
  if (old === null || old.reason !== seen.reason) return { ...seen, since: asOf, deadline };
  if (old.deadline > asOf) return { ...seen, since: old.since, deadline: old.deadline };
  return { ...seen, detail: `renewed, still pending: ${seen.detail}`, since: old.since, deadline };
}

function watchReasonOf(
  { consensus, flags, authorities, notRated }: Parameters<typeof watchOf>[0],
  before: Parameters<typeof watchOf>[1],
): WatchReason | null {
  for (const [code, reason, direction] of BY_FLAG) {
    const flag = flags.find((one) => one.code === code);
    if (flag) return { direction, reason, detail: flag.detail };
  }
  const changed = before === null ? null : keyChange(before.authorities, authorities);
  if (changed) return changed;
  if (notRated !== null) return { direction: 'developing', reason: 'source_conflict', detail: notRated };
  const disputed = (['price_usd', 'circulating_supply', 'total_supply'] as const).find(
    (quantity) => consensus[quantity]?.status === 'disputed' && numberOf(consensus, quantity) !== null,
  );
  return disputed === undefined
    ? null
    : { direction: 'developing', reason: 'source_conflict', detail: `sources stand against each other on ${disputed}` };
}

function keyChange(before: PublicationState['authorities'], now: PublicationState['authorities']): WatchReason | null {
  for (const key of ['mint', 'freeze'] as const) {
    const [from, to] = [before[key], now[key]];
    if (from === null || to === null || from === to) continue;
    const direction = to === 'none' ? 'positive' : from === 'none' ? 'negative' : 'developing';
    return { direction, reason: 'authority_change', detail: `the ${key} authority went from ${from} to ${to}` };
  }
  return null;
}
