import { createHash, hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { EvidenceRecord } from '../../src/domain/index.ts';
import { rebuildReport } from '../../src/jobs/index.ts';
import { computableMethodology, loadMethodology } from '../../src/methodology/index.ts';
import { decodeFrames, encodeFrame, jsonFrame, LARGEST_FRAME_BYTES } from '../../src/operations/backup/frames.ts';

/**
 * The shipped past is a backup (`assay backup`) without what the code can make again. Evidence is not compressed row by row but all of it together:
 * ratings of one project resemble each other. The result of a rating is left out, because it is a function of the evidence, and so is the hash of a
 * snapshot. Unpacked it is a backup with the same content; a result whose hash is not the stored one is an error.
 */

/** Tables whose rows are of no use in another place or at another time: locks, processes, minutes that were measured, ledgers that a scan begins anew. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'bodies',
  'freshness_minutes',
  'idempotency',
  'job_events',
  'limit_windows',
  'scan_ledger_pages',
  'service_minutes',
  'service_processes',
  'source_watch',
  'usage_flushes',
]);
/** 128 MiB: the largest window that readers take without being told. */
const WINDOW_LOG = 27;

type Row = string[];
type Change = (row: Row, columns: readonly string[]) => Row;

/** Makes the shipped file of a backup. What signs is left out: private keys belong to no repository. */
export async function packPast(backup: string, out: string): Promise<void> {
  await rewrite(backup, out, changeOnPacking, {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: WINDOW_LOG,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    [constants.ZSTD_c_checksumFlag]: 1,
  });
}

/** Makes the backup of the shipped file. */
export async function unpackPast(past: string, backup: string): Promise<void> {
  await rewrite(past, backup, (table) => CHANGED[table]?.unpack ?? null, {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_checksumFlag]: 1,
  });
}

/** Ratings of the past that this code no longer makes of their evidence. */
export class StalePast extends Error {}

function changeOnPacking(table: string): Change | null {
  return LEFT_OUT.has(table) ? () => [] : (CHANGED[table]?.pack ?? null);
}

/** How the rows of a table are shipped, and how they are made of that again; cells are those of COPY's text format. */
const CHANGED: Readonly<Record<string, { readonly pack: Change; readonly unpack?: Change }>> = {
  evidence: {
    pack: (row, columns) =>
      edited(row, columns, { record: (cell) => textCell(zstdDecompressSync(bytesOf(cell))), result: () => '' }),
    unpack(row, columns) {
      const record = plainText(cellOf(row, columns, 'record'));
      const result = resultOf(record);
      if (hash('sha256', result) !== cellOf(row, columns, 'result_sha256'))
        throw new StalePast(`the rating of job ${cellOf(row, columns, 'job_id')} differs from what its evidence gives`);
      const archived = (bytes: Uint8Array) => bytesCell(zstdCompressSync(bytes, { pledgedSrcSize: bytes.length }));
      return edited(row, columns, { record: () => archived(Buffer.from(record)), result: () => archived(result) });
    },
  },
  snapshots: {
    pack: (row, columns) => edited(row, columns, { body: (cell) => textCell(bytesOf(cell)), sha256: () => '' }),
    unpack(row, columns) {
      const body = Buffer.from(plainText(cellOf(row, columns, 'body')));
      return edited(row, columns, {
        body: () => bytesCell(body),
        sha256: () => bytesCell(hash('sha256', body, 'buffer')),
      });
    },
  },
  signing_keys: {
    pack: (row, columns) =>
      edited(row, columns, {
        private_key: () => bytesCell(Buffer.alloc(0)),
        retired_at: (cell) => (cell === '\\N' ? cellOf(row, columns, 'created_at') : cell),
      }),
  },
};

function resultOf(record: string): Uint8Array {
  const evidence = JSON.parse(record) as EvidenceRecord;
  const rebuilt = rebuildReport(evidence, computableMethodology(evidence.methodologyHash) ?? loadMethodology());
  if (!rebuilt.ok) throw new StalePast(rebuilt.detail);
  return rebuilt.bytes;
}

function edited(
  row: Row,
  columns: readonly string[],
  changes: Readonly<Record<string, (cell: string) => string>>,
): Row {
  return row.map((cell, at) => changes[columns[at] ?? '']?.(cell) ?? cell);
}

function cellOf(row: Row, columns: readonly string[], name: string): string {
  return row[columns.indexOf(name)] ?? '';
}

/** Bytes in a cell of COPY's text format: `\\x` and hexadecimal digits. */
function bytesOf(cell: string): Buffer {
  return Buffer.from(cell.slice(3), 'hex');
}

function bytesCell(bytes: Buffer): string {
  return `\\\\x${bytes.toString('hex')}`;
}

function textCell(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/[\\\t\n\r]/g, (one) => ESCAPES[one] ?? one);
}

function plainText(cell: string): string {
  return cell.replace(/\\(.)/g, (_, one: string) => PLAIN[one] ?? one);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const PLAIN: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

async function rewrite(
  from: string,
  to: string,
  changeOf: (table: string) => Change | null,
  params: Readonly<Record<number, number>>,
): Promise<void> {
  const frames = decodeFrames(createReadStream(from).pipe(createZstdDecompress()));
  await pipeline(
    Readable.from(rewritten(frames, changeOf), { objectMode: false }),
    createZstdCompress({ params: { ...params } }),
    createWriteStream(to, { mode: 0o600 }),
  );
}

type Frames = ReturnType<typeof decodeFrames>;

async function* rewritten(frames: Frames, changeOf: (table: string) => Change | null): AsyncIterable<Uint8Array> {
  let table: { readonly columns: readonly string[]; readonly change: Change | null } | null = null;
  let isFile = false;
  let files = 0;
  let part = newPart();
  for await (const frame of frames) {
    const text = () => JSON.parse(new TextDecoder().decode(frame.payload));
    if (frame.kind === 't') {
      const { name, columns } = text() as { name: string; columns: readonly string[] };
      table = { columns, change: changeOf(name) };
      part = newPart();
      yield encodeFrame(frame);
    } else if (frame.kind === 'f') {
      // Published files are made of the days again.
      isFile = true;
      files += 1;
    } else if (frame.kind === 'd' && isFile) {
    } else if (frame.kind === 'e' && isFile) {
      isFile = false;
    } else if (frame.kind === 'd') {
      part.rest += part.decoder.decode(frame.payload, { stream: true });
      const lines = part.rest.split('\n');
      part.rest = lines.pop() ?? '';
      for (const line of lines) yield* written(part, lineOf(line, table));
    } else if (frame.kind === 'e') {
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

function lineOf(line: string, table: { readonly columns: readonly string[]; readonly change: Change | null } | null) {
  if (!table?.change) return line;
  const row = table.change(line.split('\t'), table.columns);
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
