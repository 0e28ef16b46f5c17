import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exactTokensOf, readRaw, sharePctOf, tokensOf } from './read.ts';

test('whole tokens are the nearest double to the exact quotient', () => {
  assert.equal(tokensOf(1n, 18), 1e-18);
  assert.equal(tokensOf(18_446_744_073_709_551_615n, 9), Number('18446744073.709551615'));
  assert.equal(tokensOf(5n, 0), 5);
  assert.equal(tokensOf(0n, 255), 0);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }), (raw) => assert.equal(tokensOf(raw, 0), Number(raw))),
  );
});

test('decimals that are none give no amount', () => {
  for (const decimals of [-1, 1.5, 256, Number.NaN]) {
    assert.equal(tokensOf(1n, decimals), null);
    assert.equal(exactTokensOf(1n, decimals), null);
  }
});

test('exact tokens lose no digit of 256 bits, and have as many places as the token', () => {
  assert.equal(exactTokensOf(5n, 0), '5');
  assert.equal(exactTokensOf(1n, 3), '0.001');
  assert.equal(exactTokensOf(1_000n, 3), '1.000');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 255 }), (raw, decimals) => {
      const [whole = '', rest = ''] = (exactTokensOf(raw, decimals) ?? '').split('.');
      assert.deepEqual([rest.length, BigInt(whole + rest)], [decimals, raw]);
    }),
  );
});

test('a share is between 0 and 100 percent, or not known', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.bigInt({ min: 0n, max: 2n ** 64n }), (part, whole) => {
      const share = sharePctOf(part, whole);
      assert.equal(share === null, whole === 0n || part > whole);
      if (share !== null) assert.ok(Math.abs(share - (Number(part) / Number(whole)) * 100) < 1e-6);
    }),
  );
});

test('only digits are an amount', () => {
  assert.equal(readRaw('007'), 7n);
  for (const value of ['', '-1', '1.5', '1e5', '0x10', 5, null, '9'.repeat(79)])
    assert.equal(readRaw(value), null, String(value));
});
