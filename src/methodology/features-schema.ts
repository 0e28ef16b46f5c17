import Type from 'typebox';
import { ALL_FACTOR_CODES } from '../domain/index.ts';
import { categoryOrAny, nullable, points, positive, severity, strict, text, unit } from './terms.ts';

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
