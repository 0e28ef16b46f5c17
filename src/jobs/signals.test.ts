import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSignals } from './signals.ts';

test('progress notifies readers of events and not those that wait for the end; everything else notifies both', async () => {
  const told: string[] = [];
  const signals = createSignals((jobId, jobSignal) => told.push(`${jobId} ${jobSignal}`));
  const woken: string[] = [];
  const wait = (what: 'next' | 'nextEvent') => void signals[what]('job').then(() => woken.push(what));
  wait('next');
  wait('nextEvent');
  signals.notify('job', 'progress');
  await Promise.resolve().then(() => undefined);
  assert.deepEqual(woken, ['nextEvent']);
  wait('nextEvent');
  signals.onNotified('job', 'changed');
  await Promise.resolve().then(() => undefined);
  assert.deepEqual(woken.sort(), ['next', 'nextEvent', 'nextEvent']);
  assert.deepEqual(told, ['job progress'], 'what was heard is not told again');
});
