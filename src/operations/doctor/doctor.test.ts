import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { EvidenceUnavailable } from '../../domain/evidence.ts';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { type IndexLag, serverFacts } from '../../store/health.ts';
import { checkService, checkSources, type Examined, examine, type Probe } from './examine.ts';
import {
  checkFolder,
  checkRuntime,
  type Finding,
  judgeClock,
  judgeIndex,
  judgeServer,
  judgeSpace,
} from './judgements.ts';

let database: TestDatabase;
let folder: string;
const NOW = Date.parse('2026-11-21T12:00:00Z');

before(async () => {
  database = await testDatabase({ ownServer: true });
  folder = await mkdtemp(join(tmpdir(), 'assay-doctor-'));
  await chmod(folder, 0o755);
});
after(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function* probesOf(...list: Probe[]): AsyncIterable<Probe> {
  yield* list;
}

async function found(findings: AsyncIterable<Finding>): Promise<readonly Finding[]> {
  const list: Finding[] = [];
  for await (const finding of findings) list.push(finding);
  return list;
}

function subject(changes: Partial<Examined> = {}): Examined {
  return {
    runtime: '26.10.0',
    wantedRuntime: '26.10.0',
    host: '127.0.0.1',
    port: 1,
    dataMode: 'sandbox',
    dataDir: folder,
    contact: 'ops@assay.example',
    exportsRoot: join(folder, 'exports'),
    now: Date.now,
    openDatabase: async () => ({ url: database.url, close: async () => undefined }),
    objects: null,
    probes: null,
    keyed: new Set(),
    ...changes,
  };
}

/** What the doctor says of a check; nothing else may be wrong with it but what the test broke. */
async function said(check: string, changes: Partial<Examined> = {}): Promise<Finding> {
  const finding = (await found(examine(subject(changes)))).find((one) => one.check === check);
  assert.ok(finding, `nothing was said of ${check}`);
  return finding;
}

/** Runs statements, looks, and takes them back. */
async function broken(statements: string, check: string, changes: Partial<Examined> = {}): Promise<Finding> {
  const { pool } = database.store;
  await pool.query(statements);
  try {
    return await said(check, changes);
  } finally {
    await pool.query(`truncate jobs, api_keys, webhooks, webhook_messages, daily_closes, rating_days cascade`);
  }
}

function assertWrong(finding: Finding, detail: RegExp, mend: RegExp): void {
  assert.equal(finding.state, 'wrong', finding.detail);
  assert.match(finding.detail, detail);
  assert.match(finding.mend ?? '', mend);
}

const KEY = `insert into api_keys (id, secret_sha256, prefix, name, scopes, plan, allowed_ips, created_at, account_id, revoked_at)
  values ('key_x', '\\x01', 'p', 'n', '{admin}', 'INTERNAL', '{}', now(), 'acc_x', REVOKED);`;
const job = (id: string, state: string, created: string, lease = 'null') =>
  `insert into jobs (id, state, request, request_hash, deadline_seconds, key_id, created_at, lease_until)
   values ('${id}', '${state}', '{}', '${id}', 60, 'k', ${created}, ${lease});`;

test('a healthy installation has no finding with a remedy', async () => {
  await database.store.pool.query(`truncate api_keys cascade; ${KEY.replace('REVOKED', 'null')}`);
  const probes = probesOf({ source: 'goplus', outcome: 'ok', detail: null, isLocal: false });
  const findings = await found(examine(subject({ probes })));
  assert.deepEqual(
    findings.filter(({ state }) => state === 'wrong' || state === 'watch'),
    [],
  );
  const checks = findings.map(({ check }) => check).join(' ');
  for (const check of [
    'node',
    'disk',
    'database',
    'permissions',
    'clock',
    'tables',
    'data mode',
    'keys',
    'jobs',
    'webhooks',
    'index',
    'exports',
    'retention',
    'object store',
    'sources',
  ])
    assert.ok(checks.includes(check), `${check} was not looked at`);
  await database.store.pool.query('truncate api_keys cascade');
});

test('evidence in an object store that is not named or does not give it is wrong', async () => {
  const lost = () => Promise.reject(new EvidenceUnavailable('The object store refuses the key of the service.'));
  const fine = async () => new Uint8Array();
  const moved = `insert into moved_objects values ('live/evidence/a/b', 'evidence', 'a', 'kept', 'x', 5000000, now())`;
  const { pool } = database.store;
  assert.equal((await said('object store')).state, 'good');
  const probes = () => probesOf({ source: 'goplus', outcome: 'ok', detail: null, isLocal: false });
  const reached = await said('object store', { objects: { read: lost, reach: fine }, probes: probes() });
  assert.match(reached.detail, /responds; 0 objects/);
  await pool.query(moved);
  assertWrong(await said('object store'), /1 object \(5 MB\) .* none is configured/, /ASSAY_OBJECT_STORE_URL/);
  assert.equal((await said('object store', { objects: { read: lost, reach: lost } })).state, 'skipped');
  const refused = { objects: { read: lost, reach: fine }, probes: probes() };
  assertWrong(await said('object store', refused), /refuses the key/, /_SECRET/);
  await pool.query('truncate moved_objects');
});

test('jobs long past their time are reported, and when the next one ends', async () => {
  const ending = (id: string, end: string) =>
    `${job(id, 'succeeded', 'now()')} update jobs set expires_at = ${end} where id = '${id}';`;
  const fine = await broken(ending('a', `'2090-01-02T00:00:00Z'`), 'retention');
  assert.deepEqual([fine.state, /1 job expires, the next on 2090-01-02/.test(fine.detail)], ['good', true]);
  assert.equal((await broken(ending('b', `now() - interval '2 days'`), 'retention')).state, 'watch');
});

test('a stored allow-list that matches no address is reported with its key', async () => {
  const limited = KEY.replace('REVOKED', 'null').replace("'{}'", `'{10.0.0.0/8,1.2.3.4/33,010.0.0.1}'`);
  await database.store.pool.query(`truncate api_keys cascade; ${limited}`);
  const findings = await found(examine(subject({})));
  const [finding] = findings.filter(({ check, state }) => check === 'keys' && state === 'watch');
  assert.match(finding?.detail ?? '', /^allowed_ips of key_x holds "1\.2\.3\.4\/33", "010\.0\.0\.1", /);
  await database.store.pool.query('truncate api_keys cascade');
});

test('an old Node, a folder that cannot be written and a full disk are wrong', async () => {
  assertWrong(checkRuntime('20.11.0', '26.10.0'), /Node 20\.11/, /npm ci/);
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  assertWrong(await checkFolder(join(file, 'below')), /cannot be written/, /ASSAY_DATA_DIR/);
  assertWrong(judgeSpace('/data', 100 * 1024 ** 2), /only 0\.1 GiB/, /ASSAY_SNAPSHOT_RETENTION_DAYS/);
  assert.equal(judgeSpace('/data', 2 * 1024 ** 3).state, 'watch');
});

test('a database that is unreachable, closed or unknown is reported with the remedy', async () => {
  const at = (url: string) => said('database', { openDatabase: async () => ({ url, close: async () => undefined }) });
  assertWrong(await at('postgres://a:b@127.0.0.1:1/x'), /cannot be used/, /is the server running/);
  const secret = Object.assign(new URL(database.url), { password: 'hunter2' }).href;
  const wrongPassword = await at(secret);
  assertWrong(wrongPassword, /cannot be used/, /password/);
  assert.doesNotMatch(JSON.stringify(wrongPassword), /hunter2/);
  assertWrong(
    await at(Object.assign(new URL(database.url), { pathname: '/nowhere' }).href),
    /nowhere/,
    /CREATE DATABASE/,
  );
  const refused = await said('database', {
    openDatabase: () => Promise.reject(new Error('there is no embedded PostgreSQL')),
  });
  assertWrong(refused, /no embedded PostgreSQL/, /DATABASE_URL/);
  assert.equal((await said('database', { openDatabase: async () => null })).state, 'skipped');
});

test('an old server, missing rights and a server without free connections are reported', async () => {
  const { pool } = database.store;
  await pool.query(`create role visitor login password 'visitor'; revoke create on schema public from public`);
  const url = Object.assign(new URL(database.url), { username: 'visitor', password: 'visitor' }).href;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const facts = await serverFacts(client).finally(() => client.end());
  const [, rights] = judgeServer(facts);
  assert.ok(rights);
  assertWrong(rights, /may not create tables/, /GRANT/);
  const [old, , full] = judgeServer({
    ...facts,
    versionNumber: 120_022,
    version: '12.22',
    connections: 95,
    mostConnections: 100,
  });
  assert.ok(old && full);
  assertWrong(old, /12\.22 is too old/, /14 or newer/);
  assert.equal(full.state, 'watch');
  assertWrong(judgeClock(0, 45_000), /differ by 45\.0 s/, /time synchronisation/);
  assert.equal(judgeClock(0, 5_000).state, 'watch');
});

test('tables that are behind or ahead, and data of the other mode, are reported', async () => {
  const { pool } = database.store;
  const url = await database.emptyDatabase();
  const openDatabase = async () => ({ url, close: async () => undefined });
  assertWrong(await said('tables', { openDatabase }), /not up to date: 0001-first/, /assay migrate/);
  await pool.query(`insert into kysely_migration values ('9999-from-the-future', 'now')`);
  assertWrong(await said('tables'), /newer version migrated them \(9999/, /restore a backup/);
  await pool.query(`delete from kysely_migration where name like '9999%'`);
  assertWrong(await said('data mode', { dataMode: 'live' }), /holds sandbox data/, /ASSAY_DATA_MODE=sandbox/);
});

test('no admin key, lost jobs, a queue without workers and rows from the future are wrong', async () => {
  assertWrong(await broken(KEY.replace('REVOKED', 'now()'), 'keys'), /no active key/, /keys create/);
  assertWrong(
    await broken(job('a', 'running', 'now()', `now() - interval '10 min'`), 'jobs'),
    /1 job is .*no process/,
    /start a service/,
  );
  assertWrong(
    await broken(job('b', 'queued', `now() - interval '20 min'`), 'jobs'),
    /oldest for 20 minutes/,
    /ASSAY_CONCURRENT_JOBS/,
  );
  assertWrong(
    await broken(job('c', 'succeeded', `now() + interval '1 hour'`), 'dates'),
    /36\d\d s ahead/,
    /time synchronisation/,
  );
});

test('webhooks that were switched off or fail, and closed days without files, are reported', async () => {
  const hook = (
    fields: string,
  ) => `insert into webhooks (id, account_id, url, kinds, secret, created_at, enabled, disabled_reason, failing_since)
     values ('wh_x', 'acc_x', 'https://x.example/', '{}', 's', now(), ${fields})`;
  assertWrong(await broken(hook(`false, 'failing', now()`), 'webhooks'), /switched off/, /PUT/);
  assert.equal((await broken(hook(`false, 'by_request', null`), 'webhooks')).state, 'good');
  assert.equal((await broken(hook('true, null, now()'), 'webhooks')).state, 'watch');
  const closed = `insert into daily_closes (chain, day, state, rows, closed_at) values ('solana', '2026-11-20', 'closed', 1, '2026-11-21T00:10:00Z')`;
  const now = () => NOW;
  assertWrong(await broken(closed, 'exports', { now }), /solana 2026-11-20/, /assay export build/);
  await mkdir(join(folder, 'exports/solana/2026-11-20'), { recursive: true });
  const published = await broken(closed, 'exports', { now });
  assert.deepEqual([published.state, published.detail], ['good', 'every day closed in the last 7 days is published']);
});

test('an index that falls behind is reported with its worst asset', () => {
  const row: IndexLag = {
    chain: 'solana',
    kind: 'holders',
    assets: 9,
    due: 3,
    running: 0,
    lateSecondsP50: 0,
    lateSecondsP99: 9_000,
    failing: 2,
    died: 0,
    lastStoredAt: null,
  };
  assertWrong(
    judgeIndex([{ ...row, lateSecondsP99: 10 }, row]),
    /solana holders is 150 minutes behind.*2 failing/,
    /sources check/,
  );
  assert.equal(judgeIndex([{ ...row, lateSecondsP99: 1_000 }]).state, 'watch');
  assert.equal(judgeIndex([]).state, 'good');
  // Assets that fail are due ever later, and never late.
  const failing = judgeIndex([{ ...row, lateSecondsP99: 0, kind: 'market', failing: 9 }]);
  assert.equal(failing.state, 'watch');
  assert.match(failing.detail, /^solana market: 9 of 9 assets fail, and are tried less and less often$/);
  assert.equal(judgeIndex([{ ...row, lateSecondsP99: 0 }]).state, 'good');
});

test('an unsent request is not a reply, and with most sources unreachable ratings cannot be made', async () => {
  const probe = (source: string, outcome: string): Probe => ({
    source,
    outcome,
    detail: null,
    isLocal: source === 'files',
  });
  const few = await found(
    checkSources(
      probesOf(
        probe('files', 'ok'),
        probe('a', 'ok'),
        probe('b', 'unsupported'),
        probe('c', 'budget_spent'),
        probe('d', 'not_found'),
      ),
      new Set(),
    ),
  );
  assert.deepEqual(
    few.map(({ check, state, detail }) => [check, state, detail]),
    [
      ['sources not asked', 'skipped', 'b, c: no request was sent, so their state is not known'],
      ['sources', 'good', '2 of 2 requested sources replied'],
    ],
  );
  const none = await found(checkSources(probesOf(probe('b', 'unsupported')), new Set()));
  assert.equal(none.at(-1)?.state, 'wrong', 'nothing was asked: nothing is known to answer');
  process.env.HTTPS_PROXY = 'http://user:hunter2@proxy.example:3128';
  try {
    const most = await found(
      checkSources(probesOf(probe('a', 'ok'), probe('b', 'unreachable'), probe('c', 'timeout')), new Set()),
    );
    const last = most.at(-1) as Finding;
    assertWrong(last, /1 of 3 requested sources replied, 2 are unreachable; HTTPS_PROXY is set and not used/, /DNS/);
    assert.doesNotMatch(JSON.stringify(most), /hunter2/);
  } finally {
    delete process.env.HTTPS_PROXY;
  }
  // A source that answers an error is there.
  const half = await found(
    checkSources(probesOf(probe('a', 'ok'), probe('b', 'http_error'), probe('c', 'malformed')), new Set()),
  );
  assert.equal(half.at(-1)?.state, 'good');
});

test('a refused key is reported without the key; one silent source is a warning, all silent is wrong', async () => {
  const refused: Probe = { source: 'birdeye', outcome: 'http_error', detail: 'status 401', isLocal: false };
  const keyed = new Set(['birdeye']);
  const fine: Probe = { source: 'goplus', outcome: 'ok', detail: null, isLocal: false };
  const [first, last] = await found(checkSources(probesOf(refused, fine), keyed));
  assert.ok(first && last);
  assertWrong(first, /refuses the configured key/, /ASSAY_SOURCE_BIRDEYE_KEY/);
  assert.equal(last.state, 'good');
  const silent: Probe = { source: 'goplus', outcome: 'timeout', detail: null, isLocal: false };
  // What lies on this machine's disk answers without any network.
  const kept: Probe = { source: 'registers', outcome: 'ok', detail: null, isLocal: true };
  const all = await found(checkSources(probesOf(silent, kept), keyed));
  assert.deepEqual(
    all.map(({ state }) => state),
    ['watch', 'wrong'],
  );
  assertWrong(
    all[1] as Finding,
    /ratings cannot be made: 0 of 1 requested sources replied, 1 are unreachable/,
    /name resolution.*resolv.conf.*proxies/,
  );
  assert.equal((await said('contact', { contact: 'no-contact-set' })).state, 'watch');
});

test('the port: free, another program, the other data mode, not ready, silent, ready', async () => {
  assert.equal((await checkService('127.0.0.1', 1, 'sandbox')).state, 'skipped');
  const answer = (status: number, mode: string | null) =>
    served(
      (response) => response.writeHead(status, mode === null ? {} : { 'assay-data-mode': mode }).end(),
      (port) => checkService('0.0.0.0', port, 'sandbox'),
    );
  assertWrong(await answer(200, null), /another program/, /ASSAY_PORT/);
  assertWrong(await answer(200, 'live'), /runs on live data/, /ASSAY_PORT/);
  assertWrong(await answer(503, 'sandbox'), /not ready \(503\)/, /log/);
  assert.equal((await answer(200, 'sandbox')).state, 'good');
  assertWrong(
    await served(
      () => undefined,
      (port) => checkService('localhost', port, 'sandbox'),
    ),
    /does not reply/,
    /log/,
  );
});

async function served(
  answer: (response: ServerResponse) => void,
  look: (port: number) => Promise<Finding>,
): Promise<Finding> {
  const server: Server = createServer((_request, response) => answer(response));
  await new Promise<void>((listening) => server.listen(0, listening));
  const address = server.address();
  try {
    return await look(typeof address === 'object' && address !== null ? address.port : 0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
