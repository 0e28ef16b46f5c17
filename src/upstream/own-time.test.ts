import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownTime } from './fixtures/own-time.ts';

test('time that our code takes or waits counts, and the clock never runs ahead of the real one', async () => {
  const [startedAt, passed] = [performance.now(), ownTime()];
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const until = process.cpuUsage().user + 30_000; process.cpuUsage().user < until; );
  const own = passed();
  assert.ok(own <= performance.now() - startedAt);
  assert.ok(own >= 29, `${own} ms`);
});
