import {
  type AdverseFeature,
  type ConsensusSet,
  DAY_MS,
  type Feature,
  type Flag,
  type PublicationState,
  type PublishedFlag,
  type Rating,
  type Severity,
} from '../domain/index.ts';
import { type FlagDefinition, isOutdone, type Methodology } from '../methodology/index.ts';
import { dayOf, daysBetween } from './facts.ts';

type Remembered = PublicationState['last']['flags'][number];

/** Flags on past events. The current state cannot disprove them, so they last for their full time. */
const EVENTS: ReadonlySet<string> = new Set(['LIQUIDITY_DRAIN', 'SUPPLY_UNEXPECTED_MINT', 'RUG_EXECUTED']);
const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/**
 * The flags in force: current ones, and earlier ones whose condition has not been observed to be false for long enough
 * (methodology 6). A critical flag is cleared at once when values of sufficient confidence contradict it. While the
 * values are unknown, time does not count, but the flag is dropped after `memoryDays` without being raised. In a
 * correction, a contradicted flag is cleared at once, except flags on past events.
 */
export function flagsInForce(
  flags: readonly Flag[],
  before: Pick<PublicationState, 'asOf' | 'last'> | null,
  consensus: ConsensusSet,
  asOf: string,
  methodology: Methodology,
  corrects = false,
): { readonly published: readonly PublishedFlag[]; readonly remembered: readonly Remembered[] } {
  const raised = flags.map((flag) => {
    const since = before?.last.flags.find((one) => one.code === flag.code)?.since ?? asOf;
    const { code, severity, title, detail } = flag;
    return {
      published: { code, severity, title, detail, since },
      remembered: { code, severity, since, seenAt: asOf, basis: flag.evidence },
    };
  });
  const held = (before?.last.flags ?? []).flatMap((one) => {
    const definition = methodology.flags.find((row) => row.code === one.code);
    const isRaised = flags.some((flag) => flag.code === one.code);
    if (before === null || definition === undefined || isRaised || isOutdone(one.code, flags)) return [];
    return hold(one, definition, before.asOf, consensus, asOf, methodology, corrects);
  });
  const all = [...raised, ...held].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.published.severity) - SEVERITIES.indexOf(b.published.severity) ||
      numberOf(a.published.code, methodology) - numberOf(b.published.code, methodology),
  );
  return { published: all.map((row) => row.published), remembered: all.map((row) => row.remembered) };
}

function hold(
  one: Remembered,
  { title, clearDays }: FlagDefinition,
  lookedAt: string,
  consensus: ConsensusSet,
  asOf: string,
  methodology: Methodology,
  corrects: boolean,
) {
  const { code, severity, since, basis = [], seenAt = lookedAt } = one;
  const { raise, critical, ageing } = methodology.flagConfidence;
  const isKnown = basis.every((key) => isSettled(consensus, key, raise - ageing));
  const isProven = basis.length > 0 && basis.every((key) => isSettled(consensus, key, critical - ageing));
  const isDisproved = !EVENTS.has(code) && (corrects ? isKnown : severity === 'critical' && isProven);
  const falseSince = isKnown ? (one.falseSince ?? asOf) : later(one.falseSince, daysBetween(lookedAt, asOf));
  const isOld = daysBetween(seenAt, asOf) >= methodology.publication.replacement.memoryDays;
  const isOver = falseSince !== undefined && isKnown && daysBetween(falseSince, asOf) >= clearDays;
  if (clearDays === 0 || isDisproved || isOver || isOld) return [];
  const detail =
    falseSince === undefined
      ? `raised until ${dayOf(seenAt)}; what it rests on is not known now`
      : `not the case any more since ${dayOf(falseSince)}; cleared when that has held for ${clearDays} days`;
  return [
    {
      published: { code, severity, title, detail, since },
      remembered: { code, severity, since, seenAt, basis, ...(falseSince === undefined ? {} : { falseSince }) },
    },
  ];
}

/** The count pauses while the evidence cannot be read: its start is moved. */
function later(at: string | undefined, days: number): string | undefined {
  return at === undefined ? undefined : new Date(Date.parse(at) + days * DAY_MS).toISOString();
}

function isSettled(consensus: ConsensusSet, key: string, least: number): boolean {
  const row = consensus[key];
  return row !== undefined && row.value !== null && row.status !== 'disputed' && row.confidence >= least;
}

function numberOf(code: string, methodology: Methodology): number {
  return methodology.flags.find((row) => row.code === code)?.number ?? Number.POSITIVE_INFINITY;
}

/** Maximum number of lineage groups stored for one feature. */
const MOST_GROUPS = 8;

/**
 * Features below `adversePoints`, with the lineage groups that state them, plus earlier ones that no source has
 * contradicted since (methodology 4). An accusation remains until a source of the same lineage group, or sources of two
 * other groups, contradict it. At most one per feature.
 */
export function adverseAfter(
  rating: Rating,
  consensus: ConsensusSet,
  previous: PublicationState | null,
  asOf: string,
  methodology: Methodology,
): readonly AdverseFeature[] {
  const { adversePoints } = methodology.publication.replacement;
  const kept = unrepeatedAdverse(rating, consensus, previous, asOf, methodology);
  const now = featuresOf(rating).flatMap((feature): readonly AdverseFeature[] => {
    if (feature.status !== 'observed' || feature.score === null || feature.score >= adversePoints) return [];
    const families = acceptedGroupsOf(feature, consensus);
    if (families.length === 0) return [];
    const { id, score, confidence } = feature;
    return [{ feature: id, points: score, confidence, seenAt: asOf, families: families.slice(0, MOST_GROUPS) }];
  });
  const seen = new Set(now.map((one) => one.feature));
  return [...now, ...kept.filter((one) => !seen.has(one.feature))].sort((a, b) => (a.feature < b.feature ? -1 : 1));
}

/** Earlier adverse values that their sources do not repeat now and that no source contradicts. */
export function unrepeatedAdverse(
  rating: Rating,
  consensus: ConsensusSet,
  previous: Pick<PublicationState, 'adverse' | 'standing'> | null,
  asOf: string,
  methodology: Methodology,
): readonly AdverseFeature[] {
  if (previous?.adverse === undefined) return [];
  // Another category requests other sources.
  if (previous.standing !== undefined && previous.standing.category !== rating.category) return [];
  const features = new Map(featuresOf(rating).map((feature) => [feature.id, feature]));
  return previous.adverse.filter((one) => {
    const feature = features.get(one.feature);
    if (feature === undefined || daysBetween(one.seenAt, asOf) > methodology.publication.replacement.memoryDays)
      return false;
    if (feature.status !== 'observed') return true;
    const families = acceptedGroupsOf(feature, consensus);
    return families.length < 2 && !families.some((family) => one.families.includes(family));
  });
}

function featuresOf(rating: Rating): readonly Feature[] {
  return rating.factors.flatMap((factor) => factor.features).filter((feature) => feature.weight > 0);
}

/** Lineage groups with an accepted observation of a quantity of the feature, sorted. */
function acceptedGroupsOf({ basis }: Feature, consensus: ConsensusSet): readonly string[] {
  const heard = basis
    .flatMap((key) => consensus[key]?.voices ?? [])
    .filter((voice) => voice.accepted && !voice.carried);
  return [...new Set(heard.map((voice) => voice.family))].sort();
}
