import type { CapApplied, Factor, Flag, Rating, TrustScore } from '../domain/index.ts';
import type { FailureSubject, Methodology } from '../methodology/index.ts';
import { bandOf, failureGroup, failureProbability, toScore } from '../methodology/index.ts';
import { roundPoints, type ScoredFactors } from './arithmetic/factors.ts';
import { applyCaps, type CapCandidate } from './caps.ts';
import type { Defaulted } from './defaulted.ts';
import { factorRationale, summaryOf } from './text.ts';

/** Adds a default shown by current evidence (methodology 4.4) to the caps. */
const defaultCap = (cap: number, { flag, detail }: Defaulted): CapApplied => ({
  code: 'DEFAULT',
  cap,
  band: 'D',
  flag,
  detail,
  binding: true,
});

/** Results of a model, before they become a rating. */
export interface Findings {
  readonly name: string;
  readonly scored: ScoredFactors;
  readonly trust: TrustScore;
  readonly flags: readonly Flag[];
  /** Caps whose condition holds, including those on trust. */
  readonly caps: readonly CapCandidate[];
  /** Why the evidence is insufficient for a rating; empty when it is sufficient. */
  readonly notRated: readonly string[];
  /** True for a knock-out that is issued at any trust because it has its own evidence (methodology 2.2). */
  readonly isProven: boolean;
  /** Null when no default is shown. */
  readonly defaulted: Defaulted | null;
}

type Rest = Pick<Rating, 'class' | 'category' | 'categoryReason' | 'outlook' | 'limitations' | 'missing'> & {
  readonly isProvisional: boolean;
  /** Selects the outcomes of comparable assets that the rating is compared with. */
  readonly like: Omit<FailureSubject, 'class'>;
  readonly vfrOf: (band: Rating['band'], trust: number, score: number) => Rating['vfr'];
};

/** Converts findings to a rating: caps, band, interval, points that add up, and text. The same for every model. */
export function issue(found: Findings, rest: Rest, methodology: Methodology): Rating {
  const { scored, trust, flags, notRated } = found;
  const defaulted = methodology.publication.default.score;
  const uncapped = toScore(scored.uncapped);
  const { score, caps } = applyCaps(scored.uncapped, found.caps, methodology);
  const points = roundPoints(
    scored.factors.map((factor) => factor.points),
    toScore(uncapped - scored.prior),
  );
  const factors: Factor[] = scored.factors.map((factor, index) => ({
    ...factor,
    points: points[index] ?? 0,
    rationale: factorRationale(factor, methodology),
  }));
  const issued = notRated.length === 0 || found.isProven;
  const finalScore = found.defaulted !== null ? Math.min(score, defaulted) : score;
  const allCaps =
    found.defaulted !== null
      ? [defaultCap(defaulted, found.defaulted), ...caps.map((cap) => ({ ...cap, binding: false }))]
      : caps;
  const band = !issued ? 'NR' : found.defaulted !== null ? 'D' : bandOf(finalScore, methodology);
  const rating: Omit<Rating, 'summary'> = {
    class: rest.class,
    category: rest.category,
    categoryReason: rest.categoryReason,
    band,
    score: issued ? finalScore : null,
    interval: issued
      ? [
          toScore(Math.min(scored.interval[0], finalScore)),
          toScore(Math.max(finalScore, Math.min(scored.interval[1], capCeiling(allCaps)))),
        ]
      : null,
    uncappedScore: issued ? uncapped : null,
    uncappedBand: issued ? bandOf(uncapped, methodology) : null,
    notRatedReasons: issued ? [] : notRated,
    evidenceCap: issued && trust.tier === 'limited',
    provisional: issued && (rest.isProvisional || trust.tier === 'weak' || trust.tier === 'insufficient'),
    prior: scored.prior,
    factors,
    caps: issued ? allCaps : [],
    flags,
    trust,
    vfr: rest.vfrOf(band, trust.score, finalScore),
    failure: failureProbability(
      failureGroup({ class: rest.class, ...rest.like }, methodology.calibration)?.id ?? null,
      { band, score: issued ? finalScore : null },
      methodology.calibration,
    ),
    outlook: issued ? rest.outlook : null,
    ...(rest.missing === undefined ? {} : { missing: rest.missing }),
    limitations: rest.limitations,
  };
  return { ...rating, summary: summaryOf(found.name, rating, methodology) };
}

/** The cap for insufficient evidence; empty when the evidence is sufficient. */
export function trustCap(trust: TrustScore): readonly CapCandidate[] {
  if (trust.tier === 'limited')
    return [{ code: 'TRUST_LIMITED', flag: null, detail: `trust in the evidence is ${trust.score}` }];
  if (trust.tier === 'weak')
    return [{ code: 'TRUST_WEAK', flag: null, detail: `trust in the evidence is ${trust.score}` }];
  return [];
}

/** No score exceeds the lowest cap, and no interval extends beyond it. */
function capCeiling(caps: readonly { readonly cap: number }[]): number {
  return Math.min(100, ...caps.map((cap) => cap.cap));
}
