import {
  type Asset,
  type Band,
  type CanonicalRecord,
  type ConsensusSet,
  DAY_MS,
  type EvidenceRecord,
  type Identification,
  type PublicationDecision,
  type PublicationState,
  type PublishedRating,
  type Rating,
  type RatingActionKind,
  type RecordChange,
  type SourceOutcome,
} from '../domain/index.ts';
import { bandOf, failureProbability, type Methodology, toScore } from '../methodology/index.ts';
import { countTests, seeDefaults, updateDefault } from './defaults.ts';
import { dayOf, daysBetween, numberOf, withDay } from './facts.ts';
import { floorOf } from './floor.ts';
import { adverseAfter, flagsInForce } from './memory.ts';
import { authoritiesOf, fadingCaps, type Held, holdBand, outlookOf, rank, smooth, watchOf } from './movement.ts';
import { conflictsOf, driversOf, evolveRecord, issuerControlOf, recordDrivers, type TechnicalView } from './record.ts';
import { type Comparison, compare, hasOwnEvidence, isAbove, keepOnWeakEvidence } from './replacement.ts';

export interface PublicationInput {
  /** The momentary rating. */
  readonly rating: Rating;
  /**
   * The momentary rating with the issuer's powers treated like those of any other holder; null without such an issuer.
   */
  readonly technical: TechnicalView | null;
  readonly consensus: ConsensusSet;
  readonly identification: Identification;
  /** Outcome of each source. */
  readonly sources: readonly SourceOutcome[];
  /** Absent: the collection was complete. */
  readonly purpose?: EvidenceRecord['purpose'];
  readonly jobId: string;
  /** RFC 3339 UTC. */
  readonly asOf: string;
  /** Publication state after the previous rating; null for the first one. */
  readonly previous: PublicationState | null;
}

/**
 * Turns a momentary rating into the published one, using the history of the asset (methodology 4). Pure: the same input
 * gives the same rating and state, and the state is part of the next call's input.
 *
 * A collection with too little evidence is not published: `decision` states the reason, the returned rating is the
 * momentary one, and the state remains that of the current rating, plus the time since when too little could be read.
 */
export function publish(
  input: PublicationInput,
  methodology: Methodology,
): { readonly rating: PublishedRating; readonly state: PublicationState; readonly decision: PublicationDecision } {
  const { rating, consensus, identification, previous } = input;
  const rules = methodology.publication;
  // Two jobs of one asset may end out of order: a rating slightly older than the newest one changes nothing. A larger
  // step back of the clock must not reverse the order either, so time never goes back here.
  const asOf = previous !== null && previous.asOf > input.asOf ? previous.asOf : input.asOf;
  const isLate = asOf !== input.asOf && daysBetween(input.asOf, asOf) <= rules.hysteresis.lateDays;
  const existing = previous !== null && daysBetween(previous.asOf, asOf) <= rules.hysteresis.existingDays;

  const floorInput = { rating, consensus, identification, sources: input.sources, purpose: input.purpose };
  const floor = floorOf(floorInput, methodology);
  const evolved = recordAfter(input, asOf, rules);
  const website = evolved?.record.website.value ?? null;
  const comparison = compare(floorInput, floor, previous, website, asOf, methodology);
  const corrects = comparison.corrects && existing && !isLate && previous.band !== 'D';

  const notRated = rating.band === 'NR';
  const flags = flagsInForce(rating.flags, previous, consensus, asOf, methodology, corrects);
  // Without a rating, caps were not checked: caps in force remain.
  const fading = notRated
    ? (previous?.fadingCaps ?? [])
    : fadingCaps(previous, rating.caps, asOf, methodology, { flags: flags.remembered, corrects });
  const capped = rating.score;
  const { mayRise, limit } = comparison;
  const lowest = Math.min(100, ...fading.map((cap) => cap.cap), ...(limit === null ? [] : [limit.score]));
  const faded = capped === null ? null : toScore(Math.min(capped, lowest));

  const days = withDay(previous?.days ?? [], {
    day: dayOf(asOf),
    score: faded,
    priceUsd: numberOf(consensus, 'price_usd', rules.default.marketEvidence),
    liquidityUsd: numberOf(consensus, 'liquidity_dex_usd', rules.default.marketEvidence),
  });
  const sights = seeDefaults(
    {
      consensus,
      flags: rating.flags,
      category: rating.category,
      days,
      asOf,
      standing: previous?.default ?? null,
    },
    rules,
  );
  const counted = countTests(sights, previous?.pendingTests ?? [], previous?.asOf ?? null, asOf, rules);
  const standing = updateDefault(previous?.default ?? null, sights, counted.met, previous?.asOf ?? null, asOf, rules);

  const notRatedSince = notRated ? (previous?.notRatedSince ?? asOf) : null;
  const isKept =
    notRated &&
    standing.state === null &&
    existing &&
    previous.band !== 'NR' &&
    daysBetween(notRatedSince ?? asOf, asOf) < rules.notRatedGraceDays;
  const reasons = rating.notRatedReasons.join('; ');

  const smoothed =
    faded === null
      ? (previous?.smoothedScore ?? null)
      : smooth(
          existing && !corrects ? previous.smoothedScore : null,
          faded,
          existing ? daysBetween(previous.asOf, asOf) : 0,
          rules,
        );
  const held = bandNow(
    input,
    { faded, smoothed, existing, isKept, isLate, standing, corrects, mayRise, limit },
    asOf,
    methodology,
  );
  const score =
    standing.state !== null
      ? toScore(Math.min(faded ?? rules.default.score, rules.default.score))
      : held.band === 'NR'
        ? null
        : (faded ?? previous?.last.score ?? null);

  const authorities = authoritiesOf(consensus, previous?.authorities ?? null, methodology.publication.watch);
  const watch = watchOf(
    { consensus, flags: rating.flags, authorities, notRated: isKept ? reasons : null, asOf },
    previous,
    rules,
  );
  const action = actionOf(previous, held.band);
  const isChange = action === 'upgrade' || action === 'downgrade';
  const recent = (previous?.changes ?? []).filter((one) => daysBetween(one.asOf, asOf) <= rules.reversalDays);
  const from = previous?.band ?? 'NR';
  const last: PublicationState['last'] = isKept
    ? { ...previous.last, asOf }
    : {
        score,
        band: held.band,
        asOf,
        uncappedScore: rating.uncappedScore,
        factors: Object.fromEntries(rating.factors.map((factor) => [factor.code, factor.score])),
        points: Object.fromEntries(rating.factors.map((factor) => [factor.code, factor.points])),
        capped,
        flags: flags.remembered,
        caps: notRated ? (previous?.last.caps ?? []) : rating.caps.map(({ code, cap }) => ({ code, cap })),
      };
  const published: PublishedRating = {
    asset: evolved === null ? identification.asset : namedBy(evolved.record, identification.asset),
    class: rating.class,
    categoryReason: rating.categoryReason,
    category: rating.category,
    stage: identification.stage,
    score,
    smoothedScore: smoothed === null || held.band === 'NR' ? null : toScore(smoothed),
    band: held.band,
    indicativeBand: rating.band,
    scoreInterval: isKept || held.band === 'NR' ? null : intervalOf(rating, score),
    trust: rating.trust.score,
    flags: flags.published,
    outlook:
      smoothed === null || held.band === 'NR'
        ? null
        : identification.stage === 'pre_tge'
          ? 'provisional'
          : outlookOf(days, asOf, { band: held.band, smoothed, watch }, methodology),
    watch,
    vfr: { value: rating.vfr.value, zone: rating.vfr.zone, interval: rating.vfr.interval },
    failure: failureProbability(
      rating.failure?.[0]?.group ?? null,
      { band: held.band, score },
      methodology.calibration,
    ),
    previous: previous && { score: previous.last.score, band: previous.band, asOf: previous.last.asOf },
    action,
    actionReason: held.reason,
    reversal: isChange && !corrects && recent.some((one) => one.from === held.band && one.to === from),
    drivers:
      previous === null || isKept
        ? []
        : [
            ...recordDrivers(changesOf(evolved, previous, rating)),
            ...driversOf(
              previous.last,
              { score, uncapped: rating.uncappedScore, capped, factors: rating.factors },
              rules,
            ),
          ],
    defaultTests: counted.met,
    default:
      standing.state === null
        ? null
        : { since: standing.state.since, curesAt: curesAt(standing.state.clearSince, rules.cure.days) },
    gaps: rating.trust.gaps,
    conflicts: conflictsOf(consensus, rules),
    issuerControl: issuerControlOf(rating, input.technical),
    marketCapUsd: numberOf(consensus, 'market_cap_usd') ?? madeUpOf(consensus),
    methodologyVersion: methodology.version,
    methodologyHash: methodology.hash,
    jobId: input.jobId,
    asOf: input.asOf,
  };
  const state: PublicationState = {
    schema: 'assay.publication/1',
    asOf,
    smoothedScore: held.band === 'NR' && !isKept ? null : smoothed,
    band: held.band,
    days,
    last,
    fadingCaps: fading,
    above: held.above,
    watch,
    default: standing.state,
    pendingTests: counted.pending,
    changes: isChange ? [...recent, { asOf, from, to: held.band }] : recent,
    notRatedSince,
    authorities,
    ...(evolved === null ? {} : kept(evolved)),
    // If the previous rating remains, its evidence remains too.
    ...(isKept
      ? defaultStateOf(previous)
      : {
          standing: published,
          basis: {
            asOf,
            askedShare: floor.askedShare,
            floorMet: comparison.because.length === 0,
            sources: floor.answered,
            website,
            ...(limit === null ? {} : { limit }),
          },
          adverse: adverseAfter(rating, consensus, previous, asOf, methodology),
        }),
  };
  if (comparison.because.length > 0) {
    const isPartial = comparison.because.some((one) => one.code === 'partial_collection');
    if (isPartial || !hasOwnEvidence(rating, previous, published)) {
      const refused = { published: false, because: comparison.because } as const;
      if (previous === null || isPartial) return { rating: published, state: previous ?? state, decision: refused };
      const meanwhile = keepOnWeakEvidence({ ...published, asOf }, previous, floor, comparison, methodology);
      return meanwhile.rating === null
        ? { rating: published, state: meanwhile.state, decision: refused }
        : { rating: meanwhile.rating, state: meanwhile.state, decision: { published: true, because: [] } };
    }
  }
  return {
    rating: published,
    state: isLate && previous !== null && action === 'affirm' ? previous : state,
    decision: { published: true, because: [] },
  };
}

type Evolved = ReturnType<typeof evolveRecord>;

/** The canonical record after this collection; null if neither this collection nor an earlier one has one. */
function recordAfter(
  { identification, previous }: PublicationInput,
  asOf: string,
  rules: Methodology['publication'],
): Evolved | null {
  const found = identification.canonical;
  const before = previous?.record;
  if (found === undefined)
    return before === undefined
      ? null
      : { record: before, changes: [], pendingWebsite: previous?.pendingWebsite ?? null };
  if (before === undefined) return { record: found, changes: [], pendingWebsite: null };
  return evolveRecord(before, previous?.pendingWebsite ?? null, found, asOf, rules);
}

function namedBy(record: CanonicalRecord, asset: Asset): Asset {
  return { ...asset, name: record.name.value, symbol: record.symbol.value, website: record.website.value };
}

/**
 * Changes of the record and of the category that the rating derives from it; within the same category, of the class.
 */
function changesOf(evolved: Evolved | null, previous: PublicationState, rating: Rating): readonly RecordChange[] {
  const { standing } = previous;
  const isClassed = standing?.class !== undefined && standing.category === rating.category;
  const before = isClassed ? standing.class : standing?.category;
  const now = isClassed ? rating.class : rating.category;
  const category: readonly RecordChange[] =
    before === undefined || before === now
      ? []
      : [
          {
            field: 'categories',
            from: before,
            to: now,
            sources: evolved?.record.categories.sources ?? [],
          },
        ];
  return [...(evolved?.changes ?? []), ...category];
}

function kept({ record, pendingWebsite }: Evolved): Pick<PublicationState, 'record' | 'pendingWebsite'> {
  return pendingWebsite === null ? { record } : { record, pendingWebsite };
}

function defaultStateOf(previous: PublicationState): Pick<PublicationState, 'standing' | 'basis' | 'adverse'> {
  const { standing, basis, adverse } = previous;
  return {
    ...(standing === undefined ? {} : { standing }),
    ...(basis === undefined ? {} : { basis }),
    ...(adverse === undefined ? {} : { adverse }),
  };
}

interface ScoreMovement {
  readonly faded: number | null;
  readonly smoothed: number | null;
  readonly existing: boolean;
  readonly isKept: boolean;
  readonly isLate: boolean;
  readonly standing: ReturnType<typeof updateDefault>;
  readonly corrects: boolean;
  readonly mayRise: boolean;
  readonly limit: Comparison['limit'];
}

/** The published band. Where the evidence limits it, the reason says so. */
function bandNow(input: PublicationInput, movement: ScoreMovement, asOf: string, methodology: Methodology): Held {
  const { limit } = movement;
  const held = unlimitedBand(input, movement, asOf, methodology);
  if (limit === null || held.band === 'D' || held.band === 'NR') return held;
  return { ...held, reason: `${held.reason}; at most ${bandOf(limit.score, methodology)}: ${limit.detail}` };
}

function unlimitedBand(
  { rating, previous }: PublicationInput,
  { faded, smoothed, existing, isKept, isLate, standing, corrects, mayRise, limit }: ScoreMovement,
  asOf: string,
  methodology: Methodology,
): Held {
  if (standing.state !== null) return { band: 'D', above: null, reason: whyDefaulted(standing.state) };
  if (isLate && previous !== null)
    return {
      band: previous.band,
      above: previous.above,
      reason: 'its evidence is older than that of the rating before',
    };
  if (isKept && previous !== null)
    return {
      band: previous.band,
      above: null,
      reason: `it cannot be rated now, the rating before stands: ${rating.notRatedReasons.join('; ')}`,
    };
  if (rating.band === 'NR' || faded === null || smoothed === null)
    return { band: 'NR', above: null, reason: rating.notRatedReasons.join('; ') || 'it cannot be rated' };
  const direct = bandOf(faded, methodology);
  if (standing.cured) {
    const best = methodology.publication.cure.highestBand;
    return {
      band: rank(direct) > rank(best) ? direct : best,
      above: null,
      reason: 'every default test was false for long enough',
    };
  }
  if (previous === null) return { band: direct, above: null, reason: 'first rating' };
  if (!existing || previous.band === 'NR' || previous.band === 'D')
    return { band: direct, above: null, reason: 'rated again' };
  if (corrects)
    return {
      band: direct,
      above: null,
      reason: 'correction: the rating before rests on evidence that was wrong or weak',
    };
  const known = new Set(previous.last.caps.map((cap) => cap.code));
  const newCap =
    rating.caps.some((cap) => cap.binding && !known.has(cap.code)) || isAbove(previous.band, limit, methodology);
  // The best band after a cure is CCC (4.4). From there it rises with daily snapshots, however high the score is.
  const isCured = previous.changes.some((change) => change.from === 'D');
  const held = holdBand(
    { band: previous.band, score: faded, smoothed, asOf, newCap, isCured },
    previous.above,
    methodology,
  );
  if (mayRise || rank(held.band) >= rank(previous.band)) return held;
  return {
    band: previous.band,
    above: previous.above,
    reason: 'less was read than for the rating before: it does not rise',
  };
}

function whyDefaulted({ since, clearSince, tests }: NonNullable<PublicationState['default']>): string {
  const [test] = tests;
  const why = test?.detail ?? 'it defaulted';
  return clearSince === null
    ? why
    : `in default since ${dayOf(since)} (${why}); no test is met since ${dayOf(clearSince)}`;
}

function actionOf(previous: PublicationState | null, band: Band): RatingActionKind {
  if (previous === null) return 'new';
  if (previous.band === band) return 'affirm';
  if (band === 'NR') return 'withdraw';
  if (previous.band === 'NR') return 'new';
  return rank(band) < rank(previous.band) ? 'upgrade' : 'downgrade';
}

/** The interval of the momentary rating. If the score is limited, the limit is its upper end. */
function intervalOf(rating: Rating, score: number | null): readonly [number, number] | null {
  if (rating.interval === null || score === null) return null;
  const [low, high] = rating.interval;
  return rating.score !== null && score < rating.score ? [Math.min(low, score), score] : [low, high];
}

function curesAt(clearSince: string | null, days: number): string | null {
  return clearSince === null ? null : new Date(Date.parse(clearSince) + days * DAY_MS).toISOString();
}

function madeUpOf(consensus: ConsensusSet): number | null {
  const [price, supply] = [numberOf(consensus, 'price_usd'), numberOf(consensus, 'circulating_supply')];
  return price === null || supply === null ? null : price * supply;
}
