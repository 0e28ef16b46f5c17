import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sandboxPanel } from '../sandbox/known-assets.ts';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { type RunningService, startService } from '../src/compose/service.ts';
import type { OpenDatabase } from '../src/store/embedded.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';

interface Setup {
  readonly proof: {
    readonly state: string;
    readonly assets: readonly string[];
    readonly sources_on: number;
    readonly sources_answering: number;
    readonly sources_failing: number;
  };
  readonly internet: string;
  readonly sources: readonly {
    readonly source: string;
    readonly state: string;
    readonly detail: string | null;
    readonly is_local: boolean;
    readonly endpoints: { readonly right: number };
  }[];
  readonly keys: readonly { readonly source: string; readonly setting: string; readonly is_set: boolean }[];
  readonly assets_per_hour: number | null;
  readonly limited_by: string | null;
  readonly capacity: readonly {
    readonly source: string;
    readonly requests_per_asset: number;
    readonly per_minute: number;
    readonly assets_per_hour: number;
  }[];
  readonly suggested: readonly { readonly project: string; readonly project_url: string }[];
}

const SECRET = 'a-key-that-nobody-may-see';
let sandbox: Sandbox;
let service: RunningService;
let folder: string;
let database: OpenDatabase;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-setup-'));
  await chmod(folder, 0o755);
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now });
  database = await databaseOf(folder, 'service');
  const config = serviceOnSandbox(sandbox, { dataDir: folder, databaseUrl: database.url, monitorJobs: 0 });
  const github = config.sources.github;
  assert.ok(github);
  service = await startService({
    config: { ...config, sources: { ...config.sources, github: { ...github, key: SECRET } } },
    resolver: sandboxResolver(sandbox),
    panel: sandboxPanel(sandbox.world, ['tidewell', 'fennecswap']),
  });
});
after(async () => {
  await service.close();
  await sandbox.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

function ask(path: string, method = 'GET', key = service.adminKey ?? ''): Promise<Response> {
  return fetch(service.url + path, { method, headers: { 'x-api-key': key } });
}

async function proved(): Promise<Setup> {
  assert.equal((await ask('/v1/setup/prove', 'POST')).status, 202);
  for (let round = 0; round < 600; round += 1) {
    const setup = (await (await ask('/v1/setup')).json()) as Setup;
    if (setup.proof.state === 'finished') return setup;
    await setTimeout(250);
  }
  throw new Error('the proof does not end');
}

test('before a proof nothing is claimed about sources, the internet or the assets an hour', async () => {
  const setup = (await (await ask('/v1/setup')).json()) as Setup;
  assert.deepEqual([setup.proof.state, setup.internet, setup.assets_per_hour], ['none', 'unknown', null]);
  assert.ok(setup.sources.every(({ state }) => state === 'not_asked' || state === 'off'));
  assert.deepEqual(
    setup.suggested.map(({ project }) => project),
    ['Tidewell', 'Fennecswap'],
  );
});

test('a check reports which sources reply, and the scarcest of them sets the assets an hour', async () => {
  const { proof, internet, sources, assets_per_hour: hourly, limited_by: limitedBy, capacity } = await proved();
  assert.ok(proof.sources_answering > proof.sources_on / 2, JSON.stringify(proof));
  assert.equal(internet, 'reachable');
  assert.ok((sources.find(({ source }) => source === 'coingecko')?.endpoints.right ?? 0) > 0);
  assert.equal(hourly, Math.min(...capacity.map((row) => row.assets_per_hour)));
  assert.equal(limitedBy, capacity[0]?.source);
  for (const row of capacity)
    assert.equal(row.assets_per_hour, Math.floor((60 * row.per_minute) / row.requests_per_asset));
});

test('keys are reported as set and never shown; each missing one names its setting', async () => {
  const text = await (await ask('/v1/setup')).text();
  assert.ok(!text.includes(SECRET));
  const { keys } = JSON.parse(text) as Setup;
  assert.equal(keys.find(({ source }) => source === 'github')?.is_set, true);
  const coingecko = keys.find(({ source }) => source === 'coingecko');
  assert.deepEqual([coingecko?.is_set, coingecko?.setting], [false, 'ASSAY_SOURCE_COINGECKO_KEY']);
});

test('where no source replies the machine is reported as offline, and no assets an hour are claimed', async () => {
  sandbox.faults.add({ source: '*', kind: 'refused' });
  try {
    const { proof, internet, sources, assets_per_hour: hourly } = await proved();
    assert.equal(internet, 'unreachable', JSON.stringify(proof));
    assert.equal(hourly, null);
    const failing = sources.filter(({ state }) => state === 'fails');
    assert.ok(failing.length > 10);
    assert.ok(failing.every(({ detail }) => detail !== null));
  } finally {
    sandbox.faults.clear();
  }
});

test('only an administrator may read it or start a check', async () => {
  const made = await fetch(`${service.url}/v1/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': service.adminKey ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'reader', scopes: ['rms:read'], plan: 'INTERNAL' }),
  });
  const { secret } = (await made.json()) as { secret: string };
  assert.equal((await ask('/v1/setup', 'GET', secret)).status, 403);
  assert.equal((await ask('/v1/setup/prove', 'POST', secret)).status, 403);
});
