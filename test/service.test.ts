import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { sourceVariables } from '../sandbox/settings.ts';
import { MinimalScore, StandardScore } from '../src/contract/score.ts';
import { FullScore } from '../src/contract/score-full.ts';
import { databaseVariables } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../bin/assay.js', import.meta.url));
/** The Node that this checkout installed: run by another one the command starts a second process, which no spy sees. */
const NODE = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
const tidewell = { type: 'PostTGE', project: 'Tidewell', project_url: 'https://tidewell.example/' };
type Body = Record<string, never> & { readonly [name: string]: never };
let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

const read = async (reply: Response) => (await reply.json()) as Record<string, unknown>;
function fits(schema: TSchema, body: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(body), JSON.stringify([...validator.Errors(body)].slice(0, 3)));
}
/** Environment in which the command line finds the running service's database. */
const cliEnv = () => ({
  PATH: process.env.PATH ?? '',
  ...databaseVariables(world.config),
  ASSAY_DATA_MODE: 'sandbox',
  ...sourceVariables(world.config),
});

test('minimal has exactly the fields of the interface document, and writes the type as it does', async () => {
  const reply = await world.call('/v1/score', { json: { ...tidewell, output_format: 'minimal' } });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('assay-data-mode'), 'sandbox');
  const body = await read(reply);
  fits(MinimalScore, body);
  assert.deepEqual(Object.keys(body).sort(), [
    'execution_time_seconds',
    'job_id',
    'project',
    'rating',
    'trust_score',
    'type',
    'vfr',
  ]);
  assert.equal(body.type, 'posttge');
  assert.match(String(body.job_id), /^posttge_\d{13}_[a-z0-9]{8}$/);
});

test('an asset in one text is rated as by its project and website; fresh=true rates one that never was', async () => {
  type Scored = { asset: { id: string }; rating: { score: number }; warnings: string[]; project: string };
  const score = async (json: object) => (await read(await world.call('/v1/score', { json }))) as unknown as Scored;
  const named = await score(tidewell);
  for (const asset of ['tidewell.example', 'Tidewell', 'TIDE', named.asset.id]) {
    const found = await score({ asset });
    assert.deepEqual([found.asset.id, found.rating, found.warnings], [named.asset.id, named.rating, []], asset);
  }
  const none = await world.call('/v1/score', { json: { asset: 'nosuchtoken' } });
  assert.deepEqual([none.status, (await read(none)).code], [422, 'project_not_identified']);

  const unrated = world.sandbox.world.assets.find((row) => row.slug === 'quillpond');
  assert.ok(unrated?.chain && unrated.address);
  const path = `/v1/rms/${encodeURIComponent(`${unrated.chain}:${unrated.address}`)}`;
  const missing = await world.call(path);
  assert.equal(missing.status, 404);
  const { how_to_rate: next } = (await read(missing)) as { how_to_rate?: { path: string; body: object } };
  const first = await world.call(`${path}?fresh=true`);
  assert.equal(first.status, 200, await first.clone().text());
  assert.equal(first.headers.get('assay-published'), 'true');
  assert.ok(next);
  const again = (await read(await world.call(next.path, { json: next.body }))) as unknown as Scored;
  assert.equal(again.asset.id, ((await read(first)) as unknown as Scored).asset.id);
});

test('standard and full fit their published schemas, and full has an observation and a receipt for each number', async () => {
  const standard = await read(await world.call('/v1/score', { json: { ...tidewell, blokchain: 'solana' } }));
  fits(StandardScore, standard);
  assert.deepEqual(standard.warnings, ['unknown field blokchain was ignored; did you mean blockchain?']);
  const full = (await read(
    await world.call('/v1/score', { json: { ...tidewell, output_format: 'full' } }),
  )) as unknown as {
    quantities: {
      quantity: string;
      scope: string;
      value: unknown;
      voices: { evidence: string; withheld: boolean; value: unknown; source: string }[];
    }[];
    evidence: { id: string; sha256: string | null }[];
    factors: { points: number }[];
    rating: { uncapped_score: number };
    prior: number;
  };
  fits(FullScore, full);
  const receipts = new Set(full.evidence.map((row) => row.id));
  for (const quantity of full.quantities)
    for (const voice of quantity.voices)
      assert.ok(receipts.has(voice.evidence), `${quantity.quantity} ${voice.evidence}`);
  const withheld = full.quantities.flatMap((row) => row.voices).filter((voice) => voice.withheld);
  assert.ok(withheld.length > 0 && withheld.every((voice) => voice.value === null));
  const points = full.factors.reduce((sum, factor) => sum + Math.round(factor.points * 10), 0);
  assert.equal(points, Math.round((full.rating.uncapped_score - full.prior) * 10));
});

test('a report for people comes as a page or as Markdown, without scripts or external resources', async () => {
  const html = await world.call('/v1/score', {
    json: { ...tidewell, output_format: 'full' },
    headers: { accept: 'text/html' },
  });
  const page = await html.text();
  assert.match(html.headers.get('content-type') ?? '', /^text\/html/);
  assert.doesNotMatch(page, /<script|src=|href="http/i);
  assert.match(page, /SANDBOX/);
  const markdown = await world.call('/v1/score', {
    json: { ...tidewell, output_format: 'full' },
    headers: { accept: 'text/markdown' },
  });
  assert.match(await markdown.text(), /^> \*\*SANDBOX/);
});

test('asynchronous: 202 with the address, progress as events that can be read again, then the result', async () => {
  const reply = await world.call('/v1/score', {
    json: { ...tidewell, project: 'Tidewell async' },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(reply.status, 202);
  const location = reply.headers.get('location') ?? '';
  const events = async (lastEventId?: string) => {
    const seen: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => seen.push(event) });
    const stream = await world.call(`${location}/events`, {
      headers: lastEventId ? { 'last-event-id': lastEventId } : {},
    });
    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
    parser.feed(await stream.text());
    return seen;
  };
  const all = await events();
  assert.deepEqual(
    all.map((event) => Number(event.id)),
    all.map((_, index) => index + 1),
  );
  const kinds = new Set(all.map((event) => event.event));
  for (const kind of ['state', 'identified', 'source', 'result']) assert.ok(kinds.has(kind), kind);
  assert.deepEqual(
    (await events('3')).map((event) => event.id),
    all.slice(3).map((event) => event.id),
  );
  const job = await read(await world.call(location));
  assert.equal(job.state, 'succeeded');
  fits(StandardScore, job.result);
});

test('a client that hangs up does not lose the job', async () => {
  world.sandbox.faults.add({ source: '*', kind: 'latency', ms: 250 });
  const gone = new AbortController();
  const project = 'Tidewell hang-up';
  const first = world.call('/v1/score', { json: { ...tidewell, project }, signal: gone.signal }).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, 300));
  gone.abort();
  await first;
  const joined = await world.call('/v1/score', {
    json: { ...tidewell, project },
    headers: { prefer: 'respond-async' },
  });
  const location = joined.headers.get('location') ?? '';
  for (
    let i = 0;
    i < 100 && ['queued', 'running'].includes(String((await read(await world.call(location))).state));
    i += 1
  )
    await new Promise((resolve) => setTimeout(resolve, 100));
  world.sandbox.faults.clear();
  assert.equal((await read(await world.call(location))).state, 'succeeded');
});

test('a running job can be cancelled, once', async () => {
  world.sandbox.faults.add({ source: '*', kind: 'latency', ms: 800 });
  const reply = await world.call('/v1/score', {
    json: { ...tidewell, project: 'Tidewell cancel' },
    headers: { prefer: 'respond-async' },
  });
  const location = reply.headers.get('location') ?? '';
  assert.equal((await world.call(location, { method: 'DELETE' })).status, 200);
  for (let i = 0; i < 50 && (await read(await world.call(location))).state !== 'cancelled'; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  world.sandbox.faults.clear();
  assert.equal((await read(await world.call(location))).state, 'cancelled');
  assert.equal((await world.call(location, { method: 'DELETE' })).status, 409);
});

test('an idempotency key gives the same job, and refuses another request', async () => {
  const headers = { 'idempotency-key': 'abc-1' };
  const one = await read(await world.call('/v1/score', { json: tidewell, headers }));
  const two = await read(await world.call('/v1/score', { json: tidewell, headers }));
  assert.equal(one.job_id, two.job_id);
  const other = await world.call('/v1/score', { json: { ...tidewell, token_symbol: 'TIDE' }, headers });
  assert.deepEqual([other.status, (await read(other)).code], [409, 'idempotency_key_reused']);
});

test('not identified and ambiguous are different problems', async () => {
  const cases = [
    [
      { ...tidewell, project: 'Nowhere Protocol', project_url: 'https://nowhere-protocol.example/' },
      422,
      'project_not_identified',
    ],
    [{ ...tidewell, project: 'Twinfin', project_url: 'https://twinfin.example/' }, 409, 'ambiguous_project'],
  ] as const;
  for (const [json, status, code] of cases) {
    const reply = await world.call('/v1/score', { json });
    const body = await read(reply);
    assert.deepEqual([reply.status, body.code], [status, code]);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
  }
});

test('evidence is archived; replay gives the same bytes from observations, from bodies, and from a file elsewhere', async () => {
  const { job_id: jobId } = await read(
    await world.call('/v1/score', { json: { ...tidewell, project: 'Tidewell replay' } }),
  );
  const evidence = (await read(await world.call(`/v1/jobs/${jobId}/evidence`))) as {
    observations?: { value: unknown; withheld?: boolean; source: string }[];
    withheldSources?: string[];
  };
  assert.ok((evidence.observations?.length ?? 0) > 100);
  for (const row of evidence.observations ?? [])
    assert.equal(row.withheld === true, evidence.withheldSources?.includes(row.source) === true);
  assert.equal(JSON.stringify(evidence).includes('127.0.0.1'), false);
  const replay = async (...args: string[]) =>
    JSON.parse((await run(process.execPath, [MAIN, 'replay', ...args, '--json'], { env: cliEnv() })).stdout) as Record<
      string,
      unknown
    >;
  assert.equal((await replay(String(jobId))).same_bytes, true);
  const fromBodies = await replay(String(jobId), '--bodies');
  assert.equal(fromBodies.same_bytes, true, JSON.stringify(fromBodies));
  assert.equal(fromBodies.replies_different, 0);
  const file = join(world.dataDir, 'job.assay');
  await run(process.execPath, [MAIN, 'evidence', String(jobId), '--out', file], { env: cliEnv() });
  assert.equal((await replay('--file', file, '--bodies')).same_bytes, true);
  await rm(file);
});

test('a score on the command line loads what it needs, and a mistyped one opens no database', async () => {
  const spy = `import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
    process.on('exit', () => process.stderr.write([...loaded].join('\\n')));`;
  const score = async (...args: string[]) => {
    const spied = ['--import', `data:text/javascript,${encodeURIComponent(spy)}`, MAIN, 'score', ...args];
    const ran = await run(NODE, spied, { env: cliEnv() }).catch((error: { stderr: string }) => error);
    return ran.stderr;
  };
  const needed = await score('--project', 'Tidewell', '--url', 'https://tidewell.example/');
  // From the sources, or from the program that the installation joined.
  assert.match(needed, /\/src\/compose\/scoring\.ts|\/commands\/scoring-/);
  assert.doesNotMatch(needed, /\/node_modules\/(pg-boss|hyparquet|fastify|pino|prom-client)\//);
  const mistyped = await score('--project', 'Tidewell');
  assert.match(mistyped, /project_url: /);
  assert.doesNotMatch(mistyped, /\/src\/store\/|\/commands\/stor(e|age)-/);
});

test('the command line and the admin routes manage the same keys', async () => {
  const cli = async (...args: string[]) =>
    JSON.parse((await run(process.execPath, [MAIN, 'keys', ...args, '--json'], { env: cliEnv() })).stdout) as {
      id: string;
      secret: string;
    };
  const made = await cli('create', '--name', 'desk', '--scopes', 'score');
  assert.equal((await world.call('/v1/jobs/nope', { key: made.secret })).status, 404);
  const forbidden = await world.call('/v1/admin/keys', { key: made.secret });
  assert.deepEqual([forbidden.status, (await read(forbidden)).code], [403, 'missing_scope']);
  const rotated = (await read(
    await world.call(`/v1/admin/keys/${made.id}/rotate`, { json: { overlap_seconds: 0 } }),
  )) as { id?: string; secret?: string };
  assert.ok(rotated.secret);
  assert.equal((await world.call(`/v1/admin/keys/${rotated.id}`, { method: 'DELETE' })).status, 204);
  const gone = await world.call('/v1/jobs/nope', { key: rotated.secret ?? '' });
  assert.deepEqual([gone.status, (await read(gone)).code], [401, 'invalid_api_key']);
  const listed = await (await world.call('/v1/admin/keys')).text();
  assert.equal(listed.includes(made.secret), false);
  const misspelt = await read(
    await world.call('/v1/admin/keys', { json: { name: 'desk', scopes: ['score'], plan: 'RATNG' } }),
  );
  assert.match(JSON.stringify(misspelt.errors), /"pointer":"\/plan".*did you mean RATING\?/);
  assert.equal((await (await world.call('/v1/admin/keys')).text()).includes('RATNG'), false);
});

test('the command line monitors ratings, shows them, and lists their history', async () => {
  const cli = async (...args: string[]) =>
    (await run(process.execPath, [MAIN, 'rms', ...args], { env: cliEnv() })).stdout.trim();
  const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
  assert.equal((await world.call('/v1/score', { json, headers: { prefer: 'wait=60' } })).status, 200);
  const added = await cli('add', 'tide');
  const [id = ''] = added.split('  ');
  assert.match(added, /is kept up to date$/);
  assert.match(await cli('list'), new RegExp(`^BBB +\\d.*${id.replaceAll('.', '\\.')}  TIDE  next 2.* by `, 'm'));
  assert.match(await cli('show', 'tide'), /\n {2}(AA?|BBB?) {2}\d+(\.\d)? \(.*trust \d/);
  const shown = JSON.parse(await cli('show', id, '--json')) as { asset: { id: string }; data_mode: string };
  assert.deepEqual([shown.asset.id, shown.data_mode], [id, 'sandbox']);
  assert.match(await cli('history', id, '--actions'), / new {2}first rating$/m);
  assert.match(await cli('remove', id), /no longer kept up to date/);
  await assert.rejects(cli('remove', id), /was not kept up to date/);
});

test('the OpenAPI document names every route, and open routes need no key', async () => {
  const document = (await read(await world.call('/openapi.json', { key: null }))) as { openapi?: string; paths?: Body };
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(Object.keys(document.paths ?? {}).sort(), [
    '/.well-known/assay-keys.json',
    '/healthz',
    '/readyz',
    '/v1/account',
    '/v1/account/keys',
    '/v1/account/keys/{id}',
    '/v1/account/keys/{id}/rotate',
    '/v1/admin/appeals',
    '/v1/admin/appeals/{id}/reviews',
    '/v1/admin/disputes',
    '/v1/admin/disputes/{id}/resolve',
    '/v1/admin/keys',
    '/v1/admin/keys/{id}',
    '/v1/admin/keys/{id}/rotate',
    '/v1/alerts',
    '/v1/alerts/source-drift',
    '/v1/alerts/stream',
    '/v1/alerts/{id}/acknowledge',
    '/v1/bulk',
    '/v1/bulk/{id}',
    '/v1/bulk/{id}/rows',
    '/v1/chains',
    '/v1/changelog',
    '/v1/disputes',
    '/v1/disputes/{id}',
    '/v1/exports/rms/current',
    '/v1/exports/rms/daily',
    '/v1/exports/rms/daily/manifest',
    '/v1/exports/rms/diff',
    '/v1/jobs/{id}',
    '/v1/jobs/{id}/events',
    '/v1/jobs/{id}/evidence',
    '/v1/log/checkpoint',
    '/v1/log/checkpoints',
    '/v1/log/consistency',
    '/v1/log/cosignatures',
    '/v1/log/entries',
    '/v1/log/revocations',
    '/v1/methodology',
    '/v1/methodology/calibration',
    '/v1/methodology/changes',
    '/v1/methodology/{version}',
    '/v1/overview',
    '/v1/plans',
    '/v1/policy/check',
    '/v1/policy/portfolio',
    '/v1/policy/presets',
    '/v1/public/appeals',
    '/v1/public/appeals/{reference}',
    '/v1/public/appeals/{reference}/evidence',
    '/v1/public/appeals/{reference}/proof',
    '/v1/public/objections',
    '/v1/public/objections/{reference}',
    '/v1/receipts/{receipt}',
    '/v1/registers',
    '/v1/registers/{name}',
    '/v1/registers/{name}/schema',
    '/v1/restatements',
    '/v1/rms',
    '/v1/rms/actions',
    '/v1/rms/batch',
    '/v1/rms/whitelist',
    '/v1/rms/whitelist/{asset}',
    '/v1/rms/{asset}',
    '/v1/rms/{asset}/actions',
    '/v1/rms/{asset}/attestation',
    '/v1/rms/{asset}/breakdown',
    '/v1/rms/{asset}/clusters',
    '/v1/rms/{asset}/counterfactual',
    '/v1/rms/{asset}/dossier',
    '/v1/rms/{asset}/forensics',
    '/v1/rms/{asset}/history',
    '/v1/rms/{asset}/peers',
    '/v1/rms/{asset}/proofs',
    '/v1/rms/{asset}/report',
    '/v1/score',
    '/v1/setup',
    '/v1/setup/prove',
    '/v1/solana/exports/daily',
    '/v1/solana/exports/daily/manifest',
    '/v1/solana/market/{asset}/history',
    '/v1/solana/market/{asset}/snapshot',
    '/v1/solana/{asset}/holders/history',
    '/v1/solana/{asset}/holders/snapshot',
    '/v1/solana/{asset}/liquidity/history',
    '/v1/solana/{asset}/liquidity/pools',
    '/v1/solana/{asset}/liquidity/pools/history',
    '/v1/status',
    '/v1/track-record',
    '/v1/track-record/misses',
    '/v1/usage',
    '/v1/usage/statement',
    '/v1/webhooks',
    '/v1/webhooks/{id}',
    '/v1/webhooks/{id}/deliveries',
    '/v1/webhooks/{id}/deliveries/{delivery}/replay',
    '/v1/webhooks/{id}/mutes',
    '/v1/webhooks/{id}/mutes/{mute}',
    '/v1/webhooks/{id}/replay',
    '/v1/webhooks/{id}/rotate',
    '/v1/webhooks/{id}/test',
    '/v1/{chain}/exports/daily',
    '/v1/{chain}/exports/daily/manifest',
    '/v1/{chain}/index',
    '/v1/{chain}/index/{asset}',
    '/v1/{chain}/market/{asset}/history',
    '/v1/{chain}/market/{asset}/snapshot',
    '/v1/{chain}/stream',
    '/v1/{chain}/thresholds',
    '/v1/{chain}/thresholds/{asset}',
    '/v1/{chain}/{asset}/holders/history',
    '/v1/{chain}/{asset}/holders/snapshot',
    '/v1/{chain}/{asset}/liquidity/history',
    '/v1/{chain}/{asset}/liquidity/pools',
    '/v1/{chain}/{asset}/liquidity/pools/history',
  ]);
  for (const path of [
    '/healthz',
    '/readyz',
    '/v1/methodology',
    '/v1/methodology/calibration',
    '/v1/methodology/changes',
    '/v1/plans',
    '/v1/registers',
    '/v1/registers/issuers',
    '/v1/registers/issuers/schema',
    '/v1/restatements',
    '/v1/status',
    '/v1/track-record',
    '/.well-known/assay-keys.json',
    '/docs/',
  ])
    assert.equal((await world.call(path, { key: null })).status, 200, path);
  const docs = await world.call('/docs/', { key: null });
  assert.match(docs.headers.get('content-security-policy') ?? '', /default-src 'self'/);
  const text = await docs.text();
  assert.doesNotMatch(text, /(src|href)="https?:/);
  const script = /<script src="([^"]+)"/.exec(text)?.[1] ?? '';
  const entry = await fetch(`${world.service.url}/docs`);
  assert.equal(new URL(entry.url).pathname, '/docs/');
  const loaded = await fetch(new URL(script, entry.url));
  assert.match(loaded.headers.get('content-type') ?? '', /javascript/);
  assert.match(await loaded.text(), /createApiReference/);
  const methodology = await world.call('/v1/methodology', { key: null });
  assert.equal(
    (
      await world.call('/v1/methodology', {
        key: null,
        headers: { 'if-none-match': methodology.headers.get('etag') ?? '' },
      })
    ).status,
    304,
  );
});

// Last: the breakers stay open for a while after this.
test('when no source can be reached there is no new rating: a published one is returned, with its age and the failure', async () => {
  const stood = await read(await world.call('/v1/score', { json: tidewell, headers: { prefer: 'wait=60' } }));
  world.sandbox.faults.add({ source: '*', kind: 'server_error' });
  const score = (json: object) => world.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
  const rated = await score(tidewell);
  const never = await score({ type: 'PostTGE', project: 'Marrowstone', project_url: 'https://marrowstone.example/' });
  world.sandbox.faults.clear();
  assert.deepEqual([never.status, (await read(never)).code], [503, 'no_source_reachable']);
  const answer = await read(rated);
  assert.deepEqual([rated.status, answer.published, answer.rating], [200, true, stood.rating], JSON.stringify(answer));
  assert.match(
    String(answer.warnings),
    /the collection failed \(no_source_reachable\): this is the newest published rating, .* old/,
  );
});
