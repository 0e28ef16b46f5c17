import { createReadStream } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { ExportValue } from './column.ts';
import { linesOf } from './day-folder.ts';
import { cellText } from './forms.ts';
import { type ExportedRow, rowsOfFile } from './restate.ts';

/** The unpacked files of a day. */
export interface FormPaths {
  readonly json: string;
  readonly csv: string;
  readonly ndjson: string;
  readonly parquet: string;
}

/** Rows of a Parquet file read at once. */
const CHUNK_ROWS = 2_000;
/** More would only repeat what is wrong. */
const MOST_COMPLAINTS = 5;

/** Reads the four forms side by side, row by row; reports where they do not hold the same values, or not `rows` of them. */
export async function compareForms(paths: FormPaths, rows: number): Promise<readonly string[]> {
  const complaints: string[] = [];
  const lines = rowsOfFile(paths.ndjson);
  const others = {
    json: jsonRows(paths.json),
    csv: csvRows(createReadStream(paths.csv, 'utf8')),
    parquet: parquetRows(paths.parquet),
  };
  const header = await others.csv.next();
  const columns = header.done ? [] : header.value;
  let count = 0;
  for (; complaints.length < MOST_COMPLAINTS; count += 1) {
    const line = await lines.next();
    const [json, cells, parquet] = [await others.json.next(), await others.csv.next(), await others.parquet.next()];
    const over = Object.entries({ json, csv: cells, parquet }).filter(([, step]) => step.done !== line.done);
    for (const [name, step] of over)
      complaints.push(`${name} has ${step.done === true ? 'fewer' : 'more'} rows than ndjson, which has ${count}`);
    if (over.length > 0 || line.done || json.done || cells.done || parquet.done) break;
    const place = `row ${count + 1}`;
    if (JSON.stringify(json.value) !== JSON.stringify(line.value))
      complaints.push(`${place}: json differs from ndjson`);
    complaints.push(...cellComplaints(place, columns, cells.value, line.value));
    complaints.push(...parquetComplaints(place, parquet.value, line.value));
  }
  if (complaints.length === 0 && count !== rows)
    complaints.push(`the manifest says ${rows} rows, the files hold ${count}`);
  return complaints;
}

function cellComplaints(place: string, columns: readonly string[], cells: readonly string[], row: ExportedRow) {
  const names = Object.keys(row);
  if (names.join() !== columns.join()) return [`${place}: the columns of csv are not those of ndjson`];
  return names
    .filter((name, index) => cells[index] !== cellText(row[name] as ExportValue))
    .map((name) => `${place}: ${name} differs in csv`);
}

function parquetComplaints(place: string, found: ExportedRow, row: ExportedRow): readonly string[] {
  return Object.entries(row)
    .filter(([name, value]) => JSON.stringify(plain(found[name])) !== JSON.stringify(comparable(value, found[name])))
    .map(([name]) => `${place}: ${name} differs in parquet`);
}

/** A value of Parquet as JSON would hold it. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

/** Times have milliseconds in Parquet, however they are written elsewhere. */
function comparable(value: unknown, found: unknown): unknown {
  return found instanceof Date && typeof value === 'string' ? new Date(value).toISOString() : value;
}

/** One object a line, in an array, as we write it. */
async function* jsonRows(path: string): AsyncGenerator<ExportedRow> {
  let closed = false;
  let first = true;
  for await (const line of linesOf(path)) {
    if (first && line !== '[') throw new Error('the JSON file is no array');
    if (closed && line !== '') throw new Error('the JSON file goes on after its end');
    if (line === ']') closed = true;
    else if (!first && line !== '') yield JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line) as ExportedRow;
    first = false;
  }
  if (!closed) throw new Error('the JSON array has no end');
}

async function* parquetRows(path: string): AsyncGenerator<ExportedRow> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const total = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < total; rowStart += CHUNK_ROWS)
    yield* await parquetReadObjects({
      file,
      metadata,
      rowStart,
      rowEnd: Math.min(total, rowStart + CHUNK_ROWS),
      compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    });
}

/** The longest cell or line that is read; more is no export of ours. */
const MOST_CHARACTERS = 4 << 20;

/** Rows of a CSV text (RFC 4180) that comes in pieces; the header is the first. Throws at a quote out of place. */
export async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let row: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' | 'quote_seen' | 'line_end' = 'start';
  for await (const piece of pieces) {
    for (const character of piece) {
      if (state === 'quoted') {
        if (character === '"') state = 'quote_seen';
        else cell += character;
      } else if (state === 'line_end') {
        if (character !== '\n') throw new Error('a line of the CSV ends with CR alone');
        yield [...row, cell];
        [row, cell, state] = [[], '', 'start'];
      } else if (character === '"') {
        if (state === 'plain') throw new Error('a cell of the CSV has a quote in its midst');
        if (state === 'quote_seen') cell += '"';
        state = 'quoted';
      } else if (character === ',') {
        row.push(cell);
        [cell, state] = ['', 'start'];
      } else if (character === '\r') state = 'line_end';
      else if (state === 'quote_seen') throw new Error('a quoted cell of the CSV goes on after its end');
      else if (character === '\n') throw new Error('a line of the CSV ends with LF alone');
      else [cell, state] = [cell + character, 'plain'];
      if (cell.length > MOST_CHARACTERS) throw new Error('a cell of the CSV is too long');
    }
  }
  if (state !== 'start' || row.length > 0) throw new Error('the CSV ends in the midst of a line');
}
