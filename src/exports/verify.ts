import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import canonicalize from 'canonicalize';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { EXPORT_FORMATS, type ManifestEntry } from '../contract/index.ts';
import { counted } from '../domain/index.ts';
import { cellText } from './forms.ts';
import { type ExportedRow, plainFile, rowsOfFile } from './publish.ts';
import { folderOf, linesOf, listDays, readEntry } from './published-days.ts';
import type { ExportValue } from './rows.ts';

/** A published key, as listed in `/.well-known/assay-keys.json`. */
export interface VerifyingKey {
  readonly kid: string;
  readonly x: string;
}

/** One revision of a day with its errors; empty if it is valid. */
export interface VerifiedDay {
  readonly date: string;
  readonly revision: number;
  readonly rows: number;
  readonly files: number;
  readonly complaints: readonly string[];
}

type File = ManifestEntry['files'][number];

/**
 * Checks every published file set of a subject, or those of one day: size and hash of each file, the signature of the
 * manifest, equality of compressed and plain files, and equality of the values in all formats, row by row.
 */
export async function* verifyDays(
  root: string,
  subject: string,
  date: string | null,
  keys: readonly VerifyingKey[],
): AsyncGenerator<VerifiedDay> {
  const days = await listDays(root, subject);
  for (const day of days.toReversed()) {
    if (date !== null && day.date !== date) continue;
    const folder = join(root, subject, folderOf(day.date, day.revision));
    const entry = await readEntry(folder).catch(() => null);
    if (entry === null || !isEntry(entry)) {
      yield { ...day, rows: 0, files: 0, complaints: ['its day.json cannot be read, or is no manifest entry'] };
      continue;
    }
    const complaints = await complaintsOf(folder, { subject, ...day }, entry, keys);
    complaints.push(...(await restatementComplaints(root, subject, entry)));
    yield { ...day, rows: entry.rows, files: entry.files.length, complaints };
  }
}

/** Checks the entry of a folder, which may come from any source. */
function isEntry({ date, rows, files, restates, signature }: Partial<ManifestEntry>): boolean {
  const isHash = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
  return (
    typeof date === 'string' &&
    Number.isInteger(rows) &&
    Array.isArray(files) &&
    files.every((file: Partial<File>) => typeof file?.name === 'string' && isHash(file.sha256)) &&
    (restates === null || isHash(restates?.sha256)) &&
    typeof signature?.key_id === 'string' &&
    typeof signature.value === 'string'
  );
}

async function complaintsOf(
  folder: string,
  day: { readonly subject: string; readonly date: string; readonly revision: number },
  entry: ManifestEntry,
  keys: readonly VerifyingKey[],
): Promise<string[]> {
  const complaints: string[] = [];
  if (entry.date !== day.date || (entry.revision ?? 1) !== day.revision)
    complaints.push(`its manifest is of ${entry.date}, revision ${entry.revision ?? 1}`);
  complaints.push(...signatureComplaints(entry, keys));
  // The signed entry names its subject in the names of its files alone.
  const stem = `${day.subject}-${folderOf(day.date, day.revision)}.`;
  for (const { name } of entry.files)
    if (!name.startsWith(stem))
      complaints.push(`${name}: it is not a file of ${day.subject} ${folderOf(day.date, day.revision)}`);
  const plainHashes = new Map(
    entry.files.filter((file) => file.encoding === 'identity').map((file) => [file.format, file.sha256]),
  );
  for (const file of entry.files) {
    const found = await fileComplaint(folder, file, plainHashes.get(file.format) ?? null);
    if (found !== null) complaints.push(`${file.name}: ${found}`);
  }
  if (complaints.length > 0) return complaints;
  const paths = EXPORT_FORMATS.map((format) => [format, plainFile(entry, format)?.name] as const);
  const missing = paths.filter(([, name]) => name === undefined);
  if (missing.length > 0) return missing.map(([format]) => `there is no ${format} file`);
  const path = (format: (typeof EXPORT_FORMATS)[number]) =>
    join(folder, paths.find(([known]) => known === format)?.[1] ?? '');
  const forms = { json: path('json'), csv: path('csv'), ndjson: path('ndjson'), parquet: path('parquet') };
  return [...(await compareForms(forms, entry.rows).catch((error: unknown) => [wordsOf(error)]))];
}

function signatureComplaints({ signature, ...entry }: ManifestEntry, keys: readonly VerifyingKey[]): readonly string[] {
  const key = keys.find((one) => one.kid === signature.key_id);
  if (!key)
    return [`it is signed by the key ${signature.key_id}, which is not among the ${keys.length} published ones`];
  const good = verify(
    null,
    Buffer.from(canonicalize(entry) ?? ''),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' }),
    Buffer.from(signature.value, 'base64'),
  );
  return good ? [] : ['its signature does not fit the manifest: one of the two was changed'];
}

/** Error in one file; null if there is none. `plain`: hash of the uncompressed content. */
async function fileComplaint(folder: string, file: File, plain: string | null): Promise<string | null> {
  // A file name from a manifest must not contain a path.
  if (!/^[\w.-]+$/.test(file.name)) return 'the name is no file name';
  try {
    const told = await hashOf(createReadStream(join(folder, file.name)));
    if (told.bytes !== file.bytes) return `it has ${counted(told.bytes, 'byte')}, the manifest says ${file.bytes}`;
    if (told.sha256 !== file.sha256) return `its SHA-256 is ${told.sha256}, the manifest says ${file.sha256}`;
    if (file.encoding === 'identity') return null;
    const unpack = file.encoding === 'gzip' ? createGunzip() : createZstdDecompress();
    const packed = createReadStream(join(folder, file.name));
    packed.on('error', (error) => unpack.destroy(error));
    const unpacked = await hashOf(packed.pipe(unpack));
    return unpacked.sha256 === plain ? null : 'it does not hold what the unpacked file does';
  } catch (error) {
    return wordsOf(error);
  }
}

async function restatementComplaints(root: string, subject: string, entry: ManifestEntry): Promise<readonly string[]> {
  if (entry.restates === null) return [];
  const revision = entry.revision ?? 1;
  const older = await readEntry(join(root, subject, folderOf(entry.date, revision - 1)));
  if (older && plainFile(older, 'json')?.sha256 === entry.restates.sha256) return [];
  return [`it restates ${entry.restates.sha256}, which is not the JSON file of revision ${revision - 1}`];
}

async function hashOf(stream: Readable): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'it is missing' : message;
}

/** The uncompressed files of a day. */
export interface FormPaths {
  readonly json: string;
  readonly csv: string;
  readonly ndjson: string;
  readonly parquet: string;
}

/** Rows of a Parquet file that are read at once. */
const CHUNK_ROWS = 2_000;
/** Further errors would only repeat these. */
const MOST_COMPLAINTS = 5;

/**
 * Reads the four formats side by side, row by row. Reports differences between their values, and a number of rows other
 * than `rows`.
 */
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
    complaints.push(`the manifest says ${counted(rows, 'row')}, the files hold ${count}`);
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

/** A value of Parquet as JSON represents it. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

/** Converts a time to the form of Parquet, which has milliseconds. */
function comparable(value: unknown, found: unknown): unknown {
  return found instanceof Date && typeof value === 'string' ? new Date(value).toISOString() : value;
}

/** Objects of a JSON array with one object per line, the form in which exports are written. */
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

/** Longest accepted cell or line; exports have no longer ones. */
const MOST_CHARACTERS = 4 << 20;

/** Rows of a CSV text (RFC 4180) that arrives in pieces; the first is the header. Throws at a misplaced quote. */
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
