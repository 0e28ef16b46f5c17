import Type from 'typebox';
import { band, category, classOrAny, count, positive, quantity, strict, text, texts, unit } from './terms.ts';

const criticalQuantity = Type.Object(
  {
    name: text,
    appliesTo: Type.Object(
      {
        stage: Type.Enum(['post_tge', 'pre_tge']),
        /** Absent: native coins too. */
        contractOnly: Type.Optional(Type.Literal(true)),
        /** Absent: all. */
        chainKind: Type.Optional(Type.Enum(['evm', 'solana'])),
        /** Absent: all. */
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

/** Requirements on the evidence before a rating is published (methodology 4). */
const floor = Type.Object(
  {
    reason: text,
    minimumMatch: unit,
    /**
     * Critical quantities. Each is met by observations of enough lineage groups, or when all its sources were requested
     * and replied.
     */
    critical: Type.Array(criticalQuantity),
    /**
     * Least asked share (share of the score whose sources were requested), by class (`*`: projects before their token):
     * from `highBand` up, from `middleBand` up, and for any band.
     */
    highBand: band,
    middleBand: band,
    askedShare: Type.Partial(
      Type.Record(classOrAny, Type.Object({ high: unit, middle: unit, any: unit }, strict)),
      strict,
    ),
    /** Sources that may state a feature; none: it counts as not asked. */
    sources: Type.Record(text, texts),
    /** Sources made of rows written by people: they count as asked about a feature only where a row decides it. */
    kept: texts,
    /**
     * Sources whose replies the rated party controls: their failure is attributed to the party and not to this service.
     */
    partyControlled: texts,
    /** Outcomes that are attributed to this service even there: the request was never sent. */
    notAsked: texts,
    /**
     * A default that a source could show is not left open because that source failed: nothing is published until it
     * replies.
     */
    openDefault: Type.Object(
      {
        reason: text,
        /** The quantity, and the sources that state it. */
        quantity,
        sources: Type.Array(text, { minItems: 1 }),
        /** Sources of the charts that confirm it. */
        charts: Type.Array(text, { minItems: 1 }),
        /** Flags with which it may be missing. */
        flags: texts,
      },
      strict,
    ),
  },
  strict,
);

/** When a new collection replaces the current rating, and how long earlier replies count (methodology 4). */
const replacement = Type.Object(
  {
    reason: text,
    /** Least asked share, relative to that of the current rating. */
    askedShareOfStanding: unit,
    /** A better band needs this share of it. */
    askedShareForUpgrade: unit,
    /** Age from which the current rating is replaced by any that meets the floor. */
    staleDays: positive,
    /** Age at which it is withdrawn. */
    withdrawDays: positive,
    /** Duration of weak collections after which the current rating is published again, on watch. */
    watchHours: positive,
    /** How long adverse values count after they were last seen, and flags are held whose basis is not read. */
    memoryDays: positive,
    /** Points below which a value is adverse. */
    adversePoints: positive,
    /** How long pages of the rated party count that can no longer be read; their confidence halves in this time. */
    partyPageDays: positive,
    partyPageHalfLifeDays: positive,
  },
  strict,
);

const defaults = Type.Object(
  {
    /** Least confidence of the evidence. */
    evidence: unit,
    /** The same for traded assets: indexers read the same pools, so that five that agree reach 0.67 and three 0.61. */
    marketEvidence: unit,
    /** Highest score of a defaulted asset. */
    score: positive,
    peakDays: positive,
    /** Longest time between two ratings that counts towards a test. */
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

/** How momentary ratings become published ratings (methodology 4). Days, points of score, fractions. */
export const publication = Type.Object(
  {
    reason: text,
    smoothing: Type.Object({ halfLifeDownDays: positive, halfLifeUpDays: positive }, strict),
    hysteresis: Type.Object(
      {
        margin: positive,
        /** Consecutive daily snapshots above the cut-off before a band rises. */
        snapshotsAbove: count,
        /** A score this many band widths away from the middle of its band changes the band at once. */
        immediateBandWidths: positive,
        /** Age from which a rating no longer holds a band. */
        existingDays: positive,
        /** A rating whose evidence is older than the newest one's by at most this changes nothing. */
        lateDays: positive,
      },
      strict,
    ),
    capFadeDays: positive,
    /** Days that a band is kept while the asset cannot be rated. */
    notRatedGraceDays: positive,
    outlook: Type.Object({ days: positive, minimumPoints: count, projectionDays: positive, margin: positive }, strict),
    /** `authorityConfidence`: least confidence in the holder of a key. */
    watch: Type.Object({ days: positive, authorityConfidence: unit }, strict),
    reversalDays: positive,
    default: defaults,
    floor,
    replacement,
    /** Lifecycle of the canonical record. */
    record: Type.Object(
      {
        reason: text,
        /** Days after which a website named by one source takes effect if it is named again. */
        websiteDays: positive,
        /** Number of sources besides the site itself from which a website takes effect at once. */
        websiteSources: count,
      },
      strict,
    ),
    cure: Type.Object({ days: positive, highestBand: band }, strict),
    trackRecord: Type.Object(
      {
        horizonsDays: Type.Array(count, { minItems: 1 }),
        /** Confidence level of the intervals, 0-1. */
        confidence: unit,
        /** Failures below which an accuracy ratio is not meaningful. */
        minimumFailures: count,
        /** A default of an asset that had this band or a better one within this number of days is a miss. */
        missBand: band,
        missDays: positive,
      },
      strict,
    ),
  },
  strict,
);
