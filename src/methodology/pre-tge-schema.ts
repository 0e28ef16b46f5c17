import Type from 'typebox';
import { PRE_TGE_FACTOR_CODES } from '../domain/index.ts';
import { cap, feature } from './features-schema.ts';
import { count, positive, strict, text, unit } from './terms.ts';

const evidenceLevel = Type.Object({ confidence: unit, independence: unit }, strict);

/** The model for projects before their token (methodology 3.5). It has its own factors, features and caps. */
export const preTge = Type.Object(
  {
    reason: text,
    /** Where a project of which nothing is known stands. */
    prior: positive,
    factors: Type.Array(Type.Object({ code: Type.Enum(PRE_TGE_FACTOR_CODES), name: text, weight: positive }, strict)),
    features: Type.Array(feature),
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
