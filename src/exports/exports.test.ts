import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { publishDay } from './publish.ts';
import { createExportService } from './published-days.ts';
import type { Column } from './rows.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'assay-exports-'));
  folders.push(made);
  return made;
}

interface Row {
  readonly text: string | null;
  readonly number: number | null;
  readonly count: number | null;
  readonly at: string | null;
  readonly flag: boolean | null;
}
const COLUMNS: readonly Column<Row>[] = [
  { name: 'text', type: 'text', value: (row) => row.text },
  { name: 'number', type: 'number', value: (row) => row.number },
  { name: 'count', type: 'integer', value: (row) => row.count },
  { name: 'at', type: 'time', value: (row) => row.at },
  { name: 'flag', type: 'boolean', value: (row) => row.flag },
];
const HOSTILE = [
  '=HYPERLINK("http://x")',
  '+1',
  '-1',
  '@a',
  '\t=1',
  '\r=1',
  'a,"b"\r\nc',
  '<script>',
  '\u202eevil',
  '',
  'é😀',
];
const sign = () => ({ algorithm: 'Ed25519', key_id: 'k', value: 'v' }) as const;

async function* many(rows: Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}
const publish = (root: string, rows: Iterable<Row>, date = '2026-11-20') =>
  publishDay({ root, subject: 'solana', date, columns: COLUMNS, rows: many(rows), now: () => 0, sign });

async function textOf(root: string, format: 'json' | 'csv' | 'ndjson'): Promise<string> {
  return readFile(join(root, 'solana', '2026-11-20', `solana-2026-11-20.${format}`), 'utf8');
}

const rowsOf = fc.array(
  fc.record({
    text: fc.option(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...HOSTILE))),
    number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
    count: fc.option(fc.nat()),
    at: fc.option(
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((at) => at.toISOString()),
    ),
    flag: fc.option(fc.boolean()),
  }),
  { maxLength: 40 },
);

test('other readers find the same values in all four forms, whatever the texts are', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf, async (rows) => {
      const root = await folder();
      await publish(root, rows);
      const expected = rows.map((row) => ({ ...row }));
      assert.deepEqual(JSON.parse(await textOf(root, 'json')), expected);
      const lines = (await textOf(root, 'ndjson')).split('\n').slice(0, -1);
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        expected,
      );
      const cells = parse(await textOf(root, 'csv'), { columns: true, record_delimiter: '\r\n' }) as Record<
        string,
        string
      >[];
      assert.deepEqual(
        cells.map((line) => line.number),
        rows.map((row) => (row.number === null ? '' : String(row.number))),
      );
      for (const [index, row] of rows.entries()) {
        const cell = cells[index]?.text ?? '';
        assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
        assert.equal(
          cell.startsWith("'") && /^[=+\-@\t\r]/.test(row.text ?? '') ? cell.slice(1) : cell,
          row.text ?? '',
        );
      }
      const bytes = await readFile(join(root, 'solana', '2026-11-20', 'solana-2026-11-20.parquet'));
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
      const { zstdDecompressSync: unpack } = await import('node:zlib');
      const read = await parquetReadObjects({ file, compressors: { ZSTD: (input) => unpack(input) } });
      assert.deepEqual(
        read.map((row) => ({
          text: row.text ?? null,
          number: row.number ?? null,
          count: row.count === null || row.count === undefined ? null : Number(row.count),
          at: row.at instanceof Date ? row.at.toISOString() : null,
          flag: row.flag ?? null,
        })),
        expected,
      );
      await rm(root, { recursive: true });
    }),
    { numRuns: 40 },
  );
});

const ROW: Row = { text: 'a', number: 0.1, count: 2, at: '2026-11-20T00:00:00.000Z', flag: true };

test('the manifest matches the bytes, packed forms have the same content, and the same rows give the same files', async () => {
  const [one, two] = [await folder(), await folder()];
  const rows = Array.from({ length: 45_000 }, (_, count) => ({ ...ROW, count, text: `token ${count}` }));
  const entry = await publish(one, rows);
  assert.equal(entry.rows, 45_000);
  assert.equal(entry.files.length, 10);
  for (const file of entry.files) {
    const bytes = await readFile(join(one, 'solana', '2026-11-20', file.name));
    assert.deepEqual([bytes.byteLength, createHash('sha256').update(bytes).digest('hex')], [file.bytes, file.sha256]);
    const plain = await readFile(join(one, 'solana', '2026-11-20', `solana-2026-11-20.${file.format}`));
    if (file.encoding === 'gzip') assert.ok(gunzipSync(bytes).equals(plain));
    if (file.encoding === 'zstd') assert.ok(zstdDecompressSync(bytes).equals(plain));
  }
  assert.deepEqual((await publish(two, rows)).files, entry.files);
});

test('a published day never changes, whoever publishes it again and with whatever rows', async () => {
  const root = await folder();
  const [first, second] = await Promise.all([publish(root, [ROW]), publish(root, [ROW, ROW])]);
  assert.deepEqual(first, second);
  assert.deepEqual(await publish(root, []), first);
  assert.deepEqual(await readdir(join(root, 'solana')), ['2026-11-20']);
});

test('a failure in the middle of the rows leaves nothing behind, and no partial file is offered', async () => {
  const root = await folder();
  async function* broken(): AsyncGenerator<Row> {
    for (let count = 0; count < 30_000; count += 1) yield { ...ROW, count };
    throw new Error('the database went away');
  }
  const service = createExportService(root);
  const job = publishDay({
    root,
    subject: 'solana',
    date: '2026-11-20',
    columns: COLUMNS,
    rows: broken(),
    now: () => 0,
    sign,
  });
  await assert.rejects(job, /went away/);
  assert.deepEqual(await readdir(join(root, 'solana')), []);
  const opened = await service.open('solana', null, 'json', ['identity'], null);
  assert.equal(opened.ok ? '' : opened.reason, 'not_published_yet');
});

test('a full disk loses the day, and no partial file stays', async () => {
  const root = await folder();
  const script = fileURLToPath(new URL('./fixtures/publish-many.ts', import.meta.url));
  // 256 blocks of 512 bytes or a kilobyte, by the shell: some hundred thousand bytes at most.
  const child = spawn('sh', ['-c', `ulimit -f 256; exec "$0" "$1" "$2"`, process.execPath, script, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  await once(child, 'close');
  assert.equal(said.trim(), 'EFBIG');
  assert.deepEqual(await readdir(join(root, 'solana')), []);
});

test('a process that is killed in mid-publication leaves no day, and the next one publishes it whole', async () => {
  const root = await folder();
  const script = fileURLToPath(new URL('./fixtures/publish-many.ts', import.meta.url));
  const child = spawn(process.execPath, [script, root], { stdio: 'ignore' });
  const ended = once(child, 'close');
  const grown = async () => {
    for (const name of await readdir(join(root, 'solana')).catch(() => [])) {
      const found = await stat(join(root, 'solana', name, 'solana-2026-11-20.ndjson')).catch(() => null);
      if (found && found.size > 0) return true;
    }
    return false;
  };
  while (!(await grown())) await setTimeout(2);
  child.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.deepEqual(await createExportService(root).manifest('solana'), []);
  await publish(root, [ROW]);
  assert.deepEqual(
    (await createExportService(root).manifest('solana')).map((entry) => entry.rows),
    [1],
  );
});

test('a day that was published before there were revisions is its first one', async () => {
  const root = await folder();
  const { revision: _, ...old } = await publish(root, [ROW]);
  await writeFile(join(root, 'solana', '2026-11-20', 'day.json'), JSON.stringify(old));
  const service = createExportService(root);
  assert.deepEqual(await service.manifest('solana'), [old]);
  const opened = await service.open('solana', '2026-11-20', 'csv', ['identity'], 1);
  assert.equal(opened.ok ? opened.value.day.revision : null, 1);
});

test('the newest day is given by default, a form by preference, and any part of the bytes', async () => {
  const root = await folder();
  await publish(root, [ROW], '2026-11-19');
  await publish(root, [ROW, ROW], '2026-11-20');
  const service = createExportService(root);
  const opened = await service.open('solana', null, 'csv', ['zstd', 'identity'], null);
  assert.ok(opened.ok);
  assert.deepEqual([opened.value.day.date, opened.value.file.encoding], ['2026-11-20', 'zstd']);
  const plain = await service.open('solana', '2026-11-19', 'csv', ['identity'], null);
  assert.ok(plain.ok);
  const part = async (from: number, to: number) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of service.read(plain.value.file, from, to)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };
  assert.equal(await part(0, 11), 'text,number');
  assert.equal(await part(5, 5), '');
  assert.equal((await service.open('solana', '2026-11-18', 'csv', [], null)).ok, false);
  assert.deepEqual(
    (await service.manifest('solana')).map((entry) => [entry.date, entry.rows]),
    [
      ['2026-11-20', 2],
      ['2026-11-19', 1],
    ],
  );
  assert.deepEqual(await service.manifest('nothing'), []);
});
