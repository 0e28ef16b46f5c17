import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { complaints } from '../../src/methodology/complaints.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { aucOf } from '../discrimination.ts';
import type { Member } from '../mapping.ts';
import { seededRandom } from '../random.ts';
import { aucOfPart, type Candidate, FITTED, foldKindOf, foldsOf, groupNameOf, placesOf, variantsOf } from './folds.ts';
import { acrossFiles, nestedOf } from './nested.ts';

const memberArbitrary = fc.record({
  group: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', null),
  featureAt: fc.constantFrom(1, 2, 3, 5, 8, 13, 21),
  failed: fc.boolean(),
});
const foldable = (rows: readonly { group: string | null; featureAt: number | null; failed: boolean }[]) =>
  rows.map((row, at) => ({ ...row, id: String(at), features: {}, quantities: {} }));

test('no creator and no moment is in two folds, and every member is in exactly one', () => {
  fc.assert(
    fc.property(
      fc.array(memberArbitrary, { minLength: 1, maxLength: 80 }),
      fc.constantFrom('creator' as const, 'time' as const, 'member' as const),
      fc.integer({ min: 2, max: 6 }),
      fc.nat(),
      (rows, kind, count, seed) => {
        const members = foldable(rows);
        const fold = foldsOf(members, kind, count, seededRandom(seed));
        assert.ok(fold.every((own) => own >= 0 && own < count) && fold.length === members.length);
        for (const own of Map.groupBy(members.keys(), (at) => groupNameOf(members[at] as never, kind)).values())
          assert.equal(new Set(own.map((at) => fold[at])).size, 1);
        if (kind === 'time')
          for (const [a, left] of members.entries())
            for (const [b, right] of members.entries())
              if ((fold[a] ?? 0) < (fold[b] ?? 0)) assert.ok((left.featureAt ?? 0) < (right.featureAt ?? 0));
      },
    ),
  );
});

test('folds go by creators where a file names them, else by time, else by members', () => {
  const one = { id: '1', group: null, featureAt: null, failed: true };
  assert.equal(foldKindOf([one]), 'member');
  assert.equal(foldKindOf([{ ...one, featureAt: 7 }]), 'time');
  assert.equal(foldKindOf([{ ...one, featureAt: 7 }, one]), 'member');
  assert.equal(foldKindOf([{ ...one, group: 'a', featureAt: 7 }]), 'creator');
});

/** A hundred and fifty members of fifty creators, a third of them failed. */
function membersFor(seed: number): readonly Member[] {
  const random = seededRandom(seed);
  return Array.from({ length: 150 }, (_, at) => ({
    id: String(at),
    group: `creator ${at % 50}`,
    class: 'default',
    failed: random() < 1 / 3,
    featureAt: null,
    outcomeAt: null,
    features: { x: at },
    quantities: {},
  }));
}
const candidate = (name: string, scores: readonly number[]): Candidate => ({
  name,
  published: placesOf(scores),
  ranked: placesOf(scores),
});
const planFor = (seed: number) => ({ outer: 5, inner: 4, bootstrap: 50, shuffles: 5, random: seededRandom(seed) });

test('the best of many rules that know nothing looks good on what it was chosen on, and is a coin when nested', () => {
  const found = Array.from({ length: 24 }, (_, seed) => {
    const members = membersFor(seed);
    const random = seededRandom(1_000 + seed);
    const rules = Array.from({ length: 40 }, (_, at) =>
      candidate(
        `rule ${at}`,
        members.map(() => random()),
      ),
    );
    return nestedOf(rules, members, planFor(seed));
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const nested = mean(found.map((row) => row.published.mean));
  assert.ok(Math.abs(nested - 0.5) < 0.025, `nested ${nested}`);
  assert.ok(mean(found.map((row) => row.resubstitution.auc)) > 0.58);
  assert.ok(mean(found.map((row) => row.optimism)) > 0.06);
  for (const row of found) assert.equal(row.checks.straddling, 0);
});

test('an informative rule is chosen in every fold, keeps its gain on held-out data, and loses it when outcomes are shuffled', () => {
  const members = membersFor(3);
  const random = seededRandom(9);
  const truth = members.map((member) => (member.failed ? 0 : 1) + 1.2 * random());
  const rules = [
    candidate(
      'in force',
      members.map(() => random()),
    ),
    candidate('telling', truth),
  ];
  const found = nestedOf(rules, members, planFor(1));
  assert.deepEqual(
    found.outerFolds.map((row) => row.chosen),
    new Array(5).fill('telling'),
  );
  assert.ok(found.published.mean > 0.8 && Math.abs(found.optimism) < 0.05);
  const { low, high } = found.published.interval ?? { low: 0, high: 0 };
  assert.ok(low < found.published.mean && found.published.mean < high);
  assert.ok(found.inForce.name === 'in force' && found.inForce.mean < 0.65);
  assert.ok(Math.abs(found.checks.shuffled.mean - 0.5) < 0.1);
  assert.equal(found.forward, null);
});

test('the one in force stays where no other is better', () => {
  const members = membersFor(5);
  const scores = members.map((member) => (member.failed ? 0 : 1));
  const same = ['in force', 'its equal'].map((name) => candidate(name, scores));
  assert.ok(nestedOf(same, members, planFor(1)).outerFolds.every((row) => row.chosen === 'in force'));
});

test('a stretch of time is rated by what the stretches before it would have chosen', () => {
  // Two rules: the first is right in the first half of all time, the second in the second half.
  const members = membersFor(7).map((member, at) => ({ ...member, group: null, featureAt: at }));
  const right = (member: Member) => (member.failed ? 0 : 1);
  const early = candidate(
    'early',
    members.map((member, at) => (at < 75 ? right(member) : 1 - right(member))),
  );
  const late = candidate(
    'late',
    members.map((member, at) => (at < 75 ? 1 - right(member) : right(member))),
  );
  const found = nestedOf([early, late], members, planFor(1));
  assert.equal(found.by, 'time');
  // Stretches 2 to 5 of 30: right, half right, wrong, and wrong or right as the past leaves it.
  assert.ok((found.forward?.mean ?? 1) < 0.75);
  assert.equal(found.forward?.folds, 4);
});

test('files that are small, one-sided or of one creator give figures or nothing, never nonsense', () => {
  fc.assert(
    fc.property(fc.array(memberArbitrary, { minLength: 2, maxLength: 12 }), fc.nat(), (rows, seed) => {
      const members = foldable(rows);
      const random = seededRandom(seed);
      const rules = ['one', 'two'].map((name) =>
        candidate(
          name,
          members.map(() => Math.floor(3 * random())),
        ),
      );
      const found = nestedOf(rules, members, { ...planFor(seed), bootstrap: 5, shuffles: 2 });
      const figures = [found.published.mean, found.ranked.mean, found.inForce.mean, found.resubstitution.auc];
      for (const auc of [...figures, found.checks.shuffled.mean]) assert.ok(auc >= 0 && auc <= 1, String(auc));
      assert.equal(
        found.outerFolds.reduce((sum, fold) => sum + fold.members, 0),
        rows.length,
      );
      assert.ok(!JSON.stringify(found).includes('null,"spread":null'));
    }),
    { numRuns: 60 },
  );
});

test('the AUC of a part is the AUC of its rows', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean()), { maxLength: 40 }), (rows) => {
      const scores = rows.map(([score]) => score);
      const failed = rows.map(([, own]) => own);
      const part = rows.flatMap((_, at) => (at % 3 === 0 ? [] : [at]));
      const expected = aucOf(
        part.map((at) => scores[at] ?? 0),
        part.map((at) => failed[at] ?? false),
      );
      const found = aucOfPart(placesOf(scores), part, failed);
      assert.ok(expected === null ? found === null : Math.abs((found ?? 0) - expected) < 1e-12);
    }),
  );
});

test('every variant of the grid is a methodology that could be put in force', () => {
  const methodology = loadMethodology();
  const variants = variantsOf(methodology);
  assert.equal(variants[0]?.methodology, methodology);
  assert.equal(new Set(variants.map((row) => row.name)).size, variants.length);
  assert.ok(variants.length < 80);
  for (const { name, methodology: own } of variants.slice(1)) {
    const { hash: _, calibration: __, ...file } = own;
    assert.deepEqual(complaints(JSON.parse(JSON.stringify(file))), [], name);
  }
  for (const id of FITTED)
    assert.ok(
      methodology.features.some((row) => row.id === id),
      id,
    );
});

test('each file is measured with what the other files would have chosen', () => {
  const report = (name: string, aucs: readonly number[]) => ({
    name,
    nested: { variants: aucs.map((auc, at) => ({ name: `v${at}`, auc, chosen: 0 })) } as never,
  });
  const found = acrossFiles([
    report('one', [0.6, 0.9, 0.7]),
    report('two', [0.6, 0.5, 0.8]),
    report('three', [0.6, 0.55, 0.7]),
  ]);
  assert.deepEqual(
    found.map((row) => [row.dataSet, row.chosen, row.auc, row.inForce]),
    [
      ['one', 'v2', 0.7, 0.6],
      ['two', 'v1', 0.5, 0.6],
      ['three', 'v2', 0.7, 0.6],
    ],
  );
  assert.deepEqual(acrossFiles([report('alone', [0.6])]), []);
});
