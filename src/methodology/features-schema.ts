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
     * Points of a zero for which the scale has no value (no developer on a logarithmic scale: 5); null if there is
     * none.
     */
    zero: nullable(Type.Number()),
    /**
     * Who can withhold the value, and the points of a missing value. N: no party; the starting point. T: a third party;
     * the starting point, or the last points seen below it, or `points` if a missing entry of the third party is the
     * worst case (`missingOnly`: a stated value shrinks to the starting point at any confidence). P: the rated party;
     * `points`, the lowest that are consistent with what it cannot withhold.
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

/** Parameters for reading features from evidence, in addition to the value functions. */
export const featureRules = Type.Object(
  {
    /**
     * Confidence of a search without a result: in general, on a website that does not mention the subject, and for
     * audits.
     */
    searchedConfidence: unit,
    siteSilentConfidence: unit,
    auditConfidence: unit,
    /** Maximum confidence of values computed over venues: dispersion and effective venues. */
    venueConfidence: unit,
    /**
     * Revision of the rules of features, flags and caps. Absent: the rules before 1.6.0. 2: errors that 1.6.0 mends.
     * 3: what 1.7.0 no longer credits, because the rated party can buy or state it. 4 to 7: what 1.8.0,
     * 1.9.0, 1.10.0 and 1.11.0 no longer credit.
     */
    revision: Type.Optional(
      Type.Union([
        Type.Literal(2),
        Type.Literal(3),
        Type.Literal(4),
        Type.Literal(5),
        Type.Literal(6),
        Type.Literal(7),
      ]),
    ),
    /** Number of sources that must have been searched before something counts as absent. */
    searchedSources: count,
    /** Number of other sources that must have replied before a failing host is not attributed to this network. */
    otherSources: count,
    /** Period over which commits and authors are counted; a younger repository shows no development. */
    developmentDays: positive,
    /** Number of authors counted without commits signed at their time, and per author with such a commit. */
    unsignedAuthors: Type.Object({ reason: text, always: count, perSigned: positive }, strict),
    /** Losses and supply gaps below these values earn no further points. */
    smallestLoss: positive,
    smallestGap: positive,
    lossHalfLifeDays: positive,
    /** Minimum confidence of a listed loss. */
    lossConfidence: unit,
    /** Confidence of "no listed loss", for a project on the list and for any other; scaled by age. */
    noLossConfidence: Type.Object({ listed: unit, unlisted: unit }, strict),
    /** Number of privileges that must be known for the feature to be computed. */
    privilegesRead: count,
    /** Share of its points that a modifiable tax keeps. */
    modifiableTax: unit,
    /**
     * Maximum points of locked liquidity by the days until the lock ends. If the end is not stated: by the locker
     * contract, decaying towards `least` with the age of the market.
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
     * Maximum points for the cost of an attack, by the hours of history that a reorganisation replaced, weighted by
     * age; interpolated logarithmically.
     */
    reorganisation: Type.Object({ reason: text, most: anchors }, strict),
    /**
     * Minimum points of redemption, by the share of the supply redeemed within this number of days, each at most `peg`
     * from the peg. Only for an asset whose price stayed within the share `steady` of its median.
     */
    redeemed: Type.Object({ reason: text, days: count, peg: unit, steady: unit, least: anchors }, strict),
    /** Minimum share of the liquidity of a second independent provider, and the maximum points without one. */
    secondProviderShare: unit,
    oneProviderPoints: points,
    /** Best band of a token on a chain that is not read and whose powers no register states. */
    unreadBest: band,
    /** Age from which audits keep only a share of their points, and that share. */
    oldAuditDays: positive,
    oldAudit: unit,
    /** For the float of a memecoin that cannot be minted: the share of the supply's confidence that it keeps. */
    mintedFloat: unit,
    /** Float above which nothing is left to unlock. */
    wholeFloat: unit,
    /** Days after which a volatility has full confidence, and days of a short one. */
    volatilityDays: positive,
    shortVolatilityDays: positive,
    /** Circulating value counts up to this multiple of the depth of the asset's markets. */
    sizeOverDepth: positive,
    /** Minimum share of the volume in pools for the wash-trading tests to apply. */
    washPoolShare: unit,
    /** Sales of a day are at most this multiple of those of its last six hours. */
    lateSalesMultiple: positive,
  },
  strict,
);

/** Confidence that a finding needs to become a flag (methodology 3.3). */
export const flagConfidence = Type.Object(
  {
    raise: unit,
    critical: unit,
    /**
     * One source gives a confidence of at most 0.5 times its freshness. With this margin, a fact from one source still
     * counts for a quarter of a half-life.
     */
    ageing: unit,
    /**
     * Number of independent lineage groups that the most serious accusations need, the minimum confidence with them and
     * the maximum without.
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
    /**
     * Thresholds of the definition, by name, so that the code contains no numbers. The names are defined in
     * `thresholds.ts`.
     */
    thresholds: Type.Record(text, Type.Number()),
    /**
     * Number of days for which the condition must be false before the flag is cleared. A critical flag is cleared at
     * once when it is disproved.
     */
    clearDays: Type.Integer({ minimum: 0 }),
    /** The readings that raise the flag in this version, and their limits; null when it is not raised. */
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
    /** Days for which the cap binds after its condition has ended, if different from the default. */
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
     * Credibility of a statement by its support: the project alone, the project with a place where it can be checked,
     * an independent source; `searched`: a search without a result.
     */
    evidence: Type.Object(
      { claimed: evidenceLevel, linked: evidenceLevel, confirmed: evidenceLevel, searched: evidenceLevel },
      strict,
    ),
    thresholds: Type.Object(
      {
        /** Own commits from which a fork is more than a copy. */
        forkAheadCommits: positive,
        /** Maximum relative difference at which the amount of a round and that on the list count as equal. */
        roundTolerance: unit,
        /** Number of years by which a site may claim to be older than its domain. */
        foundedYearsBeforeDomain: positive,
        /** Age in days of the domain from which a pseudonym counts as established. */
        oldPseudonymDays: positive,
        /** Weight of a claim without a place to check it, relative to one with it. */
        bareClaimShare: unit,
        /** Discount per contradiction: all statements of the site count 1 / (1 + discount x contradictions). */
        contradictionDiscount: positive,
        /** Number of checkable statements for full weight; with fewer, their consistency counts less. */
        exposureStatements: count,
        /** Number of words credited for documentation on another host, which is not read. */
        unreadDocumentWords: count,
        /** Maximum number of unreadable linked pages that count as possible contradictions. */
        lostPagesMost: count,
        /** Groups that an allocation must name. */
        allocationGroups: count,
        /**
         * An allocation whose sum exceeds this value contradicts itself; above `allocationTwice` the page merely shows
         * it twice.
         */
        allocationAbove: positive,
        allocationTwice: positive,
        /** Two stated supplies contradict each other if their ratio exceeds this value. */
        supplyRatio: positive,
        /**
         * With fewer words on all pages, or a smaller share in a supported language, a missing statement proves
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
