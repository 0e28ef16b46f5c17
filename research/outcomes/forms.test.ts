import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member } from '../mapping.ts';
import { seededRandom } from '../random.ts';
import { chosenForms } from './forms.ts';

const START = Date.parse('2021-09-01');

/** Pools of 150 creators over a hundred days; a creator's pools are years apart in nothing but days. */
function madePools(): readonly Member[] {
  const random = seededRandom(2);
  return Array.from({ length: 600 }, (_, at) => ({
    id: String(at),
    group: `creator ${at % 150}`,
    class: 'default' as const,
    failed: random() < 0.4,
    featureAt: START + Math.floor(100 * random()) * 86_400_000,
    outcomeAt: null,
    features: {},
    quantities: {},
  }));
}

function formOf(name: string, members: readonly Member[], telling: number, seed: number) {
  const random = seededRandom(seed);
  const scores = members.map(({ failed }) => random() - (failed ? telling : 0));
  return { name, published: scores, uncapped: scores };
}

test('a more informative form is chosen in every stretch, by other and by earlier stretches, and gains what it adds', () => {
  const members = madePools();
  const forms = [
    formOf('in force', members, 0.2, 1),
    formOf('worse', members, 0, 2),
    formOf('better', members, 0.5, 3),
  ];
  const found = chosenForms(forms, members, 200, seededRandom(1));
  assert.equal(found.chosen.length, 5);
  assert.ok(found.chosen.every(({ byOthers }) => byOthers === 'better'));
  assert.deepEqual(
    found.chosen.map(({ byEarlier }) => byEarlier),
    [null, ...Array<string>(4).fill('better')],
  );
  for (const gain of [found.gain, found.forward])
    assert.ok(
      gain.auc > 0.1 && gain.interval.low > 0.05 && gain.interval.low < gain.auc && gain.auc < gain.interval.high,
    );
  const [own, worse, better] = found.fixed;
  assert.deepEqual([own?.published.auc, own?.published.interval], [0, { low: 0, high: 0 }]);
  assert.ok((worse?.published.auc ?? 0) < -0.05 && (better?.uncapped.auc ?? 0) > 0.1);
});

test('the best of many uninformative forms gains nothing on held-out data', () => {
  const members = madePools();
  const force = formOf('in force', members, 0.3, 1);
  const random = seededRandom(7);
  const shaken = Array.from({ length: 40 }, (_, at) => {
    const scores = force.published.map((score) => score + 0.2 * (random() - 0.5));
    return { name: `shaken ${at}`, published: scores, uncapped: scores };
  });
  const found = chosenForms([force, ...shaken], members, 200, seededRandom(1));
  const best = Math.max(...found.fixed.map(({ published }) => published.auc));
  assert.ok(found.gain.auc < Math.max(0.005, best), `${found.gain.auc} of ${best}`);
  assert.ok(found.gain.interval.low < 0.003, JSON.stringify(found.gain));
});

test('pools of one creator are in one stretch, that of their first pool', () => {
  const members = madePools().map((member) => ({
    ...member,
    group: Number(member.id) < 300 ? 'serial' : member.group,
  }));
  const found = chosenForms([formOf('in force', members, 0.2, 1)], members, 2, seededRandom(1));
  const first = members.reduce((least, { featureAt }) => Math.min(least, featureAt ?? 0), Number.POSITIVE_INFINITY);
  assert.equal(found.chosen[0]?.stretch, new Date(first).toISOString().slice(0, 10));
  // Half of all stand in the first stretch, and the next ones begin after it was filled: fewer are left.
  assert.ok(found.chosen.filter(({ stretch }) => stretch === '-').length >= 1);
});
