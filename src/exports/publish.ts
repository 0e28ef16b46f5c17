import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import type { Column } from './column.ts';
import { parquetFile } from './formats/parquet.ts';
import { csv, jsonArray, ndjson, type TextFormat } from './formats/text.ts';
import { fileSink, type Sink } from './sink.ts';
import type { ExportEncoding, ExportFormat, ManifestEntry } from './types.ts';

export interface PublishJob<Row> {
  /** Folder of all exports. */
  readonly root: string;
  readonly subject: string;
  /** YYYY-MM-DD, UTC; the day must be closed. */
  readonly date: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: AsyncIterable<Row>;
  readonly now: () => number;
  /** Signs the canonical bytes of the entry. */
  readonly sign: (bytes: Uint8Array) => ManifestEntry['signature'];
}

const TEXT_ENCODINGS: readonly ExportEncoding[] = ['identity', 'gzip', 'zstd'];
const CHUNK_CHARACTERS = 128 * 1024;
/** UTF-8 of a UTF-16 code unit. */
const MOST_BYTES_PER_CHARACTER = 3;
/** Work of a process that died is removed when it is this old. */
const STALE_MS = 6 * 3_600_000;
export const DAY_FILE = 'day.json';

/**
 * Writes a day in all forms, side by side in one pass over the rows, and makes it visible by one rename: nothing
 * half-written is ever served, and a day that is published stays as it is (it is then returned as it stands).
 * Throws when the disk is full or the rows fail; nothing is left behind then.
 */
export async function publishDay<Row>(job: PublishJob<Row>): Promise<ManifestEntry> {
  const home = join(job.root, job.subject);
  const final = join(home, job.date);
  await mkdir(home, { recursive: true, mode: 0o750 });
  const standing = await readEntry(final);
  if (standing) return standing;
  await sweep(home, job.now());
  const draft = join(home, `.${job.date}.${randomBytes(6).toString('hex')}`);
  await mkdir(draft, { mode: 0o750 });
  try {
    const { rows, files } = await writeAll(job, draft);
    const entry = { date: job.date, rows, published_at: new Date(job.now()).toISOString(), files, restates: null };
    const signed: ManifestEntry = {
      ...entry,
      signature: job.sign(new TextEncoder().encode(canonicalize(entry) ?? '')),
    };
    await writeFile(join(draft, DAY_FILE), `${JSON.stringify(signed, null, 1)}\n`, { flush: true, mode: 0o640 });
    await syncFolder(draft);
    await rename(draft, final);
    await syncFolder(home);
    return signed;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was first; what it published stands.
    const theirs = isOccupied(error) ? await readEntry(final) : null;
    if (theirs) return theirs;
    throw error;
  }
}

/** The entry of a published day, or null. */
export async function readEntry(folder: string): Promise<ManifestEntry | null> {
  const file = await open(join(folder, DAY_FILE)).catch(() => null);
  if (file === null) return null;
  try {
    return JSON.parse(await file.readFile('utf8')) as ManifestEntry;
  } finally {
    await file.close();
  }
}

async function writeAll<Row>(
  job: PublishJob<Row>,
  folder: string,
): Promise<{ readonly rows: number; readonly files: ManifestEntry['files'] }> {
  const opened: {
    readonly format: ExportFormat;
    readonly encoding: ExportEncoding;
    readonly name: string;
    readonly sink: Sink;
  }[] = [];
  const openSink = async (format: ExportFormat, encoding: ExportEncoding) => {
    const name = nameOf(job.subject, job.date, format, encoding);
    const sink = await fileSink(join(folder, name), encoding);
    opened.push({ format, encoding, name, sink });
    return sink;
  };
  try {
    const texts: { readonly form: TextFormat<Row>; readonly sinks: Sink[]; pending: string }[] = [];
    for (const [format, form] of [
      ['json', jsonArray(job.columns)],
      ['csv', csv(job.columns)],
      ['ndjson', ndjson(job.columns)],
    ] as const) {
      const sinks: Sink[] = [];
      for (const encoding of TEXT_ENCODINGS) sinks.push(await openSink(format, encoding));
      texts.push({ form, sinks, pending: form.head });
    }
    const parquetSink = await openSink('parquet', 'identity');
    const parquet = parquetFile(job.columns);
    // One piece of memory for all chunks: a gigabyte of text would else wait for the garbage collector.
    let scratch = Buffer.allocUnsafe(4 * CHUNK_CHARACTERS);
    const flush = async (text: (typeof texts)[number]) => {
      const most = text.pending.length * MOST_BYTES_PER_CHARACTER;
      if (most > scratch.length) scratch = Buffer.allocUnsafe(most);
      const bytes = scratch.subarray(0, scratch.write(text.pending));
      text.pending = '';
      await Promise.all(text.sinks.map((sink) => sink.write(bytes)));
    };
    let rows = 0;
    for await (const row of job.rows) {
      for (const text of texts) {
        text.pending += text.form.row(row, rows);
        if (text.pending.length >= CHUNK_CHARACTERS) await flush(text);
      }
      const bytes = parquet.row(row);
      if (bytes) await parquetSink.write(bytes);
      rows += 1;
    }
    for (const text of texts) {
      text.pending += text.form.tail;
      await flush(text);
    }
    await parquetSink.write(parquet.end());
    const files = [];
    for (const { format, encoding, name, sink } of opened)
      files.push({ format, encoding, name, ...(await sink.end()) });
    return { rows, files };
  } catch (error) {
    for (const { sink } of opened) await sink.abandon();
    throw error;
  }
}

function nameOf(subject: string, date: string, format: ExportFormat, encoding: ExportEncoding): string {
  const packed = { identity: '', gzip: '.gz', zstd: '.zst' }[encoding];
  return `${subject}-${date}.${format}${packed}`;
}

/** A rename is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function sweep(home: string, now: number): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith('.')) continue;
    const found = await stat(join(home, name)).catch(() => null);
    if (found && now - found.mtimeMs > STALE_MS) await rm(join(home, name), { recursive: true, force: true });
  }
}

function isOccupied(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
}
