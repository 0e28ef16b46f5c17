import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import { assetAt, snapshotOf } from '../store/snapshots/fixtures/snapshots.ts';
import { putIndexedAsset, removeIndexedAsset } from '../store/snapshots/indexed-assets.ts';
import { openChainWatch } from './chain-watch.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const iso = new Date(NOW).toISOString();
const RELIST_MS = 300_000;
/** Assets of a chain that are followed. */
const MOST = 1_000;
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const poolOf = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`;
const put = (index: number, cadence: 'newest' | 'hourly') =>
  putIndexedAsset(database.store.db, {
    asset: assetAt(index),
    kinds: ['market', 'pools'],
    cadence,
    addedBy: 'test',
    addedAt: iso,
    wantedUntil: null,
  });

test('assets that are removed, or too slow to be made sooner, take no place of others', async (t) => {
  const { store } = database;
  for (let index = 0; index < 3; index += 1) await put(index, index === 1 ? 'hourly' : 'newest');
  for (let index = 100; index < 100 + MOST; index += 1) await put(index, 'newest');
  t.mock.timers.enable({ apis: ['setInterval'] });
  let followed: readonly string[] = [];
  const byId = new Map(Array.from({ length: 100 + MOST }, (_, index) => [assetAt(index).id, index]));
  const watch = openChainWatch({
    store,
    reader: {
      async latest(assetId) {
        const index = byId.get(assetId) ?? 0;
        const snapshot = {
          ...snapshotOf(assetAt(index), 'pools', iso),
          pools: [{ address: poolOf(index), tvl_usd: 1 }],
        };
        const body = Buffer.from(JSON.stringify(snapshot));
        return { assetId, kind: 'pools', asOf: iso, storedAt: iso, body };
      },
      onStored: () => () => undefined,
    },
    chains: [
      {
        chain: 'ethereum',
        watch: () => ({
          follow: (pools) => {
            followed = pools;
          },
          close: () => undefined,
        }),
      },
    ],
    now: () => NOW,
    wake: () => undefined,
    onError: (error) => assert.fail(String(error)),
  });
  const until = async (check: () => boolean) => {
    for (let turn = 0; turn < 500 && !check(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(check(), `${followed.length} are followed`);
  };
  // No snapshot of an hourly asset is made sooner: it gives up its place.
  await until(() => followed.length === MOST && !followed.includes(poolOf(1)));
  assert.ok(!followed.includes(poolOf(100 + MOST - 1)), 'one too many');
  for (const index of [0, 2]) await removeIndexedAsset(store.db, assetAt(index).id, iso);
  t.mock.timers.tick(RELIST_MS);
  await until(() => followed.includes(poolOf(100 + MOST - 1)));
  assert.ok(!followed.includes(poolOf(0)), 'what is removed is no longer followed');
  await watch.close();
});
