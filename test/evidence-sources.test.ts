import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FaultKind } from '../sandbox/faults.ts';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxConfig, sandboxResolver } from '../sandbox/settings.ts';
import { type RunningService, startService } from '../src/compose/service.ts';
import type { OpenDatabase } from '../src/store/embedded.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';

/** Sources that are off by default, turned on. */
const WANTED = ['osv', 'snapshot_votes', 'crt_sh', 'safe'];
/** What only they say. */
const SHOWN = [
  'advisories',
  'lookalike_domains',
  'governance_proposals_365d',
  'governance_voters',
  'governance_votes_cast',
  'governance_top10_share',
];

interface Full {
  readonly rating: { readonly score: number | null };
  readonly sources: readonly { readonly name: string; readonly asked: number; readonly answered: number }[];
  readonly quantities: readonly {
    readonly quantity: string;
    readonly value: unknown;
    readonly voices: readonly { readonly source: string; readonly value: unknown }[];
  }[];
}

let sandbox: Sandbox;
let service: RunningService;
let dataDir: string;
let database: OpenDatabase;
let count = 0;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-evidence-'));
  await chmod(dataDir, 0o755);
  sandbox = await startSandbox({ seed: 1, name: 'fiction', port: 0, host: '127.0.0.1', now: Date.now });
  const { sources } = sandboxConfig(sandbox);
  const on = Object.fromEntries(
    Object.entries(sources).map(([name, one]) => [
      name,
      WANTED.includes(name) ? { ...one, key: 'a-key-of-nobody', enabled: true } : one,
    ]),
  );
  database = await databaseOf(dataDir, 'service');
  const config = serviceOnSandbox(sandbox, { dataDir, databaseUrl: database.url, sources: on });
  service = await startService({ config, resolver: sandboxResolver(sandbox) });
});
after(async () => {
  await service.close();
  await sandbox.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function score(project: string, symbol: string): Promise<Full> {
  count += 1;
  const body = {
    type: 'posttge',
    project,
    project_url: `https://${project.toLowerCase()}.example/`,
    token_symbol: symbol,
  };
  const reply = await fetch(`${service.url}/v1/score`, {
    method: 'POST',
    headers: { 'x-api-key': service.adminKey ?? '', 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify({ ...body, category: `defi ${count}`, output_format: 'full' }),
  });
  assert.equal(reply.status, 200);
  return (await reply.json()) as Full;
}

test('once enabled, they are read and shown: advisories, votes, look-alikes; a Safe is a second source for the owner', async () => {
  const full = await score('Fennecswap', 'FENX');
  const found = new Set(full.quantities.map(({ quantity }) => quantity));
  assert.deepEqual(
    SHOWN.filter((quantity) => !found.has(quantity) && quantity !== 'lookalike_domains'),
    [],
  );
  const owner = full.quantities.find(({ quantity }) => quantity === 'owner_state');
  assert.deepEqual(
    owner?.voices.filter(({ source }) => source === 'safe').map(({ value }) => value),
    ['multisig'],
  );
  const strong = await score('Lumenfall', 'LUMF');
  const forged = strong.quantities.filter(({ quantity }) => quantity === 'lookalike_domains');
  assert.match(JSON.stringify(forged), /"1umenfall\.example","kind":"confusable"/);
});

test('no rule of a rating reads their observations', async () => {
  const folder = new URL('../src/rating/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  assert.ok(files.length > 10);
  for (const file of files) {
    const code = await readFile(new URL(file, folder), 'utf8');
    for (const quantity of SHOWN) assert.ok(!code.includes(quantity), `${file} reads ${quantity}`);
  }
});

/** Each with an asset of its own: of one that was rated before, the answers of then would stand. */
const FAULTS: readonly (readonly [kind: FaultKind, project: string, symbol: string])[] = [
  ['refused', 'Gruffle', 'GRUF'],
  ['wrong_content_type', 'Quillpond', 'QUIL'],
  ['gzip_bomb', 'Deedstone', 'DEED'],
];

for (const [kind, project, symbol] of FAULTS)
  test(`${kind}: they affect no other observation`, async () => {
    for (const source of WANTED) sandbox.faults.add({ source, kind });
    const full = await score(project, symbol);
    sandbox.faults.clear();
    assert.notEqual(full.rating.score, null);
    assert.deepEqual(
      full.quantities.filter(({ quantity }) => SHOWN.includes(quantity)).map(({ quantity }) => quantity),
      [],
    );
    assert.ok(full.quantities.every(({ voices }) => voices.every(({ source }) => !WANTED.includes(source))));
  });
