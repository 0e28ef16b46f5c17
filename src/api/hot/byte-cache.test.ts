import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type ByteCacheOptions, createByteCache } from './byte-cache.ts';

interface Entry {
  readonly text: string;
}

function setUp(changes: Partial<ByteCacheOptions<Entry>> = {}) {
  const clock = { now: 1_000_000 };
  const rechecked: string[] = [];
  const cache = createByteCache<Entry>({
    now: () => clock.now,
    maxBytes: 100,
    weightOf: ({ text }) => text.length,
    recheck: async (entry) => {
      rechecked.push(entry.text);
      return entry;
    },
    ...changes,
  });
  const load = (key: string, text: string, subject = key) => cache.load(key, subject, async () => ({ text }));
  return { cache, clock, load, rechecked };
}

test('memory is bounded in bytes for any keys; the least recently read entry is dropped first', async () => {
  const { cache, load } = setUp();
  for (const key of ['a', 'b', 'c']) await load(key, key.repeat(30));
  cache.peek('a');
  await load('d', 'd'.repeat(30));
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => cache.peek(key) !== undefined),
    [true, false, true, true],
  );
  for (let index = 0; index < 10_000; index += 1) await load(`hostile ${index}`, 'x'.repeat(1 + (index % 100)));
  assert.ok(cache.bytes <= 100, `${cache.bytes} bytes`);
});

test('an entry heavier than the whole cache is served and not kept, and pushes nothing out', async () => {
  const { cache, load } = setUp();
  await load('a', 'small');
  assert.equal((await load('b', 'x'.repeat(101)))?.text.length, 101);
  assert.equal(cache.peek('b'), undefined);
  assert.equal(cache.peek('a')?.text, 'small');
});

test('a notice about what is only being read, and an entry too heavy to be kept, change the version', async () => {
  const { cache, load } = setUp();
  const { promise: late, resolve } = Promise.withResolvers<Entry>();
  const loading = cache.load('one', 'asset', () => late);
  const before = cache.version();
  cache.forget('asset');
  resolve({ text: 'old' });
  await loading;
  // Whoever joined that read must not keep what it made of it: no later notice finds an entry to drop.
  assert.equal(cache.peek('one'), undefined);
  assert.notEqual(cache.version(), before);
  const lighter = cache.version();
  await load('heavy', 'x'.repeat(101));
  assert.notEqual(cache.version(), lighter);
});

test('a notice drops all entries of its subject and what is being read of it, and changes the version', async () => {
  const { cache, load } = setUp();
  await load('one', '1', 'asset');
  await load('two', '2', 'asset');
  await load('other', '3');
  const before = cache.version();
  const { promise: late, resolve } = Promise.withResolvers<Entry>();
  const loading = cache.load('three', 'asset', () => late);
  assert.equal(cache.has('three'), true);
  cache.forget('asset');
  resolve({ text: 'old' });
  assert.equal((await loading)?.text, 'old');
  assert.deepEqual(
    ['one', 'two', 'three', 'other'].map((key) => cache.peek(key)?.text),
    [undefined, undefined, undefined, '3'],
  );
  assert.notEqual(cache.version(), before);
});

test('an entry is compared with the store when it is 5 seconds old: it is kept, replaced, or dropped', async () => {
  let found: Entry | null | Error = null;
  const { cache, clock, load } = setUp({
    recheck: async (entry) => {
      if (found instanceof Error) throw found;
      return found?.text === entry.text ? entry : found;
    },
  });
  await load('a', 'first');
  const after = async (next: Entry | null | Error) => {
    found = next;
    clock.now += 5_001;
    const before = cache.peek('a')?.text;
    await turn();
    return [before, cache.peek('a')?.text];
  };
  assert.deepEqual(await after({ text: 'first' }), ['first', 'first']);
  assert.deepEqual(await after(new Error('the store is away')), ['first', 'first']);
  assert.deepEqual(await after({ text: 'second' }), ['first', 'second']);
  assert.deepEqual(await after(null), ['second', undefined]);
});

test('one comparison at a time, however often an entry is read meanwhile; requests share a read', async () => {
  const { cache, clock, load, rechecked } = setUp();
  await load('a', 'x');
  clock.now += 5_001;
  for (let index = 0; index < 5; index += 1) cache.peek('a');
  assert.deepEqual(rechecked, ['x']);
  let reads = 0;
  const read = async () => {
    reads += 1;
    return null;
  };
  assert.deepEqual(await Promise.all([cache.load('b', 'b', read), cache.load('b', 'b', read)]), [null, null]);
  assert.equal(reads, 1);
});
