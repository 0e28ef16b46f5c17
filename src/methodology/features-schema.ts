import Type from 'typebox';
import { ALL_FACTOR_CODES, PRE_TGE_FACTOR_CODES } from '../domain/index.ts';
import { assetClass, band, count, nullable, points, positive, severity, strict, text, unit } from './terms.ts';

/** One feature: its place and its value function (methodology 3.3). Ids are those of the reference arithmetic: `mq_depth2`, `hd_top10`, ... */
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
    /** Points of a zero that the scale cannot hold (no developer on a scale of logarithms: 5); null where there is none. */
    zero: nullable(Type.Number()),
    /**
     * Who can withhold it, and what a missing value is worth (methodology, "What silence is worth"). N: nobody can; a missing value is
     * worth the starting point. T: a third party; worth the starting point, or the last points below it that were seen, or `points` where what a
     * third party does not list is worth the least (`missingOnly`: a value that is stated, however surely, shrinks to the starting point). P: the rated party; worth `points`, the lowest that fit what it cannot withhold.
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

/** What features read from evidence that no value function says. */
export const featureRules = Type.Object(
  {
    /** Confidence in what was searched and is not there: in general, on a website that says nothing of it, of audits. */
    searchedConfidence: unit,
    siteSilentConfidence: unit,
    auditConfidence: unit,
    /** Highest confidence of figures over venues: dispersion and effective venues. */
    venueConfidence: unit,
    /** Sources that must have been searched before something counts as not there. */
    searchedSources: count,
    /** Other sources that must have answered before a host that fails is not our network's failure. */
    otherSources: count,
    /** What commits and authors are counted over; a younger repository shows no development. */
    developmentDays: positive,
    /** Authors that count without a commit signed at its time, and for each author of one. */
    unsignedAuthors: Type.Object({ reason: text, always: count, perSigned: positive }, strict),
    /** Smaller losses, and smaller gaps of supply, earn nothing more. */
    smallestLoss: positive,
    smallestGap: positive,
    lossHalfLifeDays: positive,
    /** Least confidence in a listed loss. */
    lossConfidence: unit,
    /** Confidence that no loss is listed, of a project that the list knows and of any other; grows with age. */
    noLossConfidence: Type.Object({ listed: unit, unlisted: unit }, strict),
    /** Privileges that must be known before they are counted. */
    privilegesRead: count,
    /** Share of its points that a tax keeps which can be changed. */
    modifiableTax: unit,
    /** Days until a lock ends, and most points of what is locked; where nobody says when, by its contract and halved by the age of the market towards the least. */
    locks: Type.Object(
      {
        reason: text,
        most: anchors,
        unknownEnd: Type.Object({ known: points, unknown: points, least: points, halfLifeDays: positive }, strict),
      },
      strict,
    ),
    /** Hours of history that a reorganisation replaced, aged, and the most points that the cost of an attack then earns; between them by the logarithm. */
    reorganisation: Type.Object({ reason: text, most: anchors }, strict),
    /**
     * Share of the supply redeemed within so many days, each no further than `peg` from it, and the least points that redemption then earns. Measured
     * only of an asset whose price stayed within the share `steady` of its middle.
     */
    redeemed: Type.Object({ reason: text, days: count, peg: unit, steady: unit, least: anchors }, strict),
    /** What the second independent provider of liquidity must hold of it, and most points where none does. */
    secondProviderShare: unit,
    oneProviderPoints: points,
    /** Best band of a token of a chain that nobody here reads, and whose powers no register knows. */
    unreadBest: band,
    /** Audits older than so many days keep this share of their points. */
    oldAuditDays: positive,
    oldAudit: unit,
    /** Share of its confidence that the supply keeps as the float of a memecoin that nobody can mint. */
    mintedFloat: unit,
    /** From this float on nothing is left to unlock. */
    wholeFloat: unit,
    /** Days after which a volatility says as much as it ever will, and days of a short one. */
    volatilityDays: positive,
    shortVolatilityDays: positive,
    /** A circulating value counts up to so many times the depth of its markets. */
    sizeOverDepth: positive,
    /** Tests of made-up volume apply from this share of the volume in pools on. */
    washPoolShare: unit,
  },
  strict,
);

/** How sure a finding must be before it is a flag (methodology 3.3). */
export const flagConfidence = Type.Object(
  {
    raise: unit,
    critical: unit,
    /** One source gives 0.5 at best, times its freshness: this margin keeps a fact of one source a fact for a quarter of a half-life. */
    ageing: unit,
    /** Independent lineage groups that the worst accusations need, the least confidence with them and the highest without. */
    witnesses: count,
    witnessed: unit,
    alone: unit,
    /** From this many lineage groups that agree on, a dissenter does not lower the confidence of a finding. */
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
    /** Thresholds of the definition, by name, so that no number lives in code; which ones there are: `thresholds.ts`. */
    thresholds: Type.Record(text, Type.Number()),
    /** Days for which its condition must be false before it is cleared; a critical flag goes at once when it is disproved. */
    clearDays: Type.Integer({ minimum: 0 }),
    /** Which readings raise it here, and what they do not see; null when it is not raised. */
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
    /** Classes that it is for; absent: every class. */
    classes: Type.Optional(Type.Array(assetClass)),
    /** What ends it, as users read it; absent: the end of its condition. */
    lifts: Type.Optional(text),
    /** Days for which it binds after its condition has ended, where they are not the usual ones. */
    fadeDays: Type.Optional(positive),
  },
  strict,
);

const evidenceLevel = Type.Object({ confidence: unit, independence: unit }, strict);

/** The model for projects before their token (methodology 3.5). It has its own factors, features and caps. */
export const preTge = Type.Object(
  {
    reason: text,
    /** Where a project of which nothing is known stands. */
    prior: positive,
    factors: Type.Array(Type.Object({ code: Type.Enum(PRE_TGE_FACTOR_CODES), name: text, weight: positive }, strict)),
    features: Type.Array(weighedFeature),
    caps: Type.Array(cap),
    /**
     * How far a statement is believed by who stands behind it: the project alone, the project with a place where it can be
     * looked up, an independent source; `searched`: looked for and not there.
     */
    evidence: Type.Object(
      { claimed: evidenceLevel, linked: evidenceLevel, confirmed: evidenceLevel, searched: evidenceLevel },
      strict,
    ),
    thresholds: Type.Object(
      {
        /** Commits of its own that make a fork more than a copy. */
        forkAheadCommits: positive,
        /** Share of its amount by which a round may differ from the list and still be the same. */
        roundTolerance: unit,
        /** Years a site may claim to be older than its domain. */
        foundedYearsBeforeDomain: positive,
        /** Days of a known domain after which a pseudonym is an old one. */
        oldPseudonymDays: positive,
        /** What a claim without a place to check it counts beside one with it. */
        bareClaimShare: unit,
        /** Each contradiction found: all statements of the site are believed 1 / (1 + discount x contradictions) as much. */
        contradictionDiscount: positive,
        /** Statements that could have been caught out; with fewer, their fitting together says less. */
        exposureStatements: count,
        /** Documentation on another host, which is not read, counts as so many words. */
        unreadDocumentWords: count,
        /** Each page that the site links and does not show may hold a contradiction; so many at most are counted. */
        lostPagesMost: count,
        /** Groups that an allocation must name. */
        allocationGroups: count,
        /** An allocation that adds up to more than this contradicts itself; above `allocationTwice` the page shows it twice. */
        allocationAbove: positive,
        allocationTwice: positive,
        /** Two statements of the supply that differ by more than this ratio contradict each other. */
        supplyRatio: positive,
        /** With fewer words on all pages, or a smaller share of them understood, what a site does not say means nothing. */
        siteWords: count,
        readShare: unit,
        /** A team page with fewer words is filled in by scripts. */
        pageWords: count,
        /** Confidence in a fork whose own commits are not known. */
        unknownForkConfidence: unit,
      },
      strict,
    ),
    /** Features of which one at least must be known before anything is said, as price, liquidity and supply must of a token. */
    essential: Type.Array(text, { minItems: 1 }),
    /** What a member of the team counts towards the named share. */
    namedCredit: Type.Object({ profile: unit, named: unit, pseudonymOld: unit, pseudonym: unit }, strict),
  },
  strict,
);
