import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killService } from './support/kills.ts';

test('kill -9 while scoring: every accepted job ends, none is lost, and the next start needs no hand', async (t) => {
  const found = await killService(3);
  t.diagnostic(JSON.stringify(found));
  assert.ok(found.accepted >= 15, String(found.accepted));
  assert.deepEqual([found.lost, found.stuck, found.holes, found.exitCode], [0, 0, 0, 0]);
  for (const state of Object.keys(found.states)) assert.ok(['succeeded', 'failed'].includes(state), state);
});
