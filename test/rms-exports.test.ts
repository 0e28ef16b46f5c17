import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { ed25519 } from '@noble/curves/ed25519.js';
import canonicalize from 'canonicalize';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { Compile } from 'typebox/compile';
import type { ApiContext } from '../src/api/context.ts';
import type { CliContext } from '../src/cli/context.ts';
import { exportCommand } from '../src/cli/export.ts';
import { openExportTools, openRatingExports } from '../src/compose/exports.ts';
import type { Config } from '../src/config/types.ts';
import { exportsRoot } from '../src/config/types.ts';
import type { ManifestEntry } from '../src/contract/export.ts';
import { Manifest } from '../src/contract/export.ts';
import type { Asset } from '../src/domain/asset.ts';
import { createExportService } from '../src/exports/published-days.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { listRestatements } from '../src/store/ratings/disclosures.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const PATH = '/v1/exports/rms/daily';
const DAY = '2026-11-20';
const JUP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP');
const HOSTILE = solanaAsset('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', '=HYPERLINK("http://x")');
const GONE = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'GONE');
const DEAD = solanaAsset('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'DEAD');
const THIN = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', null);
const OLD = solanaAsset('So11111111111111111111111111111111111111112', 'OLD');
const LATER = solanaAsset('9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E', 'LATER');
const SITE: Asset = {
  ...JUP,
  id: 'project:tidewell.example',
  chain: null,
  address: null,
  symbol: null,
  name: 'Ｔｉｄｅ "well", é😀\n',
};

const none = { score: null, smoothedScore: null, scoreInterval: null, band: 'NR', indicativeBand: 'NR' } as const;

let world: RatingWorld;
let dataDir: string;
let config: Config;
let publishDue: () => Promise<readonly string[]>;
let closePublisher: () => Promise<void>;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-rms-exports-'));
  config = { dataDir, dataMode: 'sandbox' } as Config;
  const exports = createExportService(exportsRoot(config));
  const unused = new Proxy({}, { get: () => () => () => undefined });
  world = await ratingWorld('2026-11-20T23:59:59.000Z', {
    chain: {
      reader: unused,
      index: unused,
      indexerStatus: async () => ({ lag: [], closed: [] }),
      exports,
    } as unknown as ApiContext['chain'],
  });
  const publisher = openRatingExports({
    config,
    store: world.store,
    exports,
    now: () => world.clock.now,
    onError: (error) => {
      throw error;
    },
  });
  publishDue = () => publisher.publishDue();
  closePublisher = () => publisher.close();
  await world.put(ratingOf(JUP, '2026-11-18T08:00:00.000Z', { score: 50.5, action: 'new' }));
  await world.put(ratingOf(JUP, '2026-11-20T23:59:59.999Z', { score: 62.5, action: 'upgrade' }));
  await world.put(
    ratingOf(HOSTILE, '2026-11-20T12:00:00.000Z', { vfr: { value: null, zone: 'INDETERMINATE', interval: null } }),
  );
  await world.put(
    ratingOf(SITE, '2026-11-20T12:00:00.000Z', {
      stage: 'pre_tge',
      flags: [],
      class: 'infra',
      categoryReason: 'as filed',
    }),
  );
  await world.put(ratingOf(THIN, '2026-11-20T12:00:00.000Z', { ...none, action: 'new' }));
  await world.put(
    ratingOf(DEAD, '2026-11-20T12:00:00.000Z', {
      band: 'D',
      score: 4.9,
      action: 'downgrade',
      flags: ['low:LATE', 'critical:RUG_EXECUTED', 'high:MINT_AUTHORITY', 'critical:RUG_EXECUTED', 'medium:=THIN'].map(
        (text) => {
          const [severity = '', code = ''] = text.split(':');
          return { code, severity: severity as 'low', title: code, detail: '', since: '2026-11-01T00:00:00.000Z' };
        },
      ),
    }),
  );
  await world.put(ratingOf(LATER, '2026-11-21T00:00:00.000Z', { action: 'new' }));
});

after(async () => {
  await closePublisher();
  await world.close();
  await rm(dataDir, { recursive: true, force: true });
});

const read = async <Shape>(reply: Response) => (await reply.json()) as Shape;
type Row = Record<string, unknown>;

test('nothing is published while the day may still get ratings; then every missed day', async () => {
  world.clock.now = Date.parse('2026-11-21T00:04:00.000Z');
  assert.deepEqual(await publishDue(), ['rms 2026-11-18', 'rms 2026-11-19']);
  // What is known later, of whatever time, is not in what was closed before.
  await world.put(ratingOf(OLD, '2026-10-01T10:00:00.000Z', { score: 80.1, band: 'A', action: 'new' }));
  await world.put(ratingOf(GONE, '2026-11-10T12:00:00.000Z', { ...none, action: 'withdraw' }));
  await world.put(ratingOf(GONE, '2026-11-18T12:00:00.000Z', { ...none, action: 'affirm' }));
  const soon = await world.get(`${PATH}?date=2026-11-21`);
  assert.deepEqual([soon.status, (await read<{ code: string }>(soon)).code], [404, 'export_not_published_yet']);
  world.clock.now = Date.parse('2026-11-21T00:06:00.000Z');
  assert.deepEqual(await publishDue(), [`rms ${DAY}`]);
  assert.deepEqual(await publishDue(), []);
});

test('the rating of each asset as it was at midnight, also of those without one, and what became of them', async () => {
  const reply = await world.get(PATH);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('assay-export-date'), DAY);
  const rows = await read<Row[]>(reply);
  const by = new Map(rows.map((row) => [row.asset_id, row]));
  assert.deepEqual([...by.keys()], [...by.keys()].sort());
  const told = (asset: Asset) => {
    const row = by.get(asset.id);
    return row && [row.band, row.score, row.rating_action, row.standing];
  };
  assert.deepEqual(told(JUP), ['BBB', 62.5, 'upgrade', 'rated']);
  assert.deepEqual(told(OLD), ['A', 80.1, 'new', 'lapsed']);
  assert.deepEqual(told(THIN), ['NR', null, 'new', 'not_rated']);
  assert.deepEqual(told(GONE), ['NR', null, 'affirm', 'withdrawn']);
  assert.deepEqual(told(DEAD), ['D', 4.9, 'downgrade', 'defaulted']);
  assert.equal(by.has(LATER.id), false);
  assert.deepEqual(by.get(DEAD.id)?.key_flags, ['RUG_EXECUTED', 'MINT_AUTHORITY', '=THIN']);
  assert.deepEqual([by.get(SITE.id)?.key_flags, by.get(SITE.id)?.chain], [[], null]);
  const classes = [SITE, JUP].map(({ id }) => [by.get(id)?.class, by.get(id)?.category_reason]);
  assert.deepEqual(classes, [
    ['infra', 'as filed'],
    [null, null],
  ]);
  assert.deepEqual([by.get(JUP.id)?.score_low, by.get(JUP.id)?.score_high, by.get(JUP.id)?.vfr], [58.2, 66.8, 1.04]);
  const before = await read<Row[]>(await world.get(`${PATH}?date=2026-11-19`));
  assert.equal(before.find((row) => row.asset_id === JUP.id)?.score, 50.5);
});

test('other readers find the same values in all four forms, and no cell is a formula', async () => {
  const rows = await read<Row[]>(await world.get(`${PATH}?format=json`));
  const lines = (await (await world.get(`${PATH}?format=ndjson`)).text()).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    rows,
  );
  const sheet = await world.get(PATH, { headers: { accept: 'text/csv' } });
  assert.match(sheet.headers.get('content-disposition') ?? '', /attachment; filename="rms-2026-11-20\.csv"/);
  const cells = parse(await sheet.text(), { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  const text = (value: unknown) => (value === null ? '' : Array.isArray(value) ? value.join(';') : String(value));
  assert.deepEqual(
    cells.map((line) =>
      Object.fromEntries(Object.entries(line).map(([name, cell]) => [name, cell.replace(/^'(?=[=+\-@])/, '')])),
    ),
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]))),
  );
  for (const cell of cells.flatMap((line) => Object.values(line))) assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
  const bytes = await (await world.get(`${PATH}?format=parquet`)).arrayBuffer();
  const table = await parquetReadObjects({ file: bytes, compressors: { ZSTD: (input) => zstdDecompressSync(input) } });
  assert.deepEqual(
    table.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : (value ?? null),
        ]),
      ),
    ),
    rows,
  );
});

test('the manifest names every file by its hash and is signed; a part of a file is the part of the file', async () => {
  const listed = await world.get(`${PATH}/manifest`);
  const tag = listed.headers.get('etag') ?? '';
  assert.equal((await world.get(`${PATH}/manifest`, { headers: { 'if-none-match': tag } })).status, 304);
  const manifest = await read<{ data: ManifestEntry[] }>(listed);
  const schema = Compile(Manifest);
  assert.ok(schema.Check(manifest), JSON.stringify([...schema.Errors(manifest)].slice(0, 3)));
  const { keys } = await read<{ keys: { kid: string; x: string }[] }>(await world.get('/.well-known/assay-keys.json'));
  assert.deepEqual([manifest.data[0]?.date, manifest.data[0]?.rows, manifest.data.length], [DAY, 7, 3]);
  for (const { signature, ...entry } of manifest.data) {
    const key = keys.find((one) => one.kid === signature.key_id);
    const signed = Buffer.from(canonicalize(entry) ?? '');
    assert.ok(ed25519.verify(Buffer.from(signature.value, 'base64'), signed, Buffer.from(key?.x ?? '', 'base64url')));
  }
  for (const format of ['json', 'csv', 'ndjson', 'parquet']) {
    const whole = await world.get(`${PATH}?format=${format}`);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const file: ManifestEntry['files'][number] | undefined = manifest.data[0]?.files.find(
      (one) => one.format === format && one.encoding === 'identity',
    );
    assert.deepEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')], [file?.bytes, file?.sha256]);
    const etag = whole.headers.get('etag') ?? '';
    const part = await world.get(`${PATH}?format=${format}`, { headers: { range: 'bytes=5-14', 'if-range': etag } });
    assert.equal(part.status, 206);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5, 15)));
    assert.equal((await world.get(`${PATH}?format=${format}`, { headers: { 'if-none-match': etag } })).status, 304);
  }
});

test('the export is for plans that include it, and invalid queries state what was expected', async () => {
  const chainOnly = await world.get(PATH, { key: await world.key('CHAIN-1500', ['chain:read']) });
  assert.equal(chainOnly.status, 403);
  assert.equal((await world.get(PATH, { key: await world.key('RATING') })).status, 200);
  assert.equal((await world.get(PATH, { key: 'none' })).status, 401);
  for (const [query, status, code] of [
    ['date=2026-11-30', 400, 'validation_failed'],
    ['date=2026-02-30', 400, 'validation_failed'],
    ['format=xlsx', 400, 'validation_failed'],
    ['revision=0&date=2026-11-20', 400, 'validation_failed'],
    ['revision=1', 400, 'validation_failed'],
    ['date=2026-09-30', 404, 'no_such_export_day'],
    ['date=2026-11-20&revision=2', 404, 'no_such_export_revision'],
  ] as const) {
    const reply = await world.get(`${PATH}?${query}`);
    assert.deepEqual([reply.status, (await read<{ code: string }>(reply)).code], [status, code], query);
  }
  assert.deepEqual(
    (await readdir(join(exportsRoot(config), 'rms'))).filter((name) => name.startsWith('.')),
    [],
  );
});

const command = async (...args: string[]) => {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const tools = openExportTools(config, world.store, noObjectStore, () => world.clock.now);
  const code = await exportCommand.run(args, {
    terminal: { out: say, err: say, progress: () => undefined },
    openExports: async () => tools,
    exportsRoot: exportsRoot(config),
    exportSubjects: ['rms', 'solana'],
  } as unknown as CliContext);
  return { code, said: said.join('\n') };
};

test('a day that is written again from the store is the same, byte by byte', async () => {
  const files = async () =>
    (await read<{ data: ManifestEntry[] }>(await world.get(`${PATH}/manifest`))).data.find((day) => day.date === DAY)
      ?.files;
  const then = await files();
  await rm(join(exportsRoot(config), 'rms', DAY), { recursive: true });
  const built = await command('build', '--subject', 'rms', '--date', DAY);
  assert.deepEqual(built, { code: 0, said: `rms ${DAY} published` });
  const service = createExportService(exportsRoot(config));
  assert.deepEqual((await service.manifest('rms')).find((day) => day.date === DAY)?.files, then);
  assert.equal((await command('build', '--subject', 'rms', '--date', '2026-11-21')).code, 1);
});

test('a day is restated when a band or two points differ, beside the old one; the list of corrections records it', async () => {
  const restate = () => command('restate', '--subject', 'rms', '--date', DAY, '--reason', 'late');
  assert.match((await restate()).said, /^unchanged/);
  await world.put(ratingOf(HOSTILE, '2026-11-20T13:00:00.000Z', { score: 64.4 }));
  assert.match((await restate()).said, /^not_material: 1 row differs/);
  const old = await (await world.get(`${PATH}?date=${DAY}`)).text();
  await world.put(ratingOf(HOSTILE, '2026-11-20T14:00:00.000Z', { score: 64.5 }));
  assert.deepEqual(await restate(), {
    code: 0,
    said: `rms ${DAY} is restated: revision 2, 1 row differs, 1 of them materially`,
  });
  const now = await world.get(`${PATH}?date=${DAY}`);
  assert.equal(now.headers.get('assay-export-revision'), '2');
  const score = (rows: Row[]) => rows.find((row) => row.asset_id === HOSTILE.id)?.score;
  assert.deepEqual([score(JSON.parse(old)), score(await read<Row[]>(now))], [62.5, 64.5]);
  const first = await world.get(`${PATH}?date=${DAY}&revision=1`);
  assert.match(first.headers.get('cache-control') ?? '', /immutable/);
  assert.equal(await first.text(), old);
  const [row] = await listRestatements(world.store.db, { before: null, limit: 10 });
  assert.deepEqual([row?.subject, row?.date, row?.revision, row?.reason], ['rms', DAY, 2, 'late']);
  assert.deepEqual(JSON.parse(row?.body ?? '{}').changes, [
    {
      asset_id: HOSTILE.id,
      change: 'corrected',
      columns: {
        score: [62.5, 64.5],
        job_id: JSON.parse(row?.body ?? '{}').changes[0].columns.job_id,
        vfr: [null, 1.04],
        vfr_zone: ['INDETERMINATE', 'FAIR'],
        as_of: ['2026-11-20T12:00:00.000Z', '2026-11-20T14:00:00.000Z'],
      },
    },
  ]);
  // As after a death between the two: the list is made whole by the next attempt.
  await world.store.db.deleteFrom('restatements').execute();
  assert.match((await restate()).said, /^unchanged: the rows of 2026-11-20 are what revision 2 says/);
  const [again] = await listRestatements(world.store.db, { before: null, limit: 10 });
  assert.deepEqual([again?.revision, again?.reason], [2, 'late']);
  assert.match(
    (await command('restate', '--subject', 'rms', '--date', DAY, '--reason', 'x'.repeat(1_001))).said,
    /1,000/,
  );
});

test('everything published is found good by the keys as they are served; what was changed is not', async () => {
  const keys = `${world.url}/.well-known/assay-keys.json`;
  const good = await command('verify', '--keys', keys);
  assert.deepEqual(good.code, 0, good.said);
  assert.match(good.said, /rms 2026-11-20 revision 2: good, 7 rows in 10 files/);
  const file = join(exportsRoot(config), 'rms', DAY, `rms-${DAY}.csv`);
  const bytes = await readFile(file);
  await writeFile(file, Buffer.from(bytes.toString().replace('62.5', '99.5')));
  const bad = await command('verify', '--subject', 'rms', '--date', DAY);
  assert.equal(bad.code, 1);
  assert.match(bad.said, /rms-2026-11-20\.csv: its SHA-256 is .*\n1 of 2 file sets differ from what was published/s);
  await writeFile(file, bytes);
  assert.equal((await command('verify', '--dir', dataDir)).code, 1);
  assert.match((await command('verify', '--keys', join(dataDir, 'none'))).said, /could not be read/);
  assert.deepEqual((await command('verify', '--date', '2026-02-30')).code, 64);
});
