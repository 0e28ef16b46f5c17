import { existsSync } from 'node:fs';
import { cp, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ok, type Result } from '../../domain/index.ts';
import {
  applyChanges,
  beginRestore,
  CHANGES,
  connect,
  copyIn,
  endRestore,
  ensureDays,
  MIGRATION_NAMES,
  occupancy,
  otherSessions,
  PARTITIONED,
  type PartitionedTable,
  pinFormats,
  setSequence,
  type TableShape,
  tablesInOrder,
} from '../../store/index.ts';
import type { BackupHead, BackupSummary, OnProgress } from './frames.ts';
import { LOOK_ONLY, type ReadFault, readBackup } from './read.ts';

export interface RestoreOptions {
  readonly file: string;
  readonly databaseUrl: string;
  /** Folder of the published exports of `dataMode`. */
  readonly exportsRoot: string;
  /** Data mode of the target; a backup of other data is refused. */
  readonly dataMode: 'live' | 'sandbox';
  /** Replace the content of the target. */
  readonly force: boolean;
  readonly onProgress: OnProgress;
}

export type RestoreFault =
  | ReadFault
  | {
      readonly reason: 'other_data_mode' | 'newer_version' | 'not_empty' | 'in_use' | 'foreign' | 'unfit';
      readonly detail: string;
    };

/**
 * Reads the backup from end to end before it changes anything, then fills the target: the tables in one transaction,
 * migrated after it, and the export files. Until all of it is done no service starts on the target. A target with content
 * is refused without `force`; one that is in use always.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Result<BackupSummary, RestoreFault>> {
  const looked = await readBackup(options.file, LOOK_ONLY, options.onProgress, 'check');
  if (!looked.ok) return looked;
  const fault = unfit(looked.value.head, options) ?? (await occupied(options));
  if (fault !== null) return { ok: false, ...fault };
  const store = connect(options.databaseUrl);
  const files = `${options.exportsRoot}.restoring`;
  try {
    const client = await store.pool.connect();
    try {
      await beginRestore(client);
      await applyChanges(store.db, CHANGES, looked.value.head.migration);
      for (const table of PARTITIONED) await ensureDays(store.pool, table, looked.value.head.days[table] ?? []);
      await rm(files, { recursive: true, force: true });
      const loaded = await load(client, options, files);
      if (!loaded.ok) return loaded;
      await applyChanges(store.db, CHANGES);
      await replaceFolder(files, options.exportsRoot);
      await endRestore(client);
      return loaded;
    } finally {
      client.release();
    }
  } finally {
    await rm(files, { recursive: true, force: true });
    await store.close();
  }
}

const SESSION_PATIENCE_MS = 2_000;

function unfit(head: BackupHead, { dataMode }: RestoreOptions): RestoreFault | null {
  if (head.dataMode !== dataMode)
    return {
      reason: 'other_data_mode',
      detail: `the backup holds ${head.dataMode} data: set ASSAY_DATA_MODE=${head.dataMode} to restore it`,
    };
  if (!MIGRATION_NAMES.includes(head.migration))
    return {
      reason: 'newer_version',
      detail: `the backup was written by version ${head.version}, whose tables (${head.migration}) this version does not know: install that version or a newer one`,
    };
  const strange = Object.keys(head.days).find((table) => !isPartitioned(table));
  return strange === undefined ? null : { reason: 'unfit', detail: `this version does not cut ${strange} into days` };
}

function isPartitioned(table: string): table is PartitionedTable {
  return PARTITIONED.some((known) => known === table);
}

async function occupied({ databaseUrl, exportsRoot, force }: RestoreOptions): Promise<RestoreFault | null> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'assay-restore' });
  await client.connect();
  try {
    const sessions = await otherSessions(client, SESSION_PATIENCE_MS);
    if (sessions > 0)
      return {
        reason: 'in_use',
        detail: `${sessions} other connections use the target database: stop the services on it first`,
      };
    const { kind, filled } = await occupancy(client);
    if (kind === 'foreign')
      return {
        reason: 'foreign',
        detail: `the target database holds tables that are not Assay's (${filled.slice(0, 5).join(', ')}): name a database of its own`,
      };
    const files = (await readdir(exportsRoot).catch(() => [])).length;
    if (!force && (filled.length > 0 || files > 0))
      return {
        reason: 'not_empty',
        detail:
          filled.length > 0
            ? `the target database holds data (${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ', ...' : ''}): name an empty one, or replace it with --force`
            : `${exportsRoot} holds published exports: name another data folder, or replace them with --force`,
      };
    return null;
  } finally {
    await client.end();
  }
}

async function load(
  client: pg.PoolClient,
  { file, onProgress }: RestoreOptions,
  files: string,
): Promise<Result<BackupSummary, RestoreFault>> {
  const known = new Map((await tablesInOrder(client)).map((table) => [table.name, table]));
  await client.query('begin');
  await pinFormats(client);
  try {
    const read = await readBackup(
      file,
      {
        async part(part, content) {
          if (part.kind === 'table') return fill(client, shapeOf(known, part), content);
          await put(join(files, part.path), content);
          return null;
        },
      },
      onProgress,
      'read',
    );
    if (!read.ok) {
      await client.query('rollback');
      return read;
    }
    for (const [owner, value] of Object.entries(read.value.head.sequences)) {
      const [table = '', column = ''] = owner.split('.');
      if (known.get(table)?.columns.includes(column)) await setSequence(client, table, column, value);
    }
    await client.query('commit');
    return ok(read.value);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (error instanceof Unfit) return { ok: false, reason: 'unfit', detail: error.message };
    throw error;
  }
}

class Unfit extends Error {}

/** The part's table in the target; the same columns, in any order. */
function shapeOf(known: ReadonlyMap<string, TableShape>, part: TableShape): TableShape {
  const own = known.get(part.name);
  const same = own?.columns.length === part.columns.length && part.columns.every((name) => own.columns.includes(name));
  if (!same) throw new Unfit(`the table ${part.name} of the backup is not the one this version makes`);
  return part;
}

async function fill(client: pg.PoolClient, table: TableShape, content: AsyncIterable<Uint8Array>): Promise<number> {
  const into = client.query(copyFrom(copyIn(table)));
  await pipeline(Readable.from(content, { objectMode: false }), into);
  return into.rowCount;
}

async function put(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'wx');
  try {
    // `write` may write less than it was given if the disk is nearly full; `writeFile` does not.
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The restored files replace those in the target. */
async function replaceFolder(fresh: string, root: string): Promise<void> {
  const old = `${root}.before`;
  await rm(old, { recursive: true, force: true });
  if (existsSync(root)) await rename(root, old);
  await mkdir(dirname(root), { recursive: true });
  if (existsSync(fresh)) await rename(fresh, root).catch(() => cp(fresh, root, { recursive: true }));
  await rm(old, { recursive: true, force: true });
}
