import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPreferences } from './preferences.ts';

test('respond-async and wait are read in any order, case and spelling the RFC allows', () => {
  assert.deepEqual(readPreferences('respond-async, wait=10'), { respondAsync: true, waitSeconds: 10 });
  assert.deepEqual(readPreferences('Wait="5"; foo'), { respondAsync: false, waitSeconds: 5 });
  assert.deepEqual(readPreferences(['respond-async', 'wait=3']), { respondAsync: true, waitSeconds: 3 });
});

test('what is not understood is ignored', () => {
  for (const header of [undefined, '', 'wait=-1', 'wait=abc', 'handling=lenient', 'respond-asynchronously'])
    assert.deepEqual(readPreferences(header), { respondAsync: false, waitSeconds: null }, String(header));
});
