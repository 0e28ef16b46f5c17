import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sandboxPanel } from '../sandbox/known-assets.ts';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { createEngine, type Engine } from '../src/compose/engine.ts';
import type { EvidenceRecord } from '../src/domain/index.ts';
import { createCanaries, type DriftEvent } from '../src/proving/index.ts';
import { evidenceOf } from '../src/store/archive.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { sourceHealth, sourceWeights, watchSources } from '../src/store/sources.ts';
import { assay } from './support/command-line.ts';
import { testService } from './support/service.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let sandbox: Sandbox;
let engine: Engine;
let at = Date.now();

before(async () => {
  database = await testDatabase();
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: () => at });
  engine = createEngine(serviceOnSandbox(sandbox, {}), sandboxResolver(sandbox), () => at);
});
beforeEach(() => database.store.pool.query('truncate source_watch'));
after(async () => {
  await engine.close();
  await sandbox.close();
  await database.close();
});

function canariesOf(news: DriftEvent[], holder = 'one') {
  return createCanaries({
    db: database.store.db,
    book: engine.book,
    upstream: engine.upstream,
    methodology: engine.methodology,
    panel: sandboxPanel(sandbox.world, ['tidewell', 'lumenfall']),
    holder,
    now: () => at,
    onDrift: (one) => void news.push(one),
    afterTurn: async () => undefined,
    onError: (error) => assert.fail(String(error)),
  });
}

test('a source that misstates a known fact has less weight within the hour, with the reason, and recovers by itself', async () => {
  const { db } = database.store;
  const news: DriftEvent[] = [];
  const canaries = canariesOf(news);
  const read = await canaries.tick();
  assert.ok(read.length > 15, read.join());
  assert.deepEqual(await canaries.tick(), [], 'nothing is due twice in an hour');
  assert.equal(news.length, 0);

  sandbox.faults.add({ source: 'coingecko', kind: 'scale', quantity: 'supply', factor: 1000 });
  at += HOUR_MS;
  await canaries.tick();
  const [began] = news;
  assert.equal(began?.source, 'coingecko');
  assert.deepEqual(await sourceWeights(db), new Map([['coingecko', 0.25]]));
  const health = (await sourceHealth(db)).find((row) => row.source === 'coingecko');
  assert.deepEqual(health?.drifting, ['misstated']);
  assert.equal(health?.driftEndpoint, 'coin');
  assert.equal(health?.usualSince, null);
  assert.match(health?.drift ?? '', /^coin, Tidewell: total_supply is .*: 10\^3 times as much/);

  sandbox.faults.clear();
  for (let hour = 0; hour < 3; hour += 1) {
    at += HOUR_MS;
    await canaries.tick();
  }
  assert.deepEqual(await sourceWeights(db), new Map());
  assert.deepEqual(
    news.filter((row) => row.source === 'coingecko').map((row) => row.ended),
    [[], ['misstated']],
  );
  const later = (await sourceHealth(db)).find((row) => row.source === 'coingecko');
  assert.equal(later?.driftAt, health?.driftAt);
  assert.equal(later?.usualSince, new Date(at).toISOString());
  await canaries.close();
});

test('a source that is away does not drift, and two processes do not read it twice', async () => {
  const news: DriftEvent[] = [];
  sandbox.faults.add({ source: 'coinpaprika', kind: 'server_error' });
  const counted = sandbox.requests.get('coingecko') ?? 0;
  const [one, other] = [canariesOf(news, 'one'), canariesOf(news, 'other')];
  await watchSources(database.store.db, [...engine.book.keys()]);
  const read = await Promise.all([one.tick(), other.tick()]);
  sandbox.faults.clear();
  assert.equal(new Set(read.flat()).size, read.flat().length);
  assert.ok(!read.flat().includes('coinpaprika'));
  assert.equal(news.length, 0);
  assert.ok((sandbox.requests.get('coingecko') ?? 0) - counted <= 8);
  await Promise.all([one.close(), other.close()]);
});

test('the weight in force is in the evidence, lowers what the source counts, and replays to the same bytes', async () => {
  const { db, pool } = database.store;
  await watchSources(db, ['coingecko', 'birdeye']);
  await pool.query(
    `update source_watch set weight = 0.25, drifting = '{misstated}', drift_at = now(), drift = 'a unit',
      reachable = false, failure = 'refused', latency_ms = 40`,
  );
  const world = await testService({ databaseUrl: database.url, logLevel: 'silent' });
  try {
    const status = (await (await world.call('/v1/status', { key: null })).json()) as {
      sources: {
        source: string;
        enabled: boolean;
        weight: number;
        reachable: boolean | null;
        failure: string | null;
        latency_ms: number | null;
        drifting: string[];
        last_drift: { text: string } | null;
      }[];
    };
    const row = status.sources.find(({ source }) => source === 'coingecko');
    assert.deepEqual([row?.weight, row?.last_drift?.text], [0.25, 'a unit']);
    // It needs a key that is not set: what it last was lowers nothing and alerts nobody any more.
    const off = status.sources.find(({ source }) => source === 'birdeye');
    assert.deepEqual([off?.enabled, off?.weight, off?.drifting], [false, 1, []]);
    // Nor does it fail: nobody asks it.
    assert.deepEqual([off?.reachable, off?.failure, off?.latency_ms], [null, null, null]);
    const asset = world.sandbox.world.assets.find(({ slug }) => slug === 'tidewell');
    const json = { type: 'posttge', project: asset?.name, project_url: asset?.url };
    const scored = await world.call('/v1/score', { json });
    assert.equal(scored.status, 200);
    const { rows } = await pool.query<{ job_id: string }>('select job_id from evidence');
    const jobId = rows[0]?.job_id ?? '';
    const stored = await evidenceOf(db, jobId, noObjectStore);
    assert.ok(stored, JSON.stringify(jobId));
    const evidence = JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord;
    const its = evidence.observations.filter(({ source }) => source === 'coingecko');
    assert.ok(its.length > 10);
    assert.ok(its.every((one) => one.sourceWeight === 0.25 && one.reliability < 0.25));
    assert.ok(evidence.observations.some((one) => one.source !== 'coingecko' && one.sourceWeight === undefined));
    const variables = { DATABASE_URL: database.url };
    const replayed = await assay(world.config, ['replay', jobId, '--bodies'], variables);
    assert.equal(replayed.code, 0, replayed.out + replayed.err);
  } finally {
    await world.close();
  }
});
