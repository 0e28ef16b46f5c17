import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSimulation, createSpreader, type DependencyGraph } from './shock.ts';

/** Eighths keep the gain of a circle away from one, unless it is one: the definition then settles within the rounds below. */
const graphs = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc
    .array(
      fc.record({
        from: fc.integer({ min: 0, max: count - 1 }),
        to: fc.integer({ min: 0, max: count - 1 }),
        share: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
      }),
      { maxLength: 24 },
    )
    .map((edges): DependencyGraph => ({ nodes: Array.from({ length: count }, (_, at) => `n${at}`), edges })),
);

/** The definition itself: from no loss on, every node at once, until nothing moves. */
function byDefinition({ nodes, edges }: DependencyGraph, shocks: readonly number[]): readonly number[] {
  let losses = nodes.map(() => 0);
  for (let round = 0; round < 200_000; round += 1) {
    const next = nodes.map((_, node) =>
      Math.min(
        1,
        edges.reduce(
          (sum, { from, to, share }) => (to === node ? sum + share * (losses[from] ?? 0) : sum),
          shocks[node] ?? 0,
        ),
      ),
    );
    const moved = next.some((loss, node) => Math.abs(loss - (losses[node] ?? 0)) > 1e-14);
    losses = next;
    if (!moved) break;
  }
  return losses;
}

const spreadOf = (graph: DependencyGraph, shocks: readonly number[]) => {
  const losses = Float64Array.from(shocks);
  createSpreader(graph).spread(losses);
  return [...losses];
};
const isNear = (found: readonly number[], wanted: readonly number[]) =>
  found.every((loss, node) => Math.abs(loss - (wanted[node] ?? 0)) < 1e-9);

test('shocks spread as defined, in random graphs of up to 12 nodes with cycles', () => {
  fc.assert(
    fc.property(
      graphs,
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 12, maxLength: 12 }),
      (graph, quarters) => {
        const shocks = graph.nodes.map((_, node) => (quarters[node] ?? 0) / 4);
        assert(isNear(spreadOf(graph, shocks), byDefinition(graph, shocks)));
      },
    ),
    { numRuns: 500 },
  );
});

test('the mean of the runs is the sum over all sets of failures, each with its chance', () => {
  const small = graphs.filter(({ nodes }) => nodes.length <= 8);
  fc.assert(
    fc.property(small, fc.integer({ min: 0, max: 0xffffffff }), (graph, seed) => {
      const count = graph.nodes.length;
      const chances = graph.nodes.map((_, node) => 0.02 + 0.04 * (node % 5));
      const values = graph.nodes.map((_, node) => (node % 3) * 100);
      const whole = values.reduce((sum, value) => sum + value, 0);
      let [mean, square] = [0, 0];
      for (let set = 0; set < 2 ** count; set += 1) {
        const failed = chances.map((_, node) => ((set >> node) & 1 ? 1 : 0));
        const chance = failed.reduce<number>(
          (all, fails, node) => all * (fails ? (chances[node] ?? 0) : 1 - (chances[node] ?? 0)),
          1,
        );
        const losses = byDefinition(graph, failed);
        const lost = whole === 0 ? 0 : losses.reduce((sum, loss, node) => sum + loss * (values[node] ?? 0), 0) / whole;
        mean += chance * lost;
        square += chance * lost * lost;
      }
      const simulation = createSimulation({ graph, chances, values, seed });
      const runs = 20_000;
      simulation.run(runs);
      const error = Math.sqrt(Math.max(0, square - mean * mean) / runs);
      assert(Math.abs(simulation.result().mean - mean) <= 5 * error + 1e-9, `${simulation.result().mean} for ${mean}`);
    }),
    { numRuns: 12 },
  );
});

test('the same seed gives the same bytes however the runs are cut, and another seed gives others', () => {
  const graph: DependencyGraph = {
    nodes: ['issuer', 'coin', 'vault'],
    edges: [
      { from: 0, to: 1, share: 1 },
      { from: 1, to: 2, share: 0.5 },
    ],
  };
  const input = { graph, chances: [0.1, 0.05, 0.02], values: [0, 60, 40], seed: 7 };
  const result = (seed: number, parts: readonly number[]) => {
    const simulation = createSimulation({ ...input, seed });
    for (const runs of parts) simulation.run(runs);
    return JSON.stringify(simulation.result());
  };
  assert.equal(result(7, [10_000]), result(7, [1, 2_999, 7_000]));
  assert.notEqual(result(7, [10_000]), result(8, [10_000]));
});

test('a coin on two collaterals loses by both, and never more than all', () => {
  const edges = [
    { from: 0, to: 2, share: 0.5 },
    { from: 1, to: 2, share: 0.75 },
  ];
  const graph = { nodes: ['a', 'b', 'coin'], edges };
  assert.deepEqual(spreadOf(graph, [1, 0, 0]), [1, 0, 0.5]);
  assert.deepEqual(spreadOf(graph, [1, 1, 0]), [1, 1, 1]);
});

test('a cycle that passes everything on fails as a whole, and a cycle without a shock loses nothing', () => {
  const edges = [
    { from: 0, to: 1, share: 1 },
    { from: 1, to: 0, share: 1 },
  ];
  const graph = { nodes: ['a', 'b'], edges };
  assert.deepEqual(spreadOf(graph, [0.25, 0]), [1, 1]);
  assert.deepEqual(spreadOf(graph, [0, 0]), [0, 0]);
  assert.deepEqual(
    spreadOf({ nodes: ['a'], edges: [{ from: 0, to: 0, share: 0.5 }] }, [0.25]).map(
      (loss) => Math.round(loss * 1e9) / 1e9,
    ),
    [0.5],
  );
});
