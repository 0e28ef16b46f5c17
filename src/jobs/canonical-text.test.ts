import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalText } from './canonical-text.ts';

const names = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '10', '9', 'a', 'B', '\u20ac', '\ud83d\ude00', '\ufb33', '__proto__', 'constructor', 'toJSON'),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, undefined, -0, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary' }),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 8 }).map((rows) => Object.fromEntries(rows)),
  ),
}));

test('the text is the one the canonicalize package gives, whatever the names, numbers and strings', () => {
  fc.assert(
    fc.property(values, (value) => {
      assert.equal(canonicalText(value), canonicalize(value) ?? '');
    }),
    { numRuns: 2000 },
  );
});

test('what is in order already and what is not give one text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalText(value);
      assert.equal(canonicalText(JSON.parse(text)), text);
    }),
  );
});

test('what has no canonical form is refused, at any depth and also as a name', () => {
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', 'a\udc00b', { '\ud800': 1 }])
    for (const value of [odd, [odd], { a: { b: [1, odd] } }]) assert.throws(() => canonicalText(value), /not allowed/);
});
