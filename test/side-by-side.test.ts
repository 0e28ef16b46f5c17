import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sandboxResolver } from '../sandbox/settings.ts';
import { startService } from '../src/compose/service.ts';
import { connect, type Store } from '../src/store/database.ts';
import { openDatabase } from '../src/store/embedded.ts';
import { applyChanges, MIGRATION_NAMES, migrationState } from '../src/store/migrate.ts';
import { CHANGES } from '../src/store/migrations/all.ts';
import type { Change } from '../src/store/migrations/change.ts';
import { assay } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const TIDE = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
let world: TestService;
let store: Store;

before(async () => {
  world = await testService();
  const { url, close } = await openDatabase({ ...world.config, role: 'visitor', log: () => undefined });
  await close();
  store = connect(url);
});
after(async () => {
  await store.close();
  await world.close();
});

/** What a version after this one could bring, on the tables that a rating reads and writes. */
const change = (name: string, compatibleFrom: string, statements: readonly string[]): Change => ({
  name,
  compatibleFrom,
  indexes: [{ name: `jobs_${name.slice(0, 4)}`, on: 'jobs (created_at)' }],
  statements,
});
const EXPAND = change('9000-expand', MIGRATION_NAMES.at(-1) ?? '', [
  'alter table jobs add column later text',
  'alter table rated_assets add column later int not null default 7',
  'alter table published_ratings add column later text',
  'alter table evidence add column later text',
  'alter table api_keys add column later text',
  'create table later (id int primary key)',
]);
const CONTRACT = change('9001-contract', '9001-contract', ['alter table later add column more text']);

/** An instance of this version on the same database, in a folder of its own. */
async function another(name: string) {
  const dataDir = join(world.dataDir, name);
  await mkdir(dataDir);
  const config = { ...world.config, dataDir, databaseUrl: store.url };
  return { config, start: () => startService({ config, resolver: sandboxResolver(world.sandbox) }) };
}

test('a newer version brings the tables up to date under load: no request fails, and an older one may start again', async (t) => {
  let loading = true;
  const answers: number[] = [];
  let longestMs = 0;
  const keepAsking = async (ask: () => Promise<Response>) => {
    while (loading) {
      const startedAt = performance.now();
      const reply = await ask();
      await reply.arrayBuffer();
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      answers.push(reply.status);
    }
  };
  const first = await world.call('/v1/score', { json: TIDE });
  assert.equal(first.status, 200);
  const asking = [
    keepAsking(() => world.call('/v1/score', { json: TIDE })),
    keepAsking(() => world.call('/v1/rms/TIDE/history')),
    keepAsking(() => world.call('/v1/rms/TIDE/breakdown')),
    keepAsking(() => world.call('/v1/rms?limit=10')),
  ];
  await pause(1_000);
  const before = answers.length;
  const usualMs = longestMs;
  longestMs = 0;
  await applyChanges(store.db, [...CHANGES, EXPAND]);
  t.diagnostic(
    `longest request before: ${usualMs.toFixed(0)} ms, while the tables changed: ${longestMs.toFixed(0)} ms`,
  );
  const second = await (await another('second')).start();
  await pause(1_000);
  const reply = await fetch(`${second.url}/v1/rms/TIDE/history`, { headers: { 'x-api-key': world.key } });
  assert.equal(reply.status, 200);
  loading = false;
  await Promise.all(asking);
  await second.close();
  assert.deepEqual([...new Set(answers)], [200]);
  assert.ok(before > 4 && answers.length > before + 4, `${before} of ${answers.length} requests`);
  assert.deepEqual((await migrationState(store.db)).newer, ['9000-expand']);
});

test('the commands report that a newer version was there; one that this version cannot work with stops a start with an explanation', async () => {
  const { config, start } = await another('third');
  const variables = { DATABASE_URL: store.url };
  const listed = await assay(config, ['migrate', '--check'], variables);
  assert.equal(listed.code, 0, listed.err);
  assert.match(listed.out, /^9000-expand: of a newer version; this one works on it$/m);
  await applyChanges(store.db, [...CHANGES, EXPAND, CONTRACT]);
  await assert.rejects(start(), /newer version of Assay \(9001-contract\): start that version, or restore/);
  const refused = await assay(config, ['migrate'], variables);
  // EX_CONFIG of sysexits.h: another start changes nothing.
  assert.equal(refused.code, 78);
  assert.match(refused.err, /newer version of Assay \(9001-contract\)/);
  const reply = await world.call('/v1/rms/TIDE/history');
  assert.equal(reply.status, 200, 'the one that runs goes on');
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
