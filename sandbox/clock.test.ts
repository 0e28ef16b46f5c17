import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from './clock.ts';

test('the clock of the world can be moved and sped up, and never runs back', () => {
  let host = 1_000_000;
  const clock = createClock(() => host);
  host += 500;
  assert.equal(clock.now(), 1_000_500);
  assert.equal(clock.set({ advance_ms: 60_000, speed: 10 }), null);
  host += 1_000;
  assert.equal(clock.now(), 1_000_500 + 60_000 + 10_000);
  assert.equal(clock.set({ now: '1970-01-02T00:00:00Z', speed: 1 }), null);
  assert.equal(clock.now(), 86_400_000);
  for (const wrong of [
    null,
    [],
    'later',
    { now: 'never' },
    { now: 5 },
    { advance_ms: -1 },
    { advance_ms: '1' },
    { speed: 0 },
    { speed: 1e9 },
    { to: 1 },
    { now: '2200-01-01T00:00:00Z' },
  ])
    assert.equal(typeof clock.set(wrong), 'string', JSON.stringify(wrong));
  assert.equal(clock.now(), 86_400_000);
});
