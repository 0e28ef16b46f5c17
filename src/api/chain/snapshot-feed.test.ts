import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotKind } from '../../domain/snapshot.ts';
import type { SnapshotReader } from '../../indexer/index.ts';
import { createSnapshotFeed, MOST_SUBSCRIBERS, type Subject, type Subscriber } from './snapshot-feed.ts';

type Listener = Parameters<SnapshotReader['onStored']>[0];

function openFeed() {
  const listeners = new Set<Listener>();
  const feed = createSnapshotFeed({
    onReorganised: () => () => undefined,
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  return {
    feed,
    tell(assetId: string, at: number, storedAt = at, kind: SnapshotKind = 'market') {
      for (const listener of listeners)
        listener(assetId, kind, new Date(at).toISOString(), new Date(storedAt).toISOString());
    },
  };
}
const market = (assetId: string): Subject => ({ assetId, kind: 'market' });
const never = new AbortController().signal;
const taken = async (subscriber: Subscriber, ms = 50) => (await subscriber.next(ms, never))?.assetId ?? null;

test('a newer snapshot replaces a waiting one, and the assets of a reader are served in turn', async () => {
  const { feed, tell } = openFeed();
  const reader = feed.subscribe(['a', 'b', 'c'].map(market), 0);
  assert.ok(reader);
  for (let at = 1; at <= 9; at += 1) tell('a', at);
  tell('b', 4);
  tell('x', 4);
  const first = await reader.next(50, never);
  assert.deepEqual([first?.assetId, first?.asOf, first?.skipped], ['a', 9, 8]);
  tell('a', 10);
  tell('c', 5);
  assert.deepEqual([await taken(reader), await taken(reader), await taken(reader)], ['b', 'a', 'c']);
  assert.equal(await taken(reader), null);
});

test('a snapshot already sent, or an older one, is not sent again; what a read replaced counts as skipped', async () => {
  const { feed, tell } = openFeed();
  const reader = feed.subscribe([market('a')], 0);
  assert.ok(reader);
  tell('a', 5);
  const entry = await reader.next(50, never);
  assert.ok(entry);
  // Stored while the body was read, which is of 7 already.
  tell('a', 6);
  tell('a', 7);
  assert.equal(reader.sent(market('a'), { asOfMs: 7, storedAtMs: 7 }, entry), 2);
  assert.equal(reader.sent(market('a'), { asOfMs: 7, storedAtMs: 7 }), null);
  tell('a', 7);
  tell('a', 3);
  assert.equal(await taken(reader), null);
});

test('the resume id never passes a waiting snapshot, and there is none before the first set is complete', async () => {
  const { feed, tell } = openFeed();
  const reader = feed.subscribe(['a', 'b'].map(market), 0);
  assert.ok(reader);
  reader.begin(100);
  assert.equal(reader.sentUntil, null);
  for (const asset of ['a', 'b']) {
    assert.equal(await taken(reader), asset);
    reader.sent(market(asset), { asOfMs: 50, storedAtMs: 60 });
  }
  assert.equal(reader.sentUntil, 100);
  tell('a', 110, 120);
  tell('b', 130, 140);
  await taken(reader);
  reader.sent(market('a'), { asOfMs: 160, storedAtMs: 170 });
  assert.equal(reader.sentUntil, 140);
});

test('a reader that takes everything at once does not delay the others', async () => {
  const { feed, tell } = openFeed();
  const assets = Array.from({ length: 200 }, (_, index) => `a${index}`);
  const greedy = feed.subscribe(assets.map(market), 0);
  const other = feed.subscribe([market('a199')], 0);
  assert.ok(greedy && other);
  const order: string[] = [];
  const read = async (name: string, reader: Subscriber, count: number) => {
    for (let index = 0; index < count; index += 1) if (await taken(reader, 1_000)) order.push(name);
  };
  const reading = Promise.all([read('greedy', greedy, 200), read('other', other, 1)]);
  for (const asset of assets) tell(asset, 1);
  await reading;
  assert.ok(order.indexOf('other') <= 2, `the other came at place ${order.indexOf('other')}`);
  assert.equal(order.length, 201);
});

test('a process has a limited number of streams, and a place is free again when one ends', () => {
  const { feed } = openFeed();
  const open = Array.from({ length: MOST_SUBSCRIBERS }, () => feed.subscribe([market('a')], 0));
  assert.ok(open.every((one) => one !== null));
  assert.equal(feed.subscribe([market('a')], 0), null);
  open[0]?.close();
  open[0]?.close();
  assert.ok(feed.subscribe([market('a')], 0));
  assert.equal(feed.subscribers, MOST_SUBSCRIBERS);
});
