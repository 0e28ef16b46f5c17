import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { type RunningService, startService } from '../../src/compose/service.ts';
import type { EvidenceRecord } from '../../src/domain/evidence.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/statistics.ts';
import type { OpenDatabase } from '../../src/store/embedded.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';

interface Rating {
  readonly asset: { readonly id: string };
  readonly score: number | null;
  readonly band: string;
  readonly trust_score: number;
  readonly rating_action: string;
  readonly action_reason: string;
  readonly watch: { readonly reason: string; readonly detail: string } | null;
  readonly risk_flags: readonly { readonly code: string }[];
  readonly job_id: string;
  readonly as_of: string;
}

/** Half of the sources that tell of a token; those that identify it go on. */
const DOWN = [
  'coinmarketcap',
  'dexpaprika',
  'dexscreener',
  'geckoterminal',
  'goplus',
  'honeypot_is',
  'rugcheck',
  'github',
];
const begin = Math.floor(Date.now() / DAY_MS) * DAY_MS + HOUR_MS;
let host = begin;
let world: Sandbox;
let service: RunningService;
let dataDir: string;
let database: OpenDatabase;

before(async () => {
  world = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: () => host });
  dataDir = await mkdtemp(join(tmpdir(), 'assay-floors-'));
  await chmod(dataDir, 0o755);
  database = await databaseOf(dataDir, 'service');
  service = await startService({
    config: serviceOnSandbox(world, { dataDir, databaseUrl: database.url, monitorJobs: 0 }),
    resolver: sandboxResolver(world),
    now: () => host,
  });
});
afterEach(() => world.faults.clear());
after(async () => {
  await service.close();
  await world.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  const reply = await fetch(service.url + path, {
    method,
    headers: { 'x-api-key': service.adminKey ?? '', 'content-type': 'application/json', prefer: 'wait=60' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Reply;
}

function fail(sources: readonly string[]): void {
  for (const source of sources) world.faults.add({ source, kind: 'server_error' });
}

async function score(project: string, domain: string): Promise<string> {
  const body = { type: 'posttge', project, project_url: `https://${domain}/` };
  return (await call<{ asset: { id: string } }>('POST', '/v1/score', body)).asset.id;
}
const read = (id: string) => call<Rating>('GET', `/v1/rms/${encodeURIComponent(id)}`);
const again = (id: string) => call<Rating>('GET', `/v1/rms/${encodeURIComponent(id)}?fresh=true`);
/** Circuits to sources that failed close again by themselves, some seconds later. */
async function untilBack(id: string): Promise<Rating> {
  for (let attempt = 0; ; attempt += 1) {
    const rating = await again(id);
    if (rating.watch === null || attempt === 10) return rating;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    host += 60_000;
  }
}

const flags = (rating: Rating) => rating.risk_flags.map((flag) => flag.code);
const published = ({ asset, score: points, band, trust_score, job_id, as_of, risk_flags }: Rating) => ({
  asset,
  points,
  band,
  trust_score,
  job_id,
  as_of,
  risk_flags,
});

test('while half of the sources fail the rating stays, with its age, then on watch; when they are back it is as before', async (t) => {
  const id = await score('Harrowgate Protocol', 'harrowgate-protocol.example');
  const first = await read(id);
  t.diagnostic(`${first.band} ${first.score} trust ${first.trust_score}: ${flags(first)}`);

  fail(DOWN);
  host = begin + 2 * HOUR_MS;
  const held = await again(id);
  t.diagnostic(
    `after 2 h without ${DOWN}: ${held.band} ${held.score} trust ${held.trust_score} ${held.as_of} ${held.action_reason}`,
  );
  assert.deepEqual(published(held), published(first), 'nothing of the record in force has changed');

  host = begin + 27 * HOUR_MS;
  const watched = await again(id);
  t.diagnostic(`after 27 h: ${watched.action_reason} ${watched.watch?.detail}`);
  assert.deepEqual(
    [watched.rating_action, watched.band, watched.score, watched.trust_score, watched.watch?.reason],
    ['affirm', first.band, first.score, first.trust_score, 'evidence'],
  );
  assert.deepEqual(flags(watched), flags(first));
  for (const name of ['goplus', 'dexscreener']) assert.match(watched.watch?.detail ?? '', new RegExp(name));
  assert.ok(watched.watch?.detail.includes(first.as_of), 'the watch names the age of what stands');

  world.faults.clear();
  host = begin + 28 * HOUR_MS;
  const back = await untilBack(id);
  t.diagnostic(`back: ${back.band} ${back.score} trust ${back.trust_score}: ${back.action_reason}`);
  assert.equal(back.watch, null);
  assert.deepEqual([back.band, flags(back)], [first.band, flags(first)]);
  assert.ok(Math.abs((back.score ?? 0) - (first.score ?? 0)) < 2, `${back.score}`);
});

test('a first rating whose critical sources fail is returned and not published, so that no flag is missed', async () => {
  fail(['goplus']);
  const id = await score('Loosewire', 'loosewire.example');
  await assert.rejects(read(id), /404/);
  world.faults.clear();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    host += 60_000;
    await score('Loosewire', 'loosewire.example');
    if (await read(id).then(Boolean, () => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
  const rating = await read(id);
  assert.equal(rating.rating_action, 'new');
  for (const code of ['LP_CREATOR_CONTROLLED', 'LP_UNLOCKED']) assert.ok(flags(rating).includes(code), code);
});

test('a reply of the published collection is used, with its own time, for a request that fails the next time', async () => {
  const id = await score('Quillpond', 'quillpond.example');
  const first = await read(id);
  fail(['rdap']);
  host += 2 * HOUR_MS;
  const next = await again(id);
  assert.notEqual(next.job_id, first.job_id, 'the rest was read: it is published');
  const evidence = await call<EvidenceRecord>('GET', `/v1/jobs/${next.job_id}/evidence`);
  const failed = evidence.responses.filter((record) => record.source === 'rdap' && record.carriedFrom === undefined);
  assert.ok(failed.length > 0 && failed.every((record) => record.outcome !== 'ok'));
  const carried = evidence.responses.filter((record) => record.carriedFrom === first.job_id);
  assert.deepEqual([...new Set(carried.map((record) => record.source))], ['rdap']);
  const ids = new Set(carried.map((record) => record.id));
  const facts = evidence.observations.filter((row) => ids.has(row.responseId));
  assert.ok(facts.some((row) => row.quantity === 'domain_registered_at'));
  for (const row of facts) {
    assert.equal(row.carried?.jobId, first.job_id);
    assert.ok(row.fetchedAt <= first.as_of, row.fetchedAt);
  }
  assert.deepEqual([next.band, flags(next)], [first.band, flags(first)]);
  world.faults.clear();
});
