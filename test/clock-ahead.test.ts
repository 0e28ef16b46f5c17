import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openExportTools, openRatingExports } from '../src/compose/exports.ts';
import { type Config, exportsRoot } from '../src/config/types.ts';
import { createExportService } from '../src/exports/published-days.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { closedRatingDays } from '../src/store/ratings/export-days.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const DAY_MS = 86_400_000;
const JUP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP');
let world: RatingWorld;
let dataDir: string;
before(async () => {
  world = await ratingWorld(new Date().toISOString());
  dataDir = await mkdtemp(join(tmpdir(), 'assay-clock-ahead-'));
});
after(async () => {
  await world.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The days that are closed after a pass of a process whose clock is a day ahead of the database's. */
async function closedBy(dataMode: 'live' | 'sandbox'): Promise<readonly string[]> {
  const config = { dataDir: join(dataDir, dataMode), dataMode } as Config;
  const publisher = openRatingExports({
    config,
    store: world.store,
    exports: createExportService(exportsRoot(config)),
    now: () => Date.now() + DAY_MS,
    // The world's database is of a sandbox, so that the files cannot be written in live mode.
    onError: () => undefined,
  });
  await publisher.publishDue();
  await publisher.close();
  return closedRatingDays(world.store.db);
}

test('a process whose clock is a day ahead does not close and publish a day that has not ended', async () => {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const [yesterday, today] = [dayOf(Date.now() - DAY_MS), dayOf(Date.now())];
  await world.put(ratingOf(JUP, `${yesterday}T12:00:00.000Z`, { action: 'new' }));
  const tools = openExportTools(
    { dataDir: join(dataDir, 'live'), dataMode: 'live' } as Config,
    world.store,
    noObjectStore,
    () => Date.now() + DAY_MS,
  );
  assert.ok(!(await tools.build('rms', null)).closed.includes(today));
  assert.deepEqual(await closedBy('live'), [yesterday]);
  assert.deepEqual(await closedBy('sandbox'), [yesterday, today], 'the clock of a sandbox may be set ahead');
});
