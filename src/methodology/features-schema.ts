import Type from 'typebox';
import { ALL_FACTOR_CODES } from '../domain/index.ts';
import { categoryOrAny, count, nullable, points, positive, severity, strict, text, unit } from './terms.ts';

/** One feature: its place, its weight, its value function (methodology 3.3). Ids are those of the reference arithmetic: `mq_depth2`, `hd_top10`, ... */
export const feature = Type.Object(
  {
    id: text,
    name: text,
    factor: Type.Enum(ALL_FACTOR_CODES),
    /** Weight inside the factor, by category variant; `*` is every category without its own. A category's weights of a factor sum to 1. */
    weight: Type.Partial(Type.Record(categoryOrAny, unit), strict),
    unit: text,
    scale: Type.Enum(['log', 'lin', 'logistic', 'state']),
    /** For log and lin: [x, points], x ascending. For logistic: [[slope, midpoint]]. */
    anchors: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
    /** For state: points by state. */
    states: Type.Record(text, points),
    /** Points of a zero that the scale cannot hold (no developer on a scale of logarithms: 5); null where there is none. */
    zero: nullable(Type.Number()),
    /**
     * Who can silence it, and what silence is worth (methodology, "What silence is worth"). N: nobody can; a missing value is
     * worth the starting point. T: a third party; worth the starting point, or the last points below it that were seen. P: the
     * rated party; worth `points`, the lowest that fit what it cannot withhold. `points` is null for N and T.
     */
    silence: Type.Object({ kind: Type.Enum(['N', 'T', 'P']), points: nullable(points) }, strict),
    /** Counts double in coverage (price, liquidity, supply, holders, authorities). */
    critical: Type.Boolean(),
    reason: text,
  },
  strict,
);

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
    /** Locked liquidity that is released within so many days keeps this share of its points. */
    unlockSoonDays: positive,
    unlockSoon: unit,
    /** Most points of liquidity under an unknown locker. */
    unknownLockerPoints: points,
    /** Audits older than so many days keep this share of their points. */
    oldAuditDays: positive,
    oldAudit: unit,
    /** Share of its confidence that the supply keeps as the float of a memecoin that nobody can mint. */
    mintedFloat: unit,
    /** From this float on nothing is left to unlock. */
    wholeFloat: unit,
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
    /** Days for which it binds after its condition has ended, where they are not the usual ones. */
    fadeDays: Type.Optional(positive),
  },
  strict,
);
