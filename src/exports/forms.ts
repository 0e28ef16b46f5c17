import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { ExportEncoding, ExportFormat, ManifestEntry } from '../contract/index.ts';
import { csvCell, inertText } from '../domain/index.ts';
import { parquetFile } from './parquet.ts';
import { folderOf } from './published-days.ts';
import type { Column, ExportValue } from './rows.ts';

/** A day to publish. */
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
/** Most UTF-8 bytes per UTF-16 code unit. */
const MOST_BYTES_PER_CHARACTER = 3;

/** Writes a day in all formats in one pass over the rows. */
export async function writeForms<Row>(
  job: PublishJob<Row>,
  folder: string,
  revision: number,
): Promise<{ readonly rows: number; readonly files: ManifestEntry['files'] }> {
  const opened: {
    readonly format: ExportFormat;
    readonly encoding: ExportEncoding;
    readonly name: string;
    readonly sink: Sink;
  }[] = [];
  const openSink = async (format: ExportFormat, encoding: ExportEncoding) => {
    const name = nameOf(`${job.subject}-${folderOf(job.date, revision)}`, format, encoding);
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
    // One buffer for all chunks; otherwise a gigabyte of text would wait for garbage collection.
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

function nameOf(stem: string, format: ExportFormat, encoding: ExportEncoding): string {
  return `${stem}.${format}${{ identity: '', gzip: '.gz', zstd: '.zst' }[encoding]}`;
}

export interface Sink {
  /** Resolves when the bytes have been consumed and their memory may be reused. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything is on disk (fsync). */
  end(): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Closes the file in any state. */
  abandon(): Promise<void>;
}

/**
 * Creates a file that is hashed, and compressed by `encoding`, while it is written. Throws if it exists or the disk is
 * full.
 */
export async function fileSink(path: string, encoding: ExportEncoding): Promise<Sink> {
  const plain = await plainSink(path);
  if (encoding === 'identity') return plain;
  return packedSink(plain, encoding === 'gzip' ? createGzip({ level: 5 }) : createZstdCompress());
}

async function plainSink(path: string): Promise<Sink> {
  const file: FileHandle = await open(path, 'wx', 0o640);
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async write(chunk) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      for (let offset = 0; offset < chunk.byteLength; ) {
        const { bytesWritten } = await file.write(chunk, offset);
        offset += bytesWritten;
      }
    },
    async end() {
      await file.sync();
      await file.close();
      return { bytes, sha256: hash.digest('hex') };
    },
    abandon: () => file.close().catch(() => undefined),
  };
}

function packedSink(target: Sink, packer: Transform): Sink {
  // Consumes at the speed of the disk. An error of the disk destroys the packer, so that the next write fails.
  const drained = (async () => {
    for await (const chunk of packer) await target.write(chunk as Buffer);
  })();
  drained.catch((error: Error) => packer.destroy(error));
  return {
    async write(chunk) {
      if (packer.destroyed) await drained;
      const taken = new Promise<void>((resolve, reject) =>
        packer.write(chunk, (error) => (error ? reject(error) : resolve())),
      );
      await Promise.race([taken, drained]);
    },
    async end() {
      packer.end();
      await drained;
      return target.end();
    },
    async abandon() {
      packer.destroy();
      await drained.catch(() => undefined);
      await target.abandon();
    },
  };
}

/** A text format that is written row by row. */
export interface TextFormat<Row> {
  readonly head: string;
  /** `index` counts from 0. */
  readonly row: (row: Row, index: number) => string;
  readonly tail: string;
}

/** JSON array with one object per line. */
export function jsonArray<Row>(columns: readonly Column<Row>[]): TextFormat<Row> {
  const encode = objectEncoder(columns);
  return { head: '[', row: (row, index) => `${index === 0 ? '\n' : ',\n'}${encode(row)}`, tail: '\n]\n' };
}

/** One object per line. */
export function ndjson<Row>(columns: readonly Column<Row>[]): TextFormat<Row> {
  const encode = objectEncoder(columns);
  return { head: '', row: (row) => `${encode(row)}\n`, tail: '' };
}

/** RFC 4180 with a header row. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function csv<Row>(columns: readonly Column<Row>[]): TextFormat<Row> {
  return {
    head: `${columns.map((column) => column.name).join(',')}\r\n`,
    row(row) {
      let line = '';
      for (const column of columns) {
        const value = column.value(row);
        if (line !== '' || column !== columns[0]) line += ',';
        line += cellOf(value);
      }
      return `${line}\r\n`;
    },
    tail: '',
  };
}

function cellOf(value: ExportValue): string {
  const text = cellText(value);
  return typeof value === 'string' || Array.isArray(value) ? csvCell(text) : text;
}

/** Text of a value in a CSV cell; empty if unknown. */
export function cellText(value: ExportValue): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : value.join(';');
  return inertText(text);
}

function objectEncoder<Row>(columns: readonly Column<Row>[]): (row: Row) => string {
  const keys = columns.map((column, index) => `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`);
  return (row) => {
    let text = '';
    for (const [index, column] of columns.entries()) {
      const value = column.value(row);
      text += keys[index];
      text += typeof value === 'string' || Array.isArray(value) ? JSON.stringify(value) : String(value);
    }
    return `${text}}`;
  };
}
