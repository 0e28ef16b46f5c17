import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  consistencyProof,
  EMPTY_ROOT,
  Frontier,
  type Hash,
  hashLeaf,
  hashNode,
  inclusionProof,
  isConsistent,
  isIncluded,
  splitOf,
} from './merkle.ts';

/** The definition of RFC 6962, 2.1, word by word. */
function rootOf(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return EMPTY_ROOT;
  if (leaves.length === 1) return leaves[0] as Hash;
  const half = splitOf(leaves.length);
  return hashNode(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

const leavesOf = (size: number) => Array.from({ length: size }, (_, index) => hashLeaf(Buffer.from(`leaf ${index}`)));
const subtreeOf = (leaves: readonly Hash[]) => async (from: number, to: number) => rootOf(leaves.slice(from, to));
const hex = (hash: Hash) => Buffer.from(hash).toString('hex');

test('roots are those of the test vectors of Certificate Transparency', () => {
  const inputs = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ].map((input) => hashLeaf(Buffer.from(input, 'hex')));
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const frontier = new Frontier();
  assert.equal(hex(frontier.root()), roots[0]);
  inputs.forEach((leaf, index) => {
    frontier.add(leaf);
    assert.equal(hex(frontier.root()), roots[index + 1]);
  });
});

test('every leaf of every tree of up to 70 leaves is proved, and by no other leaf, place or size', async () => {
  for (let size = 1; size <= 70; size += 1) {
    const leaves = leavesOf(size);
    const root = rootOf(leaves);
    for (let index = 0; index < size; index += 1) {
      const path = await inclusionProof(index, size, subtreeOf(leaves));
      const leaf = leaves[index] as Hash;
      assert.ok(isIncluded(leaf, index, size, path, root));
      assert.ok(!isIncluded(hashLeaf(Buffer.from('other')), index, size, path, root));
      if (size > 1) assert.ok(!isIncluded(leaf, (index + 1) % size, size, path, root));
      assert.ok(!isIncluded(leaf, index, size, [...path, root], root));
      if (path.length > 0) assert.ok(!isIncluded(leaf, index, size, path.slice(1), root));
    }
  }
});

test('every pair of trees of up to 40 leaves is proved consistent, and none with a leaf that was changed', async () => {
  for (let size = 0; size <= 40; size += 1) {
    const leaves = leavesOf(size);
    const now = { size, root: rootOf(leaves) };
    for (let before = 0; before <= size; before += 1) {
      const path = await consistencyProof(before, size, subtreeOf(leaves));
      const older = { size: before, root: rootOf(leaves.slice(0, before)) };
      assert.ok(isConsistent(older, now, path), `${before} of ${size}`);
      assert.ok(!isConsistent(older, now, [...path, now.root]));
      if (before === 0) continue;
      const changed = leaves.with(before - 1, hashLeaf(Buffer.from('changed')));
      const forged = { size, root: rootOf(changed) };
      assert.ok(!isConsistent(older, forged, await consistencyProof(before, size, subtreeOf(changed))));
    }
  }
});

test('a tree continued from its parts has the root of one built at once', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (first, second) => {
      const leaves = leavesOf(first + second);
      const one = new Frontier();
      for (const leaf of leaves.slice(0, first)) one.add(leaf);
      const other = new Frontier(one.size, one.parts);
      for (const leaf of leaves.slice(first)) other.add(leaf);
      assert.equal(hex(other.root()), hex(rootOf(leaves)));
    }),
    { numRuns: 60 },
  );
  assert.throws(() => new Frontier(3, [EMPTY_ROOT]), /1 parts do not make 3 leaves/);
});
