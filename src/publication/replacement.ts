import {
  DAY_MS,
  type PublicationDecision,
  type PublicationState,
  type PublishedRating,
  type Rating,
  type Watch,
} from '../domain/index.ts';
import { failureProbability, type Methodology } from '../methodology/index.ts';
import { dayOf, daysBetween } from './facts.ts';
import { askedShare, type Floor, type FloorInput, leastShare, percent } from './floor.ts';
import { rank } from './movement.ts';

/** Flags that are published whatever else was read: they stand on their own evidence. */
const PROVEN: ReadonlySet<string> = new Set(['HONEYPOT', 'RUG_EXECUTED']);
const ROUNDING = 1e-9;

/** How a collection compares with the rating that stands. */
export interface Comparison {
  /** Why it is too weak to say anything; empty when it is not. */
  readonly because: PublicationDecision['because'];
  /** The standing rating rests on too little, by today's rules: what it moved is undone by this collection. */
  readonly corrects: boolean;
  /** False: it read less than the standing rating rests on, and lifts no band. */
  readonly mayRise: boolean;
  /** Days since the evidence of the standing rating. */
  readonly ageDays: number;
}

/** Compares a collection with the rating in force (methodology 4). `website` is the site that this collection read as the asset's own. */
export function compare(
  input: FloorInput,
  floor: Floor,
  previous: PublicationState | null,
  website: string | null,
  asOf: string,
  methodology: Methodology,
): Comparison {
  const { replacement, floor: rules } = methodology.publication;
  if (previous === null || previous.band === 'NR')
    return { because: firstTime(input.rating, floor), corrects: false, mayRise: true, ageDays: 0 };
  const { basis } = previous;
  const ageDays = daysBetween(basis?.asOf ?? previous.last.asOf, asOf);
  // A tie that all registries and the site were asked about and that is weak is evidence, not a lack of it.
  const because = floor.because.filter((one) => one.code !== 'identity_below_floor' || floor.identityFailed);

  const share = askedShare(input.rating, input.sources, basis?.sources ?? [], rules);
  const isWeaker =
    basis?.floorMet === true &&
    ageDays < replacement.staleDays &&
    share < replacement.askedShareOfStanding * basis.askedShare - ROUNDING;
  if (because.length === 0 && isWeaker)
    because.push({
      code: 'weaker_than_standing',
      detail: `sources of ${percent(share)} of the weight answered; the rating of ${dayOf(basis.asOf)} rests on ${percent(basis.askedShare)}${named(floor.failed)}`,
    });
  const isWrong =
    basis === undefined ||
    !basis.floorMet ||
    // The floor is that of the moment's band: the published one may be held above it.
    basis.askedShare <
      leastShare(
        previous.standing?.indicativeBand ?? 'NR',
        input.identification.stage === 'pre_tge' ? '*' : input.rating.class,
        rules,
      ) -
        ROUNDING ||
    basis.website !== website;
  return {
    because,
    corrects: because.length === 0 && isWrong && input.rating.band !== 'NR',
    mayRise: basis === undefined || share >= replacement.askedShareForUpgrade * basis.askedShare - ROUNDING,
    ageDays,
  };
}

/** What cannot be rated is not published either, until something has been. */
function firstTime({ band, notRatedReasons }: Rating, floor: Floor): PublicationDecision['because'] {
  if (floor.because.length > 0 || band !== 'NR') return floor.because;
  return [{ code: 'evidence_below_floor', detail: notRatedReasons.join('; ') || 'it cannot be rated' }];
}

/** True for what is published downward on its own evidence: a proven knock-out, a default, a cap that was not there before. */
export function standsByItself(rating: Rating, previous: PublicationState | null, candidate: PublishedRating): boolean {
  if (rating.flags.some((flag) => PROVEN.has(flag.code))) return true;
  if (candidate.default !== null && (previous?.default ?? null) === null) return true;
  if (previous === null || rank(candidate.band) <= rank(previous.band)) return false;
  const known = new Set(previous.last.caps.map((cap) => cap.code));
  return rating.caps.some((cap) => cap.binding && cap.flag !== null && !known.has(cap.code));
}

/**
 * What stands while collections are too weak: the state remembers since when and which sources failed; after a day the standing
 * rating is published again on watch, after thirty it is withdrawn. Null: it is kept as it is, nothing is published.
 */
export function standMeanwhile(
  candidate: PublishedRating,
  previous: PublicationState,
  floor: Floor,
  comparison: Comparison,
  methodology: Methodology,
): { readonly rating: PublishedRating | null; readonly state: PublicationState } {
  const { replacement, watch } = methodology.publication;
  const { asOf } = candidate;
  const weak = {
    since: previous.weak?.since ?? asOf,
    asOf,
    count: (previous.weak?.count ?? 0) + 1,
    sources: floor.failed,
  };
  const state: PublicationState = { ...previous, weak };
  const { standing } = previous;
  if (standing === undefined || previous.band === 'NR') return { rating: null, state };
  const before = { score: previous.last.score, band: previous.band, asOf: previous.last.asOf };
  if (comparison.ageDays >= replacement.withdrawDays)
    return {
      rating: {
        ...withdrawn(candidate, methodology),
        previous: before,
        actionReason: withdrawal(standing, weak.sources),
      },
      state: { ...state, band: 'NR', above: null, smoothedScore: null, notRatedSince: previous.notRatedSince ?? asOf },
    };
  if (daysBetween(weak.since, asOf) * 24 < replacement.watchHours) return { rating: null, state };
  const detail = `too little could be read since ${weak.since}: the rating of ${standing.asOf} stands${named(weak.sources)}`;
  const deadline = new Date(Date.parse(weak.since) + watch.days * DAY_MS).toISOString();
  const evidence: Watch = { direction: 'developing', reason: 'evidence', detail, since: weak.since, deadline };
  return {
    rating: {
      ...standing,
      // A watch that is on says more than that the evidence could not be read.
      watch: standing.watch ? { ...standing.watch, detail: `${standing.watch.detail}; ${detail}` } : evidence,
      previous: before,
      action: 'affirm',
      actionReason: detail,
      reversal: false,
      drivers: [],
      jobId: candidate.jobId,
      asOf,
    },
    state,
  };
}

function withdrawn(candidate: PublishedRating, { calibration }: Methodology): PublishedRating {
  return {
    ...candidate,
    score: null,
    smoothedScore: null,
    band: 'NR',
    scoreInterval: null,
    outlook: null,
    watch: null,
    action: 'withdraw',
    reversal: false,
    drivers: [],
    vfr: { value: null, zone: 'INDETERMINATE', interval: null },
    failure: failureProbability(candidate.failure?.[0]?.group ?? null, { band: 'NR', score: null }, calibration),
  };
}

function withdrawal({ asOf }: PublishedRating, sources: readonly string[]): string {
  return `too little could be read since the rating of ${asOf}${named(sources)}`;
}

function named(sources: readonly string[]): string {
  return sources.length === 0 ? '' : `; failed: ${sources.join(', ')}`;
}
