import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseStrictJson } from './strict-json.ts';

test('a key given twice is refused, wherever it stands', () => {
  for (const text of ['{"a":1,"a":2}', '{"x":{"b":1,"c":[{"d":1}],"b":2}}', '{"a":1,"\\u0061":2}']) {
    const read = parseStrictJson(text);
    assert.equal(read.ok, false);
    assert.equal(!read.ok && read.code, 'duplicate_key', text);
  }
});

test('the same key in different objects is fine, and so are values that look like keys', () => {
  for (const text of ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '{"a":"a","b":"a:"}', '["a","a"]'])
    assert.equal(parseStrictJson(text).ok, true, text);
});

test('nesting beyond the limit is refused before it is parsed', () => {
  const read = parseStrictJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  assert.equal(!read.ok && read.code, 'json_too_deep');
  assert.equal(parseStrictJson(`${'['.repeat(32)}${']'.repeat(32)}`).ok, true);
});

test('an empty body and broken JSON are told apart', () => {
  const empty = parseStrictJson('  ');
  const broken = parseStrictJson('{"a":');
  assert.equal(!empty.ok && empty.code, 'empty_body');
  assert.equal(!broken.ok && broken.code, 'malformed_json');
});

test('whatever JSON.stringify writes is read back the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const read = parseStrictJson(JSON.stringify(value));
      assert.equal(read.ok, true);
      if (read.ok) assert.deepEqual(read.value, JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 300 },
  );
});
