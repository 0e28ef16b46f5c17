import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { decodeFrames, encodeFrame, jsonFrame, LARGEST_FRAME_BYTES } from '../../src/operations/backup/frames.ts';
import { CHUNK_BYTES } from '../../src/operations/backup/read.ts';
import { packEvidence, unpackEvidence } from '../../src/store/packed-evidence.ts';

/**
 * The shipped past is a backup (`assay backup`) in which the evidence is not compressed row by row, so that all of it
 * is compressed together: ratings of one project are similar, and the result is a seventh of the size. Unpacking gives
 * a backup with the same content.
 */

/** Tables whose rows are useless in another place or at another time: locks, processes, measured minutes. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'bodies',
  'freshness_minutes',
  'idempotency',
  'job_event_logs',
  'job_events',
  'limit_windows',
  'service_minutes',
  'service_processes',
  'source_watch',
  'usage_flushes',
]);
/** Tables with private keys: they are left out, and loading the past retires the keys. */
export const KEY_TABLES: readonly string[] = ['signing_keys', 'attestation_keys'];
/** 128 MiB: the largest window that readers take without being told. */
const WINDOW_LOG = 27;

type Row = string[];
type Change = (row: Row, columns: readonly string[]) => Row | Promise<Row>;

/** Makes the shipped file from a backup. Private keys are left out: they do not belong in a repository. */
export async function packPast(backup: string, out: string): Promise<void> {
  await rewrite(backup, out, packed, {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: WINDOW_LOG,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    [constants.ZSTD_c_checksumFlag]: 1,
  });
}

/** Makes the backup of the shipped file. */
export async function unpackPast(past: string, backup: string): Promise<void> {
  await rewrite(past, backup, unpacked, { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 });
}

function packed(table: string): Change | null {
  if (LEFT_OUT.has(table)) return () => [];
  if (KEY_TABLES.includes(table))
    return (row, columns) => row.map((cell, at) => (columns[at] === 'private_key' ? '\\\\x' : cell));
  return table === 'evidence' ? (row, columns) => withEvidence(row, columns, bytesOf, unpackEvidence, textOf) : null;
}

function unpacked(table: string): Change | null {
  return table === 'evidence' ? (row, columns) => withEvidence(row, columns, plainOf, packQuickly, hexOf) : null;
}

/** The reader of the demo waits for it: the lowest level takes less than half of the processor time of the store's. */
const packQuickly = (evidence: Evidence) => packEvidence(evidence, 1);

type Evidence = Awaited<ReturnType<typeof unpackEvidence>>;

/** The row with its evidence in another form than the store's row-by-row compression. */
async function withEvidence(
  row: Row,
  columns: readonly string[],
  read: (cell: string) => Buffer,
  change: (evidence: Evidence) => Promise<Evidence>,
  write: (bytes: Buffer) => string,
): Promise<Row> {
  const cellOf = (name: string) => row[columns.indexOf(name)] ?? '';
  const changed = await change({ record: read(cellOf('record')), result: read(cellOf('result')) });
  return row.map((cell, at) => {
    const name = columns[at];
    return name === 'record' || name === 'result' ? write(changed[name]) : cell;
  });
}

/** Of a cell of COPY's text format: `\\\\x` and hexadecimal digits. */
const bytesOf = (cell: string) => Buffer.from(cell.slice(3), 'hex');
const hexOf = (bytes: Buffer) => `\\\\x${bytes.toString('hex')}`;
const textOf = (bytes: Buffer) => bytes.toString('utf8').replace(/[\\\t\n\r]/g, (one) => ESCAPES[one] ?? one);
const plainOf = (cell: string) =>
  Buffer.from(cell.includes('\\') ? cell.replace(/\\(.)/g, (_, one: string) => PLAIN[one] ?? one) : cell, 'utf8');

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const PLAIN: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

async function rewrite(
  from: string,
  to: string,
  changeOf: (table: string) => Change | null,
  params: Readonly<Record<number, number>>,
): Promise<void> {
  const frames = decodeFrames(
    createReadStream(from, { highWaterMark: CHUNK_BYTES }).pipe(createZstdDecompress({ chunkSize: CHUNK_BYTES })),
  );
  await pipeline(
    Readable.from(rewritten(frames, changeOf), { objectMode: false }),
    createZstdCompress({ params: { ...params }, chunkSize: CHUNK_BYTES }),
    createWriteStream(to, { mode: 0o600 }),
  );
}

/** Rows that are changed at the same time. */
const ROWS_AT_ONCE = 8;

type Frames = ReturnType<typeof decodeFrames>;

async function* rewritten(frames: Frames, changeOf: (table: string) => Change | null): AsyncIterable<Uint8Array> {
  let table: { readonly columns: readonly string[]; readonly change: Change | null } | null = null;
  let isFile = false;
  let files = 0;
  let part = newPart();
  /** Rows under way, in their order: several are compressed at once. */
  const changing: Promise<string | null>[] = [];
  for await (const frame of frames) {
    const text = () => JSON.parse(new TextDecoder().decode(frame.payload));
    if (frame.kind === 't') {
      const { name, columns } = text() as { name: string; columns: readonly string[] };
      table = { columns, change: changeOf(name) };
      part = newPart();
      yield encodeFrame(frame);
    } else if (frame.kind === 'f') {
      // Published files are made again from the days.
      isFile = true;
      files += 1;
    } else if (frame.kind === 'd' && isFile) {
    } else if (frame.kind === 'e' && isFile) {
      isFile = false;
    } else if (frame.kind === 'd') {
      part.rest += part.decoder.decode(frame.payload, { stream: true });
      const lines = part.rest.split('\n');
      part.rest = lines.pop() ?? '';
      for (const line of lines) {
        const row = lineOf(line, table);
        // A failure is reported where its row is awaited.
        row.catch(() => undefined);
        changing.push(row);
        while (changing.length > ROWS_AT_ONCE) yield* written(part, (await changing.shift()) ?? null);
      }
    } else if (frame.kind === 'e') {
      while (changing.length > 0) yield* written(part, (await changing.shift()) ?? null);
      const { rows } = text() as { rows: number };
      const left = table?.change && part.rows === 0 && rows > 0 ? 0 : rows;
      yield encodeFrame(jsonFrame('e', { bytes: part.bytes, sha256: part.hash.digest('hex'), rows: left }));
    } else if (frame.kind === 'z') {
      const last = text() as { tables: number; files: number };
      yield encodeFrame(jsonFrame('z', { ...last, files: last.files - files }));
    } else yield encodeFrame(frame);
  }
}

interface Part {
  readonly decoder: TextDecoder;
  readonly hash: ReturnType<typeof createHash>;
  rest: string;
  bytes: number;
  rows: number;
}

function newPart(): Part {
  return { decoder: new TextDecoder(), hash: createHash('sha256'), rest: '', bytes: 0, rows: 0 };
}

async function lineOf(
  line: string,
  table: { readonly columns: readonly string[]; readonly change: Change | null } | null,
) {
  if (!table?.change) return line;
  const row = await table.change(line.split('\t'), table.columns);
  return row.length === 0 ? null : row.join('\t');
}

function* written(part: Part, line: string | null): Iterable<Uint8Array> {
  if (line === null) return;
  const bytes = Buffer.from(`${line}\n`, 'utf8');
  part.hash.update(bytes);
  part.bytes += bytes.length;
  part.rows += 1;
  for (let at = 0; at < bytes.length; at += LARGEST_FRAME_BYTES)
    yield encodeFrame({ kind: 'd', payload: bytes.subarray(at, at + LARGEST_FRAME_BYTES) });
}
