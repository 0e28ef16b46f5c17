import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sandboxResolver } from '../sandbox/settings.ts';
import { startService } from '../src/compose/service.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { assay } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const PATHS = [
  '/v1/rms/TIDE/history',
  '/v1/rms/TIDE/actions',
  '/v1/rms/TIDE/breakdown',
  '/.well-known/assay-keys.json',
];
const TIDE = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
let world: TestService;
let there: TestDatabase;
let targetUrl: string;

before(async () => {
  // A move out of a cluster is not what is moved here.
  [world, there] = await Promise.all([testService({ databaseUrl: null }), testDatabase({ ownServer: true })]);
  targetUrl = await there.emptyDatabase();
});
after(async () => {
  await world.sandbox.close();
  await rm(world.dataDir, { recursive: true, force: true });
  await there.close();
});

test('an installation that moves from its own database to a server gives the same bytes there', async () => {
  const scored = await world.call('/v1/score', { json: { ...TIDE, output_format: 'minimal' } });
  const { job_id: jobId } = (await scored.json()) as { job_id: string };
  const day = join(world.dataDir, 'exports/sandbox/rms/2026-11-19/day.json');
  await mkdir(join(day, '..'), { recursive: true });
  await writeFile(day, '{"date":"2026-11-19"}');
  const paths = [...PATHS, `/v1/jobs/${jobId}/evidence`];
  const replies = (base: string) =>
    Promise.all(
      paths.map(async (path) => {
        const reply = await fetch(base + path, { headers: { 'x-api-key': world.key } });
        // How old a rating is goes on while it moves; nothing else of it does.
        return [path, reply.status, (await reply.text()).replace(/"age_seconds":\d+/, '"age_seconds":0')];
      }),
    );
  const before = await replies(world.service.url);
  for (const [path, status, text] of before) assert.equal(status, 200, `${path}: ${text}`);

  const busy = await assay(world.config, ['migrate-to', targetUrl]);
  assert.equal(busy.code, 1);
  assert.match(busy.err, /^in_use: \d+ other connections use the source database: stop the services/);
  await world.service.close();

  const moved = await assay(world.config, ['migrate-to', targetUrl]);
  assert.equal(moved.code, 0, moved.err);
  assert.match(moved.out, /rows in \d+ tables and days are the same on both sides/);
  assert.match(moved.out, /set DATABASE_URL/);
  const compared = await assay(world.config, ['migrate-to', targetUrl, '--verify']);
  assert.equal(compared.code, 0, compared.err);
  const twice = await assay(world.config, ['migrate-to', targetUrl]);
  assert.match(twice.err, /^not_empty: /);
  const away = await assay(world.config, ['migrate-to', 'postgres://assay:hunter2hunter2@127.0.0.1:1/x']);
  assert.equal(away.code, 69);
  const secret = new RegExp(`hunter2|${new URL(targetUrl).password}`);
  for (const { out, err } of [busy, moved, compared, twice, away]) assert.doesNotMatch(out + err, secret);

  const config = { ...world.config, databaseUrl: targetUrl };
  const second = await startService({ config, resolver: sandboxResolver(world.sandbox) });
  try {
    assert.equal(second.adminKey, null, 'the keys are those of the installation');
    const there = await replies(second.url);
    for (const [at, [path, status, text]] of before.entries())
      assert.ok(there[at]?.[1] === status && there[at]?.[2] === text, String(path));
    const replayed = await assay(config, ['replay', jobId, '--bodies'], { DATABASE_URL: targetUrl });
    assert.equal(replayed.code, 0, replayed.out + replayed.err);
    const again = await fetch(`${second.url}/v1/score`, {
      method: 'POST',
      headers: { 'x-api-key': world.key, 'content-type': 'application/json' },
      body: JSON.stringify(TIDE),
    });
    assert.equal(again.status, 200, 'numbers that tables give themselves go on after the last one');
    assert.equal(await readFile(day, 'utf8'), '{"date":"2026-11-19"}');
  } finally {
    await second.close();
  }
});

test('an invalid call shows its usage, and does not repeat text that may hold a password', async () => {
  for (const args of [[], ['mysql://root:hunter2@h/x'], ['a', 'b'], ['postgres://x:hunter2@h:port/x']]) {
    const ran = await assay(world.config, ['migrate-to', ...args]);
    assert.equal(ran.code, 64, args.join(' '));
    assert.match(ran.err, /usage: assay migrate-to|expected a url/);
    assert.doesNotMatch(ran.err, /hunter2/);
  }
});
