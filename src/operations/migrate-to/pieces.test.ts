import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Part } from '../../store/index.ts';
import { groupsOf } from './pieces.ts';

const part = (name: string): Part => ({ name, table: name, columns: ['id'], binary: new Set() });

test('small tables are moved together up to a piece, a larger one alone; empty ones take no room', () => {
  const sizes = { a: 40, b: 0, c: 60, d: 10, e: 500, f: 0, g: 100 };
  const groups = groupsOf(
    Object.keys(sizes).map(part),
    // An empty table has 8 kB of an index already.
    new Map(Object.entries(sizes).map(([name, bytes]) => [name, { pages: bytes, bytes: bytes || 8_192 }])),
    100,
  );
  assert.deepEqual(
    groups.map((group) => group.map(({ name }) => name)),
    [['a', 'b', 'c'], ['d'], ['e'], ['f', 'g']],
  );
  assert.deepEqual(groupsOf([], new Map(), 100), []);
});
