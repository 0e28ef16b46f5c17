import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import canonicalize from 'canonicalize';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { startService } from '../../src/compose/service.ts';
import type { Config } from '../../src/config/types.ts';
import { placedDatabase } from '../../src/store/fixtures/database.ts';
import { stateOfRow } from '../../src/store/packed-state.ts';
import { lookInto } from '../support/durable-service.ts';

/** Collections apart from the answer to a caller: docs/decisions/0021-collections.md. */
type Body = Readonly<Record<string, unknown>> & {
  readonly job_id: string;
  readonly published: boolean;
  readonly not_published_because: readonly { readonly code: string }[];
  readonly collection_id: string | null;
  readonly warnings: readonly string[];
  readonly rating: { readonly band: string; readonly score: number | null };
  readonly trust_score: { readonly score: number };
};

interface Place {
  readonly dataDir: string;
  readonly sandbox: Sandbox;
  /** Changes what both the service and the sandbox take for the present. */
  readonly setClock: (at: number) => void;
  readonly score: (
    words: Readonly<Record<string, unknown>>,
    prefer?: string,
    key?: string,
  ) => Promise<{ readonly status: number; readonly headers: Headers; readonly body: Body }>;
  readonly get: (path: string, prefer?: string) => Promise<{ readonly status: number; readonly body: Body }>;
  readonly post: (path: string, json: unknown) => Promise<{ readonly status: number; readonly body: Body }>;
  readonly remove: (path: string) => Promise<{ readonly status: number }>;
  readonly restart: (settings?: Partial<Config>) => Promise<void>;
}

const START = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 3_600_000;
const closers: (() => Promise<void>)[] = [];
/** A service that nothing asks any more still works: its sources are read, its snapshots made. */
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A service and its sandbox whose clock stands still, so that what is published has the same times wherever it is made. */
async function place(settings: Partial<Config> = {}): Promise<Place> {
  let clock = START;
  const sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: () => clock });
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-collections-'));
  await chmod(dataDir, 0o755);
  const placed = await placedDatabase(dataDir);
  const databaseUrl = placed?.url ?? null;
  const begin = (more: Partial<Config>) =>
    startService({
      config: serviceOnSandbox(sandbox, { dataDir, databaseUrl, monitorJobs: 0, ...settings, ...more }),
      resolver: sandboxResolver(sandbox),
      now: () => clock,
    });
  let service = await begin({});
  const admin = service.adminKey ?? '';
  closers.push(async () => {
    await service.close();
    await sandbox.close();
    await placed?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const send = async (method: string, path: string, prefer: string, json?: unknown, key = admin) => {
    const reply = await fetch(service.url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', prefer },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Body };
  };
  return {
    dataDir,
    sandbox,
    setClock(at) {
      clock = at;
    },
    score: (words, prefer = 'wait=60', key = admin) =>
      send('POST', '/v1/score', prefer, { type: 'posttge', ...words }, key),
    get: (path, prefer = 'wait=60') => send('GET', path, prefer),
    post: (path, json) => send('POST', path, 'wait=60', json),
    remove: (path) => send('DELETE', path, 'wait=60'),
    async restart(more = {}) {
      await service.close();
      service = await begin(more);
    },
  };
}

const TIDEWELL = { project: 'Tidewell', project_url: 'https://tidewell.example/' };
const MARROWSTONE = { project: 'Marrowstone', project_url: 'https://marrowstone.example/' };

/** The published record without the id of the collection and the signature over it. */
async function published(world: Place, asset: string): Promise<string> {
  const { status, body } = await world.get(`/v1/rms/${asset}`);
  assert.equal(status, 200, JSON.stringify(body));
  const { job_id: _job, signature: _signature, age_seconds: _age, standing: _standing, ...record } = body;
  return canonicalize(record) ?? '';
}

const counted = (world: Place) =>
  lookInto(world.dataDir, async ({ db }) => ({
    collections: (await db.selectFrom('jobs').select('id').where('kind', '=', 'collection').execute()).length,
    ratings: (await db.selectFrom('published_ratings').select('id').execute()).length,
    evidence: (await db.selectFrom('evidence').select('job_id').execute()).length,
  }));

/** Sources that tell nothing of which asset is meant, made slow enough to miss a caller's deadline and no longer. */
function slowly(world: Place, ms: number): void {
  for (const source of ['goplus', 'rugcheck', 'solana_rpc', 'evm_rpc', 'honeypot_is'])
    world.sandbox.faults.add({ source, kind: 'latency', ms });
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('it did not happen within a minute');
}

describe('twenty callers with twenty different requests', () => {
  test('have one collection and one published record, the one that is published without them', async () => {
    const [crowd, alone] = [await place({ freshSeconds: 60 }), await place()];
    const { assets } = crowd.sandbox.world;
    const address = assets.find((asset) => asset.slug === 'tidewell')?.address;
    const paths = ['', 'token.json', 'no/such/page', '?claim=free', 'blog', '#news', 'a/b/c'];
    const words = Array.from({ length: 20 }, (_, index) => ({
      ...TIDEWELL,
      project: index % 3 === 0 ? 'tidewell' : 'Tidewell',
      project_url: `https://${['', 'www.', 'nobody.'][index % 3]}tidewell.example${index % 5 === 0 ? '.' : ''}/${paths[index % 7]}`,
      ...(index % 4 === 1 ? { category: ['stablecoin', 'memecoin', 'l1'][index % 3] } : {}),
      ...(index % 4 === 2 ? { token_symbol: 'TIDE' } : {}),
      ...(index % 4 === 3 ? { token_address: address, blockchain: 'solana' } : {}),
      output_format: 'standard',
    }));
    const replies = await Promise.all(words.map((row) => crowd.score(row, 'wait=120')));
    for (const { status, headers, body } of replies) {
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.published, headers.get('assay-published')], [true, 'true']);
    }
    assert.equal(new Set(replies.map(({ body }) => body.job_id)).size, 20);
    assert.equal(new Set(replies.map(({ body }) => JSON.stringify(body.rating))).size, 1);
    assert.ok(
      replies.some(({ body }) => body.warnings.some((warning) => warning.startsWith('category'))),
      'what was not used is named',
    );
    assert.deepEqual(await counted(crowd), { collections: 1, ratings: 1, evidence: 1 });

    assert.equal((await alone.score(TIDEWELL)).status, 200);
    assert.equal(await published(crowd, 'TIDE'), await published(alone, 'TIDE'));
  });
});

describe('a poisoned request', () => {
  test('changes nothing that is published, and nothing repeats it', async () => {
    const world = await place();
    assert.equal((await world.score(TIDEWELL)).status, 200);
    const before = JSON.parse(await published(world, 'TIDE')) as Body & {
      readonly asset: object;
      readonly band: string;
    };
    for (const poison of [
      { project_url: 'https://no-such-name.tidewell.example/' },
      { project_url: 'https://tidewell.example/no/such/page' },
      { project_url: 'https://tidewell.example./' },
      { project_url: 'https://tidewell.example/login?phish=1', project: 'tidewell' },
      { category: 'stablecoin' },
      { category: 'memecoin' },
      { category: 'stablecoin by the word of a caller' },
    ]) {
      await world.score({ ...TIDEWELL, ...poison });
      await world.get('/v1/rms/TIDE?fresh=true');
      const now = JSON.parse(await published(world, 'TIDE')) as typeof before;
      const told = (record: typeof before) => ({ asset: record.asset, band: record.band, flags: record.risk_flags });
      assert.deepEqual(told(now), told(before), JSON.stringify(poison));
    }
    const requests = await lookInto(world.dataDir, async ({ db }) => [
      ...(await db.selectFrom('jobs').select('request').where('kind', '=', 'collection').execute()),
      ...(await db.selectFrom('rated_assets').select(['request', 'state', 'state_packed', 'asset']).execute()).map(
        ({ state_packed, ...row }) => ({ ...row, state: stateOfRow({ ...row, state_packed }) }),
      ),
    ]);
    assert.ok(requests.length > 6);
    assert.doesNotMatch(JSON.stringify(requests), /phish|no-such-name|no\/such|a caller/);
  });
});

describe('a caller in a hurry', () => {
  test('gets what is known, marked as partial and published nowhere; the whole rating is published after it', async () => {
    const world = await place();
    slowly(world, 6_000);
    const hasty = await world.score({ ...TIDEWELL, output_format: 'standard' }, 'wait=4');
    assert.equal(hasty.status, 200, JSON.stringify(hasty.body));
    assert.deepEqual([hasty.body.published, hasty.headers.get('assay-published')], [false, 'false']);
    assert.deepEqual(
      hasty.body.not_published_because.map(({ code }) => code),
      ['partial_collection'],
    );
    assert.equal((await world.get('/v1/rms/TIDE')).status, 404);
    const receipt = await world.get(`/v1/jobs/${hasty.body.job_id}/evidence`);
    assert.deepEqual([receipt.status, receipt.body.purpose, receipt.body.jobId], [200, 'partial', hasty.body.job_id]);

    const collection = `/v1/jobs/${hasty.body.collection_id}`;
    await until(async () => (await world.get(collection)).body.state === 'succeeded');
    // What was not rated is believed for some seconds.
    world.setClock(START + 10_000);
    await until(async () => (await world.get('/v1/rms/TIDE')).status === 200);
    const whole = (await world.get('/v1/rms/TIDE')).body as Body & {
      readonly trust_score: unknown;
      readonly score: number;
    };
    assert.ok(Number(whole.trust_score) > hasty.body.trust_score.score, `${whole.trust_score}`);

    const again = await world.score({ ...TIDEWELL, output_format: 'standard' }, 'wait=4');
    assert.deepEqual([again.status, again.body.published], [200, true]);
    assert.match(again.body.warnings.join(' '), /newest published rating/);
    assert.equal(again.body.trust_score.score, Number(whole.trust_score));
    const minimal = await world.score({ ...TIDEWELL, output_format: 'minimal' }, 'wait=4');
    assert.deepEqual(Object.keys(minimal.body).sort(), [
      'execution_time_seconds',
      'job_id',
      'project',
      'rating',
      'trust_score',
      'type',
      'vfr',
    ]);
    assert.equal(minimal.headers.get('assay-published'), 'true');
  });

  test('takes nothing from another request that is equal and has time', async () => {
    const world = await place();
    slowly(world, 4_000);
    const words = { ...MARROWSTONE, output_format: 'standard' };
    const hasty = world.score(words, 'wait=1');
    const patient = await world.score(words, 'wait=60');
    await hasty;
    assert.equal(patient.status, 200, JSON.stringify(patient.body));
    assert.equal(patient.body.published, true);
    assert.notEqual(patient.body.rating.band, 'NR');
    assert.ok(patient.body.trust_score.score > 60, String(patient.body.trust_score.score));
    assert.equal((await counted(world)).ratings, 1);
  });
});

describe('a collection that fails', () => {
  test('returns the published rating with its age; without one the failure is reported', async () => {
    const world = await place();
    const failing = async (words: object) => {
      const scored = world.score({ ...words, output_format: 'standard' });
      let collection: string | undefined;
      await until(async () => {
        const rows = await lookInto(world.dataDir, ({ db }) =>
          db.selectFrom('jobs').select('id').where('kind', '=', 'collection').where('state', '=', 'running').execute(),
        );
        collection = rows[0]?.id;
        return collection !== undefined;
      });
      await world.remove(`/v1/jobs/${collection}`);
      return scored;
    };
    const first = await world.score({ ...TIDEWELL, output_format: 'standard' });
    assert.equal(first.body.published, true, JSON.stringify(first.body));
    slowly(world, 6_000);
    world.setClock(START + 3_600_000);
    const later = await failing(TIDEWELL);
    assert.deepEqual([later.status, later.body.published], [200, true], JSON.stringify(later.body));
    assert.match(later.body.warnings.join(' '), /the collection failed \(cancelled\): .* 60 min old/);
    assert.equal(later.body.rating.score, first.body.rating.score);
    const never = await failing(MARROWSTONE);
    assert.deepEqual([never.status, never.body.code], [409, 'cancelled']);
  });
});

describe('the fresh interval and the quota', () => {
  test('a recent rating is returned free; an account without collections left reads what is published', async () => {
    const world = await place({
      freshSeconds: 300,
      plansFile: join(import.meta.dirname, 'fixtures', 'two-collections.json'),
    });
    const made = await world.post('/v1/admin/keys', { name: 'two a day', scopes: ['score', 'rms:read'], plan: 'TWO' });
    const key = String(made.body.secret);
    const score = (words: object) => world.score({ ...words, output_format: 'standard' }, 'wait=60', key);
    const first = await score(TIDEWELL);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const scanned = () => world.sandbox.requests.get('rugcheck') ?? 0;
    const once = scanned();
    assert.ok(once > 0);
    const second = await score({ ...TIDEWELL, project: 'TIDEWELL' });
    assert.deepEqual([second.body.published, second.body.collection_id], [true, null]);
    assert.equal(scanned(), once, 'nothing is requested ahead of a collection that is not due');
    assert.equal((await score(MARROWSTONE)).status, 200);
    assert.equal((await counted(world)).collections, 2);

    const spent = scanned();
    const refused = await score({ project: 'Brackwater', project_url: 'https://brackwater.example/' });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.limit],
      [429, 'quota_exhausted', 'collections_per_day'],
    );
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(scanned(), spent, 'nor of one that the account may not start');
    world.setClock(START + 600_000);
    const older = await score(TIDEWELL);
    assert.deepEqual([older.status, older.body.published], [200, true]);
    assert.match(older.body.warnings.join(' '), /2 collections of today .* 10 min old/);
    assert.equal((await counted(world)).collections, 2);
  });
});

describe('what is not published', () => {
  test('expires with its evidence and its jobs; what is published stays and can be read for good', async () => {
    const world = await place();
    slowly(world, 8_000);
    const hasty = await world.score({ ...TIDEWELL, output_format: 'standard' }, 'wait=6');
    assert.equal(hasty.body.published, false, JSON.stringify(hasty.body));
    const collection = `/v1/jobs/${hasty.body.collection_id}`;
    await until(async () => (await world.get(collection)).body.state === 'succeeded');
    assert.deepEqual(await counted(world), { collections: 1, ratings: 1, evidence: 2 });

    world.setClock(START + 29 * 86_400_000);
    await world.restart();
    assert.equal((await world.get(`/v1/jobs/${hasty.body.job_id}`)).status, 200);
    world.setClock(START + 31 * 86_400_000);
    await world.restart();
    await until(async () => (await world.get(`/v1/jobs/${hasty.body.job_id}`)).status === 404);
    assert.deepEqual(await counted(world), { collections: 1, ratings: 1, evidence: 1 });
    const events = await lookInto(world.dataDir, ({ db }) =>
      db.selectFrom('job_events').select('job_id').union(db.selectFrom('job_event_logs').select('job_id')).execute(),
    );
    assert.deepEqual(events, [{ job_id: hasty.body.collection_id }]);
    assert.equal((await world.get('/v1/rms/TIDE')).status, 200);
    assert.equal((await world.get(`${collection}/evidence`)).status, 200);
  });
});
