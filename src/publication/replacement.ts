import {
  type Band,
  DAY_MS,
  type PublicationDecision,
  type PublicationState,
  type PublishedRating,
  type Rating,
  type Watch,
} from '../domain/index.ts';
import { bandOf, failureProbability, type Methodology } from '../methodology/index.ts';
import { dayOf, daysBetween, isRevised } from './facts.ts';
import { askedShare, type Floor, type FloorInput, leastShare, percent } from './floor.ts';
import { rank } from './movement.ts';

/** Flags that are published whatever else was read, because their own evidence is sufficient. */
const PROVEN: ReadonlySet<string> = new Set(['HONEYPOT', 'RUG_EXECUTED']);
const ROUNDING = 1e-9;

/** Result of comparing a collection with the current rating. */
export interface Comparison {
  /** Reasons why the collection's evidence is insufficient; empty when it is sufficient. */
  readonly because: PublicationDecision['because'];
  /** True when the current rating has insufficient evidence by today's rules, so that this collection corrects it. */
  readonly corrects: boolean;
  /** False when less was read than for the current rating, so that the band must not rise. */
  readonly mayRise: boolean;
  /**
   * The highest score that the evidence supports; null without a limit. A better rating in force stays until its own
   * evidence is as old as that of a rating to be withdrawn: until then `because` has the reason.
   */
  readonly limit: Floor['limit'];
  /** Age of the current rating's evidence in days. */
  readonly ageDays: number;
}

/**
 * Compares a collection with the current rating (methodology 4). `website`: the site that this collection read as the
 * asset's own.
 */
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
    return { because: firstTime(input.rating, floor), corrects: false, mayRise: true, limit: floor.limit, ageDays: 0 };
  const { basis } = previous;
  const ageDays = daysBetween(basis?.asOf ?? previous.last.asOf, asOf);
  // If all registries and the site were requested, a weak link is itself evidence and not a lack of evidence.
  const because = floor.because.filter((one) => one.code !== 'identity_below_floor' || floor.identityFailed);
  const isBetter = isAbove(previous.band, floor.limit, methodology) && ageDays < replacement.withdrawDays;
  if (floor.limit !== null && isBetter) because.push({ code: 'evidence_below_floor', detail: floor.limit.detail });

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
    basis.askedShare <
      leastShare(
        bandOfFloor(previous, floor.limit),
        input.identification.stage === 'pre_tge' ? '*' : input.rating.class,
        rules,
      ) -
        ROUNDING ||
    !isSameSite(basis.website, website, isRevised(methodology.publication));
  return {
    because,
    corrects: because.length === 0 && isWrong && input.rating.band !== 'NR',
    mayRise: basis === undefined || share >= replacement.askedShareForUpgrade * basis.askedShare - ROUNDING,
    limit: isBetter ? null : floor.limit,
    ageDays,
  };
}

/** True for a band that is better than the best one that a limit allows. */
export function isAbove(band: Band, limit: Floor['limit'], methodology: Methodology): boolean {
  return limit !== null && rank(band) < rank(bandOf(limit.score, methodology));
}

/**
 * The band whose floor the current rating had to meet: the momentary one, because the published one may be held above
 * it. Where the evidence of both is limited, the published one: more evidence that is still too little corrects nothing.
 */
function bandOfFloor({ band, standing }: PublicationState, limit: Floor['limit']): Band {
  const indicative = standing?.indicativeBand ?? 'NR';
  return limit !== null && rank(band) > rank(indicative) ? band : indicative;
}

/** True for one host, with or without `www.`: the evidence is about the same site. */
function isSameSite(before: string | null, now: string | null, isWwwBare: boolean): boolean {
  const bare = (url: string | null) => (isWwwBare ? (url?.replace('://www.', '://') ?? null) : url);
  return bare(before) === bare(now);
}

/** An asset that cannot be rated is first published once it could be rated. */
function firstTime({ band, notRatedReasons }: Rating, floor: Floor): PublicationDecision['because'] {
  if (floor.because.length > 0 || band !== 'NR') return floor.because;
  return [{ code: 'evidence_below_floor', detail: notRatedReasons.join('; ') || 'it cannot be rated' }];
}

/** True for a downward change with sufficient evidence of its own: a proven knock-out, a default or a new cap. */
export function hasOwnEvidence(rating: Rating, previous: PublicationState | null, candidate: PublishedRating): boolean {
  if (rating.flags.some((flag) => PROVEN.has(flag.code))) return true;
  if (candidate.default !== null && (previous?.default ?? null) === null) return true;
  if (previous === null || rank(candidate.band) <= rank(previous.band)) return false;
  const known = new Set(previous.last.caps.map((cap) => cap.code));
  return rating.caps.some((cap) => cap.binding && cap.flag !== null && !known.has(cap.code));
}

/**
 * Handles a collection with insufficient evidence. The state stores the start of the weak period and the failed
 * sources. After a day, the current rating is published again on watch; after thirty days it is withdrawn. `rating`
 * null: nothing is published.
 */
export function keepOnWeakEvidence(
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
      state: {
        ...state,
        band: 'NR',
        above: null,
        smoothedScore: null,
        notRatedSince: previous.notRatedSince ?? asOf,
        ...(isRevised(methodology.publication) ? { last: { ...previous.last, score: null, band: 'NR', asOf } } : {}),
      },
    };
  if (daysBetween(weak.since, asOf) * 24 < replacement.watchHours) return { rating: null, state };
  const detail = `too little could be read since ${weak.since}: the rating of ${standing.asOf} stands${named(weak.sources)}`;
  const deadline = new Date(Date.parse(weak.since) + watch.days * DAY_MS).toISOString();
  const evidence: Watch = { direction: 'developing', reason: 'evidence', detail, since: weak.since, deadline };
  return {
    rating: {
      ...standing,
      // An active watch is more informative than missing evidence, so it is kept.
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
