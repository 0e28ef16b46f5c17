import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import type { Result } from '../src/domain/index.ts';
import { refuse } from './refuse.ts';
import type { DataFile, Refusal, Table } from './types.ts';

/** A rated row takes 5 kB; more would not fit into the memory that Node takes by itself. */
const MOST_ROWS = 500_000;
const MOST_COLUMNS = 1_000;
const LONGEST_RECORD = 1_000_000;

/**
 * Reads CSV files (RFC 4180, first record names the columns; `.gz` too) as they stream in, hashing the stored bytes. Files with
 * different columns are put side by side: a column that one of them lacks is empty there.
 */
export async function readTable(paths: readonly string[]): Promise<Result<Table, { refusal: Refusal }>> {
  const files: DataFile[] = [];
  const rows: Table['rows'][number][] = [];
  const place = new Map<string, number>();
  for (const path of paths) {
    const read = await readOne(path, MOST_ROWS - rows.length);
    if (!read.ok) return read;
    const { header, records, file } = read.value;
    for (const column of header) if (!place.has(column)) place.set(column, place.size);
    const target = header.map((column) => place.get(column) ?? 0);
    const inOrder = target.every((at, index) => at === index);
    files.push(file);
    for (const [index, record] of records.entries()) {
      const cells = inOrder ? record : arranged(record, target, place.size);
      rows.push({ file: file.name, line: index + 2, cells });
    }
  }
  if (files.length === 0) return refuse('no_data', 'no file was given');
  if (rows.length === 0) return refuse('empty_file', `${files[0]?.name}: it has column names and no rows`);
  return { ok: true, value: { files, columns: [...place.keys()], rows } };
}

function arranged(record: readonly string[], target: readonly number[], width: number): readonly string[] {
  const cells = new Array<string>(width).fill('');
  for (const [index, cell] of record.entries()) cells[target[index] ?? 0] = cell;
  return cells;
}

async function readOne(
  path: string,
  room: number,
): Promise<
  Result<
    { readonly header: readonly string[]; readonly records: readonly string[][]; readonly file: DataFile },
    { refusal: Refusal }
  >
> {
  const name = basename(path);
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const parser = parse({ bom: true, max_record_size: LONGEST_RECORD, skip_empty_lines: true });
  const stages = /\.gz$/i.test(path) ? [count, createGunzip(), parser] : [count, parser];
  // A fault of any stage reaches the parser, which the loop below reads.
  pipeline([createReadStream(path), ...stages], () => undefined);
  let header: readonly string[] | null = null;
  const records: string[][] = [];
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (header === null) {
        header = record.map((cell) => cell.trim());
        const twice = header.filter((cell, index) => header?.indexOf(cell) !== index);
        if (twice.length > 0) return refuse('duplicate_columns', `${name}: column ${quoted(twice[0])} comes twice`);
        if (header.length > MOST_COLUMNS)
          return refuse('too_large', `${name}: ${header.length} columns; at most ${MOST_COLUMNS} are read`);
      } else {
        records.push(record);
        if (records.length > room)
          return refuse('too_large', `${name}: more than ${MOST_ROWS} rows in all; give a sample`);
      }
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'cannot be read';
    return refuse(error instanceof CsvError ? 'malformed_csv' : 'unreadable', `${name}: ${detail}`);
  }
  if (header === null) return refuse('empty_file', `${name}: it is empty; expected column names and rows`);
  return {
    ok: true,
    value: { header, records, file: { name, bytes, sha256: hash.digest('hex'), rows: records.length } },
  };
}

/** A header is read from this much of a file. */
const HEADER_BYTES = 65_536;

/** The column names of a CSV file; none when it cannot be read as one. */
export async function headerOf(path: string): Promise<readonly string[]> {
  const file = createReadStream(path, { end: HEADER_BYTES - 1 });
  const parser = parse({ bom: true, to: 1, max_record_size: LONGEST_RECORD });
  // Cut off in the middle, a compressed file ends in a fault that comes after its first line.
  pipeline([file, ...(/\.gz$/i.test(path) ? [createGunzip()] : []), parser], () => undefined);
  try {
    for await (const record of parser as AsyncIterable<string[]>) return record.map((cell) => cell.trim());
  } catch {
    return [];
  }
  return [];
}

/** Text of a file as a message may show it. */
export function quoted(cell: string | undefined): string {
  const shown = cell ?? '';
  return JSON.stringify(shown.length > 60 ? `${shown.slice(0, 60)}…` : shown);
}
