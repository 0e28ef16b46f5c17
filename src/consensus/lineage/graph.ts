import type { Item, LineageRules } from './claims.ts';

/** A pair of units whose errors are evidence of a common origin. */
export interface Edge {
  /** Indices into `Claims.units`, the smaller first. */
  readonly pair: readonly [number, number];
  /**
   * Errors that no other path of the graph explains: in `bothWrong` both units are wrong, in `shared` also with the
   * same figure.
   */
  readonly bothWrong: number;
  readonly shared: number;
  /** Logarithm of the Bayes factor of a common origin against chance. */
  readonly evidence: number;
}

/** An item about which two units are wrong. */
export interface BothWrong {
  readonly item: number;
  readonly className: string;
  /** True if both state the same figure. */
  readonly same: boolean;
}

export interface PairCount {
  readonly pair: readonly [number, number];
  /** Decided items that both units state. */
  readonly items: number;
  readonly bothWrong: readonly BothWrong[];
  /** Number of errors of each unit in these items. */
  readonly errors: readonly [number, number];
}

export interface Judged {
  readonly item: number;
  readonly wrong: ReadonlySet<number>;
  /** Wrong units with the same figure; each cluster in the order of the units. */
  readonly clusters: readonly (readonly number[])[];
}

interface Given {
  readonly units: number;
  readonly items: readonly Item[];
  readonly judged: readonly Judged[];
  readonly pairs: ReadonlyMap<string, PairCount>;
  readonly chance: ReadonlyMap<string, number>;
  readonly rules: LineageRules;
}

/**
 * The direct edges: pairs whose shared errors no other path explains. The copy of a copy shares errors with the origin,
 * and two copies of one origin share errors with each other; in both cases the unit between them has the same errors.
 * Repeatedly adds the pair with the strongest evidence, then removes edges that the other edges explain, until nothing
 * changes.
 */
export function directEdges(given: Given): readonly Edge[] {
  const { units, pairs } = given;
  const test = testerOf(given);
  const graph: Graph = Array.from({ length: units }, () => new Set<number>());
  // Only pairs with enough shared errors in total can become edges.
  const candidates = [...pairs.values()].filter((row) => test(row, graph) !== null).sort(byPlace);
  const edges = new Map<string, Edge>();
  // Each turn adds an unexplained pair; a removed pair can be added again only after another change. The limit
  // guarantees an end.
  for (let turn = 0; turn < candidates.length * 3; turn += 1) {
    let next: Edge | null = null;
    for (const row of candidates) {
      if (edges.has(keyOf(row.pair))) continue;
      const found = test(row, graph);
      if (found !== null && (next === null || found.evidence > next.evidence + 1e-9)) next = found;
    }
    if (next === null) break;
    join(graph, next.pair);
    edges.set(keyOf(next.pair), next);
    takeBack(candidates, edges, graph, test);
  }
  return [...edges.values()].sort(byPlace);
}

type Graph = readonly Set<number>[];
type Tester = (row: PairCount, graph: Graph) => Edge | null;

/** Removes the edges that the rest of the graph explains, weakest first. */
function takeBack(candidates: readonly PairCount[], edges: Map<string, Edge>, graph: Graph, test: Tester): void {
  for (const { pair } of [...edges.values()].sort((a, b) => a.evidence - b.evidence || byPlace(a, b))) {
    const row = candidates.find((one) => keyOf(one.pair) === keyOf(pair));
    part(graph, pair);
    const found = row === undefined ? null : test(row, graph);
    if (found === null) edges.delete(keyOf(pair));
    else {
      join(graph, pair);
      edges.set(keyOf(pair), found);
    }
  }
}

/** Computes the evidence for an edge that `graph` does not have; null if the unexplained errors may be chance. */
function testerOf({ units, items, judged, chance, rules }: Given): Tester {
  const present = items.map((item) => new Set(item.claims.map(({ unit }) => unit)));
  const clusters = new Map(judged.map((row) => [row.item, row.clusters]));
  const holders = (item: number, a: number, b: number) =>
    clusters.get(item)?.find((own) => own.includes(a) && own.includes(b)) ?? [];
  return (row, graph) => {
    const [a, b] = row.pair;
    if (row.bothWrong.length < rules.leastShared) return null;
    const between = betweenOf(graph, a, b, units);
    let [bothWrong, shared, nothing] = [0, 0, 0];
    for (const { item, same, className } of row.bothWrong) {
      // If a unit on the path did not state the item, the path cannot be checked.
      if (!between.every((unit) => present[item]?.has(unit))) continue;
      if (same && between.length > 0 && isJoined(graph, a, b, holders(item, a, b))) continue;
      const met = chance.get(className) ?? rules.chance.floor;
      bothWrong += 1;
      if (same) shared += 1;
      nothing += Math.log(same ? met : 1 - met);
    }
    if (shared < rules.leastShared || shared < rules.leastShare * bothWrong) return null;
    // The share of errors that copies have in common has a uniform prior.
    const evidence = logBeta(shared, bothWrong - shared) - nothing;
    return evidence < rules.evidence ? null : { pair: row.pair, bothWrong, shared, evidence };
  };
}

/** ln of the integral of p^k (1-p)^l over p from 0 to 1. */
function logBeta(k: number, l: number): number {
  let sum = -Math.log(k + l + 1);
  for (let at = 1; at <= l; at += 1) sum += Math.log(at / (k + at));
  return sum;
}

/** Units on a shortest path from `a` to `b`, without both; none if there is no path. */
function betweenOf(graph: Graph, a: number, b: number, units: number): readonly number[] {
  const cameFrom = new Int32Array(units).fill(-1);
  const queue = [a];
  for (const unit of queue)
    for (const next of [...(graph[unit] ?? [])].sort((x, y) => x - y))
      if (next !== a && cameFrom[next] === -1) {
        cameFrom[next] = unit;
        queue.push(next);
      }
  const path: number[] = [];
  for (let unit = cameFrom[b] ?? -1; unit !== -1 && unit !== a; unit = cameFrom[unit] ?? -1) path.push(unit);
  return path;
}

/** True if a path of edges connects `a` and `b` through units with the same wrong figure. */
function isJoined(graph: Graph, a: number, b: number, holders: readonly number[]): boolean {
  const seen = new Set([a]);
  for (const unit of seen) {
    if (unit === b) return true;
    for (const next of holders) if (graph[unit]?.has(next)) seen.add(next);
  }
  return false;
}

function join(graph: Graph, [a, b]: Edge['pair']): void {
  graph[a]?.add(b);
  graph[b]?.add(a);
}

function part(graph: Graph, [a, b]: Edge['pair']): void {
  graph[a]?.delete(b);
  graph[b]?.delete(a);
}

function keyOf(pair: Edge['pair']): string {
  return pair.join('-');
}

function byPlace(a: Pick<Edge, 'pair'>, b: Pick<Edge, 'pair'>): number {
  return a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1];
}
