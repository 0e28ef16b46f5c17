import type { CapDefinition, FeatureDefinition, Methodology } from '../../src/methodology/index.ts';
import type { Interval } from '../discrimination.ts';
import type { Member } from '../mapping.ts';
import type { Random } from '../random.ts';

/** The property by which members are kept together in one fold. */
export type FoldKind = 'creator' | 'time' | 'member';

type Foldable = Pick<Member, 'id' | 'group' | 'featureAt' | 'failed'>;

/** Grouping of the folds: by creator, or by time if all members have one, otherwise by member. */
export function foldKindOf(members: readonly Foldable[]): FoldKind {
  if (members.some((member) => member.group !== null)) return 'creator';
  return members.every((member) => member.featureAt !== null) ? 'time' : 'member';
}

/** Group of a member: all members of one group are in one fold. */
export function groupNameOf(member: Foldable, kind: FoldKind): string {
  if (kind === 'creator') return member.group ?? `(alone) ${member.id}`;
  return kind === 'time' ? String(member.featureAt) : member.id;
}

/**
 * The fold of each member, from 0 to `count` - 1. By time: consecutive periods of about equal size, earliest first.
 * Otherwise whole groups, largest first, each assigned to the fold with the fewest members of the group's outcome
 * (failures, survivors).
 */
export function foldsOf(members: readonly Foldable[], kind: FoldKind, count: number, random: Random): Int32Array {
  const groups = [...Map.groupBy(members.keys(), (at) => groupNameOf(members[at] as Foldable, kind)).values()];
  const fold = new Int32Array(members.length);
  if (kind === 'time') {
    groups.sort((a, b) => (members[a[0] ?? 0]?.featureAt ?? 0) - (members[b[0] ?? 0]?.featureAt ?? 0));
    let placed = 0;
    for (const group of groups) {
      const own = Math.min(count - 1, Math.floor((placed * count) / members.length));
      for (const at of group) fold[at] = own;
      placed += group.length;
    }
    return fold;
  }
  const order = groups.map((group) => ({ group, chance: random() }));
  order.sort((a, b) => b.group.length - a.group.length || a.chance - b.chance);
  const failures = new Float64Array(count);
  const survivors = new Float64Array(count);
  for (const { group } of order) {
    const failed = group.filter((at) => members[at]?.failed).length;
    const loads = Array.from(failures, (bad, at) => failed * bad + (group.length - failed) * (survivors[at] ?? 0));
    const own = loads.indexOf(Math.min(...loads));
    failures[own] = (failures[own] ?? 0) + failed;
    survivors[own] = (survivors[own] ?? 0) + group.length - failed;
    for (const at of group) fold[at] = own;
  }
  return fold;
}

/** Scores of all members under one variant, stored so that the AUC of any subset takes one pass. */
export interface Candidate {
  readonly name: string;
  /** Rank of each member's published score among the distinct ones, lowest first. */
  readonly published: Places;
  /** The same with equal published scores ordered by the score before caps. */
  readonly ranked: Places;
}

export interface Places {
  readonly of: Int32Array;
  readonly count: number;
}

/** Ranks of scores among their distinct values. */
export function placesOf(scores: readonly number[]): Places {
  const distinct = Float64Array.from(new Set(scores)).sort();
  const place = new Map([...distinct].map((score, at) => [score, at]));
  return { of: Int32Array.from(scores, (score) => place.get(score) ?? 0), count: distinct.length };
}

/**
 * AUC of some members: the probability that a failed one scored below a surviving one, ties half. Null when one side is
 * empty.
 */
export function aucOfPart(places: Places, rows: ArrayLike<number>, failed: ArrayLike<boolean>): number | null {
  const bad = new Float64Array(places.count);
  const good = new Float64Array(places.count);
  let failures = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    const place = places.of[row] ?? 0;
    if (failed[row]) {
      bad[place] = (bad[place] ?? 0) + 1;
      failures += 1;
    } else good[place] = (good[place] ?? 0) + 1;
  }
  const survivors = rows.length - failures;
  if (failures === 0 || survivors === 0) return null;
  let [below, pairs] = [0, 0];
  for (let place = 0; place < places.count; place += 1) {
    pairs += (good[place] ?? 0) * (below + (bad[place] ?? 0) / 2);
    below += bad[place] ?? 0;
  }
  return pairs / (failures * survivors);
}

/**
 * The candidate with the best mean AUC over the inner folds; the first if several are equal. Inner folds with only one
 * outcome are ignored.
 */
export function choose(
  candidates: readonly Candidate[],
  innerFolds: readonly ArrayLike<number>[],
  failed: ArrayLike<boolean>,
): { readonly at: number; readonly auc: number } {
  let best = { at: 0, auc: Number.NEGATIVE_INFINITY };
  for (const [at, { published }] of candidates.entries()) {
    const auc = meanOf(innerFolds.map((rows) => aucOfPart(published, rows, failed)));
    if (auc !== null && auc > best.auc + TIE) best = { at, auc };
  }
  return best.auc === Number.NEGATIVE_INFINITY ? { at: 0, auc: 0.5 } : best;
}

/** Tolerance, so that rounding differences do not replace the first candidate. */
const TIE = 1e-12;

/** Mean of the known values; null when there is none. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** One held-out part: the variant chosen without it, and the result on it. */
export interface OuterFold {
  readonly members: number;
  readonly failures: number;
  readonly chosen: string;
  /** Mean AUC of the chosen variant over the inner folds, which do not contain these members. */
  readonly innerAuc: number;
  /** AUC on the held-out members; null if all or none of them failed. */
  readonly auc: number | null;
  /** AUC with equal published scores ordered by the score before caps. */
  readonly ranked: number | null;
}

export interface NestedAuc {
  /** Mean over the outer folds. */
  readonly mean: number;
  /** 95 % interval: held-out members (or creators, or times) resampled within their folds. */
  readonly interval: Interval | null;
  /** Standard deviation over the outer folds. */
  readonly spread: number;
}

/** Results in which every choice is made without the part of the data that it is measured on. */
export interface NestedReport {
  readonly by: FoldKind;
  /** Number of members; larger files are sampled. */
  readonly members: number;
  readonly groups: number;
  readonly outerFolds: readonly OuterFold[];
  readonly innerFolds: number;
  readonly published: NestedAuc;
  readonly ranked: NestedAuc;
  /** The best variant on the whole file, measured on the whole file. */
  readonly resubstitution: { readonly name: string; readonly auc: number };
  /** Resubstitution minus nested: the optimism of the choice. */
  readonly optimism: number;
  /** The methodology under validation, on the same folds, without any choice. */
  readonly inForce: { readonly name: string; readonly mean: number; readonly interval: Interval | null };
  /** Each period rated by the choice of the earlier periods; null unless the folds are by time. */
  readonly forward: { readonly folds: number; readonly mean: number } | null;
  readonly variants: readonly { readonly name: string; readonly auc: number; readonly chosen: number }[];
  readonly checks: NestedChecks;
}

export interface NestedChecks {
  /** Creators (or times, or members) in more than one outer fold; must be 0. */
  readonly straddling: number;
  /**
   * Share of held-out members with a twin (all mapped cells equal) outside their fold, and the mean AUC of those
   * without.
   */
  readonly twins: { readonly share: number; readonly aucWithout: number | null };
  /** The same procedure on shuffled outcomes: near 1/2, or there is a leak. */
  readonly shuffled: { readonly draws: number; readonly mean: number; readonly low: number; readonly high: number };
}

/** The variant chosen by the other files, applied to this one: one methodology for all files. */
export interface AcrossFiles {
  readonly dataSet: string;
  readonly chosen: string;
  readonly auc: number;
  readonly inForce: number;
}

/** A complete methodology as an alternative. */
export interface Variant {
  readonly name: string;
  readonly methodology: Methodology;
}

/** The variants that are tried: few, listed in the report, and the same for every file. */
export const GRID = {
  /** Factor of the weights of the fitted features; the weights of their factor are rescaled to the sum of 1. */
  weights: [0.5, 1, 2],
  /** Exponents e: points p of the fitted features become 100 (p / 100)^e; above 1 is stricter. */
  bends: [0.7, 1, 1.4],
  /**
   * Share of the creator in the liquidity from which the fitted caps apply: as published, the lowest one for all, or
   * none.
   */
  caps: ['as published', 'from half', 'none'],
  /** Days until a holder count has full confidence: as published, or from the first day. */
  exposure: ['as published', 'at once'],
} as const;

/** Caps that were fitted. */
const FITTED_CAPS = new Set(['LP_CREATOR', 'LP_CREATOR_HALF']);
const NEVER_BINDS = 100;
/** Days. Shorter than any measured value, and not zero, to avoid a division by zero. */
const AT_ONCE = 1e-6;

/** Features that were created, or whose value functions were changed, after looking at the labelled files. */
export const FITTED: ReadonlySet<string> = new Set([
  'ts_lp_creator',
  'ts_lp_others',
  'gt_footprint',
  'tr_creator',
  'tr_lead',
]);

/**
 * The methodology and its alternatives, a grid around the fitted values. The methodology comes first, so that it is
 * kept unless an alternative is better. Versions before its MAJOR version have other features and cannot be run.
 */
export function variantsOf(methodology: Methodology): readonly Variant[] {
  const grid = GRID.weights.flatMap((weight) =>
    GRID.bends.flatMap((bend) =>
      GRID.caps.flatMap((caps) =>
        GRID.exposure.map((exposure) => ({
          name: nameOf(weight, bend, caps, exposure),
          methodology: changed(methodology, FITTED, { weight, bend, caps, exposure }),
        })),
      ),
    ),
  );
  return [{ name: `${methodology.version} as published`, methodology }, ...grid.filter(({ name }) => name !== '')];
}

interface GridPoint {
  readonly weight: number;
  readonly bend: number;
  readonly caps: (typeof GRID.caps)[number];
  readonly exposure: (typeof GRID.exposure)[number];
}

/** Name of a variant; empty for the methodology as published. */
function nameOf(weight: number, bend: number, caps: string, exposure: string): string {
  return [
    ...(weight === 1 ? [] : [`weights x ${weight}`]),
    ...(bend === 1 ? [] : [`bend ${bend}`]),
    ...(caps === 'as published' ? [] : [`caps ${caps}`]),
    ...(exposure === 'as published' ? [] : ['holders at once']),
  ].join(', ');
}

function changed(methodology: Methodology, fitted: ReadonlySet<string>, point: GridPoint): Methodology {
  const { weight, bend, caps, exposure } = point;
  return {
    ...methodology,
    features: methodology.features.map((row) => (fitted.has(row.id) ? bent(row, bend) : row)),
    featureTables: Object.fromEntries(
      Object.entries(methodology.featureTables).map(([name, table]) => [name, rescaled(table, fitted, weight)]),
    ),
    caps: cappedFrom(methodology.caps, caps),
    aggregation: {
      ...methodology.aggregation,
      holderExposureDays: exposure === 'at once' ? AT_ONCE : methodology.aggregation.holderExposureDays,
    },
  };
}

function bent(row: FeatureDefinition, exponent: number): FeatureDefinition {
  const bend = (points: number) => 100 * (points / 100) ** exponent;
  return {
    ...row,
    anchors: row.anchors.map(([x, points]) => [x, bend(points)] as const),
    states: Object.fromEntries(Object.entries(row.states).map(([state, points]) => [state, bend(points)])),
    zero: row.zero === null ? null : bend(row.zero),
    silence: { ...row.silence, points: row.silence.points === null ? null : bend(row.silence.points) },
  };
}

/** A table of weights with those of the fitted features multiplied; the sum stays the same. */
function rescaled(
  table: Readonly<Record<string, number>>,
  fitted: ReadonlySet<string>,
  multiple: number,
): Readonly<Record<string, number>> {
  const own = Object.entries(table).map(([id, weight]) => [id, weight * (fitted.has(id) ? multiple : 1)] as const);
  const sum = own.reduce((total, [, weight]) => total + weight, 0);
  return Object.fromEntries(own.map(([id, weight]) => [id, weight / sum]));
}

function cappedFrom(caps: readonly CapDefinition[], choice: GridPoint['caps']): readonly CapDefinition[] {
  if (choice === 'as published') return caps;
  if (choice === 'none') return caps.map((row) => (FITTED_CAPS.has(row.code) ? { ...row, cap: NEVER_BINDS } : row));
  const half = caps.find((row) => row.code === 'LP_CREATOR_HALF');
  return caps.map((row) => (row.code === 'LP_CREATOR' && half ? { ...row, thresholds: half.thresholds } : row));
}
