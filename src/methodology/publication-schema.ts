import Type from 'typebox';
import { band, category, classOrAny, count, positive, quantity, strict, text, texts, unit } from './terms.ts';

const criticalQuantity = Type.Object(
  {
    name: text,
    appliesTo: Type.Object(
      {
        stage: Type.Enum(['post_tge', 'pre_tge']),
        /** Not given: natives too. */
        contractOnly: Type.Optional(Type.Literal(true)),
        /** Not given: all. */
        chainKind: Type.Optional(Type.Enum(['evm', 'solana'])),
        /** Not given: all. */
        categories: Type.Optional(Type.Array(category)),
      },
      strict,
    ),
    /** Any of these, in any scope. */
    quantities: Type.Array(quantity, { minItems: 1 }),
    families: count,
    sources: Type.Array(text, { minItems: 1 }),
  },
  strict,
);

/** What must have been read before a rating is published (methodology 4). */
const floor = Type.Object(
  {
    reason: text,
    minimumMatch: unit,
    /** Critical quantities. Each is met by observations of enough lineage groups, or when all its sources were asked and answered. */
    critical: Type.Array(criticalQuantity),
    /** Least asked share, by class (`*`: projects before their token): from `highBand` up, from `middleBand` up, and for any band. */
    highBand: band,
    middleBand: band,
    askedShare: Type.Partial(
      Type.Record(classOrAny, Type.Object({ high: unit, middle: unit, any: unit }, strict)),
      strict,
    ),
    /** Sources that could tell a feature; none: no source knows, it counts as not asked. */
    sources: Type.Record(text, texts),
    /** Sources made of rows that people write: they were asked about a feature only where a row decides it. */
    kept: texts,
    /** Sources whose replies the rated party controls: their failing is the party's own, not ours. */
    partyControlled: texts,
    /** Outcomes that are ours even there: the question was never put. */
    notAsked: texts,
    /** A default that a source could show is not left open because that source failed: nothing is published until it answers. */
    openDefault: Type.Object(
      {
        reason: text,
        /** What states it, and the sources that do. */
        quantity,
        sources: Type.Array(text, { minItems: 1 }),
        /** Sources of the charts that bear it out. */
        charts: Type.Array(text, { minItems: 1 }),
        /** Flags beside which it may be missing. */
        flags: texts,
      },
      strict,
    ),
  },
  strict,
);

/** When a new collection replaces the rating that stands, and how long earlier answers count (methodology 4). */
const replacement = Type.Object(
  {
    reason: text,
    /** Least share of the standing rating's asked share. */
    askedShareOfStanding: unit,
    /** A better band needs this share of it. */
    askedShareForUpgrade: unit,
    /** A standing rating of this age is replaced by any that meets the floor. */
    staleDays: positive,
    /** One of this age is withdrawn. */
    withdrawDays: positive,
    /** Weak collections for so long: the standing rating is published again, on watch. */
    watchHours: positive,
    /** Adverse values count for so long after they were last seen, and flags whose basis nobody reads are held so long. */
    memoryDays: positive,
    /** Points below which a value is adverse. */
    adversePoints: positive,
    /** Pages of the rated party that cannot be read now count for so long, at a confidence that halves in this time. */
    partyPageDays: positive,
    partyPageHalfLifeDays: positive,
  },
  strict,
);

const defaults = Type.Object(
  {
    /** Least confidence of the evidence. */
    evidence: unit,
    /** The same for what trades: indexers draw on the same pools, five that agree reach 0.67 and three 0.61. */
    marketEvidence: unit,
    /** Highest score of a defaulted asset. */
    score: positive,
    peakDays: positive,
    /** Time between two ratings counts at most so long towards a test. */
    longestGapDays: positive,
    liquidityDeath: Type.Object(
      { liquidityUsd: positive, liquidityShare: unit, priceShare: unit, days: positive },
      strict,
    ),
    exploitDeath: Type.Object({ lossShare: unit, days: positive }, strict),
    delisting: Type.Object({ venueVolumeUsd: positive, poolUsd: positive }, strict),
    abandonment: Type.Object({ days: positive }, strict),
    stablecoin: Type.Object(
      { price: unit, days: positive, suspendedPrice: unit, suspendedDays: positive, witnesses: count },
      strict,
    ),
    wrapped: Type.Object({ share: unit, days: positive, witnesses: count }, strict),
  },
  strict,
);

/** How ratings of moments become published ratings (methodology 4). Days, points of score, fractions. */
export const publication = Type.Object(
  {
    reason: text,
    smoothing: Type.Object({ halfLifeDownDays: positive, halfLifeUpDays: positive }, strict),
    hysteresis: Type.Object(
      {
        margin: positive,
        /** Daily snapshots in a row above the cut-off before a band rises. */
        snapshotsAbove: count,
        /** A score so many widths of its band away from the band's middle moves it at once. */
        immediateBandWidths: positive,
        /** An older rating no longer holds a band. */
        existingDays: positive,
        /** A rating whose evidence is older than the newest one's by at most so much changes nothing. */
        lateDays: positive,
      },
      strict,
    ),
    capFadeDays: positive,
    /** Days a band stands while the asset cannot be rated. */
    notRatedGraceDays: positive,
    outlook: Type.Object({ days: positive, minimumPoints: count, projectionDays: positive, margin: positive }, strict),
    /** `authorityConfidence`: least confidence in who holds a key. */
    watch: Type.Object({ days: positive, authorityConfidence: unit }, strict),
    reversalDays: positive,
    default: defaults,
    floor,
    replacement,
    /** The life of the canonical record. */
    record: Type.Object(
      {
        reason: text,
        /** A website that one source names takes effect when it is named again so many days later. */
        websiteDays: positive,
        /** One that so many sources besides the site itself name takes effect at once. */
        websiteSources: count,
      },
      strict,
    ),
    cure: Type.Object({ days: positive, highestBand: band }, strict),
    trackRecord: Type.Object(
      {
        horizonsDays: Type.Array(count, { minItems: 1 }),
        /** Of the intervals, 0-1. */
        confidence: unit,
        /** With fewer failures an accuracy ratio says nothing. */
        minimumFailures: count,
        /** A default of an asset that held this band or a better one within so many days is a miss. */
        missBand: band,
        missDays: positive,
      },
      strict,
    ),
  },
  strict,
);
