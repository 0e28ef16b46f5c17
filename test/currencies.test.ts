import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateInSandbox } from './support/sandbox-rating.ts';

/** What a coin of another currency or of a metal is worth, from replies of all sources to its rating. */
const valued = (slug: string) => {
  const { rating } = rateInSandbox(slug);
  return { rating, codes: rating.flags.map(({ code }) => code) };
};

test('a euro is measured in euros: it is fair at its peg, and the rate of the euro is no departure from a dollar', () => {
  const { rating, codes } = valued('lindenmere-euro');
  assert.equal(rating.class, 'stable_fiat');
  assert.match(rating.band, /^A/);
  assert.deepEqual([rating.vfr.method, rating.vfr.zone], ['peg', 'FAIR']);
  assert.ok(Math.abs((rating.vfr.value ?? 0) - 1) < 0.005, `${rating.vfr.value}`);
  assert.match(rating.vfr.notes.join(' '), /one EUR is taken for 1\.125 USD/);
  assert.deepEqual(
    codes.filter((code) => code.startsWith('DEPEG')),
    [],
  );
});

test('a coin of gold without a symbol that shows it is measured in ounces, because the row of its issuer names the metal', () => {
  const { rating, codes } = valued('vaultbrook-gold');
  assert.equal(rating.class, 'commodity');
  assert.match(rating.band, /^A/);
  assert.deepEqual([rating.vfr.method, rating.vfr.zone], ['peg', 'FAIR']);
  assert.ok(Math.abs((rating.vfr.value ?? 0) - 1) < 0.01, `${rating.vfr.value}`);
  assert.match(rating.vfr.notes.join(' '), /one XAU is taken for 4000 USD/);
  assert.deepEqual(
    codes.filter((code) => code.startsWith('DEPEG')),
    [],
  );
});
