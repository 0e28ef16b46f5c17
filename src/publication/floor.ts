import { findChain } from '../chains/index.ts';
import type { ConsensusSet, EvidenceRecord, Identification, NotPublishedCode, SourceOutcome } from '../domain/index.ts';
import { type AssetClass, BANDS, type Band, type Rating, sourceFor, sourcesFor } from '../domain/index.ts';
import {
  type FlagCode,
  type FloorRules,
  flagThresholds,
  isRowKnown,
  type Methodology,
  mandatoryRows,
  missingWords,
} from '../methodology/index.ts';

export interface FloorInput {
  readonly rating: Rating;
  readonly consensus: ConsensusSet;
  readonly identification: Identification;
  readonly sources: readonly SourceOutcome[];
  readonly purpose: EvidenceRecord['purpose'];
}

/** How completely a collection read its sources. */
export interface Floor {
  readonly met: boolean;
  readonly because: readonly { readonly code: NotPublishedCode; readonly detail: string }[];
  /** The highest score that the asked share supports, with the reason; null when it supports the rating's band. */
  readonly limit: { readonly score: number; readonly detail: string } | null;
  /** Share of the applicable weight whose sources were requested and replied, 0-1. */
  readonly askedShare: number;
  /** True when a source that links assets to projects failed. */
  readonly identityFailed: boolean;
  /** Sources that failed, sorted. */
  readonly failed: readonly string[];
  /** Sources that replied, sorted. */
  readonly answered: readonly string[];
}

/** Sources that link an asset to its project. */
const IDENTITY_SOURCES = [...sourcesFor('project_links'), sourceFor('site')];

/**
 * Whether a collection read what a published rating of its class needs (methodology 4): the identity match, the
 * critical quantities, and the share of the weight whose sources were requested and replied, whatever they stated.
 * Pure.
 */
export function floorOf(input: FloorInput, methodology: Methodology): Floor {
  const rules = methodology.publication.floor;
  const { rating, identification } = input;
  const share = askedShare(rating, input.sources, [], rules);
  const sources = new Map(input.sources.map((source) => [source.name, source]));
  const because: { code: NotPublishedCode; detail: string }[] = [];
  if (input.purpose === 'partial')
    because.push({ code: 'partial_collection', detail: 'the collection ended before all sources were asked' });
  const unidentified = failing(IDENTITY_SOURCES, sources, rules);
  if (identification.match < rules.minimumMatch)
    because.push({
      code: 'identity_below_floor',
      detail: `the identity match is ${identification.match.toFixed(2)}, below ${rules.minimumMatch.toFixed(2)}${
        unidentified.length > 0 ? `; failed: ${unidentified.join(', ')}` : ''
      }`,
    });
  const mandatory = mandatoryRows(
    {
      stage: identification.stage,
      category: rating.category,
      hasContract: identification.asset.address !== null && identification.asset.address !== 'native',
      chainKind: identification.asset.chain === null ? null : (findChain(identification.asset.chain)?.kind ?? null),
    },
    rules,
  );
  const missing = mandatory.filter((row) => !isRowKnown(row, input.consensus));
  const unread: string[] = [];
  for (const quantity of missing) {
    const failed = failing(quantity.sources, sources, rules);
    const answered = quantity.sources.some((name) => answeredShare(sources.get(name), rules) === 1);
    if (failed.length === 0 && answered) continue;
    const why = failed.length > 0 ? `failed: ${failed.join(', ')}` : 'no source that would know was asked';
    unread.push(`not read: ${quantity.name} (${why})`);
  }
  const words = missingWords({ of: mandatory.length, names: missing.map(({ name }) => name) });
  if (unread.length > 0 && words !== null)
    for (const detail of [words, ...unread]) because.push({ code: 'evidence_below_floor', detail });
  const open = openDefault(input, sources, methodology);
  if (open !== null) because.push({ code: 'evidence_below_floor', detail: open });
  const of = identification.stage === 'pre_tge' ? '*' : rating.class;
  const least = leastShare(rating.band, of, rules);
  const detail = `sources of ${percent(share)} of the weight were asked and answered; ${rating.band} needs ${percent(least)}`;
  const highest = share < least ? highestScore(share, of, rules) : null;
  if (share < least && highest === null) because.push({ code: 'evidence_below_floor', detail });
  return {
    met: because.length === 0,
    because,
    limit: highest === null ? null : { score: highest, detail },
    askedShare: share,
    identityFailed: unidentified.length > 0,
    failed: failing([...sources.keys()], sources, rules),
    answered: [...sources.values()]
      .filter((source) => source.answered > 0)
      .map((source) => source.name)
      .sort(),
  };
}

/**
 * Why a default cannot be excluded although a source could show it. Null when nothing indicates a default, or when all
 * these sources replied.
 */
function openDefault(
  { rating, consensus }: FloorInput,
  sources: ReadonlyMap<string, SourceOutcome>,
  methodology: Methodology,
): string | null {
  const { floor: rules } = methodology.publication;
  const { quantity, sources: tellers, charts, flags } = rules.openDefault;
  const falls = Object.values(consensus).flatMap((row) =>
    row.quantity === 'pool_lasting_fall' && typeof row.value === 'number' ? [row.value] : [],
  );
  const isAccused = rating.flags.some(
    ({ code, value }) =>
      code === 'ACCUSATION_UNCONFIRMED' && Array.isArray(value) && value.includes('RUG_EXECUTED' satisfies FlagCode),
  );
  const unread = failing(charts, sources, rules);
  if (isAccused && falls.length === 0 && unread.length > 0)
    return `not read: whether a chart bears out that the liquidity was taken (failed: ${unread.join(', ')})`;
  const { fallen } = flagThresholds(methodology).RUG_EXECUTED;
  const isSuspect = falls.some((fall) => fall >= fallen) || rating.flags.some(({ code }) => flags.includes(code));
  const silent = failing(tellers, sources, rules);
  if (isSuspect && silent.length > 0 && (consensus[quantity]?.value ?? null) === null)
    return `not read: whether the liquidity was taken (failed: ${silent.join(', ')})`;
  return null;
}

/**
 * Weight of the features whose sources were requested and replied, divided by the weight of all applicable features. A
 * feature counts by the share of its sources' requests that got a reply; earlier replies count with a weight reduced by
 * age. A register counts only for features that one of its rows decides. `before`: sources that replied for the
 * previous rating; without a request now, they count as not requested.
 */
export function askedShare(
  rating: Rating,
  outcomes: readonly SourceOutcome[],
  before: readonly string[],
  rules: FloorRules,
): number {
  const sources = new Map(outcomes.map((source) => [source.name, source]));
  let possible = 0;
  let asked = 0;
  for (const factor of rating.factors) {
    const features = factor.features.filter((feature) => feature.status !== 'not_applicable' && feature.weight > 0);
    const whole = features.reduce((sum, feature) => sum + feature.weight, 0);
    for (const feature of features) {
      const weight = (factor.weight * feature.weight) / whole;
      const isKnown = feature.status === 'observed' || feature.status === 'absent';
      const shares = (rules.sources[feature.id] ?? []).flatMap((name) => {
        // The row or cell of the register does not exist. This is a gap of the register, and neither a reply nor a
        // missing statement about the asset.
        if (rules.kept.includes(name) && !isKnown) return [];
        const share = answeredShare(sources.get(name), rules);
        return share === null ? (before.includes(name) ? [0] : []) : [share];
      });
      const mean = shares.length === 0 ? Number(isKnown) : shares.reduce((sum, one) => sum + one, 0) / shares.length;
      possible += weight;
      asked += weight * mean;
    }
  }
  return possible === 0 ? 1 : asked / possible;
}

/**
 * Share of a source's requests that got a reply, 0-1; null without requests. A request that failed because of the rated
 * party counts as replied.
 */
function answeredShare(source: SourceOutcome | undefined, rules: FloorRules): number | null {
  if (source === undefined) return null;
  const { failed = 0, unasked = 0, credit = 0 } = source.carried ?? {};
  const asked = source.asked + unasked;
  if (asked === 0) return null;
  const own = rules.partyControlled.includes(source.name)
    ? source.failures.filter((failure) => !rules.notAsked.includes(failure.outcome)).length
    : 0;
  // An earlier reply replaces a failed request, with a weight reduced by age.
  return Math.min(1, (source.answered + own + Math.min(credit, failed + unasked)) / asked);
}

/** The named sources that failed for reasons other than the rated party. */
function failing(
  names: readonly string[],
  sources: ReadonlyMap<string, SourceOutcome>,
  rules: FloorRules,
): readonly string[] {
  return names
    .filter((name) => {
      const source = sources.get(name);
      if (source === undefined) return false;
      return source.failures.some(
        (failure) => !rules.partyControlled.includes(name) || rules.notAsked.includes(failure.outcome),
      );
    })
    .sort();
}

/** Minimum asked share for a band of a class, 0-1. */
export function leastShare(band: Band, of: AssetClass | '*', rules: FloorRules): number {
  const shares = rules.askedShare[of] ?? rules.askedShare['*'];
  if (shares === undefined) return 0;
  const isAtLeast = (wanted: Band) => BANDS.indexOf(band) <= BANDS.indexOf(wanted);
  return isAtLeast(rules.highBand) ? shares.high : isAtLeast(rules.middleBand) ? shares.middle : shares.any;
}

/** The highest score that an asked share supports; null when it supports none, or when scores are not limited. */
function highestScore(share: number, of: AssetClass | '*', rules: FloorRules): number | null {
  const shares = rules.askedShare[of] ?? rules.askedShare['*'];
  if (rules.limits === undefined || shares === undefined || share < shares.any) return null;
  return share < shares.middle ? rules.limits.middle : rules.limits.high;
}

/** Formats a share as a whole percentage. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
