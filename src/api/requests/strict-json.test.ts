import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../replies/problems.ts';
import { parseStrictJson } from './strict-json.ts';

/** The code with which a text is refused; null when it is read. */
function refusalOf(text: string): string | null {
  try {
    parseStrictJson(text);
    return null;
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error.problem.code;
  }
}

test('a duplicate key is refused at any depth', () => {
  for (const text of ['{"a":1,"a":2}', '{"x":{"b":1,"c":[{"d":1}],"b":2}}', '{"a":1,"\\u0061":2}']) {
    assert.equal(refusalOf(text), 'duplicate_key', text);
  }
});

test('the same key in different objects is fine, and so are values that look like keys', () => {
  for (const text of ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '{"a":"a","b":"a:"}', '["a","a"]'])
    assert.equal(refusalOf(text), null, text);
});

test('nesting beyond the limit is refused before it is parsed', () => {
  assert.equal(refusalOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'json_too_deep');
  assert.equal(refusalOf(`${'['.repeat(32)}${']'.repeat(32)}`), null);
});

test('an empty body and broken JSON give different errors', () => {
  assert.equal(refusalOf('  '), 'empty_body');
  assert.equal(refusalOf('{"a":'), 'malformed_json');
});

test('whatever JSON.stringify writes is read back the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parseStrictJson(text), JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});
