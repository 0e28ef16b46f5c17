import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { ok, type Result } from '../../domain/index.ts';
import type { BackupSummary, OnProgress, PartEnd } from './frames.ts';
import {
  BrokenFrames,
  createMeasure,
  decodeFrames,
  readEndFrame,
  readFileFrame,
  readHeadFrame,
  readLastFrame,
  readTableFrame,
} from './frames.ts';

/** Consumer of a backup's content, in the order of the file. */
export interface BackupTaker {
  /** A table's rows or a file's bytes; the consumer reads them to their end. */
  readonly part: (
    part:
      | { readonly kind: 'table'; readonly name: string; readonly columns: readonly string[] }
      | { readonly kind: 'file'; readonly path: string },
    content: AsyncIterable<Uint8Array>,
  ) => Promise<number | null>;
}

export interface ReadFault {
  readonly reason: 'not_readable' | 'no_backup' | 'damaged';
  readonly detail: string;
}

/** A piece of a backup in memory. Each is a turn of a thread: pieces of the default size, 16 KiB, take a third longer. */
export const CHUNK_BYTES = 1024 * 1024;

/** Ignores the content: reading with it checks a backup from end to end. */
export const LOOK_ONLY: BackupTaker = {
  async part(_part, content) {
    for await (const _ of content);
    return null;
  },
};

/**
 * Reads a backup, part by part in constant memory, and checks every length and checksum. Errors of the consumer are
 * passed on unchanged; damage is reported where it is met, so check a backup before restoring it.
 */
export async function readBackup(
  path: string,
  taker: BackupTaker,
  onProgress: OnProgress,
  step: 'read' | 'check',
): Promise<Result<BackupSummary, ReadFault>> {
  const measure = createMeasure();
  const plain = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), measure.stream, plain, () => undefined);
  const frames = decodeFrames(plain)[Symbol.asyncIterator]();
  try {
    const content = await readParts(frames, taker, onProgress, step);
    return ok({ ...content, ...measure.result() });
  } catch (error) {
    const fault = faultOf(error, path);
    if (fault === null) throw error;
    return { ok: false, ...fault };
  } finally {
    plain.destroy();
  }
}

type Frames = AsyncIterator<{ readonly kind: string; readonly payload: Uint8Array }>;

async function readParts(
  frames: Frames,
  taker: BackupTaker,
  onProgress: OnProgress,
  step: 'read' | 'check',
): Promise<Omit<BackupSummary, 'size' | 'sha256'>> {
  const first = await frames.next().catch((error: unknown) => {
    throw error instanceof BrokenFrames ? new NoBackup() : error;
  });
  const head = first.done || first.value.kind !== 'h' ? null : readHeadFrame(first.value.payload);
  if (head === null) throw new NoBackup();
  const tables: BackupSummary['tables'][number][] = [];
  let [files, fileBytes, bytes] = [0, 0, 0];
  for (;;) {
    const next = await frames.next();
    if (next.done) throw new BrokenFrames('the backup is cut off: its end is missing');
    const { kind, payload } = next.value;
    if (kind === 'z') {
      const last = readLastFrame(payload);
      if (last?.tables !== tables.length || last.files !== files)
        throw new BrokenFrames('the backup is damaged: parts are missing');
      if (!(await frames.next()).done) throw new BrokenFrames('the backup is damaged: something follows its end');
      return { head, tables, files, fileBytes };
    }
    const table = kind === 't' ? readTableFrame(payload) : null;
    const file = kind === 'f' ? readFileFrame(payload) : null;
    const part = table ? { kind: 'table' as const, ...table } : file ? { kind: 'file' as const, ...file } : null;
    if (part === null) throw new BrokenFrames('the backup is damaged: a part has no name that could be one');
    const name = part.kind === 'table' ? part.name : part.path;
    const ended: { end: PartEnd | null } = { end: null };
    const content = contentOf(frames, name, ended, (more) => {
      bytes += more;
      onProgress({ step, part: name, bytes });
    });
    const taken = await taker.part(part, content);
    const { end } = ended;
    if (end === null) throw new Error(`${name} was not read to its end`);
    if (taken !== null && taken !== end.rows)
      throw new BrokenFrames(`${name}: ${taken} rows came out and ${end.rows} went in`);
    if (part.kind === 'table') tables.push({ name, rows: end.rows ?? 0, bytes: end.bytes });
    else {
      files += 1;
      fileBytes += end.bytes;
    }
  }
}

async function* contentOf(
  frames: Frames,
  name: string,
  ended: { end: PartEnd | null },
  told: (more: number) => void,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (;;) {
    const next = await frames.next();
    if (next.done) throw new BrokenFrames(`the backup is cut off within ${name}`);
    const { kind, payload } = next.value;
    if (kind === 'd') {
      hash.update(payload);
      bytes += payload.length;
      told(payload.length);
      yield payload;
      continue;
    }
    const end = kind === 'e' ? readEndFrame(payload) : null;
    if (end === null || end.bytes !== bytes || end.sha256 !== hash.digest('hex'))
      throw new BrokenFrames(`the backup is damaged: ${name} is not what was written`);
    ended.end = end;
    return;
  }
}

class NoBackup extends Error {}

function faultOf(error: unknown, path: string): ReadFault | null {
  if (error instanceof NoBackup)
    return { reason: 'no_backup', detail: `${path} is no backup of Assay, or one of a newer format` };
  if (error instanceof BrokenFrames) return { reason: 'damaged', detail: `${path}: ${error.message}` };
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ZSTD_error_prefix_unknown') return { reason: 'no_backup', detail: `${path} is no backup of Assay` };
  if (code.startsWith('ZSTD_') || code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return { reason: 'damaged', detail: `${path}: the backup is damaged or cut off (${message})` };
  if (['ENOENT', 'EACCES', 'EISDIR', 'EIO'].includes(code))
    return { reason: 'not_readable', detail: `${path} cannot be read: ${message}` };
  return null;
}
