import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aucOf } from '../discrimination.ts';
import { mapped, membersOf, methodology } from '../fixtures/made-data.ts';
import type { Member } from '../mapping.ts';
import { seededRandom } from '../random.ts';
import { rowOf } from '../uniswap-v2-logs.ts';
import { acrossSets, withoutFeature } from './across.ts';
import { columnsOf, logistic, nestedLogistic } from './baselines.ts';
import { fitTrees, nestedBoosting } from './boosting.ts';
import { compared } from './sets.ts';

test('the regression finds the weights that made the outcomes', () => {
  const random = seededRandom(3);
  const rows = Array.from({ length: 4_000 }, () => Float64Array.of(1, 2 * random() - 1, 2 * random() - 1));
  const outcomes = rows.map(([, a = 0, b = 0]) => (random() < 1 / (1 + Math.exp(-(0.5 + 2 * a - b))) ? 1 : 0));
  const found = logistic(rows, outcomes, 1e-6);
  for (const [at, expected] of [0.5, 2, -1].entries())
    assert.ok(Math.abs((found[at] ?? 0) - expected) < 0.2, `${at}: ${found[at]}`);
  // Members of one outcome alone give finite weights: the penalty holds them.
  assert.ok(
    logistic(
      rows,
      outcomes.map(() => 1),
      1,
    ).every(Number.isFinite),
  );
});

test('nested regression has AUC 0.5 on noise and more on an informative column; a gap is a column of its own', () => {
  const random = seededRandom(9);
  const noise = membersOf(300, () => ({ failed: random() < 0.3, features: { a: random(), b: random() } }));
  const auc = (members: readonly Member[], knots: number) =>
    aucOf(
      [...nestedLogistic(members, columnsOf(members), knots, seededRandom(1))].map((chance) => -chance),
      members.map((member) => member.failed),
    ) ?? 0;
  assert.ok(Math.abs(auc(noise, 0) - 0.5) < 0.12);
  const telling = noise.map((member, at) => ({
    ...member,
    failed: (member.features.a as number) < 0.3 || at % 20 === 0,
  }));
  assert.ok(auc(telling, 0) > 0.85);
  // Only the middle fails: a straight line cannot say so, a broken one can.
  const middle = noise.map((member) => ({ ...member, failed: Math.abs((member.features.a as number) - 0.5) < 0.15 }));
  assert.ok(auc(middle, 3) > auc(middle, 0) + 0.2);
  const gaps = noise.map((member, at) => ({
    ...member,
    features: member.failed || at % 5 === 0 ? { b: 1 + (at % 7) } : { ...member.features },
  }));
  assert.ok(auc(gaps, 0) > 0.8);
});

test('boosting finds interactions of two columns, uses gaps as information, and has AUC 0.5 on noise', () => {
  const random = seededRandom(9);
  const noise = membersOf(400, () => ({ failed: random() < 0.3, features: { a: random(), b: random() } }));
  const auc = (members: readonly Member[]) =>
    aucOf(
      [...nestedBoosting(members, columnsOf(members), seededRandom(1))].map((chance) => -chance),
      members.map((member) => member.failed),
    ) ?? 0;
  assert.ok(Math.abs(auc(noise) - 0.5) < 0.12);
  const high = ({ features }: Member, id: string) => (features[id] as number) > 0.5;
  // One column alone is a coin here, and so is any sum of what each says.
  const crossed = noise.map((member) => ({ ...member, failed: high(member, 'a') !== high(member, 'b') }));
  assert.ok(auc(crossed) > 0.9, `${auc(crossed)}`);
  const linear = nestedLogistic(crossed, columnsOf(crossed), 3, seededRandom(1)).map((chance) => -chance);
  assert.ok(
    (aucOf(
      [...linear],
      crossed.map(({ failed }) => failed),
    ) ?? 1) < 0.65,
  );
  const gaps = noise.map((member, at) => ({
    ...member,
    features: member.failed || at % 5 === 0 ? { b: 1 + (at % 7) } : { ...member.features },
  }));
  assert.ok(auc(gaps) > 0.8);
});

test('the first tree takes a tenth of the step given by the derivatives of the loss', () => {
  const rows = Array.from({ length: 40 }, (_, at) => Uint8Array.of(at < 20 ? 0 : 1));
  const { start, trees } = fitTrees(
    rows,
    rows.map((_, at) => (at < 20 ? 1 : 0)),
    1,
  );
  // Even odds: each of the twenty on a side has a slope of half and a curvature of a quarter, and the penalty is one.
  assert.equal(start, 0);
  assert.deepEqual(trees[0]?.root, { column: 0, upTo: 0, missingBelow: false });
  assert.deepEqual(
    trees[0]?.sides.map(({ question, steps }) => [question, Number(steps[0].toFixed(9))]),
    [
      [null, Number((0.1 * (10 / 6)).toFixed(9))],
      [null, Number((-0.1 * (10 / 6)).toFixed(9))],
    ],
  );
  // Members of one outcome leave nothing to ask.
  assert.deepEqual(
    fitTrees(
      rows,
      rows.map(() => 1),
      1,
    ).trees,
    [],
  );
});

test('intervals draw whole groups, and a score less itself is nothing', () => {
  const random = seededRandom(5);
  const single = membersOf(120, (at) => ({ failed: at % 3 === 0 }));
  const scores = single.map(({ failed }) => random() + (failed ? 0 : 0.5));
  const wide = compared([scores, scores], single, 200, seededRandom(1));
  const width = ({ interval }: { interval: { low: number; high: number } }) => interval.high - interval.low;
  assert.deepEqual([wide.less[1]?.auc, wide.less[1]?.interval], [0, { low: 0, high: 0 }]);
  // Ten copies of each member in one group are ten members and no more evidence.
  const copied = [...single.keys()].flatMap((at) => Array.from({ length: 10 }, () => at));
  const members = copied.map((at, copy) => ({ ...(single[at] as Member), id: String(copy), group: String(at) }));
  const grouped = compared([copied.map((at) => scores[at] ?? 0)], members, 200, seededRandom(1));
  const apart = compared(
    [copied.map((at) => scores[at] ?? 0)],
    members.map((row) => ({ ...row, group: null })),
    200,
    seededRandom(1),
  );
  const [own, whole, loose] = [wide.own[0], grouped.own[0], apart.own[0]];
  assert.ok(own && whole && loose && Math.abs(width(whole) / width(own) - 1) < 0.3 && width(loose) < width(whole) / 2);
});

test('a variant is preferred only where no set loses by it', () => {
  const mapping = mapped({ features: { ts_lp_creator: { column: 'a' }, hd_count: { column: 'b' } }, quantities: {} });
  const random = seededRandom(2);
  // On one set the creator's share tells, on the other it tells the wrong way: more weight would help one and hurt the other.
  const made = (sign: number) =>
    membersOf(70, (at) => {
      const failed = at % 2 === 0;
      const share = failed === sign > 0 ? 0.5 + 0.5 * random() : 0.7 * random();
      return { failed, features: { ts_lp_creator: share, hd_count: 10 ** (2 + (failed ? 1 : 1.6) * random()) } };
    });
  const own = withoutFeature(methodology, 'gt_footprint');
  const sets = [1, -1].map((sign) => ({
    name: `set ${sign}`,
    mapping,
    members: made(sign),
    columns: [],
    rows: [],
    all: [],
  }));
  const both = acrossSets(sets, own, seededRandom(1));
  const one = acrossSets(sets.slice(0, 1), own, seededRandom(1));
  assert.ok(one.whole.worstGain > 0.001, `${one.whole.worstGain}`);
  assert.ok(both.whole.worstGain < one.whole.worstGain);
  // Each set that is left out gets what the other wants.
  assert.ok((both.withoutSet[1]?.chosen ?? 1) < (both.withoutSet[1]?.inForce ?? 0));
  for (const table of Object.values(own.featureTables))
    assert.ok(Math.abs(Object.values(table).reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
  assert.ok(!own.features.some(({ id }) => id === 'gt_footprint'));
});

test('a pool is read from its logs as of a day after its first liquidity', () => {
  const [zero, creator, buyer] = ['0x0000000000000000000000000000000000000000', '0xAA', '0xBB'];
  const locker = '0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214';
  const sync = (blockNumber: number, token: number, weth: number) => ({
    args: { reserve0: token, reserve1: weth * 1e18 },
    blockNumber,
    logIndex: 0,
  });
  const move = (blockNumber: number, from: string, to: string, value: number) => ({
    args: { from, to, value },
    blockNumber,
    logIndex: 0,
  });
  const day = [sync(100, 1_000, 10), sync(110, 900, 12), sync(120, 950, 11), sync(130, 1_900, 22)];
  const moves = [
    move(100, zero, zero, 1_000),
    move(100, zero, creator, 99_000),
    move(125, creator, locker, 50_000),
    move(130, zero, buyer, 100_000),
    move(140, buyer, '0xPOOL', 60_000),
    move(140, '0xPOOL', zero, 60_000),
  ];
  const last = 1e6;
  const alive = rowOf('0xPOOL', 1, [...day, sync(20_000, 1_900, 21)], moves, last);
  assert.ok(alive);
  assert.deepEqual([alive.weth, alive.buys, alive.sells, alive.volume_weth, alive.drained], [22, 1, 1, 3, 0]);
  assert.equal(alive.creator, '0xaa');
  const total = 1_000 + 99_000 + 100_000 - 60_000;
  assert.ok(Math.abs(alive.lp_creator_share - 49_000 / total) < 1e-12);
  assert.ok(Math.abs(alive.lp_locked_share - 51_000 / total) < 1e-12);
  assert.ok(Math.abs(alive.lp_burned_share - 1_000 / total) < 1e-12);
  assert.deepEqual([alive.lp_other_providers, alive.lp_second_provider_share], [1, 0]);
  assert.equal(rowOf('0xPOOL', 1, [...day, sync(20_000, 9_000, 2)], moves, last)?.drained, 1);
  // What comes after the week is not looked at; what is dead within the day, or followed for less than the week, is no row.
  assert.equal(rowOf('0xPOOL', 1, [...day, sync(90_000, 9_000, 2)], moves, last)?.drained, 0);
  assert.equal(rowOf('0xPOOL', 1, [...day, sync(200, 9_000, 0.5)], moves, last), null);
  assert.equal(rowOf('0xPOOL', 1, day, moves, 30_000), null);
});
