import Type from 'typebox';
import { ALL_FACTOR_CODES, PRE_TGE_FACTOR_CODES } from '../domain/index.ts';
import { assetClass, band, count, nullable, points, positive, severity, strict, text, unit } from './terms.ts';

/**
 * One feature: its factor and its value function (methodology 3.3). Ids are those of the reference arithmetic:
 * `mq_depth2`, `hd_top10`, ...
 */
export const feature = Type.Object(
  {
    id: text,
    name: text,
    factor: Type.Enum(ALL_FACTOR_CODES),
    unit: text,
    scale: Type.Enum(['log', 'lin', 'logistic', 'state']),
    /** For log and lin: [x, points], x ascending. For logistic: [[slope, midpoint]]. */
    anchors: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
    /** For state: points by state. */
    states: Type.Record(text, points),
    /**
     * Points of a zero that the scale has no value for (no developer on a logarithmic scale: 5); null where there is
     * none.
     */
    zero: nullable(Type.Number()),
    /**
     * Who can withhold it, and the points of a missing value. N: no party can; the starting point. T: a third party;
     * the starting point, or the last points below it that were seen, or `points` where a third party's missing entry
     * is the worst case (`missingOnly`: a stated value of any confidence shrinks to the starting point). P: the rated
     * party; `points`, the lowest that fit what it cannot withhold.
     */
    silence: Type.Object(
      { kind: Type.Enum(['N', 'T', 'P']), points: nullable(points), missingOnly: Type.Optional(Type.Boolean()) },
      strict,
    ),
    /** Counts double in coverage (price, liquidity, supply, holders, authorities). */
    critical: Type.Boolean(),
    reason: text,
  },
  strict,
);

/** A feature of the model before the token, with its weight inside its factor. */
const weighedFeature = Type.Object({ ...feature.properties, weight: unit }, strict);

/** [x, points], x ascending. */
const anchors = Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { minItems: 2 });

/** Numbers for reading features from evidence, beside the value functions. */
export const featureRules = Type.Object(
  {
    /**
     * Confidence of a search without a result: in general, on a website that does not mention the subject, of audits.
     */
    searchedConfidence: unit,
    siteSilentConfidence: unit,
    auditConfidence: unit,
    /** Highest confidence of figures over venues: dispersion and effective venues. */
    venueConfidence: unit,
    /** Sources that must have been searched before something counts as absent. */
    searchedSources: count,
    /** Other sources that must have replied before a failing host does not count as a failure of this network. */
    otherSources: count,
    /** Period over which commits and authors are counted; a younger repository shows no development. */
    developmentDays: positive,
    /** Authors that count without a commit signed at its time, and per author with one. */
    unsignedAuthors: Type.Object({ reason: text, always: count, perSigned: positive }, strict),
    /** Smaller losses, and smaller gaps of supply, earn no further points. */
    smallestLoss: positive,
    smallestGap: positive,
    lossHalfLifeDays: positive,
    /** Least confidence of a listed loss. */
    lossConfidence: unit,
    /** Confidence of "no listed loss", for a project that the list contains and for any other; grows with age. */
    noLossConfidence: Type.Object({ listed: unit, unlisted: unit }, strict),
    /** Privileges that must be known before they are counted. */
    privilegesRead: count,
    /** Share of its points that a changeable tax keeps. */
    modifiableTax: unit,
    /**
     * Days until a lock ends, and most points of locked liquidity; where the end is not stated, by its contract and
     * halved by the age of the market towards the least.
     */
    locks: Type.Object(
      {
        reason: text,
        most: anchors,
        unknownEnd: Type.Object({ known: points, unknown: points, least: points, halfLifeDays: positive }, strict),
      },
      strict,
    ),
    /**
     * Hours of history that a reorganisation replaced, weighted by age, and the most points that the cost of an attack
     * then earns; between them by the logarithm.
     */
    reorganisation: Type.Object({ reason: text, most: anchors }, strict),
    /**
     * Share of the supply redeemed within this number of days, each day at most `peg` from the peg, and the least
     * points that redemption then earns. Only for an asset whose price stayed within the share `steady` of its middle.
     */
    redeemed: Type.Object({ reason: text, days: count, peg: unit, steady: unit, least: anchors }, strict),
    /** Share of the liquidity that the second independent provider must hold, and most points where none does. */
    secondProviderShare: unit,
    oneProviderPoints: points,
    /** Best band of a token of a chain that is not read and whose powers no register states. */
    unreadBest: band,
    /** Share of their points that audits older than this number of days keep. */
    oldAuditDays: positive,
    oldAudit: unit,
    /** Share of its confidence that the supply keeps as the float of a memecoin that cannot be minted. */
    mintedFloat: unit,
    /** Float from which nothing is left to unlock. */
    wholeFloat: unit,
    /** Days after which a volatility has its full confidence, and days of a short one. */
    volatilityDays: positive,
    shortVolatilityDays: positive,
    /** A circulating value counts up to this multiple of the depth of its markets. */
    sizeOverDepth: positive,
    /** Share of the volume in pools from which tests of wash trading apply. */
    washPoolShare: unit,
  },
  strict,
);

/** Confidence that a finding needs to become a flag (methodology 3.3). */
export const flagConfidence = Type.Object(
  {
    raise: unit,
    critical: unit,
    /**
     * One source gives at most 0.5, times its freshness: with this margin a fact of one source remains a fact for a
     * quarter of a half-life.
     */
    ageing: unit,
    /**
     * Independent lineage groups that the worst accusations need, the least confidence with them and the highest
     * without.
     */
    witnesses: count,
    witnessed: unit,
    alone: unit,
    /** From this number of agreeing lineage groups on, a dissenter does not lower the confidence of a finding. */
    majority: count,
  },
  strict,
);

export const flag = Type.Object(
  {
    number: Type.Integer(),
    code: text,
    severity,
    title: text,
    definition: text,
    evidence: text,
    /** Thresholds of the definition, by name, so that the code contains no numbers; their names: `thresholds.ts`. */
    thresholds: Type.Record(text, Type.Number()),
    /**
     * Days for which its condition must be false before it is cleared; a critical flag is cleared at once when it is
     * disproved.
     */
    clearDays: Type.Integer({ minimum: 0 }),
    /** Readings that raise it in this version, and their limits; null when it is not raised. */
    raisedBy: nullable(text),
    /** Why public data cannot raise it; null when it can be raised. */
    notRaisedBecause: nullable(text),
  },
  strict,
);

export const cap = Type.Object(
  {
    code: text,
    cap: Type.Number(),
    /** Flag that triggers it, or null (trust tiers, age). */
    flag: nullable(text),
    condition: text,
    thresholds: Type.Record(text, Type.Number()),
    expiry: text,
    /** Classes that it applies to; absent: every class. */
    classes: Type.Optional(Type.Array(assetClass)),
    /** Condition that ends it, for users; absent: the end of its condition. */
    lifts: Type.Optional(text),
    /** Days for which it is binding after its condition has ended, where they differ from the default. */
    fadeDays: Type.Optional(positive),
  },
  strict,
);

const evidenceLevel = Type.Object({ confidence: unit, independence: unit }, strict);

/** The model for projects before their token (methodology 3.5). It has its own factors, features and caps. */
export const preTge = Type.Object(
  {
    reason: text,
    /** Starting point of a project about which nothing is known. */
    prior: positive,
    factors: Type.Array(Type.Object({ code: Type.Enum(PRE_TGE_FACTOR_CODES), name: text, weight: positive }, strict)),
    features: Type.Array(weighedFeature),
    caps: Type.Array(cap),
    /**
     * Credibility of a statement by its backing: the project alone, the project with a place to check it, an
     * independent source; `searched`: searched without a result.
     */
    evidence: Type.Object(
      { claimed: evidenceLevel, linked: evidenceLevel, confirmed: evidenceLevel, searched: evidenceLevel },
      strict,
    ),
    thresholds: Type.Object(
      {
        /** Own commits from which a fork is more than a copy. */
        forkAheadCommits: positive,
        /** Relative difference up to which the amount of a round and that of the list count as the same. */
        roundTolerance: unit,
        /** Years by which a site may claim to be older than its domain. */
        foundedYearsBeforeDomain: positive,
        /** Days of a known domain after which a pseudonym counts as established. */
        oldPseudonymDays: positive,
        /** Weight of a claim without a place to check it, relative to one with it. */
        bareClaimShare: unit,
        /** Discount per contradiction: all statements of the site count 1 / (1 + discount x contradictions). */
        contradictionDiscount: positive,
        /** Number of checkable statements; with fewer, their consistency counts less. */
        exposureStatements: count,
        /** Words that documentation on another host, which is not read, counts as. */
        unreadDocumentWords: count,
        /**
         * Each page that the site links but that could not be read may hold a contradiction; at most this many are
         * counted.
         */
        lostPagesMost: count,
        /** Groups that an allocation must name. */
        allocationGroups: count,
        /**
         * An allocation that adds up to more than this contradicts itself; above `allocationTwice` the page shows it
         * twice.
         */
        allocationAbove: positive,
        allocationTwice: positive,
        /** Two statements of the supply that differ by more than this ratio contradict each other. */
        supplyRatio: positive,
        /**
         * With fewer words on all pages, or a smaller understood share of them, a statement missing on the site proves
         * nothing.
         */
        siteWords: count,
        readShare: unit,
        /** A team page with fewer words is rendered by scripts. */
        pageWords: count,
        /** Confidence in a fork whose own commits are not known. */
        unknownForkConfidence: unit,
      },
      strict,
    ),
    /** At least one of these features must be known for a score, as price, liquidity and supply must be for a token. */
    essential: Type.Array(text, { minItems: 1 }),
    /** Weight of a team member in the named share. */
    namedCredit: Type.Object({ profile: unit, named: unit, pseudonymOld: unit, pseudonym: unit }, strict),
  },
  strict,
);
