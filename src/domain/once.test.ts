import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oncePer } from './once.ts';

test('a result is computed once for each argument, also one that is null', () => {
  let calls = 0;
  const firstOf = oncePer((list: readonly string[]) => {
    calls += 1;
    return list[0] ?? null;
  });
  const [full, empty] = [['a', 'b'], []];
  assert.deepEqual([firstOf(full), firstOf(empty), firstOf(full), firstOf(empty)], ['a', null, 'a', null]);
  assert.equal(calls, 2);
  assert.equal(firstOf(['a', 'b']), 'a');
  assert.equal(calls, 3, 'another object is another argument');
});
