import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, open, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ok, type Result } from '../../domain/index.ts';
import {
  copyOut,
  holdTables,
  partitionDays,
  pinFormats,
  sequenceValues,
  type TableShape,
  tablesInOrder,
  unfinished,
} from '../../store/index.ts';
import type { BackupHead, BackupSummary, OnProgress, PartEnd } from './frames.ts';
import { createMeasure, encodeFrame, type Frame, isExportPath, jsonFrame, LARGEST_FRAME_BYTES } from './frames.ts';

export interface BackupOptions {
  readonly databaseUrl: string;
  /** Folder of the published exports of the database's data mode. */
  readonly exportsRoot: string;
  /** Path of the backup; it must not exist yet. */
  readonly out: string;
  /** Version of Assay. */
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress: OnProgress;
}

export interface BackupFault {
  readonly reason: 'nothing_there' | 'already_there' | 'not_writable' | 'unfinished';
  readonly detail: string;
}

/**
 * Writes the whole database, as of one moment, and the published export files into one file, while the service runs.
 * The file appears when it is complete, readable by its owner only, since it holds signing keys and webhook secrets.
 */
export async function writeBackup(options: BackupOptions): Promise<Result<BackupSummary, BackupFault>> {
  const part = `${options.out}.part`;
  for (const path of [options.out, part]) if (existsSync(path)) return { ok: false, ...alreadyThere(path) };
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'assay-backup' });
  // A part that another backup has begun meanwhile is not ours to remove.
  let isOurs = false;
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await pinFormats(client);
    const tables = await tablesInOrder(client);
    if (tables.length > 0) await holdTables(client, tables);
    const reason = await unfinished(client);
    if (reason !== null) return { ok: false, reason: 'unfinished', detail: `half of the data is no backup: ${reason}` };
    const head = await readHead(client, options);
    if (head === null)
      return {
        ok: false,
        reason: 'nothing_there',
        detail: 'there is nothing to back up: the database has no tables yet',
      };
    const counted: Counted = { tables: [], files: 0, fileBytes: 0 };
    const measure = createMeasure();
    const file = await open(part, 'wx', 0o600);
    isOurs = true;
    await pipeline(
      Readable.from(encoded(framesOf(client, head, tables, options, counted)), { objectMode: false }),
      // The checksum covers what the parts' own do not: names and lengths.
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      measure.stream,
      file.createWriteStream(),
    );
    await client.query('rollback');
    await settle(part, options.out);
    return ok({ head, ...counted, ...measure.result() });
  } catch (error) {
    const fault = faultOf(error, options.out);
    if (isOurs) await rm(part, { force: true });
    if (fault === null) throw error;
    return { ok: false, ...fault };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function readHead(client: pg.Client, { version, now }: BackupOptions): Promise<BackupHead | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('installation') is not null and to_regclass('kysely_migration') is not null as there`,
  );
  if (!found[0]?.there) return null;
  const { rows } = await client.query<{ mode: 'live' | 'sandbox'; migration: string }>(
    'select (select data_mode from installation) as mode, (select max(name) from kysely_migration) as migration',
  );
  const { mode, migration } = rows[0] ?? {};
  if (!mode || !migration) return null;
  return {
    format: 1,
    version,
    dataMode: mode,
    createdAt: new Date(now()).toISOString(),
    migration,
    days: await partitionDays(client),
    sequences: await sequenceValues(client),
  };
}

interface Counted {
  tables: BackupSummary['tables'][number][];
  files: number;
  fileBytes: number;
}

async function* framesOf(
  client: pg.Client,
  head: BackupHead,
  tables: readonly TableShape[],
  { exportsRoot, onProgress }: BackupOptions,
  counted: Counted,
): AsyncIterable<Frame> {
  let bytes = 0;
  const told = (part: string) => (more: number) => {
    bytes += more;
    onProgress({ step: 'write', part, bytes });
  };
  yield jsonFrame('h', head);
  for (const table of tables) {
    yield jsonFrame('t', table);
    const rows = client.query(copyTo(copyOut(table)));
    const end = yield* contentOf(rows, () => rows.rowCount, told(table.name));
    counted.tables.push({ name: table.name, rows: end.rows ?? 0, bytes: end.bytes });
  }
  // After the tables: a day published meanwhile is in the backup either with its files or not at all.
  for (const path of await publishedFiles(exportsRoot)) {
    yield jsonFrame('f', { path });
    const end = yield* contentOf(createReadStream(join(exportsRoot, path)), () => null, told(path));
    counted.files += 1;
    counted.fileBytes += end.bytes;
  }
  yield jsonFrame('z', { tables: counted.tables.length, files: counted.files });
}

async function* contentOf(
  chunks: AsyncIterable<Uint8Array>,
  rowsOf: () => number | null,
  told: (more: number) => void,
): AsyncGenerator<Frame, PartEnd> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    told(chunk.length);
    for (let from = 0; from < chunk.length; from += LARGEST_FRAME_BYTES)
      yield { kind: 'd', payload: chunk.subarray(from, from + LARGEST_FRAME_BYTES) };
  }
  const end: PartEnd = { bytes, sha256: hash.digest('hex'), rows: rowsOf() };
  yield jsonFrame('e', end);
  return end;
}

async function* encoded(frames: AsyncIterable<Frame>): AsyncIterable<Uint8Array> {
  for await (const frame of frames) yield encodeFrame(frame);
}

/** Files of published days, including each `day.json`. Incomplete files and those of other programs have other names. */
async function publishedFiles(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(isExportPath)
    .sort();
}

/** Flushed to disk before it is renamed; never replaces a file created meanwhile. */
async function settle(part: string, out: string): Promise<void> {
  const file = await open(part, 'r+');
  await file.sync().finally(() => file.close());
  await link(part, out);
  await rm(part);
}

function faultOf(error: unknown, out: string): BackupFault | null {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EEXIST') return alreadyThere(out);
  if (['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EISDIR', 'ENOTDIR'].includes(code ?? ''))
    return { reason: 'not_writable', detail: `${out} cannot be written: ${(error as Error).message}` };
  return null;
}

function alreadyThere(path: string): BackupFault {
  return { reason: 'already_there', detail: `${path} is there already: name another file, or remove it` };
}
