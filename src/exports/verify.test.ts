import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import canonicalize from 'canonicalize';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { ManifestEntry } from '../contract/export.ts';
import { publishDay, restateDay } from './publish.ts';
import { createExportService } from './published-days.ts';
import type { Column } from './rows.ts';
import { csvRows, verifyDays } from './verify.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'assay-verify-'));
  folders.push(made);
  return made;
}

interface Row {
  readonly asset_id: string;
  readonly name: string | null;
  readonly score: number | null;
  readonly flags: readonly string[] | null;
  readonly count: number | null;
  readonly at: string | null;
}
const COLUMNS: readonly Column<Row>[] = (
  [
    ['asset_id', 'text'],
    ['name', 'text'],
    ['score', 'number'],
    ['flags', 'list'],
    ['count', 'integer'],
    ['at', 'time'],
  ] as const
).map(([name, type]) => ({ name, type, value: (row) => row[name] }));

const pair = generateKeyPairSync('ed25519');
const { x = '' } = pair.publicKey.export({ format: 'jwk' });
const KEYS = [{ kid: 'key', x }];
const sign = (bytes: Uint8Array) =>
  ({ algorithm: 'Ed25519', key_id: 'key', value: signBytes(null, bytes, pair.privateKey).toString('base64') }) as const;

async function* many(rows: Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}
const jobOf = (root: string, rows: Iterable<Row>) => ({
  root,
  subject: 'rms',
  date: '2026-11-20',
  columns: COLUMNS,
  rows: many(rows),
  now: () => 0,
  sign,
});
async function complaints(root: string, keys = KEYS): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const day of verifyDays(root, 'rms', null, keys)) found.push(...day.complaints);
  return found;
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('=1+1', '\u2028', 'a;b', '"', 'a,"b"\r\nc', '\r', '\ttab', "'=x", '', 'é😀'),
);
const rowsOf = fc.array(
  fc.record({
    asset_id: fc.string({ unit: 'grapheme-ascii', minLength: 1 }),
    name: fc.option(text),
    score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
    flags: fc.option(fc.array(text, { maxLength: 4 })),
    count: fc.option(fc.nat()),
    at: fc.option(
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((at) => at.toISOString()),
    ),
  }),
  { maxLength: 30 },
);

test('what was published is found good, whatever the texts are', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf, async (rows) => {
      const root = await folder();
      await publishDay(jobOf(root, rows));
      assert.deepEqual(await complaints(root), []);
      await rm(root, { recursive: true });
    }),
    { numRuns: 40 },
  );
});

test('CSV is read as by another reader, in chunks of any size', async () => {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      async (rows, size) => {
        const file = rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
        const pieces: string[] = [];
        const letters = [...file];
        for (let from = 0; from < letters.length; from += size) pieces.push(letters.slice(from, from + size).join(''));
        const found: (readonly string[])[] = [];
        for await (const row of csvRows(Readable.from(pieces))) found.push(row);
        assert.deepEqual(found, parse(file, { record_delimiter: '\r\n' }));
      },
    ),
  );
});

const ROW: Row = { asset_id: 'a', name: 'one', score: 50, flags: ['X'], count: 1, at: '2026-11-20T00:00:00.000Z' };

test('an extra byte, a changed byte, a missing file, another key and another manifest are each reported', async () => {
  const root = await folder();
  await publishDay(jobOf(root, [ROW, { ...ROW, asset_id: 'b' }]));
  const day = join(root, 'rms', '2026-11-20');
  const check = async (name: string, change: (bytes: Buffer) => Buffer, said: RegExp) => {
    const path = join(day, name);
    const bytes = await readFile(path);
    await writeFile(path, change(bytes));
    const found = await complaints(root);
    assert.ok(found.length > 0 && found.some((one) => said.test(one)), `${name}: ${found.join(' | ')}`);
    await writeFile(path, bytes);
  };
  const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 20 ? byte ^ 1 : byte)));
  for (const form of ['json', 'csv', 'ndjson', 'parquet', 'csv.gz', 'json.zst']) {
    await check(`rms-2026-11-20.${form}`, (bytes) => Buffer.concat([bytes, Buffer.from('x')]), /has \d+ bytes/);
    await check(`rms-2026-11-20.${form}`, flip, /its SHA-256 is/);
  }
  await check('day.json', (bytes) => Buffer.from(bytes.toString().replace('"rows": 2', '"rows": 3')), /signature/);
  for (const text of ['{', '{}', '{"date":"2026-11-20","rows":1,"files":[null],"restates":null}', '[1]', '"x"'])
    await check('day.json', () => Buffer.from(text), /cannot be read/);
  assert.match((await complaints(root, [])).join(), /not among the 0 published/);
  await rename(join(day, 'rms-2026-11-20.csv'), join(day, 'gone'));
  assert.deepEqual(await complaints(root), ['rms-2026-11-20.csv: it is missing']);
});

test('files of another subject under this name are reported, although their signature fits', async () => {
  const root = await folder();
  await publishDay({ ...jobOf(root, []), subject: 'solana' });
  await rename(join(root, 'solana'), join(root, 'rms'));
  const found = await complaints(root);
  assert.ok(
    found.some((one) => /^solana-2026-11-20\.json: it is not a file of rms 2026-11-20$/.test(one)),
    found.join(' | '),
  );
});

test('forms that differ are found even when every hash and the signature fit', async () => {
  for (const [of, from, to, said] of [
    ['json', '"score":50', '"score":51', /json differs from ndjson/],
    ['csv', ',50,', ',51,', /score differs in csv/],
    ['csv', 'a,one,50,X,1,2026-11-20T00:00:00.000Z\r\n', '', /csv has fewer rows/],
    ['ndjson', '"name":"one"', '"name":"two"', /name differs in (csv|parquet)/],
    ['ndjson', '"flags":["X"]', '"flags":["Y"]', /flags differs in parquet/],
  ] as const) {
    const root = await folder();
    await publishDay(jobOf(root, [ROW, { ...ROW, asset_id: 'b' }]));
    await forge(join(root, 'rms', '2026-11-20'), of, from, to);
    const found = await complaints(root);
    assert.ok(
      found.some((one) => said.test(one)),
      `${of}: ${found.join(' | ')}`,
    );
  }
});

/** Changes one form and everything that vouches for it. */
async function forge(day: string, format: string, from: string, to: string): Promise<void> {
  const path = join(day, `rms-2026-11-20.${format}`);
  const bytes = Buffer.from((await readFile(path, 'utf8')).replace(from, to));
  await writeFile(path, bytes);
  const { signature, ...entry } = JSON.parse(await readFile(join(day, 'day.json'), 'utf8')) as ManifestEntry;
  const forged = {
    ...entry,
    files: entry.files
      .filter((file) => file.format !== format || file.encoding === 'identity')
      .map((file) =>
        file.format === format
          ? { ...file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
          : file,
      ),
  };
  const signed = { ...forged, signature: sign(Buffer.from(canonicalize(forged) ?? '')) };
  await writeFile(join(day, 'day.json'), JSON.stringify(signed));
}

const restate = (root: string, rows: Iterable<Row>, record: () => Promise<void> = () => Promise.resolve()) =>
  restateDay({
    ...jobOf(root, rows),
    reason: 'a source was wrong',
    isMaterial: ({ before, after: now }) => Math.abs(Number(before?.score ?? 0) - Number(now?.score ?? 0)) >= 2,
    record,
  });

test('a corrected day is published beside the old one, which keeps its bytes, and is the one read from then on', async () => {
  const root = await folder();
  const service = createExportService(root);
  const none = await restate(root, [ROW]);
  assert.equal(none.ok ? '' : none.reason, 'not_published');
  const first = await publishDay(jobOf(root, [ROW, { ...ROW, asset_id: 'b' }]));
  const old = await readFile(join(root, 'rms', '2026-11-20', 'rms-2026-11-20.json'));
  const same = await restate(root, [ROW, { ...ROW, asset_id: 'b' }]);
  assert.equal(same.ok ? '' : same.reason, 'unchanged');
  const little = await restate(root, [ROW, { ...ROW, asset_id: 'b', score: 51.9 }]);
  assert.equal(little.ok ? '' : little.reason, 'not_material');
  const rows = [ROW, { ...ROW, asset_id: 'b', score: 52 }, { ...ROW, asset_id: 'c' }];
  const done = await restate(root, rows);
  assert.ok(done.ok);
  assert.deepEqual(
    [done.value.revision, done.value.changedRows, done.value.changes.map((one) => one.key)],
    [2, 2, ['b', 'c']],
  );
  const opened = await service.open('rms', '2026-11-20', 'json', ['identity'], null);
  assert.ok(opened.ok && opened.value.day.revision === 2 && opened.value.file.name === 'rms-2026-11-20.r2.json');
  const before = await service.open('rms', '2026-11-20', 'json', ['identity'], 1);
  assert.ok(before.ok && (await readFile(before.value.file.path)).equals(old));
  const [newest, oldest] = await service.manifest('rms');
  assert.deepEqual([newest?.revision, newest?.restates?.reason, oldest], [2, 'a source was wrong', first]);
  assert.deepEqual(await complaints(root), []);
  assert.equal((await publishDay(jobOf(root, []))).revision, 1);
  await rm(join(root, 'rms', '2026-11-20'), { recursive: true });
  assert.match((await complaints(root)).join(), /not the JSON file of revision 1/);
});

test('what cannot be recorded is not restated', async () => {
  const root = await folder();
  await publishDay(jobOf(root, [ROW]));
  const failing = restate(root, [{ ...ROW, score: 90 }], () => Promise.reject(new Error('the database went away')));
  await assert.rejects(failing, /went away/);
  assert.equal((await createExportService(root).manifest('rms')).length, 1);
  const two = await Promise.allSettled([
    restate(root, [{ ...ROW, score: 90 }]),
    restate(root, [{ ...ROW, score: 80 }]),
  ]);
  assert.equal((await createExportService(root).manifest('rms')).length, 2);
  assert.ok(two.some((one) => one.status === 'fulfilled' && one.value.ok));
});
