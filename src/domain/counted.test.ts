import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, inNumber } from './counted.ts';

test('nouns are put into the singular after 1, and only there', () => {
  for (const [text, shown] of [
    ['1 pools read from the chain', '1 pool read from the chain'],
    ['top lists of 1 families, by owner', 'top lists of 1 family, by owner'],
    ['no audit found on the website and in 1 registries', 'no audit found on the website and in 1 registry'],
    ['0.3 from 1 of 1 features', '0.3 from 1 of 1 feature'],
    ['21 pools, 0.1 points, 1,001 days, 2.1 hours', '21 pools, 0.1 points, 1,001 days, 2.1 hours'],
    ['1 is, 1 was, 1 holds', '1 is, 1 was, 1 holds'],
  ] as const)
    assert.equal(inNumber(text), shown);
  assert.deepEqual(
    [0, 1, 2].map((count) => counted(count, 'reply', 'replies')),
    ['0 replies', '1 reply', '2 replies'],
  );
});
