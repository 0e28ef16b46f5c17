import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openExportTools } from '../src/compose/exports.ts';
import { type Config, exportsRoot } from '../src/config/types.ts';
import { createExportService } from '../src/exports/published-days.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { closeDays, dropOldDays } from '../src/store/snapshots/daily-close.ts';
import { assetAt, snapshotOf } from '../src/store/snapshots/fixtures/snapshots.ts';
import { putIndexedAsset } from '../src/store/snapshots/indexed-assets.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';

const DAY = '2026-08-01';
const NOON = `${DAY}T12:00:00.000Z`;
const NOW = Date.parse('2026-11-20T00:00:00.000Z');
let database: TestDatabase;
let dataDir: string;
before(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'assay-restate-dropped-'));
});
after(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('a published day whose rows were dropped is not restated as an empty one', async () => {
  const { db, pool } = database.store;
  const asset = assetAt(1);
  const request = { kinds: ['market'], cadence: 'newest', addedBy: 'test', addedAt: NOON, wantedUntil: null } as const;
  await putIndexedAsset(db, { asset, ...request });
  await createSnapshotWriter(pool).store([snapshotRow(snapshotOf(asset, 'market', NOON, 1))], Date.parse(NOON));
  await closeDays(pool, 'ethereum', NOW, 0);
  const config = { dataDir, dataMode: 'sandbox' } as Config;
  const tools = openExportTools(config, database.store, noObjectStore, () => NOW);
  const built = await tools.build('ethereum', DAY);
  assert.deepEqual([built.days, built.failures], [[DAY], []]);
  await dropOldDays(pool, NOW, 30);

  const restated = await tools.restate({ subject: 'ethereum', date: DAY, reason: 'written again' });
  assert.deepEqual(restated, {
    ok: false,
    reason: 'not_kept',
    detail: `the rows of ${DAY} are no longer kept: what is published of it stays as it is`,
  });
  const manifest = await createExportService(exportsRoot(config)).manifest('ethereum');
  assert.deepEqual(
    manifest.map(({ date, revision, rows }) => [date, revision, rows]),
    [[DAY, 1, 1]],
  );
});
