import { median } from '../../src/domain/index.ts';
import { jeffreysInterval } from '../../src/publication/index.ts';

/** Members with the same columns, followed over one window. */
export interface CohortMembers {
  readonly name: string;
  /** Days of observation. */
  readonly days: number;
  readonly members: readonly { readonly score: number; readonly failed: boolean }[];
  /** Number of assets over number of rows, since rows of one asset are not independent. 0-1. */
  readonly weight: number;
}

export interface Curve {
  /** Mean over the cohorts of ln of the yearly hazard at `centre`. */
  readonly middle: number;
  /** Change of ln hazard per unit of logit(score / 100); at most 0, because a better score does not fail more often. */
  readonly slope: number;
  readonly centre: number;
  /** Standard deviation of the cohorts' middles beyond their sampling errors. */
  readonly spread: number;
  readonly spreadIsBorrowed: boolean;
  readonly middleSd: number;
  readonly slopeSd: number;
  /** Quantile that converts standard deviations to half an interval. */
  readonly width: number;
  /**
   * Relative error of a score's distance from the prior, because the agreement of a few columns with a complete rating
   * is an estimate.
   */
  readonly scale: { readonly from: number; readonly error: number };
  /** Yearly hazard of each cohort at `centre`. */
  readonly hazards: readonly number[];
}

export interface FitRules {
  readonly confidence: number;
  /** Spread for a group of a single cohort; null: none. */
  readonly lent: { readonly spread: number; readonly cohorts: number } | null;
  /** The cohorts have different columns, so their scores are not comparable and each cohort has a separate centre. */
  readonly isByCohort: boolean;
  /** Score of an asset without any known value. */
  readonly prior: number;
  readonly scaleError: number;
}

const YEAR = 365;
/** Keeps logits of extreme scores finite. */
const [LEAST, MOST] = [1, 99];
const HALVINGS = 60;

export function logitOf(score: number): number {
  const share = Math.min(MOST, Math.max(LEAST, score)) / 100;
  return Math.log(share / (1 - share));
}

/**
 * One curve for all cohorts of a group: complementary log-log regression with a constant hazard over each cohort's
 * window, one slope, and a middle for each cohort. Cohorts differ by more than chance, because the author of a file
 * chose its base rate. The middle of the group is therefore their random-effects mean (DerSimonian and Laird 1986),
 * with their `spread`. Each cohort's hazard has the Jeffreys prior, so that a cohort without failures has a middle too.
 */
export function fitCurve(cohorts: readonly CohortMembers[], rules: FitRules): Curve {
  const { confidence, lent, isByCohort, prior, scaleError } = rules;
  const centres = cohorts.map(centreOf);
  const centre = median(centres) ?? 0;
  const tallies = cohorts.map((cohort, at) => tallyOf(cohort, isByCohort ? (centres[at] ?? centre) : centre));
  const slope = slopeOf(tallies);
  const middles = tallies.map((tally) => middleOf(tally, slope));
  const together = randomEffects(middles);
  const own = tallies.flatMap((tally) => {
    const found = slopeOf([tally]);
    const sd = slopeError([tally], found);
    return tally.failures >= 5 ? [{ value: found, variance: sd ** 2 }] : [];
  });
  const isBorrowed = cohorts.length < 2;
  const spread = isBorrowed ? (lent?.spread ?? 0) : together.spread;
  return {
    middle: together.value,
    slope,
    centre,
    spread,
    spreadIsBorrowed: isBorrowed,
    middleSd: together.sd,
    slopeSd: Math.hypot(slopeError(tallies, slope), own.length < 2 ? 0 : randomEffects(own).spread),
    // The prediction interval of a further cohort loses two degrees of freedom, for middle and spread (Higgins,
    // Thompson and Spiegelhalter 2009).
    width: studentQuantile((1 + confidence) / 2, Math.max(1, (isBorrowed ? (lent?.cohorts ?? 2) : cohorts.length) - 2)),
    scale: { from: logitOf(prior), error: scaleError },
    hazards: middles.map(({ value }) => Math.exp(value)),
  };
}

/**
 * The curve of other cohorts with the base rate of this one: their slope, its middle, and no spread between cohorts.
 */
export function rebased(curve: Curve, cohort: CohortMembers, isByCohort: boolean): Curve {
  const own = middleOf(tallyOf(cohort, isByCohort ? centreOf(cohort) : curve.centre), curve.slope);
  return { ...curve, middle: own.value, middleSd: Math.sqrt(own.variance), spread: 0 };
}

/** The logit of a cohort's median score. */
export function centreOf({ members }: CohortMembers): number {
  return median(members.map(({ score }) => logitOf(score))) ?? 0;
}

/**
 * Probability of failure within this number of days at a score, and its interval for another cohort of this kind.
 * `shift` is added to the score's logit.
 */
export function chanceOf(
  curve: Curve,
  score: number,
  days: number,
  shift = 0,
): { readonly value: number; readonly low: number; readonly high: number } {
  const distance = logitOf(score) + shift - curve.centre;
  const at = curve.middle + curve.slope * distance;
  const half =
    curve.width *
    Math.hypot(
      curve.spread,
      curve.middleSd,
      distance * curve.slopeSd,
      curve.slope * (logitOf(score) + shift - curve.scale.from) * curve.scale.error,
    );
  const within = (ln: number) => -Math.expm1(-Math.exp(ln) * (days / YEAR));
  return { value: within(at), low: within(at - half), high: within(at + half) };
}

/**
 * Most conservative upper end for few failures (Pluto and Tasche 2005), as a yearly hazard: that of all members with
 * this score or a worse one, since they fail at least as often.
 */
export function prudentHazard(cohorts: readonly CohortMembers[], score: number, confidence: number): number {
  let [failures, members, years] = [0, 0, 0];
  for (const cohort of cohorts)
    for (const member of cohort.members)
      if (member.score <= score) {
        failures += member.failed ? cohort.weight : 0;
        members += cohort.weight;
        years += (cohort.weight * cohort.days) / YEAR;
      }
  const high = jeffreysInterval(failures, members, confidence)?.[1] ?? 1;
  return high >= 1 ? Number.POSITIVE_INFINITY : (-Math.log1p(-high) * members) / years;
}

interface Tally {
  readonly years: number;
  readonly failures: number;
  readonly bins: readonly { readonly x: number; readonly failed: number; readonly survived: number }[];
}

function tallyOf({ members, days, weight }: CohortMembers, centre: number): Tally {
  const bins = new Map<number, { x: number; failed: number; survived: number }>();
  for (const { score, failed } of members) {
    const bin = bins.getOrInsertComputed(score, () => ({ x: logitOf(score) - centre, failed: 0, survived: 0 }));
    bin[failed ? 'failed' : 'survived'] += weight;
  }
  const own = [...bins.values()].sort((a, b) => a.x - b.x);
  return { years: days / YEAR, failures: own.reduce((sum, bin) => sum + bin.failed, 0), bins: own };
}

/** Log likelihood of a cohort, with the Jeffreys prior of its hazard. */
function likelihood({ bins, years }: Tally, middle: number, slope: number): number {
  return bins.reduce((sum, { x, failed, survived }) => {
    const hazard = Math.exp(middle + slope * x) * years;
    return sum + (failed > 0 ? failed * Math.log(-Math.expm1(-hazard)) : 0) - survived * hazard;
  }, middle / 2);
}

/** The maximum-likelihood middle of a cohort for a slope, and its variance by the curvature there. */
function middleOf(tally: Tally, slope: number): { readonly value: number; readonly variance: number } {
  const value = highest((middle) => likelihood(tally, middle, slope), -15, 10);
  return { value, variance: varianceAt((middle) => likelihood(tally, middle, slope), value) };
}

function profile(tallies: readonly Tally[], slope: number): number {
  return tallies.reduce((sum, tally) => sum + likelihood(tally, middleOf(tally, slope).value, slope), 0);
}

function slopeOf(tallies: readonly Tally[]): number {
  return highest((slope) => profile(tallies, slope), -8, 0);
}

/** Prior standard deviation of a slope: twice the steepest observed slope. */
const UNKNOWN_SLOPE = 8;

function slopeError(tallies: readonly Tally[], slope: number): number {
  const sd = Math.sqrt(varianceAt((at) => profile(tallies, at), slope));
  return Math.min(sd, UNKNOWN_SLOPE);
}

/** Maximum of a unimodal function, by golden section. */
function highest(of: (at: number) => number, from: number, to: number): number {
  const share = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [from, to];
  let [left, right] = [high - share * (high - low), low + share * (high - low)];
  let [atLeft, atRight] = [of(left), of(right)];
  for (let step = 0; step < HALVINGS; step += 1) {
    if (atLeft > atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - share * (high - low);
      atLeft = of(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + share * (high - low);
      atRight = of(right);
    }
  }
  return (low + high) / 2;
}

const STEP = 0.01;

function varianceAt(of: (at: number) => number, at: number): number {
  const curvature = (of(at + STEP) - 2 * of(at) + of(at - STEP)) / STEP ** 2;
  return curvature < 0 ? -1 / curvature : Number.POSITIVE_INFINITY;
}

interface Effect {
  readonly value: number;
  readonly variance: number;
}

/** Random-effects mean, with its error and the spread beyond chance. */
export function randomEffects(effects: readonly Effect[]): {
  readonly value: number;
  readonly sd: number;
  readonly spread: number;
} {
  const sum = (of: (effect: Effect) => number) => effects.reduce((total, effect) => total + of(effect), 0);
  const fixed = sum((effect) => 1 / effect.variance);
  const mean = sum((effect) => effect.value / effect.variance) / fixed;
  const heterogeneity = sum((effect) => (effect.value - mean) ** 2 / effect.variance);
  const scale = fixed - sum((effect) => 1 / effect.variance ** 2) / fixed;
  const spread2 = scale <= 0 ? 0 : Math.max(0, (heterogeneity - (effects.length - 1)) / scale);
  const whole = sum((effect) => 1 / (effect.variance + spread2));
  return {
    value: sum((effect) => effect.value / (effect.variance + spread2)) / whole,
    sd: Math.sqrt(1 / whole),
    spread: Math.sqrt(spread2),
  };
}

/**
 * Quantile of Student's t above its median, by bisection of its distribution function; `degrees`: an integer of at
 * least 1.
 */
export function studentQuantile(probability: number, degrees: number): number {
  let [low, high] = [0, 1_000];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    if (studentBelow(middle, degrees) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Student's distribution function by its finite series (Abramowitz and Stegun 26.7.3 and 26.7.4). */
function studentBelow(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let series = degrees === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= (cosine ** 2 * (k - 1)) / k;
    series += term;
  }
  const between = isOdd ? (2 / Math.PI) * (angle + sine * series) : sine * series;
  return 0.5 + between / 2;
}
