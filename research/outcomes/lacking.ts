import { createHash } from 'node:crypto';
import { median } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { percentileInterval } from '../discrimination.ts';
import { aucOfPart, placesOf } from '../nested/folds.ts';
import { pickBelow, type Random } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import { logistic } from './baselines.ts';
import { CANDIDATES } from './candidates.ts';
import type { Measured, OutcomeSet } from './sets.ts';

/** A weak penalty, because two weights are fitted on dozens of failures. */
const PENALTY = 3;
/** With fewer informative members nothing is fitted. */
const FEWEST_KNOWN = 40;
const SIDES = [0, 1] as const;

/** A candidate on one set: its gain on the half that its weight was not fitted on. */
export interface Addition {
  readonly set: string;
  readonly candidate: string;
  readonly known: number;
  /** Weight fitted by each half, in logits per standard deviation: positive means more failures. */
  readonly weights: readonly [number, number];
  /** AUC with it minus AUC of the rating, mean of the two halves. */
  readonly gain: Measured;
  /**
   * The same, fitted on the earlier half of the times and measured on groups that begin later; null for a set with only
   * one time.
   */
  readonly forward: number | null;
}

/** The candidate chosen by one half of all sets, and the result on the other half. */
export interface Choice {
  readonly half: number;
  readonly candidate: string;
  /**
   * `promised`: smallest gain over the sets that have it, on the half that chose it; `got`: gains on the other half, by
   * set.
   */
  readonly promised: number;
  readonly got: readonly { readonly set: string; readonly gain: number }[];
}

/** A set with its scores and its candidates. */
interface Asked {
  readonly set: OutcomeSet;
  readonly failed: readonly boolean[];
  readonly logits: readonly number[];
  /**
   * Half and quarter of each member. Members of one group are in the same one, and so are those of one asset in every
   * set.
   */
  readonly half: readonly number[];
  readonly quarter: readonly number[];
  readonly candidates: ReadonlyMap<string, readonly (number | null)[]>;
}

/**
 * The gain of each candidate over the rating. Its weight beside the score is fitted on one half of the groups (assets,
 * creators) and measured on the other, and vice versa. A member with a missing value gets the median, so that a gap
 * adds nothing.
 */
export function lacking(
  sets: readonly OutcomeSet[],
  methodology: Methodology,
  draws: number,
  random: Random,
): { readonly additions: readonly Addition[]; readonly choices: readonly Choice[] } {
  const asked = sets.map((set) => askedOf(set, methodology, random));
  return {
    additions: asked.flatMap((own) =>
      [...own.candidates].map(([candidate, values]) => additionOf(own, candidate, values, draws, random)),
    ),
    choices: SIDES.flatMap((half) => choiceOf(asked, half) ?? []),
  };
}

function askedOf(set: OutcomeSet, methodology: Methodology, random: Random): Asked {
  const groups = set.members.map(({ group, id }) =>
    createHash('sha256')
      .update(group ?? id)
      .digest(),
  );
  const candidates = CANDIDATES.flatMap(({ name, of }) => {
    const values = of(set, random);
    return values.filter((value) => value !== null).length < FEWEST_KNOWN ? [] : [[name, values] as const];
  });
  return {
    set,
    failed: set.members.map((member) => member.failed),
    logits: set.members.map((member) => logitOf(scoreMember(member, set.mapping, methodology).score)),
    half: groups.map((bytes) => (bytes[0] ?? 0) & 1),
    quarter: groups.map((bytes) => (bytes[1] ?? 0) & 1),
    candidates: new Map(candidates),
  };
}

/** The fitted model, which combines score and candidate into a ranking. */
interface Taught {
  readonly weight: number;
  readonly score: (at: number) => number;
}

/** Fits the model; null if the members have only one outcome or one value. */
function taughtBy(rows: readonly number[], own: Asked, values: readonly (number | null)[]): Taught | null {
  const known = rows.flatMap((at) => values[at] ?? []);
  const { mean, spread } = momentsOf(known);
  const base = momentsOf(rows.map((at) => own.logits[at] ?? 0));
  const outcomes = new Set(rows.map((at) => own.failed[at]));
  if (outcomes.size < 2 || spread === 0 || base.spread === 0) return null;
  const scaled = (at: number) => {
    const value = values[at] ?? null;
    return value === null ? 0 : Math.max(-4, Math.min(4, (value - mean) / spread));
  };
  const row = (at: number) => Float64Array.of(1, ((own.logits[at] ?? 0) - base.mean) / base.spread, scaled(at));
  const [, score = 0, weight = 0] = logistic(
    rows.map(row),
    rows.map((at) => (own.failed[at] ? 1 : 0)),
    PENALTY,
  );
  return { weight, score: (at) => -score * (row(at)[1] ?? 0) - weight * scaled(at) };
}

function momentsOf(values: readonly number[]): { readonly mean: number; readonly spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length));
  return { mean, spread };
}

function rowsOf(own: Asked, wanted: (at: number) => boolean): readonly number[] {
  return own.failed.flatMap((_, at) => (wanted(at) ? [at] : []));
}

/** AUC with the fitted model minus AUC of the rating, on some members; null if they have only one outcome. */
function gainOn(rows: readonly number[], own: Asked, taught: Taught): number | null {
  const [before, after] = placesFor(own, taught);
  const [low, high] = [aucOfPart(before, rows, own.failed), aucOfPart(after, rows, own.failed)];
  return low === null || high === null ? null : high - low;
}

function placesFor(own: Asked, taught: Taught) {
  return [placesOf(own.logits), placesOf(own.logits.map((_, at) => taught.score(at)))] as const;
}

function additionOf(
  own: Asked,
  candidate: string,
  values: readonly (number | null)[],
  draws: number,
  random: Random,
): Addition {
  const sides = SIDES.map((side) => {
    const taught = taughtBy(
      rowsOf(own, (at) => own.half[at] !== side),
      own,
      values,
    );
    const rows = rowsOf(own, (at) => own.half[at] === side);
    const groups = [
      ...Map.groupBy(rows, (at) => own.set.members[at]?.group ?? `(alone) ${own.set.members[at]?.id}`).values(),
    ];
    return { taught, rows, groups, places: taught === null ? null : placesFor(own, taught) };
  });
  const gain = (rowsAt: (side: number) => readonly number[]) => {
    const gains = sides.map(({ places }, side) => {
      if (places === null) return 0;
      // Both are resampled together, so that their difference is measured on the same members.
      const rows = rowsAt(side);
      const [low, high] = [aucOfPart(places[0], rows, own.failed), aucOfPart(places[1], rows, own.failed)];
      return low === null || high === null ? 0 : high - low;
    });
    return gains.reduce((sum, value) => sum + value, 0) / gains.length;
  };
  const drawn = Array.from({ length: draws }, () =>
    gain((side) => {
      const groups = sides[side]?.groups ?? [];
      return groups.flatMap(() => groups[pickBelow(groups.length, random)] ?? []);
    }),
  );
  return {
    set: own.set.name,
    candidate,
    known: values.filter((value) => value !== null).length,
    weights: [sides[1]?.taught?.weight ?? 0, sides[0]?.taught?.weight ?? 0],
    gain: { auc: gain((side) => sides[side]?.rows ?? []), interval: percentileInterval(drawn, 0.95) },
    forward: forwardGain(own, values),
  };
}

function forwardGain(own: Asked, values: readonly (number | null)[]): number | null {
  const times = own.set.members.map(({ featureAt }) => featureAt ?? 0);
  const middle = median(times) ?? 0;
  const early = rowsOf(own, (at) => (times[at] ?? 0) < middle);
  const seen = new Set(early.map((at) => own.set.members[at]?.group));
  const late = rowsOf(own, (at) => (times[at] ?? 0) >= middle && !seen.has(own.set.members[at]?.group ?? ''));
  const taught = early.length === 0 ? null : taughtBy(early, own, values);
  return taught === null ? null : gainOn(late, own, taught);
}

/**
 * The candidate with the largest minimum gain over its sets, chosen within one half by its quarters; at least two sets
 * must have the candidate.
 */
function choiceOf(asked: readonly Asked[], half: number): Choice | null {
  const worth = CANDIDATES.flatMap(({ name }) => {
    const stating = asked.filter(({ candidates }) => candidates.has(name));
    const gains = stating.map((own) => {
      const values = own.candidates.get(name) ?? [];
      const parts = SIDES.map((side) => {
        const of = (is: boolean) => rowsOf(own, (at) => own.half[at] === half && (own.quarter[at] === side) === is);
        const taught = taughtBy(of(false), own, values);
        return taught === null ? 0 : (gainOn(of(true), own, taught) ?? 0);
      });
      return parts.reduce((sum, value) => sum + value, 0) / parts.length;
    });
    return stating.length < 2 ? [] : [{ name, stating, worst: Math.min(...gains) }];
  });
  const best = worth.toSorted((a, b) => b.worst - a.worst)[0];
  if (best === undefined) return null;
  const got = best.stating.map((own) => {
    const values = own.candidates.get(best.name) ?? [];
    const taught = taughtBy(
      rowsOf(own, (at) => own.half[at] === half),
      own,
      values,
    );
    const rows = rowsOf(own, (at) => own.half[at] !== half);
    return { set: own.set.name, gain: taught === null ? 0 : (gainOn(rows, own, taught) ?? 0) };
  });
  return { half, candidate: best.name, promised: best.worst, got };
}

function logitOf(score: number): number {
  const share = Math.max(0.001, Math.min(0.999, score / 100));
  return Math.log(share / (1 - share));
}
