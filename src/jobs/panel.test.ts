import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedPanel } from './peers.ts';

const at = (seconds: number) => new Date(1.8e12 + 1_000 * seconds).toISOString();

test('jobs of half a minute share a panel, and none gets one of a later moment', async () => {
  const asked: string[] = [];
  const panel = sharedPanel(async (asOf) => {
    asked.push(asOf);
    return [];
  }, 30_000);
  await Promise.all([panel(at(0)), panel(at(1)), panel(at(29))]);
  assert.deepEqual(asked, [at(0)]);
  await panel(at(31));
  await panel(at(20));
  assert.deepEqual(asked, [at(0), at(31), at(20)]);
});

test('a panel that could not be read is read again', async () => {
  let calls = 0;
  const panel = sharedPanel(async () => {
    calls++;
    if (calls === 1) throw new Error('down');
    return [];
  }, 30_000);
  await assert.rejects(panel(at(0)), /down/);
  assert.deepEqual(await panel(at(1)), []);
});
