/**
 * A graph of dependencies. An edge leads from an asset or dependency that fails to one that loses by it, with the share
 * (0-1) of the loss that is passed on.
 */
export interface DependencyGraph {
  readonly nodes: readonly string[];
  /** Indices in `nodes`. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly share: number }[];
}

/** Smaller losses are rounding errors. */
const SETTLED = 1e-12;
/** A cycle that has not converged after this number of rounds counts as lost: its shares add up to nearly one. */
const MOST_ROUNDS = 20_000;

/**
 * The graph prepared for many shocks. `spread` turns the shocks of the nodes (0-1, what each loses by itself) into
 * their losses in place: the smallest losses with loss = min(1, shock + sum of share x loss of its dependencies).
 * Losses by several paths add up, as for a coin with two collaterals.
 */
export function createSpreader({ nodes, edges }: DependencyGraph): { readonly spread: (losses: Float64Array) => void } {
  const incoming = incomingOf(nodes.length, edges);
  const groups = circles(nodes.length, incoming);
  const shocks = new Float64Array(nodes.length);

  function lossOf(node: number, losses: Float64Array): number {
    let loss = shocks[node] ?? 0;
    const { from, share, start } = incoming;
    for (let at = start[node] ?? 0; at < (start[node + 1] ?? 0); at += 1)
      loss += (share[at] ?? 0) * (losses[from[at] ?? 0] ?? 0);
    return Math.min(loss, 1);
  }

  function settle(group: readonly number[], losses: Float64Array): void {
    for (const node of group) losses[node] = 0;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      let moved = 0;
      for (const node of group) {
        const loss = lossOf(node, losses);
        moved = Math.max(moved, loss - (losses[node] ?? 0));
        losses[node] = loss;
      }
      if (moved <= SETTLED) return;
    }
    for (const node of group) if ((losses[node] ?? 0) > 0) losses[node] = 1;
  }

  // A node outside a cycle is computed at once; the nodes of a cycle are iterated together. One flat array, since a
  // simulation runs this millions of times.
  const alone = Int32Array.from(groups, (group) => {
    const [only = -1] = group;
    return group.length === 1 && !incoming.own.has(only) ? only : -1;
  });
  return {
    spread(losses) {
      shocks.set(losses);
      for (let at = 0; at < alone.length; at += 1) {
        const node = alone[at] ?? -1;
        if (node >= 0) losses[node] = lossOf(node, losses);
        else settle(groups[at] ?? [], losses);
      }
    },
  };
}

interface Incoming {
  /** Indices into `from` and `share` by node: from `start[node]` up to `start[node + 1]`. */
  readonly start: Int32Array;
  readonly from: Int32Array;
  readonly share: Float64Array;
  /** Nodes with an edge to themselves. */
  readonly own: ReadonlySet<number>;
}

function incomingOf(count: number, edges: DependencyGraph['edges']): Incoming {
  const sorted = [...edges].sort((a, b) => a.to - b.to || a.from - b.from);
  const start = new Int32Array(count + 1);
  for (const { to } of sorted) start[to + 1] = (start[to + 1] ?? 0) + 1;
  for (let node = 0; node < count; node += 1) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0);
  return {
    start,
    from: Int32Array.from(sorted, ({ from }) => from),
    share: Float64Array.from(sorted, ({ share }) => share),
    own: new Set(sorted.filter(({ from, to }) => from === to).map(({ from }) => from)),
  };
}

/** Tarjan's strongly connected components, dependencies first. */
function circles(count: number, { start, from }: Incoming): readonly (readonly number[])[] {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: number[] = [];
  const groups: number[][] = [];
  let next = 0;
  for (let root = 0; root < count; root += 1) {
    if (index[root] !== -1) continue;
    // An explicit stack instead of recursion: a chain of dependencies may be long.
    const path: { readonly node: number; at: number }[] = [{ node: root, at: start[root] ?? 0 }];
    index[root] = low[root] = next++;
    stack.push(root);
    onStack[root] = 1;
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      if (top.at < (start[node + 1] ?? 0)) {
        const other = from[top.at++] ?? 0;
        if (index[other] === -1) {
          index[other] = low[other] = next++;
          stack.push(other);
          onStack[other] = 1;
          path.push({ node: other, at: start[other] ?? 0 });
        } else if (onStack[other]) low[node] = Math.min(low[node] ?? 0, index[other] ?? 0);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above) low[above.node] = Math.min(low[above.node] ?? 0, low[node] ?? 0);
      if (low[node] !== index[node]) continue;
      const group: number[] = [];
      for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
        onStack[one] = 0;
        group.push(one);
        if (one === node) break;
      }
      groups.push(group.sort((a, b) => a - b));
    }
  }
  return groups;
}

export interface SimulationInput {
  readonly graph: DependencyGraph;
  /** Probability that each node fails by itself within the period, 0-1. */
  readonly chances: readonly number[];
  /** Value of each node in the portfolio; 0 for nodes that are not held. */
  readonly values: readonly number[];
  /** Whole number from 0 to 2^32 - 1. */
  readonly seed: number;
}

export interface SimulationResult {
  readonly runs: number;
  /** Shares of the portfolio's value, 0-1. */
  readonly mean: number;
  readonly p95: number;
  readonly p99: number;
  /** Mean of the worst hundredth of the runs (expected shortfall at 99 %). */
  readonly worstHundredth: number;
  readonly largest: number;
  /** Share of the runs in which at least two positions lose half of their value or more. */
  readonly together: number;
}

/**
 * Monte Carlo runs in which each node fails by itself with its probability, and failures spread. The same seed gives
 * the same numbers however the runs are divided into calls of `run`, so that a service can handle other requests in
 * between.
 */
export function createSimulation({ graph, chances, values, seed }: SimulationInput): {
  readonly run: (runs: number) => void;
  readonly result: () => SimulationResult;
} {
  const { spread } = createSpreader(graph);
  const random = createRandom(seed);
  const losses = new Float64Array(graph.nodes.length);
  const held = values.flatMap((value, node) => (value > 0 ? [{ node, value }] : []));
  const whole = held.reduce((sum, { value }) => sum + value, 0);
  const found: number[] = [];
  let together = 0;
  let done = 0;
  // The number of runs until a node fails again has the geometric distribution: one draw per failure instead of one per
  // node and run.
  const runsUntilFailure = (chance: number) =>
    chance > 0 ? 1 + Math.floor(Math.log1p(-random()) / Math.log1p(-Math.min(1, chance))) : Number.POSITIVE_INFINITY;
  const nextFailure = Float64Array.from(chances, (chance) => runsUntilFailure(chance) - 1);
  return {
    run(runs) {
      for (let run = 0; run < runs; run += 1) {
        let failed = 0;
        for (let node = 0; node < losses.length; node += 1) {
          const fails = nextFailure[node] === done;
          losses[node] = fails ? 1 : 0;
          if (!fails) continue;
          failed += 1;
          nextFailure[node] = done + runsUntilFailure(chances[node] ?? 0);
        }
        done += 1;
        if (failed === 0) {
          found.push(0);
          continue;
        }
        spread(losses);
        let lost = 0;
        let halved = 0;
        for (const { node, value } of held) {
          const loss = losses[node] ?? 0;
          lost += loss * value;
          if (loss >= 0.5) halved += 1;
        }
        if (halved >= 2) together += 1;
        found.push(whole > 0 ? lost / whole : 0);
      }
    },
    result() {
      const sorted = Float64Array.from(found).sort();
      const runs = sorted.length;
      const at = (share: number) => sorted[Math.min(runs - 1, Math.floor(share * runs))] ?? 0;
      const mean = (part: Float64Array) =>
        part.length === 0 ? 0 : part.reduce((sum, loss) => sum + loss, 0) / part.length;
      return {
        runs,
        mean: mean(sorted),
        p95: at(0.95),
        p99: at(0.99),
        worstHundredth: mean(sorted.subarray(Math.min(runs - 1, Math.floor(0.99 * runs)))),
        largest: sorted[runs - 1] ?? 0,
        together: runs === 0 ? 0 : together / runs,
      };
    },
  };
}

/** Numbers in [0, 1) by sfc32 (Chris Doty-Humphrey, PractRand), which is small, fast and passes PractRand. */
function createRandom(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}
