import {
  type Band,
  type ConsensusSet,
  DAY_MS,
  type DayPoint,
  type Flag,
  type Outlook,
  type PublicationState,
  type Watch,
} from '../domain/index.ts';
import type { Methodology, PublicationRules } from '../methodology/index.ts';
import { lastDays, numberOf, wordOf } from './facts.ts';
import { cutOff } from './hysteresis.ts';

/**
 * Where the score is heading (methodology 4.3): the Theil-Sen slope of its daily values, carried on for 90 days; null with
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
  const better = methodology.bands.filter((row) => row.band !== 'D' && row.from > low).map((row) => row.from);
  if (better.length > 0 && projected > Math.min(...better) + margin) return 'positive';
  return projected < low - margin ? 'negative' : 'stable';
}

/** The middle of the slopes between all pairs of points (Theil 1950, Sen 1968): a few wild days do not turn it. */
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

type Sighting = Pick<Watch, 'direction' | 'reason' | 'detail'>;

/** Who holds a token's keys, as this moment knows it. */
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

/** The event that is pending, or null (methodology 4.3). It ends with its cause, or is renewed with a reason at its deadline. */
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
  const seen = sightingOf(moment, before);
  if (seen === null) {
    // A change of keys is over when it is done; who has them now is looked at until the deadline.
    return old?.reason === 'authority_change' && old.deadline > asOf ? old : null;
  }
  if (old === null || old.reason !== seen.reason) return { ...seen, since: asOf, deadline };
  if (old.deadline > asOf) return { ...seen, since: old.since, deadline: old.deadline };
  return { ...seen, detail: `renewed, still pending: ${seen.detail}`, since: old.since, deadline };
}

function sightingOf(
  { consensus, flags, authorities, notRated }: Parameters<typeof watchOf>[0],
  before: Parameters<typeof watchOf>[1],
): Sighting | null {
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

function keyChange(before: PublicationState['authorities'], now: PublicationState['authorities']): Sighting | null {
  for (const key of ['mint', 'freeze'] as const) {
    const [from, to] = [before[key], now[key]];
    if (from === null || to === null || from === to) continue;
    const direction = to === 'none' ? 'positive' : from === 'none' ? 'negative' : 'developing';
    return { direction, reason: 'authority_change', detail: `the ${key} authority went from ${from} to ${to}` };
  }
  return null;
}
