import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createReplyEdges } from './reply-edges.ts';

test('head and tail are those of the whole reply, wherever it is split', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '}', '{', ' '), maxLength: 40_000, size: 'max' });
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (body, cuts) => {
      const bytes = Buffer.from(body);
      const edges = createReplyEdges();
      let from = 0;
      for (const cut of [...cuts.map((one) => one % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
        edges.push(bytes.subarray(from, cut));
        from = cut;
      }
      assert.equal(edges.head, body.slice(0, 8_192));
      assert.equal(edges.tail, body.slice(-8_192));
      assert.equal(edges.bytes, bytes.length);
    }),
    { numRuns: 100 },
  );
});

for (const [body, isWhole] of [
  [' {"result":1}\n', true],
  ['{"result":1', false],
  ['<html></html>', false],
  ['', false],
] as const)
  test(`${JSON.stringify(body)} ${isWhole ? 'is' : 'is not'} one whole object`, () => {
    const edges = createReplyEdges();
    edges.push(Buffer.from(body));
    assert.equal(edges.isWhole, isWhole);
  });
