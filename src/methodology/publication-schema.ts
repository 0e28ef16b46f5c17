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
     * Critical quantities. Each is satisfied by observations of enough lineage groups, or when all its sources were
     * requested and replied.
     */
    critical: Type.Array(criticalQuantity),
    /**
     * Minimum asked share (share of the score whose sources were requested), by class (`*`: projects before their
     * token): for bands from `highBand` up, from `middleBand` up, and for any band.
     */
    highBand: band,
    middleBand: band,
    askedShare: Type.Partial(
      Type.Record(classOrAny, Type.Object({ high: unit, middle: unit, any: unit }, strict)),
      strict,
    ),
    /**
     * Highest score of a rating whose asked share is too small for `highBand` or for `middleBand` and large enough for
     * the bands below. Absent before 1.8.0: such a rating was not published.
     */
    limits: Type.Optional(Type.Object({ high: positive, middle: positive }, strict)),
    /** Sources that may state a feature; without any, the feature counts as not asked. */
    sources: Type.Record(text, texts),
    /** Sources with manually maintained rows: they count as asked about a feature only if a row decides it. */
    kept: texts,
    /**
     * Sources whose replies the rated party controls: their failure is attributed to the party and not to this service.
     */
    partyControlled: texts,
    /** Outcomes that are attributed to this service even for such sources, because the request was never sent. */
    notAsked: texts,
    /**
     * When a default is possible and the source that could show it failed, nothing is published until that source
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
    /** Minimum asked share, relative to that of the current rating. */
    askedShareOfStanding: unit,
    /** Minimum relative asked share for a better band. */
    askedShareForUpgrade: unit,
    /** Age from which any rating that meets the floor replaces the current one. */
    staleDays: positive,
    /** Age at which the current rating is withdrawn. */
    withdrawDays: positive,
    /** Duration of weak collections after which the current rating is published again on watch. */
    watchHours: positive,
    /**
     * Days for which adverse values count after they were last seen, and for which flags are held while their evidence
     * is not read.
     */
    memoryDays: positive,
    /** Values with fewer points are adverse. */
    adversePoints: positive,
    /**
     * Days for which pages of the rated party still count when they can no longer be read, and the half-life of their
     * confidence.
     */
    partyPageDays: positive,
    partyPageHalfLifeDays: positive,
  },
  strict,
);

const defaults = Type.Object(
  {
    /** Minimum confidence of the evidence. */
    evidence: unit,
    /**
     * The same for traded assets. Indexers read the same pools, so five agreeing ones reach only 0.67, and three 0.61.
     */
    marketEvidence: unit,
    /** Maximum score of a defaulted asset. */
    score: positive,
    peakDays: positive,
    /** Maximum time between two ratings that counts towards a test. */
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
    /**
     * Absent: the first rules. 2: a band never rises above that of the score itself; the outlook of the lowest band
     * looks to the next one; only registries and on-chain metadata confirm a changed website, and `www.` makes no
     * other site; a withdrawal is the previous rating of the next, which remembers adverse statements. 3: as 2, and a
     * default for lost liquidity ends only when the liquidity is back, not when the peak that it is measured by is
     * forgotten; a test that no longer applies to the asset does not end its default; one registry alone does not
     * change a name or a symbol that others stated too; charts of different lengths are no conflict of sources. 4: as 3,
     * and a driver does not say that a factor went from a number to the same number.
     */
    revision: Type.Optional(Type.Union([Type.Literal(2), Type.Literal(3), Type.Literal(4)])),
    smoothing: Type.Object({ halfLifeDownDays: positive, halfLifeUpDays: positive }, strict),
    hysteresis: Type.Object(
      {
        margin: positive,
        /** Consecutive daily snapshots above the cut-off before a band rises. */
        snapshotsAbove: count,
        /** A score at least this many band widths away from the middle of its band changes the band at once. */
        immediateBandWidths: positive,
        /** Age from which a rating no longer holds a band. */
        existingDays: positive,
        /** A rating whose evidence is older than the newest evidence, by at most this many days, changes nothing. */
        lateDays: positive,
      },
      strict,
    ),
    capFadeDays: positive,
    /** Days for which a band is kept while the asset cannot be rated. */
    notRatedGraceDays: positive,
    outlook: Type.Object({ days: positive, minimumPoints: count, projectionDays: positive, margin: positive }, strict),
    /** `authorityConfidence`: minimum confidence in the holder of a key. */
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
        /** Number of sources, besides the site itself, with which a website takes effect at once. */
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
        /** Minimum number of failures for a meaningful accuracy ratio. */
        minimumFailures: count,
        /** A default is a miss if the asset had this band or a better one within `missDays` before. */
        missBand: band,
        missDays: positive,
      },
      strict,
    ),
  },
  strict,
);
