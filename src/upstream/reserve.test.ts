import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget } from './budget.ts';
import type { RequestPriority } from './types.ts';

const never = new AbortController().signal;
/** The clock stands still: a turn that is not there now will not come. */
const STILL = () => 0;
const SLOW = { perMinute: 0.01, burst: 5, concurrency: 10, shareSeconds: 0 };

test('optional questions leave a part of the budget to critical ones, and background work leaves more', async () => {
  for (const [priority, turns] of [
    ['spare', 1],
    ['background', 2],
    ['normal', 3],
    ['critical', 5],
  ] as const) {
    const budget = createBudget(SLOW, STILL);
    let had = 0;
    while ((await budget.acquire(STILL(), never, priority)).ok) had += 1;
    assert.equal(had, turns, priority);
    const left = await budget.acquire(STILL(), never, 'critical');
    assert.equal(left.ok, turns < SLOW.burst, `critical after ${priority}`);
  }
});

test('waiting requests are served by priority, in any order of arrival', async () => {
  const budget = createBudget({ perMinute: 6_000, burst: 1, concurrency: 1, shareSeconds: 0 }, Date.now);
  const first = await budget.acquire(Date.now() + 1_000, never);
  const order: RequestPriority[] = [];
  const wait = async (priority: RequestPriority) => {
    const turn = await budget.acquire(Date.now() + 5_000, never, priority);
    assert.ok(turn.ok);
    order.push(priority);
    turn.release();
  };
  const all = [wait('background'), wait('normal'), wait('critical'), wait('normal')];
  if (first.ok) first.release();
  await Promise.all(all);
  assert.deepEqual(order, ['critical', 'normal', 'normal', 'background']);
});
