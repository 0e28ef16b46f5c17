import type { Claims, Item, LineageRules } from './claims.ts';
import { type BothWrong, directEdges, type Edge, type Judged, type PairCount } from './graph.ts';

export interface Dependence {
  readonly edges: readonly Edge[];
  readonly pairs: ReadonlyMap<string, PairCount>;
  /**
   * Correlation of the errors of two units, 0-1, at index `units * a + b`. Zero where no path of edges connects them.
   */
  readonly rho: Float64Array;
  /** Probability that two unrelated errors have the same figure, by class. */
  readonly chance: ReadonlyMap<string, number>;
  /** Correct statements and decided statements of each unit. */
  readonly accuracy: readonly { readonly right: number; readonly decided: number }[];
  /** Items whose true value is decided. */
  readonly decided: number;
}

/**
 * Truth discovery with dependence (after Dong, Berti-Equille, Srivastava 2009). It estimates the value of each item,
 * the accuracy of each unit and the common origins in turns until the graph no longer changes. Two units that are right
 * together may be independent; a common origin shows where they are wrong with the same figure more often than by
 * chance. Declared groups start as dependent, so that no origin votes twice, and are then measured like any other pair.
 */
export function dependenceOf(claims: Claims, rules: LineageRules): Dependence {
  const { units, items } = claims;
  const declared = new Float64Array(units.length ** 2);
  for (const [a, one] of units.entries())
    for (const [b, other] of units.entries())
      declared[a * units.length + b] = a === b || one.family === other.family ? 1 : 0;
  let state: { rho: Float64Array; accuracy: Dependence['accuracy'] } = {
    rho: declared,
    accuracy: units.map(() => ({ right: 0, decided: 0 })),
  };
  let joined: readonly Edge[] | null = null;
  const seen = new Set<string>();
  for (let round = 1; ; round += 1) {
    const voted = Float64Array.from(state.rho, (rho, at) => Math.max(rho, declared[at] ?? 0));
    const judged = items.flatMap(
      (item, index) => judge(item, index, votesOf(state.accuracy, rules), voted, rules) ?? [],
    );
    const pairs = pairsOf(judged, items);
    const chance = chanceOf(pairs, joined, units.length, rules);
    joined = directEdges({ units: units.length, items, judged, pairs, chance, rules });
    state = {
      rho: correlations(pairs, joined, chance, units.length, rules),
      accuracy: accuracyOf(judged, items, units.length),
    };
    const graph = joined.map(({ pair }) => pair.join('-')).join(' ');
    // A graph that repeats would repeat for ever.
    if (seen.has(graph) || round === rules.rounds)
      return { edges: joined, pairs, chance, ...state, decided: judged.length };
    seen.add(graph);
  }
}

/** Weight of each unit's vote: ln of the odds that it is right, with a prior for units with few statements. */
function votesOf(accuracy: Dependence['accuracy'], { accuracy: rules }: LineageRules): Float64Array {
  return Float64Array.from(accuracy, ({ right, decided }) => {
    const share = (right + rules.prior * rules.weight) / (decided + rules.weight);
    const inside = Math.min(rules.most, Math.max(rules.least, share));
    return Math.log(inside / (1 - inside));
  });
}

/**
 * The true value: the middle of those figures within tolerance of each other that have the largest total weight, where
 * each origin counts once. Null if fewer than `leastGroups` origins state it, or another value has nearly the same
 * weight: then no group can be called wrong.
 */
function judge(
  { claims, noise }: Item,
  item: number,
  votes: Float64Array,
  rho: Float64Array,
  rules: LineageRules,
): Judged | null {
  const units = votes.length;
  const reach = rules.wrongNoise * noise;
  const sorted = [...claims].sort((a, b) => a.y - b.y || a.unit - b.unit);
  /** Weight and number of independent origins among these claims. */
  const supportOf = (own: readonly Item['claims'][number][]) => {
    let [weight, origins] = [0, 0];
    for (const a of own) {
      let repeated = 0;
      for (const b of own) repeated += a.unit === b.unit ? 1 : (rho[a.unit * units + b.unit] ?? 0);
      weight += (votes[a.unit] ?? 0) / repeated;
      origins += 1 / repeated;
    }
    return { weight, origins };
  };
  const stretches = sorted.map((first, from) => {
    const own = sorted.slice(from).filter(({ y }) => y - first.y <= reach);
    return { own, ...supportOf(own) };
  });
  const best = stretches.reduce((a, b) => (b.weight > a.weight + 1e-12 ? b : a));
  const centre = best.own[Math.floor((best.own.length - 1) / 2)]?.y ?? 0;
  const far = ({ y }: { readonly y: number }) => Math.abs(y - centre) > reach;
  const rival = stretches.filter(({ own }) => own.every(far)).reduce((most, { weight }) => Math.max(most, weight), 0);
  if (best.origins < rules.leastGroups - 1e-9 || best.weight < rules.leastMargin * rival) return null;
  const wrong = sorted.filter(far);
  const clusters: number[][] = [];
  for (const [at, { unit, y }] of wrong.entries()) {
    const before = wrong[at - 1];
    if (before !== undefined && y - before.y <= rules.sameNoise * noise) clusters.at(-1)?.push(unit);
    else clusters.push([unit]);
  }
  return {
    item,
    wrong: new Set(wrong.map(({ unit }) => unit)),
    clusters: clusters.filter((own) => own.length > 1).map((own) => own.sort((a, b) => a - b)),
  };
}

function pairsOf(judged: readonly Judged[], items: readonly Item[]): ReadonlyMap<string, PairCount> {
  const found = new Map<
    string,
    { pair: [number, number]; items: number; bothWrong: BothWrong[]; errors: [number, number] }
  >();
  for (const { item, wrong, clusters } of judged) {
    const { claims = [], className = '' } = items[item] ?? {};
    for (const [at, { unit: a }] of claims.entries())
      for (const { unit: b } of claims.slice(at + 1)) {
        const row = found.getOrInsertComputed(`${a}-${b}`, () => ({
          pair: [a, b],
          items: 0,
          bothWrong: [],
          errors: [0, 0],
        }));
        row.items += 1;
        if (wrong.has(a)) row.errors[0] += 1;
        if (wrong.has(b)) row.errors[1] += 1;
        if (wrong.has(a) && wrong.has(b))
          row.bothWrong.push({ item, className, same: clusters.some((own) => own.includes(a) && own.includes(b)) });
      }
  }
  return found;
}

/**
 * Probability that two unrelated errors have the same figure, by class. Measured on pairs that no path of edges
 * connects; in the first round, on the half of the pairs that agree least. It has a floor: with a probability of zero,
 * the first coincidence would count as certain evidence.
 */
function chanceOf(
  pairs: ReadonlyMap<string, PairCount>,
  edges: readonly Edge[] | null,
  units: number,
  { chance: { floor, weight, leastPairs } }: LineageRules,
): ReadonlyMap<string, number> {
  const component = componentsOf(edges ?? [], units);
  const byClass = new Map<string, { same: number; all: number }[]>();
  for (const { pair, bothWrong } of pairs.values()) {
    if (edges !== null && component[pair[0]] === component[pair[1]]) continue;
    for (const [name, own] of Map.groupBy(bothWrong, ({ className }) => className))
      byClass
        .getOrInsertComputed(name, () => [])
        .push({ same: own.filter(({ same }) => same).length, all: own.length });
  }
  return new Map(
    [...byClass].map(([name, rows]) => {
      const counted = edges !== null || rows.length < leastPairs ? rows : lowerHalf(rows);
      const [same, all] = [total(counted, 'same'), total(counted, 'all')];
      return [name, Math.max(floor, (same + floor * weight) / (all + weight))];
    }),
  );
}

function lowerHalf<Row extends { readonly same: number; readonly all: number }>(rows: readonly Row[]): readonly Row[] {
  return [...rows]
    .sort((a, b) => a.same / a.all - b.same / b.all || a.all - b.all)
    .slice(0, Math.ceil(rows.length / 2));
}

function total<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((sum, row) => sum + row[key], 0);
}

/** Connected component of each unit, by the smallest unit in it. */
export function componentsOf(edges: readonly Pick<Edge, 'pair'>[], units: number): readonly number[] {
  const part = Array.from({ length: units }, (_, index) => index);
  for (const { pair } of edges) {
    const [a, b] = [part[pair[0]] ?? 0, part[pair[1]] ?? 0];
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    for (const [index, own] of part.entries()) if (own === high) part[index] = low;
  }
  return part;
}

/** Correlations of all pairs; zero for pairs with fewer than `leastShared` shared errors, which measure nothing. */
function correlations(
  pairs: ReadonlyMap<string, PairCount>,
  edges: readonly Edge[],
  chance: ReadonlyMap<string, number>,
  units: number,
  { leastShared }: LineageRules,
): Float64Array {
  const component = componentsOf(edges, units);
  const rho = new Float64Array(units * units);
  for (let unit = 0; unit < units; unit += 1) rho[unit * units + unit] = 1;
  for (const row of pairs.values()) {
    const [a, b] = row.pair;
    if (component[a] !== component[b] || sharedOf(row) < leastShared) continue;
    const value = correlationOf(row, chance);
    rho[a * units + b] = value;
    rho[b * units + a] = value;
  }
  return rho;
}

export function sharedOf({ bothWrong }: PairCount): number {
  return bothWrong.filter(({ same }) => same).length;
}

/**
 * Shared errors beyond chance divided by the geometric mean of the errors of both units: 1 if they are always wrong
 * together.
 */
export function correlationOf({ bothWrong, errors }: PairCount, chance: ReadonlyMap<string, number>): number {
  const excess = bothWrong.reduce((sum, { same, className }) => sum + (same ? 1 : 0) - (chance.get(className) ?? 0), 0);
  const most = Math.sqrt(errors[0] * errors[1]);
  return most === 0 ? 0 : Math.min(1, Math.max(0, excess / most));
}

function accuracyOf(judged: readonly Judged[], items: readonly Item[], units: number): Dependence['accuracy'] {
  const found = Array.from({ length: units }, () => ({ right: 0, decided: 0 }));
  for (const { item, wrong } of judged)
    for (const { unit } of items[item]?.claims ?? []) {
      const own = found[unit];
      if (own === undefined) continue;
      own.decided += 1;
      if (!wrong.has(unit)) own.right += 1;
    }
  return found;
}
