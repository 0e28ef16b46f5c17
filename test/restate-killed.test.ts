import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openExportTools, openRatingExports } from '../src/compose/exports.ts';
import { type Config, exportsRoot } from '../src/config/types.ts';
import { publishDay } from '../src/exports/publish.ts';
import { createExportService } from '../src/exports/published-days.ts';
import { createRatingChanges } from '../src/exports/rating-changes.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { listRestatements } from '../src/store/ratings/disclosures.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';
import { AS_A_SERVICE } from './support/service-arguments.ts';

const [EARLIER, DAY] = ['2026-11-19', '2026-11-20'];
const JUP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP');
const KILLED = fileURLToPath(new URL('./support/restate-and-die.ts', import.meta.url));

let world: RatingWorld;
let dataDir: string;
let config: Config;
before(async () => {
  world = await ratingWorld('2026-11-21T00:06:00.000Z');
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-restate-killed-'));
  config = { dataDir, dataMode: 'sandbox' } as Config;
  for (const table of ['restatements', 'rating_days', 'published_ratings', 'rated_assets'] as const)
    await world.store.db.deleteFrom(table).execute();
  await world.put(ratingOf(JUP, `${EARLIER}T12:00:00.000Z`, { score: 61, action: 'new' }));
  assert.deepEqual(await nextPass(), [`rms ${EARLIER}`, `rms ${DAY}`]);
  await world.put(ratingOf(JUP, `${DAY}T12:00:00.000Z`, { score: 65 }));
});
after(() => world.close());

/** What the next process of the service publishes. */
async function nextPass(): Promise<readonly string[]> {
  const publisher = openRatingExports({
    config,
    store: world.store,
    exports: createExportService(exportsRoot(config)),
    now: () => world.clock.now,
    onError: (error) => {
      throw error;
    },
  });
  const published = await publisher.publishDue();
  await publisher.close();
  return published;
}

/** Restates the day in a process that is killed before or after the corrected day becomes visible. */
async function killedAt(moment: 'before' | 'after'): Promise<void> {
  const child = spawn(
    process.execPath,
    [...AS_A_SERVICE, KILLED, moment, world.store.url, dataDir, DAY, String(world.clock.now)],
    {
      stdio: 'inherit',
    },
  );
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
}

/** Revisions of the day in the manifest, in the list of corrections, and by what changed since the day before. */
async function told() {
  const manifest = await createExportService(exportsRoot(config)).manifest('rms');
  const list = await listRestatements(world.store.db, { before: null, limit: 10 });
  const page = { format: 'json', limit: 10, after: '' } as const;
  const changes = await createRatingChanges(world.store.db).between(EARLIER, DAY, page);
  return {
    files: manifest.filter((entry) => entry.date === DAY).map((entry) => entry.revision),
    list: list.map((row) => [row.revision, row.reason, JSON.parse(row.body).changed_rows]),
    changed: changes.ok && changes.value.rows,
  };
}

const WHOLE = { files: [2, 1], list: [[2, 'a rating came late', 1]], changed: 1 };

for (const moment of ['before', 'after'] as const)
  test(`a restatement killed right ${moment} its day becomes visible is completed by the next process`, async (t) => {
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    await killedAt(moment);
    assert.deepEqual(await nextPass(), []);
    assert.deepEqual(await told(), WHOLE);
    const left = await readdir(join(exportsRoot(config), 'rms'));
    assert.deepEqual(left.sort(), [EARLIER, DAY, `${DAY}.r2`]);
  });

test('a recorded restatement is not swept away before a process can make it visible', async (t) => {
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await killedAt('before');
  const home = join(exportsRoot(config), 'rms');
  const hidden = (await readdir(home)).filter((name) => name.startsWith('.'));
  assert.equal(hidden.length, 1);
  const dayAgo = new Date(world.clock.now - 86_400_000);
  for (const name of hidden) await utimes(join(home, name), dayAgo, dayAgo);
  // The first day that is written after a long time down, by a process that could not complete the restatement.
  const job = {
    root: exportsRoot(config),
    subject: 'rms',
    date: '2026-11-18',
    columns: [],
    now: () => world.clock.now,
  };
  const sign = () => ({ algorithm: 'Ed25519', key_id: 'k', value: 'v' }) as const;
  await publishDay({ ...job, rows: (async function* () {})(), sign });
  await rm(join(home, '2026-11-18'), { recursive: true });
  assert.deepEqual(await nextPass(), []);
  assert.deepEqual(await told(), WHOLE);
});

test('a restatement that was killed is completed by the next attempt too, and is not made twice', async (t) => {
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await killedAt('before');
  const tools = openExportTools(config, world.store, noObjectStore, () => world.clock.now);
  const again = await tools.restate({ subject: 'rms', date: DAY, reason: 'once more' });
  assert.equal(again.ok || again.reason, 'unchanged');
  assert.deepEqual(await told(), WHOLE);
});

test('what was never recorded is removed once no process can be recording it any more', async (t) => {
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const home = join(exportsRoot(config), 'rms');
  const hidden = async () => (await readdir(home)).filter((name) => name.startsWith('.'));
  await killedAt('before');
  await world.store.db.deleteFrom('restatements').execute();
  assert.deepEqual(await nextPass(), []);
  assert.equal((await hidden()).length, 1, 'a commit without a reply may still come to light');
  const before = world.clock.now;
  t.after(() => {
    world.clock.now = before;
  });
  world.clock.now += 7 * 3_600_000;
  assert.deepEqual(await nextPass(), []);
  assert.deepEqual(await hidden(), []);
  assert.deepEqual((await told()).files, [1]);
});

test('what was never recorded stays invisible, and the next attempt makes the revision', async (t) => {
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await killedAt('before');
  await world.store.db.deleteFrom('restatements').execute();
  await world.store.db.deleteFrom('rating_days').where('revision', '=', 2).execute();
  assert.deepEqual(await nextPass(), []);
  assert.deepEqual(await told(), { files: [1], list: [], changed: 0 });
  const tools = openExportTools(config, world.store, noObjectStore, () => world.clock.now);
  const again = await tools.restate({ subject: 'rms', date: DAY, reason: 'a rating came late' });
  assert.ok(again.ok && again.value.revision === 2);
  assert.deepEqual(await nextPass(), []);
  assert.deepEqual(await told(), WHOLE);
});
