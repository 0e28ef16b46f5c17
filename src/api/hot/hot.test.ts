import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { SnapshotReader, StoredSnapshot } from '../../indexer/index.ts';
import { chooseCoding } from './content-coding.ts';
import { namedTag } from './entity-tag.ts';
import { hotSnapshot } from './hot-snapshot.ts';
import { createSnapshotCache } from './snapshot-cache.ts';

const AS_OF = '2026-01-01T00:00:00.000Z';
const START = Date.parse(AS_OF);
const stored = (body: unknown, assetId = 'a', asOf = AS_OF): StoredSnapshot => ({
  assetId,
  kind: 'market',
  asOf,
  storedAt: asOf,
  body: Buffer.from(JSON.stringify(body)),
});
const view = (assetId: string) => ({ assetId, kind: 'market', point: null, shape: 'all' }) as const;

test('for any snapshot the reply is the same JSON with mode and age, and the tag identifies its bytes', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.dictionary(text, fc.jsonValue(), { minKeys: 1 }), fc.nat({ max: 1e9 }), (body, age) => {
      // A name that JSON.parse itself treats apart, and the two that are ours.
      fc.pre(!['__proto__', 'data_mode', 'age_seconds'].some((name) => Object.hasOwn(body, name)));
      const clean = JSON.parse(JSON.stringify(body));
      const reply = hotSnapshot(stored(body), 'live').reply(START + age * 1000);
      assert.deepEqual(JSON.parse(reply.bytes.toString('utf8')), { ...clean, data_mode: 'live', age_seconds: age });
      assert.equal(reply.length, String(reply.bytes.length));
      if (reply.latin1 !== null) assert.deepEqual(Buffer.from(reply.latin1, 'latin1'), reply.bytes);
    }),
    { numRuns: 50 },
  );
});

test('a stored body that is not a JSON object is a fault of the store, never a broken reply', () => {
  for (const text of ['', '{}', '[]', 'null', '{"a":1'])
    assert.throws(() => hotSnapshot({ ...stored({}), body: Buffer.from(text) }, 'live'), /not a JSON object/);
});

test('a clock behind the snapshot gives age 0, not a negative one', () => {
  assert.equal(hotSnapshot(stored({ a: 1 }), 'live').ageSeconds(START - 5_000), 0);
});

test('the packed reply unpacks to the plain one of the same second', async () => {
  const snapshot = hotSnapshot(stored({ text: 'x'.repeat(5_000) }), 'live');
  const packed = await snapshot.packed(START, 'gzip');
  assert.deepEqual(gunzipSync(packed.bytes), snapshot.reply(START).bytes);
  assert.notEqual(packed.etag, snapshot.reply(START).etag);
  assert.ok(packed.bytes.length < 500);
});

test('a tag names its snapshot at any age and in any coding, and nothing else', () => {
  const hash = 'AAAAAAAAAAAAAAAAAAAAAA';
  assert.equal(namedTag(`"${hash}.12"`, hash), `"${hash}.12"`);
  assert.equal(namedTag(`W/"x", "${hash}.12.zstd"`, hash), `"${hash}.12.zstd"`);
  assert.equal(namedTag('*', hash), '*');
  for (const other of [undefined, '', '"x"', hash, `"${hash}"`, `"${hash}.x"`, `"${hash}.1\r\nSet-Cookie: a"`])
    assert.equal(namedTag(other, hash), null, String(other));
});

test('the coding is what the client likes best, and none when it likes none', () => {
  assert.equal(chooseCoding(undefined), 'identity');
  assert.equal(chooseCoding('gzip, deflate, br, zstd'), 'zstd');
  assert.equal(chooseCoding('gzip;q=1, br;q=0.5'), 'gzip');
  assert.equal(chooseCoding('gzip;q=0, identity'), 'identity');
  assert.equal(chooseCoding('*;q=0'), 'identity');
  assert.equal(chooseCoding('bzip2'), 'identity');
});

function readerOf(answer: (assetId: string) => Promise<StoredSnapshot | null>) {
  let tell: (assetId: string) => void = () => undefined;
  const reader = {
    latest: (assetId: string) => answer(assetId),
    onStored(listener: (assetId: string, kind: 'market', asOf: string) => void) {
      tell = (assetId) => listener(assetId, 'market', AS_OF);
      return () => undefined;
    },
  } as unknown as SnapshotReader;
  return { reader, tell: (assetId: string) => tell(assetId) };
}
const whole = (row: StoredSnapshot) => row;

test('the cache keeps within its bytes, and lets go what was read longest ago', async () => {
  let now = START;
  const { reader } = readerOf(async (assetId) => stored({ text: 'x'.repeat(1_000) }, assetId));
  const cache = createSnapshotCache(reader, 'live', () => now, 13_000);
  for (const asset of ['a', 'b', 'c', 'a', 'd']) {
    now += 2_000;
    await cache.load(view(asset), whole);
  }
  assert.ok(cache.bytes <= 13_000, String(cache.bytes));
  assert.equal(cache.peek(view('b')), undefined);
  assert.ok(cache.peek(view('a')) && cache.peek(view('d')));
});

test('a read that began before a notice is not kept after it', async () => {
  const answers: ((row: StoredSnapshot) => void)[] = [];
  const { reader, tell } = readerOf(() => new Promise((resolve) => answers.push(resolve)));
  const cache = createSnapshotCache(reader, 'live', () => START);
  const old = cache.load(view('a'), whole);
  tell('a');
  const fresh = cache.load(view('a'), whole);
  answers[1]?.(stored({ price: 2 }));
  await fresh;
  answers[0]?.(stored({ price: 1 }));
  await old;
  assert.match(cache.peek(view('a'))?.reply(START).bytes.toString() ?? '', /"price":2/);
});

test('a store that fails is read again, and entries in memory are served meanwhile', async () => {
  let now = START;
  let broken = false;
  const { reader } = readerOf(async () => {
    if (broken) throw new Error('away');
    return stored({ price: 1 });
  });
  const cache = createSnapshotCache(reader, 'live', () => now);
  await cache.load(view('a'), whole);
  broken = true;
  now += 60_000;
  assert.ok(cache.peek(view('a')));
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(cache.peek(view('a')));
  await assert.rejects(cache.load(view('b'), whole), /away/);
  broken = false;
  assert.ok(await cache.load(view('b'), whole));
});
