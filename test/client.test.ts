import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { pythonOfOpenApi } from '../client/generate/python-of-openapi.ts';
import { type OpenApiDocument, typesOfOpenApi } from '../client/generate/types-of-openapi.ts';
import { AssayConnectionError, AssayProblem, type Client, createClient, verifyRecord } from '../client/src/index.ts';
import { publishedRating } from '../src/monitoring/alerts/fixtures/published.ts';
import { storeRating } from '../src/monitoring/alerts/fixtures/store-rating.ts';
import { openStore } from '../src/store/database.ts';
import { databaseOf } from '../src/store/fixtures/database.ts';
import { type PackedClient, packedClient } from './support/packed-client.ts';
import { type TestService, testService } from './support/service.ts';
import { SECRET, signedDelivery } from './support/webhook-delivery.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const MADE = [
  { file: 'client/src/api-types.ts', make: typesOfOpenApi },
  { file: 'client/python/assay_client/api.py', make: pythonOfOpenApi },
];
let world: TestService;
let assay: Client;
let packed: PackedClient;
/** An empty project into which the packed client was installed. */
let project: string;

before(async () => {
  world = await testService();
  assay = createClient({ baseUrl: world.service.url, apiKey: world.key });
  packed = await packedClient();
  ({ project } = packed);
});
after(async () => {
  await world.close();
  await packed.remove();
});

for (const { file, make } of MADE)
  test(`${file} is that of the OpenAPI document as it is served`, async () => {
    const document = (await (await world.call('/openapi.json')).json()) as OpenApiDocument;
    const made = make(document);
    if (process.env.UPDATE_CLIENT) await writeFile(join(ROOT, file), made);
    assert.ok(made === (await readFile(join(ROOT, file), 'utf8')), `${file} is stale: npm run client:types`);
  });

test('every example of the README runs in an empty project that has the packed client', async () => {
  const readme = await readFile(join(ROOT, 'client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
  assert.equal(examples.length, 7);
  for (const [index, code] of examples.entries()) {
    const file = join(project, `example-${index + 1}.js`);
    await writeFile(file, code);
    const said = code.includes('createServer') ? await deliver(file) : await output(file);
    assert.match(said, EXPECTED[index] ?? /^$/, `example ${index + 1}`);
  }
});

/** What each example is to say, in their order. */
const EXPECTED = [
  /^solana:\S+ (?:A|BBB|BB) \d+(\.\d)? trust \d/,
  /valid: true.*TIDE (?:A|BBB|BB)\n/s,
  /goplus ok \d+ ms\n.*C \[\s+'HONEYPOT'/s,
  /^$/,
  /webhook\.test \{ webhook_id: 7 \}\n$/,
  /^404 asset_not_rated \{/,
  /^text\/csv\S* .*\d lines/,
];

async function output(file: string): Promise<string> {
  const env = { ...process.env, ASSAY_URL: world.service.url, ASSAY_API_KEY: world.key };
  return (await run(process.execPath, [file], { cwd: project, env })).stdout;
}

/** Sends a message twice and a forged one to an example that listens. */
async function deliver(file: string): Promise<string> {
  const env = { ...process.env, PORT: '0', ASSAY_WEBHOOK_SECRET: SECRET };
  const child = spawn(process.execPath, [file], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: child.stdout });
    const said: string[] = [];
    const port = await new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        const [, listening] = /^listening (\d+)$/.exec(line) ?? [];
        if (listening) resolve(listening);
        else said.push(line);
      });
    });
    const { body, headers } = signedDelivery(SECRET);
    const url = `http://127.0.0.1:${port}/`;
    const statuses = [];
    for (const sent of [body, body, `${body} `])
      statuses.push((await fetch(url, { method: 'POST', headers, body: sent })).status);
    assert.deepEqual(statuses, [204, 204, 401]);
    return `${said.join('\n')}\n`;
  } finally {
    await ended(child);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await gone;
}

test('a TypeScript project sees the types of the packed client, and a wrong name does not compile', async () => {
  const program = (field: string) =>
    `import { createClient } from '@assay/client';
const assay = createClient({ baseUrl: 'http://127.0.0.1:1' });
export const band: string = (await assay.rating('X')).${field};
export const full = (await assay.score({ type: 'posttge', project: 'X', project_url: 'https://x.example/', output_format: 'full' })).summary;
`;
  await writeFile(join(project, 'right.ts'), program('band'));
  await writeFile(join(project, 'wrong.ts'), program('bandit'));
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--types',
    '',
  ];
  const check = (file: string) => run(join(ROOT, 'node_modules/.bin/tsc'), [...options, file], { cwd: project });
  await check('right.ts');
  await assert.rejects(check('wrong.ts'), (error: { stdout: string }) => /bandit/.test(error.stdout));
});

test('the packed client contains only modules, their types and the guide, and needs nothing that only Node has', async () => {
  const folder = join(project, 'node_modules/@assay/client');
  const files = await readdir(folder, { recursive: true });
  const odd = files.filter((file) => !/^(package\.json|README\.md|dist|dist\/[a-z0-9-]+\.(js|d\.ts))$/.test(file));
  assert.deepEqual(odd, []);
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const code = await readFile(join(folder, file), 'utf8');
    assert.doesNotMatch(code, /\bBuffer\b|\bprocess\.|\brequire\(|from '(?!\.\/)/, file);
  }
});

test('a published rating verifies under the service’s own keys, and a changed one does not', async () => {
  const rating = await assay.call('GET /v1/rms/{asset}', { path: { asset: 'TIDE' } });
  assert.ok((await assay.verify(rating)).valid);
  const keys = await assay.keys();
  assert.deepEqual(await verifyRecord({ ...rating, band: 'AAA' }, keys), { valid: false, reason: 'wrong_signature' });
});

test('a lost reply to a score causes no second job, and a progress stream continues where it broke', async () => {
  let lost = 0;
  const losing: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    if (!String(given[0]).endsWith('/v1/score') || lost > 0) return response;
    lost += 1;
    await response.text();
    throw new TypeError('the connection broke');
  };
  const unlucky = createClient({ baseUrl: world.service.url, apiKey: world.key, fetch: losing });
  const request = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
  const { job_id } = await unlucky.score({ ...request, category: 'lost' });
  assert.equal(lost, 1);
  const all = await Array.fromAsync(assay.jobEvents(job_id));
  const last = all.at(-1);
  assert.ok(last?.type === 'state' && last.state === 'succeeded');
  const rest = await Array.fromAsync(assay.jobEvents(job_id, { lastEventId: all[2]?.id ?? '' }));
  assert.deepEqual(rest, all.slice(3));
});

test('a project without a tie to its site is a problem of its own type', async () => {
  const request = { type: 'posttge', project: 'Nowhere Protocol', project_url: 'https://nowhere-protocol.example/' };
  const { job_id } = await assay.startScore(request);
  const refused = (error: unknown) => error instanceof AssayProblem && error.code === 'project_not_identified';
  await assert.rejects(assay.jobResult(job_id), refused);
  await assert.rejects(assay.score(request), refused);
});

test('alerts arrive over connections that break, without gaps or duplicates, until the key may no longer read them', async () => {
  const path = { asset: `eip155:1/erc20:0x${'2'.repeat(40)}` };
  const database = await databaseOf(world.dataDir, 'visitor');
  const store = await openStore(database.url, 'sandbox');
  const rate = (score: number) => {
    const asOf = new Date(Date.UTC(2026, 2, 1) + score * 1000).toISOString();
    const rating = publishedRating(path.asset, `job ${score}`, asOf, { score, band: 'A', flags: [] });
    return store.db.transaction().execute((transaction) => storeRating(transaction, rating));
  };
  const scopes: ('rms:read' | 'rms:write')[] = ['rms:read', 'rms:write'];
  const made = await assay.call('POST /v1/admin/keys', { body: { name: 'alerts', scopes, plan: 'RATING' } });
  let connections = 0;
  // Each connection is cut in the middle of what comes after its first alert.
  const cutting: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    if (!String(given[0]).endsWith('/stream')) return response;
    connections += 1;
    return new Response(response.body?.pipeThrough(cutAfterAlert()) ?? null, response);
  };
  const { secret, id } = made as { secret: string; id: string };
  const watcher = createClient({ baseUrl: world.service.url, apiKey: secret, fetch: cutting });
  await rate(50);
  await watcher.call('PUT /v1/rms/whitelist/{asset}', { path, body: {} });
  for (const score of [60, 70, 80]) await rate(score);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const alert of watcher.alertStream({ lastEventId: '0' })) {
      seen.push(alert.id);
      if (seen.length === 3) await assay.call('DELETE /v1/admin/keys/{id}', { path: { id } });
    }
  })();
  await assert.rejects(reading, (error: unknown) => {
    if (error instanceof AssayProblem) return error.status === 401;
    return error instanceof AssayConnectionError && error.reason === 'stream_ended';
  });
  assert.deepEqual(seen, [1, 2, 3]);
  assert.ok(connections >= 3);
  await store.close();
  await database.close();
});

function cutAfterAlert(): TransformStream<Uint8Array, Uint8Array> {
  let text = '';
  return new TransformStream({
    transform(chunk, controller) {
      text += new TextDecoder().decode(chunk);
      const first = text.indexOf('\n\n', Math.max(0, text.indexOf('event: alert')));
      if (!text.includes('event: alert') || first < 0) return controller.enqueue(chunk);
      controller.enqueue(new TextEncoder().encode(text.slice(Math.max(0, text.length - chunk.byteLength), first + 9)));
      controller.error(new TypeError('the connection broke'));
    },
  });
}
