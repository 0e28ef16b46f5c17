import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { verifyRecord } from '../../client/src/verify-record.ts';
import { createCliContext } from '../../src/compose/cli-context.ts';
import { evidenceOf } from '../../src/store/archive.ts';
import { connect } from '../../src/store/database.ts';
import { openDatabase } from '../../src/store/embedded.ts';
import { noObjectStore } from '../../src/store/moved.ts';
import { recordOf } from '../../src/store/packed-record.ts';
import { serviceOnSandbox } from '../service-settings.ts';
import { loadPast, PAST_FILE, unpackedPast } from './load.ts';
import { KEY_TABLES } from './pack.ts';
import { PAST_END } from './story.ts';

const missing = existsSync(PAST_FILE) ? false : 'no past is shipped: npm run demo:past makes it';
const AGAIN = 'npm run demo:past makes it anew';
const SAMPLE = 24;
let folder: string;
let database: Awaited<ReturnType<typeof openDatabase>>;
let client: pg.Client;
const settings = () =>
  serviceOnSandbox(
    { url: 'http://127.0.0.1:1' },
    { dataDir: folder, sandboxClockSeconds: Math.round((PAST_END - Date.now()) / 1000) },
  );

before(async () => {
  if (missing) return;
  folder = await mkdtemp(join(tmpdir(), 'assay-past-test-'));
  await chmod(folder, 0o755);
  database = await openDatabase({ databaseUrl: null, dataDir: folder, role: 'service', log: () => undefined });
  await loadPast(settings(), database.url, await unpackedPast(folder));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
after(async () => {
  if (missing) return;
  await client.end();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const one = async (query: string): Promise<number> => Number((await client.query(query)).rows[0]?.n);

test('the shipped past holds what the demo promises', { skip: missing }, async () => {
  assert.ok((await one('select count(*) n from rated_assets')) >= 70);
  assert.ok((await one(`select count(*) n from published_ratings where band = 'D'`)) > 0, 'a default');
  assert.ok((await one('select count(*) n from alerts')) > 10);
  assert.ok((await one('select count(*) n from disputes')) > 0);
  assert.ok((await one('select count(distinct day) n from usage_days')) >= 10);
  assert.equal(await one('select count(distinct kind) n from snapshots'), 3);
  assert.ok((await one('select count(distinct day) n from daily_closes')) >= 10);
});

test('every requested source has its last state, dated by an hour in which it replied', {
  skip: missing,
}, async () => {
  const asked = await one('select count(distinct source) n from source_hours');
  assert.ok(asked > 20);
  assert.equal(await one('select count(*) n from source_watch where reachable is not null'), asked);
  const dated = `select count(*) n from source_watch w where reachable
    and exists (select from source_hours h where h.source = w.source and h.hour = w.succeeded_at and h.answered > 0)`;
  assert.equal(await one(dated), await one('select count(*) n from source_watch where reachable'));
});

test('nothing that signs or signs in is in it', { skip: missing }, async () => {
  for (const table of KEY_TABLES) {
    assert.ok((await one(`select count(*) n from ${table}`)) > 0, table);
    assert.equal(await one(`select count(*) n from ${table} where length(private_key) > 0`), 0, table);
    assert.equal(await one(`select count(*) n from ${table} where retired_at is null`), 0, table);
  }
});

test('its ratings hold by the keys that are published', { skip: missing }, async () => {
  const { rows: keys } = await client.query<{ kid: string; x: Buffer; retired_at: string }>(
    'select id as kid, public_key as x, retired_at::text from signing_keys',
  );
  const published = keys.map(({ kid, x, retired_at }) => ({
    kid,
    crv: 'Ed25519',
    x: x.toString('base64url'),
    retired_at,
  }));
  const { rows } = await client.query<{ record: Buffer; signature: string }>(
    'select record, signature from published_ratings order by id desc limit $1',
    [SAMPLE],
  );
  for (const { record, signature } of rows) {
    const signed = { ...JSON.parse(recordOf(record).toString('utf8')), signature: JSON.parse(signature) };
    const verdict = await verifyRecord(signed, published);
    assert.deepEqual(verdict.valid, true, JSON.stringify(verdict));
  }
});

test(`the ratings of the past are what the code makes of their evidence, byte for byte (${AGAIN})`, {
  skip: missing,
}, async () => {
  const { rows } = await client.query<{ job_id: string }>('select job_id from evidence order by md5(job_id) limit $1', [
    SAMPLE,
  ]);
  assert.equal(rows.length, SAMPLE);
  const store = connect(database.url);
  const { context, close } = createCliContext(settings(), {
    out: () => undefined,
    err: () => undefined,
    progress: () => undefined,
  });
  try {
    for (const { job_id: id } of rows) {
      const stored = await evidenceOf(store.db, id, noObjectStore);
      assert.ok(stored, id);
      const rebuilt = await context.rebuild(JSON.parse(new TextDecoder().decode(stored.record)));
      assert.ok(rebuilt.ok && Buffer.from(rebuilt.bytes).equals(stored.result), `${id}: ${AGAIN}`);
    }
  } finally {
    await close();
    await store.close();
  }
});
