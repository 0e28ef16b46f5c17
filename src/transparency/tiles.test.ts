import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { consistencyProof, Frontier, type Hash, hashLeaf, inclusionProof, isConsistent, isIncluded } from './merkle.ts';
import { hashTile, leafInput, subtreesOf, TILE_WIDTH } from './tiles.ts';

/** Levels of tiles over as many leaves, whole tiles alone above the first. */
function levelsOf(size: number): readonly (readonly Hash[])[] {
  const levels: Hash[][] = [Array.from({ length: size }, (_, index) => hashLeaf(Buffer.from(`leaf ${index}`)))];
  for (let row = levels[0] ?? []; row.length >= TILE_WIDTH; row = levels.at(-1) ?? [])
    levels.push(
      Array.from({ length: Math.floor(row.length / TILE_WIDTH) }, (_, index) =>
        hashTile(row.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH)),
      ),
    );
  return levels;
}

test('proofs out of tiles hold in a log of 70,000 ratings, by few reads of at most a tile each', async () => {
  const size = 70_000;
  const levels = levelsOf(size);
  assert.deepEqual(
    levels.map((row) => row.length),
    [70_000, 273, 1],
  );
  const frontier = new Frontier();
  const roots = new Map<number, Hash>();
  for (const [index, leaf] of (levels[0] ?? []).entries()) {
    frontier.add(leaf);
    if ([1, 255, 256, 257, 65_535, 65_536, 65_537, size].includes(index + 1)) roots.set(index + 1, frontier.root());
  }
  const root = roots.get(size) as Hash;
  let reads = 0;
  const subtree = () =>
    subtreesOf(async (level, from, to) => {
      reads += 1;
      assert.ok(to - from <= TILE_WIDTH);
      return (levels[level] ?? []).slice(from, to);
    });
  for (const index of [0, 255, 256, 40_000, 65_535, 65_536, 69_999]) {
    reads = 0;
    const path = await inclusionProof(index, size, subtree());
    assert.ok(isIncluded(levels[0]?.[index] as Hash, index, size, path, root), `leaf ${index}`);
    assert.ok(reads < 40, `${reads} reads`);
  }
  for (const [before, older] of roots) {
    const path = await consistencyProof(before, size, subtree());
    assert.ok(isConsistent({ size: before, root: older }, { size, root }, path), `tree of ${before}`);
  }
});

test('a tile that was read in part makes no proof', async () => {
  const subtree = subtreesOf(async () => []);
  await assert.rejects(subtree(0, 256), /0 of 1 hashes of the log were read/);
});

test('a leaf is canonical JSON', () => {
  const entry = { asset: 'project:ex"ämple.com', asOf: '2026-11-24T00:00:00.000Z', recordSha256: 'ab'.repeat(32) };
  assert.equal(
    leafInput(entry).toString(),
    canonicalize({ record_sha256: entry.recordSha256, asset: entry.asset, as_of: entry.asOf }),
  );
});
