import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEventWatch } from './events.ts';

const MINUTE = 60_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('turns that take longer than their interval do not queue up, and a slow one delays no other for long', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const ended: (() => void)[] = [];
  let lists = 0;
  const watch = openEventWatch(
    {} as never,
    [],
    async () => {
      lists += 1;
      return null;
    },
    () => new Promise<void>((resolve) => ended.push(resolve)),
    () => 0,
    (error) => assert.fail(String(error)),
  );
  watch.start();
  // An hour in which one launch is read.
  for (let minute = 0; minute < 60; minute += 1) {
    t.mock.timers.tick(MINUTE);
    await settled();
  }
  assert.equal(ended.length, 1);
  ended[0]?.();
  await settled();
  assert.equal(lists, 1, 'the list of exploits is read once for the hour');
  assert.equal(ended.length, 1, 'the next launch is read at its own time, not for each minute that passed');
  t.mock.timers.tick(MINUTE);
  await settled();
  assert.equal(ended.length, 2);
  ended[1]?.();
  await watch.close();
});
