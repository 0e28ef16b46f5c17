import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSourceTitles } from './source-titles.ts';

const TITLES = new Map([
  ['honeypot_is', 'Honeypot.is'],
  ['goplus', 'GoPlus Security'],
]);

test('lists of sources are shown by their titles', () => {
  assert.equal(withSourceTitles('selling fails (honeypot_is)', TITLES), 'selling fails (Honeypot.is)');
  assert.equal(withSourceTitles('linked wallets (goplus alone)', TITLES), 'linked wallets (GoPlus Security alone)');
  assert.equal(
    withSourceTitles('a tax of 12 % (goplus, honeypot_is); outvoted: goplus', TITLES),
    'a tax of 12 % (GoPlus Security, Honeypot.is); outvoted: GoPlus Security',
  );
});

test('a list with any other word is unchanged', () => {
  for (const text of ['one key (eoa)', '3 pools (goplus, unheard)', 'goplus', '(constructor)', 'one key (eoa alone)'])
    assert.equal(withSourceTitles(text, TITLES), text);
});
