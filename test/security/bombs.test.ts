import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expectFailure, reply, withHost } from '../../src/upstream/fixtures/test-host.ts';
import { tally } from './tally.ts';

const BYTES = 96 * 2 ** 20;

test('what a source sends is measured unpacked: no coding, nested, mislabelled or endless, gets past the cap or fills memory', async () => {
  const plain = Buffer.alloc(BYTES, ' ');
  const gzip = gzipSync(plain);
  const cases: Readonly<Record<string, readonly [string, Buffer, readonly string[]]>> = {
    gzip: ['gzip', gzip, ['too_large']],
    'x-gzip': ['x-gzip', gzip, ['too_large']],
    brotli: ['br', brotliCompressSync(plain.subarray(0, BYTES / 4)), ['too_large']],
    zstd: ['zstd', zstdCompressSync(plain), ['too_large']],
    deflate: ['deflate', deflateSync(plain), ['too_large']],
    'deflate, raw': ['deflate', deflateRawSync(plain), ['too_large']],
    'gzip of gzip': ['gzip, gzip', gzipSync(gzip), ['wrong_content_type']],
    'gzip inside brotli': ['gzip, br', brotliCompressSync(gzip), ['wrong_content_type']],
    'many members': [
      'gzip',
      Buffer.concat(Array.from({ length: 200 }, () => gzipSync(plain.subarray(0, 2 ** 20)))),
      ['too_large'],
    ],
    'a coding nobody asked for': ['compress', gzip, ['wrong_content_type']],
    'an empty coding name': [', ,gzip', gzip, ['too_large']],
    'another coding than it says': ['br', gzip, ['truncated', 'malformed', 'wrong_content_type']],
    'cut off': ['gzip', gzip.subarray(0, 200), ['truncated', 'malformed']],
    'plain, announced': ['identity', plain.subarray(0, 4 * 2 ** 20), ['too_large']],
  };
  const before = process.memoryUsage().rss;
  let highest = before;
  for (const [name, [coding, body, reasons]] of Object.entries(cases)) {
    await withHost(
      (_path, socket) => socket.write(reply(200, body, { 'content-encoding': coding })),
      async (ask) => {
        const got = await ask({
          maxBytes: 2 ** 20,
          deadlines: { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000, totalMs: 8_000 },
        });
        assert.equal(got.ok, false, name);
        if (!got.ok) assert.ok(reasons.includes(got.reason), `${name}: ${got.reason}`);
        if (!got.ok && got.reason === 'too_large') expectFailure(got, 'too_large');
      },
    );
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  const grown = Math.round((highest - before) / 2 ** 20);
  tally({
    part: 'bombs',
    claim: 'packed replies are measured unpacked',
    tried: Object.keys(cases).length,
    counts: { 'MiB grown': grown },
  });
  assert.ok(grown < 150, `${grown} MiB`);
});
