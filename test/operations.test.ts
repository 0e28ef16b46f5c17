import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sandboxResolver } from '../sandbox/settings.ts';
import { startService } from '../src/compose/service.ts';
import type { Config } from '../src/config/types.ts';
import { assay } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const DAY_FILE = 'rms/2026-11-19/day.json';
const PATHS = [
  '/v1/rms/TIDE/history',
  '/v1/rms/TIDE/actions',
  '/v1/rms/TIDE/breakdown',
  '/.well-known/assay-keys.json',
];
let world: TestService;
let elsewhere: Config;
let folder: string;
let backup: string;
let jobId: string;

before(async () => {
  world = await testService({ databaseUrl: null });
  folder = await mkdtemp(join(tmpdir(), 'assay-operations-'));
  await chmod(folder, 0o755);
  backup = join(folder, 'assay.backup');
  elsewhere = { ...world.config, dataDir: join(folder, 'elsewhere') };
  await mkdir(elsewhere.dataDir);
  const scored = await world.call('/v1/score', {
    json: { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/', output_format: 'minimal' },
  });
  jobId = ((await scored.json()) as { job_id: string }).job_id;
  await mkdir(join(world.dataDir, 'exports/sandbox/rms/2026-11-19'), { recursive: true });
  await writeFile(join(world.dataDir, 'exports/sandbox', DAY_FILE), '{"date":"2026-11-19"}');
});
after(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

test('a backup of a live service, restored elsewhere, has the same ratings, keys and replays, byte for byte', async () => {
  let writing = true;
  // The service goes on: what is committed after the first moment of the backup is not in it, and breaks nothing.
  const busy = (async () => {
    while (writing)
      await world.call('/v1/score', {
        json: { type: 'posttge', project: 'Lanternfish', project_url: 'https://lanternfish.example/' },
      });
  })();
  const made = await assay(world.config, ['backup', '--out', backup]);
  writing = false;
  await busy;
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /sandbox data of .*1 export file, /);
  assert.equal((await stat(backup)).mode & 0o077, 0, 'nobody else may read it');

  const restored = await assay(elsewhere, ['restore', '--in', backup]);
  assert.equal(restored.code, 0, restored.err);
  const second = await startService({ config: elsewhere, resolver: sandboxResolver(world.sandbox) });
  try {
    const replayed = await assay(elsewhere, ['replay', jobId, '--bodies']);
    assert.equal(replayed.code, 0, replayed.out + replayed.err);
    assert.equal(await readFile(join(elsewhere.dataDir, 'exports/sandbox', DAY_FILE), 'utf8'), '{"date":"2026-11-19"}');

    assert.equal(second.adminKey, null, 'the restored keys are in force');
    for (const path of [...PATHS, `/v1/jobs/${jobId}/evidence`]) {
      const replies = await Promise.all(
        [world.service.url, second.url].map((url) => fetch(url + path, { headers: { 'x-api-key': world.key } })),
      );
      const [here, there] = await Promise.all(replies.map((reply) => reply.text()));
      assert.equal(replies[0]?.status, 200, `${path}: ${here}`);
      assert.equal(there, here, path);
    }
    const again = await fetch(`${second.url}/v1/score`, {
      method: 'POST',
      headers: { 'x-api-key': world.key, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' }),
    });
    assert.equal(again.status, 200, 'numbers that tables give themselves go on after the last one');
  } finally {
    await second.close();
  }
});

test('the doctor finds nothing wrong with a healthy service, shows no secret, and reports the errors of a broken one', async () => {
  const { port } = new URL(world.service.url);
  const key = { ASSAY_SOURCE_GITHUB_KEY: 'github-secret-key' };
  const fine = await assay(world.config, ['doctor', '--json'], { ASSAY_PORT: port, ...key });
  const findings = fine.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  assert.deepEqual(
    findings.filter(({ state }) => state === 'wrong'),
    [],
  );
  assert.equal(fine.code, 0);
  assert.ok(findings.some(({ check, detail }) => check === 'service' && detail?.includes('ready at')));
  assert.ok(
    findings.some(
      ({ check, detail }) => check === 'sources' && /[1-9]\d* of \d+ requested sources replied/.test(detail ?? ''),
    ),
  );
  const gone = 'postgres://assay:hunter2hunter2@127.0.0.1:1/assay';
  const ill = await assay(world.config, ['doctor', '--offline'], { DATABASE_URL: gone, ASSAY_PORT: port });
  assert.equal(ill.code, 1);
  assert.match(ill.out, /WRONG {4}database: it cannot be used.*\n\s+-> is the server running/);
  assert.doesNotMatch(fine.out + fine.err + ill.out + ill.err, /hunter2|github-secret/);
});

test('migrate --check lists the tables and changes nothing; an invalid call shows its usage', async () => {
  const listed = await assay(world.config, ['migrate', '--check']);
  assert.equal(listed.code, 0, listed.err);
  assert.match(listed.out, /^0001-first: in place$/m);
  for (const args of [['backup'], ['restore', '--in', 'x', '--to', 'nowhere']]) {
    const ran = await assay(world.config, args);
    assert.equal(ran.code, 64, args.join(' '));
    assert.match(ran.err, /usage: |expected/, args.join(' '));
  }
  const helped = await assay(world.config, ['keys', 'create', '--help']);
  assert.deepEqual([helped.code, helped.err], [0, '']);
  assert.match(helped.out, /^create, list, rotate.*\n\nusage: assay keys create --name NAME/);
});

test('llms.txt names every documented route, and what every reader of ratings must know', async () => {
  const reply = await world.call('/llms.txt', { key: null });
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('content-type') ?? '', /^text\/plain/);
  const text = await reply.text();
  assert.match(text, /^# Assay\n\n> .+\n/);
  assert.match(text, /fictional data/);
  const document = (await (await world.call('/openapi.json')).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  for (const [path, item] of Object.entries(document.paths))
    for (const method of Object.keys(item))
      assert.ok(text.includes(`[${method.toUpperCase()} ${path}](`), `${method} ${path}`);
});

test('llms.txt names the quick starts, and each is served without a link that leads nowhere', async () => {
  const text = await (await world.call('/llms.txt', { key: null })).text();
  const guides = [...text.matchAll(/\]\((\/quick-start\/[a-z-]+\.md)\)/g)].map(([, path = '']) => path);
  assert.equal(guides.length, 6);
  for (const path of guides) {
    const reply = await world.call(path, { key: null });
    assert.match(reply.headers.get('content-type') ?? '', /^text\/markdown/);
    const guide = await reply.text();
    assert.match(guide, /^# Quick start: /);
    assert.doesNotMatch(guide, /\]\(\./);
  }
  assert.equal((await world.call('/quick-start/..%2F..%2Fpackage.json', { key: null })).status, 404);
});
