import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../src/methodology/load.ts';
import { type Mapping, type Member, readMapping } from './mapping.ts';
import { notRatedOf } from './not-rated.ts';
import { seededRandom } from './random.ts';
import { scoreMember } from './score-member.ts';

const methodology = loadMethodology();
const given = {
  name: 'made',
  title: 'Made members',
  file: 'made.csv',
  id: 'id',
  outcome: { column: 'fate', failed: ['dead'], survived: ['alive'] },
  quantities: {
    price_usd: { column: 'price' },
    volume_24h_usd: { column: 'volume' },
    circulating_supply: { column: 'supply' },
    market_cap_usd: { column: 'cap' },
  },
};

function mappingOf(json: unknown): Mapping {
  const read = readMapping(json, methodology);
  assert.ok(read.ok);
  return read.value;
}

/** Small ones fail; every one has price, volume and supply. */
function membersOf(count: number): readonly Member[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `m${at}`,
    group: null,
    class: 'default' as const,
    failed: at % 4 === 0,
    featureAt: null,
    outcomeAt: null,
    features: {},
    quantities: {
      price_usd: 1,
      volume_24h_usd: at % 4 === 0 ? 2_000 : 50_000_000,
      circulating_supply: 1_000_000,
      market_cap_usd: at % 4 === 0 ? 500_000 : 1_000_000_000,
    },
  }));
}

function notRated(members: readonly Member[], mapping = mappingOf(given)) {
  const scored = members.map((member) => scoreMember(member, mapping, methodology));
  return notRatedOf(members, scored, mapping, methodology, seededRandom(1));
}

test('members whose critical facts are known are rated, and those of a file without them are all refused', () => {
  const [asItIs] = notRated(membersOf(40)).variants;
  assert.deepEqual([asItIs?.refused.share, asItIs?.refusedForFacts.share], [0, 0]);
  const { price_usd: _price, ...rest } = given.quantities;
  const bare = membersOf(40).map((member) => {
    const { price_usd: _own, ...quantities } = member.quantities;
    return { ...member, quantities };
  });
  const found = notRated(bare, mappingOf({ ...given, quantities: rest }));
  assert.deepEqual(
    found.variants.map(({ name, refusedForFacts }) => [name, refusedForFacts.share]),
    [['as it is', 1]],
  );
  assert.equal(found.variants[0]?.refused.share, 1);
  assert.deepEqual(found.curve, []);
});

test('the live rule refuses at least those whose facts are missing, and missing facts of the failed make refusals right more often', () => {
  const [, random, silent] = notRated(membersOf(400)).variants;
  assert.ok(random && silent);
  for (const row of [random, silent]) assert.ok((row.refused.share ?? 0) >= (row.refusedForFacts.share ?? 1));
  // Three facts, each kept with 3/4: 42 % keep all.
  assert.ok(Math.abs((random.refusedForFacts.share ?? 0) - 0.58) < 0.08, String(random.refusedForFacts.share));
  assert.ok(Math.abs((random.refusedMembers.failed.share ?? 0) - 0.25) < 0.08);
  assert.ok((silent.refusedMembers.failed.share ?? 0) > 0.4, String(silent.refusedMembers.failed.share));
  assert.ok((silent.ratedMembers.failed.share ?? 1) < 0.08);
});

test('a member without its separating fact is misclassified, a refusal counts once, and rated members are not counted', () => {
  const [, random] = notRated(membersOf(400)).variants;
  assert.ok(random);
  const { failed, misplaced, either } = random.refusedMembers;
  assert.ok((misplaced.share ?? 0) > 0);
  assert.ok((either.share ?? 0) >= Math.max(failed.share ?? 0, misplaced.share ?? 0));
  assert.ok((either.share ?? 1) <= (failed.share ?? 0) + (misplaced.share ?? 0) + 1e-9);
  assert.equal(random.ratedMembers.misplaced.share, 0);
});

test('the curve runs from the most trusted members to all of them, independent of the order of the file', () => {
  // Survivors first, as a list by size has them.
  const sorted = membersOf(400).toSorted((a, b) => Number(a.failed) - Number(b.failed));
  const { curve, members } = notRated(sorted);
  assert.deepEqual([members, curve.at(-1)?.coverage], [400, 1]);
  assert.ok(curve.length > 1 && curve.length <= 20, String(curve.length));
  for (const [index, point] of curve.slice(1).entries()) {
    assert.ok(point.leastTrust < (curve[index]?.leastTrust ?? 0), 'members of one trust stand together');
    assert.ok(point.coverage > (curve[index]?.coverage ?? 1));
  }
  // Facts were taken from all alike, so that trust says nothing of the fate.
  for (const point of curve.filter(({ coverage }) => coverage > 0.3))
    assert.ok(Math.abs(point.failed - 0.25) < 0.1, JSON.stringify(point));
});
