import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import pg from 'pg';
import { openStore, type Store } from '../../store/database.ts';
import { type TestDatabase, testDatabase } from '../../store/fixtures/database.ts';
import { migrationState } from '../../store/migrate.ts';
import { ensureDays } from '../../store/snapshots/partitions.ts';
import { BrokenFrames, decodeFrames, encodeFrame, type Frame, jsonFrame } from './frames.ts';
import { LOOK_ONLY, readBackup } from './read.ts';
import { restoreBackup } from './restore.ts';
import { writeBackup } from './write.ts';

const silent = () => undefined;
let database: TestDatabase;
let folder: string;
let file: string;
let targets = 0;

before(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'assay-backup-'));
  file = join(folder, 'assay.backup');
  const { db, pool } = database.store;
  await ensureDays(pool, 'prices', ['2026-11-19', '2026-11-20']);
  for (const day of ['2026-11-19', '2026-11-20'])
    await db
      .insertInto('prices')
      .values({
        asset_id: 'solana:x',
        at: `${day}T12:00:00.123456Z`,
        chain: 'solana',
        price_usd: 0.1 + 0.2,
        volume_24h_usd: null,
        market_cap_usd: 5e-324,
        liquidity_usd: 1e300,
      })
      .execute();
  const odd = Buffer.from([0, 1, 9, 10, 13, 92, 255]);
  await db
    .insertInto('bodies')
    .values({
      sha256: 'a'.repeat(64),
      source: 'tab\t newline\n \\N \u{1F600}',
      body: odd,
      bytes: 7,
      first_seen: '2026-11-20T00:00:00Z',
      keep_until: null,
    })
    .execute();
  const made = await writeBackup({
    databaseUrl: database.url,
    exportsRoot: await exportsOf('first'),
    out: file,
    version: '0.0.0',
    now: Date.now,
    onProgress: silent,
  });
  assert.ok(made.ok, JSON.stringify(made));
  assert.equal(made.value.files, 1);
});
after(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** A folder of exports with one published file, and one that is still being written. */
async function exportsOf(name: string): Promise<string> {
  const root = join(folder, name, 'exports');
  await mkdir(join(root, 'rms/2026-11-19'), { recursive: true });
  await writeFile(join(root, 'rms/2026-11-19/day.json'), name);
  await mkdir(join(root, 'rms/.draft'), { recursive: true });
  await writeFile(join(root, 'rms/.draft/day.json'), 'half');
  return root;
}

/** A new, empty database on the same server. */
async function target(): Promise<string> {
  targets += 1;
  return database.emptyDatabase();
}

function restore(
  databaseUrl: string,
  options: { force?: boolean; from?: string; root?: string; mode?: 'live' | 'sandbox' } = {},
) {
  const { force = false, from = file, root = join(folder, `exports-${targets}`), mode = 'sandbox' } = options;
  return restoreBackup({ file: from, databaseUrl, exportsRoot: root, dataMode: mode, force, onProgress: silent });
}

async function withStore<Value>(url: string, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = await openStore(url, 'sandbox');
  return work(store).finally(() => store.close());
}

test('every value is restored unchanged: floats, microseconds, bytes, text that looks like COPY', async () => {
  const url = await target();
  const outcome = await restore(url);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  const of = (store: Store) =>
    Promise.all(
      ['prices', 'bodies', 'installation'].map(
        async (table) => (await store.pool.query(`select t::text from ${table} t order by 1`)).rows,
      ),
    );
  assert.deepEqual(await withStore(url, of), await of(database.store));
  assert.equal(await readFile(join(folder, `exports-${targets}`, 'rms/2026-11-19/day.json'), 'utf8'), 'first');
  await assert.rejects(readFile(join(folder, `exports-${targets}`, 'rms/.draft/day.json')));
});

test('a target with data is refused, replaced with --force, and never changed while it is in use', async () => {
  const url = await target();
  const insert = (store: Store) =>
    store.pool.query(`insert into api_keys (id, secret_sha256, prefix, name, scopes, plan, allowed_ips, created_at, account_id)
      values ('key_x', '\\x01', 'p', 'n', '{}', 'RATING', '{}', now(), 'acc_x')`);
  await withStore(url, insert);
  const refused = await restore(url);
  assert.ok(!refused.ok && refused.reason === 'not_empty');
  assert.match(refused.detail, /api_keys.*--force/);
  const held = new pg.Client({ connectionString: url });
  await held.connect();
  const busy = await restore(url, { force: true });
  assert.ok(!busy.ok && busy.reason === 'in_use');
  assert.equal((await held.query('select id from api_keys')).rowCount, 1);
  await held.end();
  const forced = await restore(url, { force: true, root: await exportsOf('second') });
  assert.ok(forced.ok, JSON.stringify(forced));
  assert.equal(await withStore(url, async (store) => (await store.pool.query('select id from api_keys')).rowCount), 0);
  assert.equal(await readFile(join(folder, 'second/exports/rms/2026-11-19/day.json'), 'utf8'), 'first');
});

test('another owner’s database, live data and published exports are refused before anything is changed', async () => {
  const url = await target();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('create table invoices (id int)');
  await other.end();
  const foreign = await restore(url, { force: true });
  assert.ok(!foreign.ok && foreign.reason === 'foreign');
  assert.match(foreign.detail, /invoices/);
  const mode = await restore(await target(), { mode: 'live' });
  assert.ok(!mode.ok && mode.reason === 'other_data_mode');
  const published = await restore(await target(), { root: await exportsOf('third') });
  assert.ok(!published.ok && published.reason === 'not_empty');
});

test('a damaged, truncated or foreign file is reported, and the target stays unchanged', async () => {
  const whole = await readFile(file);
  const bad = join(folder, 'bad.backup');
  const url = await target();
  for (const [bytes, reason] of [
    [whole.subarray(0, whole.length - 40), 'damaged'],
    [whole.subarray(0, whole.length >> 1), 'damaged'],
    ...Array.from({ length: 24 }, (_, at) => flipped(whole, 16 + at * Math.floor((whole.length - 20) / 24)))
      .filter((bytes) => !decompressesTo(zstdDecompressSync(whole), bytes))
      .map((bytes) => [bytes, 'damaged'] as const),
    [Buffer.from('no backup at all'), 'no_backup'],
    [zstdCompressSync(Buffer.from('nor this one')), 'no_backup'],
    [Buffer.alloc(0), 'damaged'],
  ] as const) {
    await writeFile(bad, bytes);
    const outcome = await restore(url, { from: bad });
    assert.ok(!outcome.ok);
    assert.equal(outcome.reason, reason, outcome.detail);
  }
  const missing = await restore(url, { from: join(folder, 'nowhere') });
  assert.ok(!missing.ok && missing.reason === 'not_readable');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  assert.equal((await client.query(`select 1 from pg_class where relname = 'installation'`)).rowCount, 0);
  await client.end();
});

/** A few bits of a zstd frame carry nothing: a file in which one of them is turned is the same backup. */
function decompressesTo(content: Uint8Array, bytes: Uint8Array): boolean {
  try {
    return zstdDecompressSync(bytes).equals(content);
  } catch {
    return false;
  }
}

function flipped(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
  return copy;
}

test('what a forged backup names never becomes a path or a statement', async () => {
  const plain = zstdDecompressSync(await readFile(file));
  const frames: Frame[] = [];
  for await (const frame of decodeFrames(Readable.from([plain]))) frames.push(frame);
  const forged = join(folder, 'forged.backup');
  const head = JSON.parse(new TextDecoder().decode(frames[0]?.payload)) as Record<string, unknown>;
  const change = (kind: Frame['kind'], value: unknown) =>
    frames.map((frame) => (frame.kind === kind ? jsonFrame(kind, value) : frame));
  for (const list of [
    change('f', { path: '../../../escape/2026-11-19/day.json' }),
    change('f', { path: 'rms/2026-11-19/../../../day.json' }),
    change('t', { name: 'prices"; drop table jobs; --', columns: ['at'] }),
    change('h', { ...head, days: { prices: ["2026-11-19'); drop table jobs; --"] } }),
    change('h', { ...head, format: 2 }),
  ]) {
    await writeFile(forged, zstdCompressSync(Buffer.concat(list.map(encodeFrame))));
    const outcome = await readBackup(forged, LOOK_ONLY, silent, 'check');
    assert.ok(!outcome.ok);
  }
  const unknown = change('h', { ...head, migration: '9999-from-the-future' });
  await writeFile(forged, zstdCompressSync(Buffer.concat(unknown.map(encodeFrame))));
  const newer = await restore(await target(), { from: forged });
  assert.ok(!newer.ok && newer.reason === 'newer_version');
  const columns = change('t', { name: 'prices', columns: ['at', 'nothing'] });
  await writeFile(forged, zstdCompressSync(Buffer.concat(columns.map(encodeFrame))));
  const unfit = await restore(await target(), { from: forged });
  assert.ok(!unfit.ok && unfit.reason === 'unfit');
});

test('a stray file in the folder of a published day is left out, and the backup can be restored', async () => {
  const root = await exportsOf('stray');
  const day = join(root, 'rms/2026-11-19');
  for (const name of ['.nfs000000000001', '.DS_Store', `${'long'.repeat(60)}.csv`])
    await writeFile(join(day, name), 'no part of an export');
  await writeFile(join(day, 'rms-2026-11-19.csv'), 'a,b');
  const out = join(folder, 'stray.backup');
  const written = await writeBackup({
    databaseUrl: database.url,
    exportsRoot: root,
    out,
    version: '0.0.0',
    now: Date.now,
    onProgress: silent,
  });
  assert.ok(written.ok, JSON.stringify(written));
  const read = await readBackup(out, LOOK_ONLY, silent, 'check');
  assert.ok(read.ok, JSON.stringify(read));
  assert.equal(read.value.files, 2);
});

test('no service starts on a database whose restore was killed, until it is restored', async () => {
  const url = await target();
  await withStore(url, (store) =>
    store.pool.query(
      `insert into bodies (sha256, source, body, bytes, first_seen) values ('${'b'.repeat(64)}', 's', '', 0, now())`,
    ),
  );
  const root = join(folder, 'killed/exports');
  for (const [part, message] of [
    ['bodies', /a restore into this database is not complete/],
    ['rms/2026-11-19/day.json', /a restore into this database is not complete/],
  ] as const) {
    const script = fileURLToPath(new URL('./fixtures/restorer.ts', import.meta.url));
    const child = spawn(process.execPath, [script, file, url, root, part], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exit = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) {
      assert.equal(line, part);
      child.kill('SIGKILL');
    }
    await exit;
    await assert.rejects(
      openStore(url, 'sandbox').then((store) => store.close()),
      message,
    );
    const wanted = { databaseUrl: url, exportsRoot: root, version: '0', now: Date.now, onProgress: silent };
    const kept = await writeBackup({ ...wanted, out: join(folder, `half-${part.length}`) });
    assert.ok(!kept.ok && kept.reason === 'unfinished', `${part}: a backup of half of the data`);
  }
  const again = await restore(url, { force: true, root });
  assert.ok(again.ok, JSON.stringify(again));
  const rows = await withStore(url, async (store) => (await store.pool.query('select sha256 from bodies')).rows);
  assert.deepEqual(rows, [{ sha256: 'a'.repeat(64) }]);
});

test('no file is overwritten, and an empty database is reported', async () => {
  const wanted = {
    databaseUrl: database.url,
    exportsRoot: join(folder, 'none'),
    version: '0',
    now: Date.now,
    onProgress: silent,
  };
  const over = await writeBackup({ ...wanted, out: file });
  assert.ok(!over.ok && over.reason === 'already_there');
  const nowhere = await writeBackup({ ...wanted, out: join(folder, 'no/such/folder') });
  assert.ok(!nowhere.ok && nowhere.reason === 'not_writable');
  const empty = await writeBackup({ ...wanted, databaseUrl: await target(), out: join(folder, 'empty') });
  assert.ok(!empty.ok && empty.reason === 'nothing_there');
});

test('of backups to one path at the same time one is made whole; the others are refused and remove nothing of it', async () => {
  const out = join(folder, 'twice');
  const wanted = {
    databaseUrl: database.url,
    exportsRoot: join(folder, 'none'),
    version: '0',
    now: Date.now,
    onProgress: silent,
    out,
  };
  const made = await Promise.all([1, 2, 3].map(() => writeBackup(wanted)));
  assert.deepEqual(made.map((one) => (one.ok ? 'made' : one.reason)).sort(), [
    'already_there',
    'already_there',
    'made',
  ]);
  const read = await readBackup(out, LOOK_ONLY, silent, 'check');
  assert.ok(read.ok, JSON.stringify(read));
});

test('a database of a newer version is not opened, with the reason', async () => {
  const url = await target();
  await withStore(url, (store) =>
    store.pool.query(`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', 'now')`),
  );
  await assert.rejects(openStore(url, 'sandbox'), /newer version of Assay \(9999-from-the-future\)/);
  assert.deepEqual((await migrationState(database.store.db)).pending, []);
});

test('frames are read as they were written, however the bytes are split; a truncated end is detected', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record(
          { kind: fc.constantFrom('h', 't', 'f', 'd', 'e', 'z'), payload: fc.uint8Array({ maxLength: 60 }) },
          { noNullPrototype: true },
        ),
        { minLength: 1 },
      ),
      fc.integer({ min: 1, max: 20 }),
      async (frames, step) => {
        const bytes = Buffer.concat(frames.map((frame) => encodeFrame(frame as Frame)));
        const pieces = (end: number) =>
          (async function* () {
            for (let from = 0; from < end; from += step) yield bytes.subarray(from, Math.min(end, from + step));
          })();
        const back: Frame[] = [];
        for await (const { kind, payload } of decodeFrames(pieces(bytes.length)))
          back.push({ kind, payload: Uint8Array.from(payload) });
        assert.deepEqual(back, frames);
        await assert.rejects(async () => {
          for await (const _ of decodeFrames(pieces(bytes.length - 1)));
        }, BrokenFrames);
      },
    ),
    { numRuns: 60 },
  );
});
