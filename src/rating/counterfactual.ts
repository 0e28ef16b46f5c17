import {
  BANDS,
  type Band,
  type CapApplied,
  type Factor,
  type Feature,
  medianHigh,
  type Rating,
} from '../domain/index.ts';
import type { FeatureDefinition, Methodology } from '../methodology/index.ts';
import { pointsOf, toScore } from '../methodology/index.ts';
import type { RatingInput } from './input.ts';
import { rate, scoreOf } from './rate.ts';

/** Party that can make a change. */
export type Actor = 'project' | 'key_holder' | 'holders' | 'market' | 'users' | 'observers' | 'time';

/** One feature, with the smallest change that has the requested effect. */
export interface FeatureChange {
  readonly feature: string;
  readonly name: string;
  readonly factor: Factor['code'];
  readonly unit: string;
  /** Present value; null if it is not known. */
  readonly now: number | string | null;
  readonly status: Feature['status'];
  /** Required value. */
  readonly needed: number | string;
  readonly who: Actor;
  /** Score with this change, and the difference. */
  readonly score: number;
  readonly points: number;
  /** True when this change alone is enough. */
  readonly reaches: boolean;
}

/** A cap below the wanted score. No feature can raise the score above it while its condition holds. */
export type Obstacle = Pick<CapApplied, 'code' | 'cap' | 'flag' | 'detail'> & {
  readonly condition: string;
  readonly ends: string;
  /** False when the cap belongs to the class of the asset, so that nobody can lift it. */
  readonly canBeLifted: boolean;
};

export interface Counterfactual {
  /** Current score, from which the changes are computed; null when the asset is not rated. */
  readonly score: number | null;
  /** The next better band; null if there is none or nothing can be computed. */
  readonly band: Band | null;
  /** Score required to publish the band: its cut-off plus the hysteresis margin. */
  readonly neededScore: number | null;
  /** Number of daily ratings that must reach that score. */
  readonly neededRatings: number;
  readonly obstacles: readonly Obstacle[];
  /** Score with all obstacles lifted, from which points are counted; equal to `score` if there are none. */
  readonly scoreWithoutObstacles: number | null;
  /**
   * Changes of one feature: first those that are sufficient alone, smallest first, then those that add the most points.
   */
  readonly raises: readonly FeatureChange[];
  /**
   * Pairs of changes that are sufficient together when no single one is. Both changes cover the same fraction of their
   * range.
   */
  readonly pairs: readonly {
    readonly changes: readonly [FeatureChange, FeatureChange];
    readonly score: number;
  }[];
  /** The next worse band, the score below which it begins, and the smallest single changes that lead to it. */
  readonly lowerBand: Band | null;
  readonly lowerScore: number | null;
  readonly lowers: readonly FeatureChange[];
  /** Why nothing was computed; null when it was. */
  readonly reason: string | null;
}

const MOST_RAISES = 8;
const MOST_PAIRS = 3;
/** Pairs are searched among this many features that can add the most. */
const PAIRED = 5;
const MOST_LOWERS = 4;
/** Number of halvings of the range between a feature's current and best value: resolution of about one thousandth. */
const HALVINGS = 10;

/**
 * Computes what would move the rating to the next band (methodology 4.2): for each feature, the smallest change that is
 * sufficient alone or together with one other. Every change reported as sufficient was confirmed by a full rating with
 * that change. `published` is the band currently published. Pure.
 */
export function counterfactualOf(
  input: RatingInput,
  rating: Rating,
  published: Band,
  methodology: Methodology,
): Counterfactual {
  const nothing = (reason: string): Counterfactual => ({ ...NOTHING, score: rating.score, reason });
  if (input.identification.stage === 'pre_tge') return nothing('before its token an asset is rated by another model');
  if (published === 'D') return nothing('it is in default; the default has to be cured first');
  if (rating.score === null || published === 'NR')
    return nothing('it is not rated; the evidence has to become enough first');
  const { margin, snapshotsAbove } = methodology.publication.hysteresis;
  const better = bandBeside(published, -1);
  const worse = bandBeside(published, 1);
  const neededScore = better === null ? null : toScore(fromOf(better, methodology) + margin);
  const lowerScore = worse === null || worse === 'D' ? null : toScore(fromOf(published, methodology) - margin);
  const ways = waysOf(rating, input, methodology);
  const obstacles = neededScore === null ? [] : obstaclesOf(rating.caps, neededScore, methodology);
  const free = { input, methodology, lifted: obstacles.map(({ code }) => code) };
  const freed = obstacles.length === 0 ? rating.score : scoreOf(supposing(free, []), methodology);
  const search = { ...free, score: freed };
  const held = { ...free, lifted: [], score: rating.score };
  // Where the obstacles alone keep it down, nothing else has to change.
  const raised =
    neededScore === null || freed >= neededScore ? [] : ways.map((way) => leastChange(search, way, neededScore, 'up'));
  const raises = raised
    .filter((found) => found !== null && (found.change.points >= LEAST_POINTS || found.change.reaches))
    .filter((found) => found !== null)
    .toSorted((a, b) => byEffort(a, b));
  const enough = raises.some(({ change }) => change.reaches);
  const lowered = lowerScore === null ? [] : ways.map((way) => leastChange(held, way, lowerScore, 'down'));
  return {
    score: rating.score,
    band: better,
    neededScore,
    neededRatings: snapshotsAbove,
    obstacles,
    scoreWithoutObstacles: freed,
    raises: raises.slice(0, MOST_RAISES).map(({ change }) => change),
    pairs: enough || neededScore === null || raises.length === 0 ? [] : pairsOf(search, raises, neededScore),
    lowerBand: worse === 'D' ? null : worse,
    lowerScore,
    lowers: lowered
      .filter((found) => found !== null)
      .filter(({ change }) => change.reaches)
      .toSorted((a, b) => a.share - b.share)
      .slice(0, MOST_LOWERS)
      .map(({ change }) => change),
    reason: null,
  };
}

const NOTHING: Counterfactual = {
  score: null,
  band: null,
  neededScore: null,
  neededRatings: 0,
  obstacles: [],
  scoreWithoutObstacles: null,
  raises: [],
  pairs: [],
  lowerBand: null,
  lowerScore: null,
  lowers: [],
  reason: null,
};
/** Changes worth fewer points are not listed. */
const LEAST_POINTS = 0.1;

function bandBeside(band: Band, step: 1 | -1): Band | null {
  const beside = BANDS[BANDS.indexOf(band) + step];
  return beside === undefined || beside === 'NR' ? null : beside;
}

function fromOf(band: Band, { bands }: Methodology): number {
  return bands.find((row) => row.band === band)?.from ?? 0;
}

function obstaclesOf(caps: readonly CapApplied[], needed: number, methodology: Methodology): readonly Obstacle[] {
  return caps
    .filter(({ cap }) => cap < needed)
    .map(({ code, cap, flag, detail }) => {
      const row = methodology.caps.find((one) => one.code === code);
      const condition = row?.condition ?? detail;
      return {
        code,
        cap,
        flag,
        detail,
        condition,
        ends: row?.expiry ?? '',
        canBeLifted: !code.startsWith('CLASS_') && condition !== 'always',
      };
    });
}

/** Possible change of a feature from its current value. */
interface Way {
  readonly feature: Feature;
  readonly definition: FeatureDefinition;
  readonly confidence: number;
  /** The single quantity that supplies the feature's value; null if the feature is computed from several. */
  readonly quantity: string | null;
}

function waysOf(rating: Rating, input: RatingInput, methodology: Methodology): readonly Way[] {
  const features = rating.factors.flatMap((factor) => factor.features);
  const known = features.filter(({ status }) => status === 'observed').map(({ confidence }) => confidence);
  // A newly known value is assumed to have the same confidence as the asset's other features.
  const usual = medianHigh(known) ?? 0;
  return features.flatMap((feature): readonly Way[] => {
    const definition = methodology.features.find(({ id }) => id === feature.id);
    if (definition === undefined || feature.status === 'not_applicable' || feature.weight <= 0) return [];
    const [key, ...others] = feature.basis;
    const isAsItStands = key !== undefined && others.length === 0 && input.consensus[key]?.value === feature.raw;
    const confidence = feature.status === 'observed' ? feature.confidence : usual;
    return [{ feature, definition, confidence, quantity: isAsItStands ? key : null }];
  });
}

interface Search {
  readonly input: RatingInput;
  /** Score from which points are counted. */
  readonly score: number;
  readonly methodology: Methodology;
  readonly lifted: readonly string[];
}
interface Found {
  readonly change: FeatureChange;
  readonly way: Way;
  readonly values: readonly (number | string)[];
  /** Fraction of the full change that was made, 0 to 1. */
  readonly share: number;
}

/** Builds the input with changed features and lifted caps. */
function supposing(
  { input, lifted }: Omit<Search, 'score'>,
  changes: readonly (readonly [Way, number | string])[],
): RatingInput {
  return {
    ...input,
    supposed: {
      features: changes.map(([{ feature, confidence, quantity }, raw]) => ({
        feature: feature.id,
        raw,
        confidence,
        quantity,
      })),
      liftedCaps: lifted,
    },
  };
}

/**
 * Returns the smallest change of one feature that brings the score to `wanted`, or the full change where even that is
 * not enough. Null: the feature cannot change in that direction.
 */
function leastChange(search: Search, way: Way, wanted: number, direction: 'up' | 'down'): Found | null {
  const { score, methodology } = search;
  const values = valuesOf(way, direction);
  const last = values.length - 1;
  if (last < 0) return null;
  const done = (reached: number) => (direction === 'up' ? reached >= wanted : reached < wanted);
  const scoreAt = (index: number) => scoreOf(supposing(search, [[way, values[index] as number | string]]), methodology);
  const atLast = scoreAt(last);
  if (!done(atLast)) return found(search, way, values, last, atLast, false);
  const index = firstDone(last, (at) => done(scoreAt(at)));
  const confirmed = confirm(search, [[way, values[index] as number | string]]);
  return found(search, way, values, index, confirmed ?? score, confirmed !== null && done(confirmed));
}

/** Smallest index from 0 to `last` for which `isDone` is true; it must be true for `last`. */
function firstDone(last: number, isDone: (index: number) => boolean): number {
  let [low, high] = [-1, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isDone(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Recomputes the whole rating with the changes and returns the score; null if the asset is then not rated. */
function confirm(search: Search, changes: readonly (readonly [Way, number | string])[]): number | null {
  return rate(supposing(search, changes), search.methodology).score;
}

function found(
  { score: before }: Search,
  way: Way,
  values: readonly (number | string)[],
  index: number,
  score: number,
  reaches: boolean,
): Found {
  const { feature } = way;
  return {
    way,
    values,
    share: (index + 1) / values.length,
    change: {
      feature: feature.id,
      name: feature.name,
      factor: feature.factor,
      unit: feature.unit,
      now: feature.raw,
      status: feature.status,
      needed: values[index] as number | string,
      who: actorOf(way),
      score,
      points: toScore(Math.abs(score - before)) * Math.sign(score - before),
      reaches,
    },
  };
}

function byEffort(a: Found, b: Found): number {
  if (a.change.reaches !== b.change.reaches) return a.change.reaches ? -1 : 1;
  if (a.change.reaches && a.share !== b.share) return a.share - b.share;
  return b.change.points - a.change.points || (a.change.feature < b.change.feature ? -1 : 1);
}

/** Pairs of the features that add the most. Both change by the same fraction, the smallest that is sufficient. */
function pairsOf(search: Search, raises: readonly Found[], wanted: number): Counterfactual['pairs'] {
  const most = raises.toSorted((a, b) => b.change.points - a.change.points).slice(0, PAIRED);
  const steps = 2 ** (HALVINGS - 4);
  const valueAt = ({ values }: Found, step: number) =>
    values[Math.max(0, Math.ceil((step / steps) * values.length) - 1)] as number | string;
  const pairs = most.flatMap((first, index) =>
    most.slice(index + 1).flatMap((second) => {
      const changes = (step: number) =>
        [
          [first.way, valueAt(first, step)],
          [second.way, valueAt(second, step)],
        ] as const;
      const isDone = (step: number) => scoreOf(supposing(search, changes(step)), search.methodology) >= wanted;
      if (!isDone(steps)) return [];
      const step = firstDone(steps, (at) => at > 0 && isDone(at));
      const score = confirm(search, changes(step));
      if (score === null || score < wanted) return [];
      const single = (of: Found): FeatureChange => {
        const alone = scoreOf(supposing(search, [[of.way, valueAt(of, step)]]), search.methodology);
        const at = of.values.indexOf(valueAt(of, step));
        return found(search, of.way, of.values, at, alone, false).change;
      };
      return [{ step, score, changes: [single(first), single(second)] as const }];
    }),
  );
  return pairs
    .toSorted((a, b) => a.step - b.step || b.score - a.score)
    .slice(0, MOST_PAIRS)
    .map(({ changes, score }) => ({ changes, score }));
}

/** States that the rated party cannot bring about: a register records the status of the issuer. */
const isIssuerStatus = (state: string) => state.startsWith('issuer_') || state === 'regulated_issuer';

/** Values of a feature from its current one towards its best or worst, in steps, rounded for display. */
function valuesOf({ feature, definition }: Way, direction: 'up' | 'down'): readonly (number | string)[] {
  const sign = direction === 'up' ? 1 : -1;
  const points = feature.score ?? feature.rest;
  if (definition.scale === 'state')
    return Object.entries(definition.states)
      .filter(([state, worth]) => sign * (worth - points) > 0 && !isIssuerStatus(state))
      .toSorted(([, a], [, b]) => sign * (a - b))
      .map(([state]) => state);
  const { anchors } = definition;
  const goal = anchors.reduce(
    (best, anchor) => (sign * (anchor[1] - best[1]) > 0 ? anchor : best),
    anchors[0] ?? [0, 0],
  );
  const start = startOf(feature, definition, points);
  if (start === null) return [];
  const isLog = definition.scale === 'log' && start > 0 && goal[0] > 0;
  const steps = 2 ** HALVINGS;
  const values: number[] = [];
  for (let step = 1; step <= steps; step += 1) {
    const value = isLog ? start * (goal[0] / start) ** (step / steps) : start + ((goal[0] - start) * step) / steps;
    const written = step === steps ? goal[0] : writable(value, goal[0] > start, definition.unit);
    const worth = pointsOf(definition, written);
    if (worth !== null && sign * (worth - points) > 0 && written !== values.at(-1)) values.push(written);
  }
  return values;
}

/**
 * Rounds to three significant digits, and to whole numbers for counts and days. Rounds in the direction of the change,
 * so that the stated value is sufficient.
 */
function writable(value: number, rises: boolean, unit: string): number {
  if (value === 0) return 0;
  const onwards = rises ? Math.ceil : Math.floor;
  const power = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
  const digits = Number((onwards(value / power) * power).toPrecision(3));
  return unit === 'count' || unit === 'days' ? onwards(digits) : digits;
}

/**
 * Start value of a numeric feature: its value, or the value whose points match those used in place of a missing one.
 * Null: no such value.
 */
function startOf(feature: Feature, definition: FeatureDefinition, points: number): number | null {
  const { anchors } = definition;
  const [first, last] = [anchors[0], anchors.at(-1)];
  if (!first || !last) return null;
  if (typeof feature.raw === 'number') {
    if (feature.raw > 0 || definition.scale !== 'log') return feature.raw;
    return first[0];
  }
  const rises = last[1] > first[1];
  const passed = anchors.filter(([, worth]) => worth <= points);
  return (rises ? passed.at(-1) : passed[0])?.[0] ?? (rises ? first[0] : last[0]);
}

/** Features that a different actor changes than the rest of their factor. */
const ACTORS_OF_FEATURES: Readonly<Record<string, Actor>> = {
  hd_creator: 'key_holder',
  cs_nakamoto: 'market',
  cs_attack: 'market',
  cs_open: 'project',
  cs_clients: 'users',
  cs_outage: 'time',
  cs_control: 'project',
  ts_audit: 'project',
  ts_bounty: 'project',
  ts_verified: 'project',
  ts_lp_others: 'market',
  sd_infl: 'project',
  sd_integrity: 'observers',
  fu_size: 'market',
  fu_fees: 'users',
  fu_tx: 'users',
  fu_tvl: 'users',
  fu_peg: 'market',
  fu_nav: 'market',
  gt_domain: 'time',
  gt_footprint: 'observers',
  tr_creator: 'key_holder',
};
const ACTORS_OF_FACTORS: Readonly<Partial<Record<Factor['code'], Actor>>> = {
  MQ: 'market',
  HD: 'holders',
  TS: 'key_holder',
  TR: 'time',
  SI: 'time',
};

function actorOf({ feature, definition }: Way): Actor {
  // A number that no source states must first be found by Assay's sources.
  if (feature.status === 'unknown' && definition.silence.kind !== 'P') return 'observers';
  return ACTORS_OF_FEATURES[feature.id] ?? ACTORS_OF_FACTORS[feature.factor] ?? 'project';
}
