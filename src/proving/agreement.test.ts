import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from '../methodology/index.ts';
import { disagreements } from './agreement.ts';
import { RULES } from './finding.ts';
import type { Reading } from './request-panel.ts';

function reading(source: string, at: string, value: number): Reading {
  const observation = { source, family: source, quantity: 'price_usd', value, scope: 'asset', unit: 'usd' };
  return {
    asset: { id: 'a', name: 'A', known: [] },
    source: { name: source },
    endpoint: { name: 'price' },
    at,
    answer: { observations: [observation] },
  } as unknown as Reading;
}
const found = (...readings: readonly Reading[]) =>
  disagreements(readings, loadMethodology(), RULES).map(({ source, kind }) => `${source} ${kind}`);

test('replies of one run are compared, also when the hour changes while it lasts', () => {
  const run = (minute: string) => [
    reading('one', `2026-06-01T10:${minute}:58.000Z`, 1),
    reading('two', `2026-06-01T10:${minute}:59.000Z`, 1),
    reading('three', '2026-06-01T11:00:02.000Z', 10),
  ];
  assert.deepEqual(found(...run('59')), ['three disagreement']);
});

test('replies of hours apart are not compared', () => {
  const apart = [reading('one', '2026-06-01T10:00:00.000Z', 1), reading('two', '2026-06-01T11:00:01.000Z', 10)];
  assert.deepEqual(found(...apart), []);
});
