import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlockTrail } from './chain-watch.ts';

const head = (number: number, fork = 'a', parentFork = fork) => ({
  number,
  hash: `${fork}${number}`,
  parentHash: `${parentFork}${number - 1}`,
});
const at = (block: number, pool = 'pool', removed = false) => ({ pool, block, removed });

test('a head that does not follow the one before takes the notifications of its block with it', () => {
  const trail = createBlockTrail();
  for (const number of [10, 11, 12]) {
    assert.equal(trail.head(head(number)), null);
    assert.equal(trail.happened(at(number, `pool${number}`)), null);
  }
  // The same head again, and one after a gap, say nothing.
  assert.equal(trail.head(head(12)), null);
  const replaced = trail.head(head(12, 'b', 'a'));
  assert.deepEqual([replaced?.block, [...(replaced?.pools ?? [])]], [12, ['pool12']]);
  assert.equal(trail.head(head(15)), null);
  assert.deepEqual([...(trail.head(head(11, 'c', 'a'))?.pools ?? [])], ['pool11']);
});

test('the head of a node that is late replaces nothing; one that contradicts a block seen does', () => {
  const seen = () => {
    const trail = createBlockTrail();
    for (const number of [10, 13]) {
      trail.head(head(number));
      trail.happened(at(number, `pool${number}`));
    }
    trail.happened(at(12, 'pool12'));
    return trail;
  };
  const late = seen();
  for (const number of [11, 12, 13, 14]) assert.equal(late.head(head(number)), null, `block ${number}`);
  assert.deepEqual([...(late.head(head(12, 'b', 'a'))?.pools ?? [])].sort(), ['pool12', 'pool13']);
  // Block 13 names another parent.
  assert.deepEqual([...(seen().head(head(12, 'b'))?.pools ?? [])].sort(), ['pool12', 'pool13']);
});

test('a parent other than the one seen replaces its block, and nothing is reported twice', () => {
  const trail = createBlockTrail();
  trail.head(head(10));
  trail.happened(at(10));
  const gone = trail.head(head(11, 'b'));
  assert.deepEqual([gone?.block, [...(gone?.pools ?? [])]], [10, ['pool']]);
  assert.equal(trail.head(head(10, 'b')), null);
  assert.deepEqual([...(trail.happened(at(11, 'other', true))?.pools ?? [])], ['other']);
});
