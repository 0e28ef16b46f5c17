import { join } from 'node:path';
import type { ExportEncoding, ExportFormat, ManifestEntry } from '../contract/index.ts';
import { folderOf } from './day-folder.ts';
import { parquetFile } from './formats/parquet.ts';
import { csv, jsonArray, ndjson, type TextFormat } from './formats/text.ts';
import type { PublishJob } from './job.ts';
import { fileSink, type Sink } from './sink.ts';

const TEXT_ENCODINGS: readonly ExportEncoding[] = ['identity', 'gzip', 'zstd'];
const CHUNK_CHARACTERS = 128 * 1024;
/** UTF-8 of a UTF-16 code unit. */
const MOST_BYTES_PER_CHARACTER = 3;

/** Writes a day in all forms, side by side in one pass over the rows. */
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

function nameOf(stem: string, format: ExportFormat, encoding: ExportEncoding): string {
  return `${stem}.${format}${{ identity: '', gzip: '.gz', zstd: '.zst' }[encoding]}`;
}
