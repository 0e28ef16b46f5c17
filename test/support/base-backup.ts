import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pg from 'pg';
import { serverUser } from '../../src/store/server-host.ts';

/**
 * A base backup by PostgreSQL's own functions, since npm's package has no pg_basebackup: files are copied while they are
 * written, and the log that mends them comes by streaming (section 25.3.3 of its manual).
 */
export async function baseBackup({ folder, copy, url }: Record<'folder' | 'copy' | 'url', string>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const skipped = new Set(['postmaster.pid', 'postmaster.opts', 'standby.signal']);
    const filter = (path: string) => {
      const name = relative(folder, path);
      return !skipped.has(name) && !/^(pg_wal|pg_replslot|pg_stat_tmp)\/./.test(name) && !name.includes('pgsql_tmp');
    };
    await copyWhatStays(folder, copy, filter);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
    await mkdir(join(copy, 'pg_wal', 'archive_status'), { recursive: true });
  } finally {
    await client.end();
  }
  const { uid, gid } = await serverUser();
  if (uid === undefined || gid === undefined) return;
  await chown(copy, uid, gid);
  for (const path of await readdir(copy, { recursive: true })) await chown(join(copy, path), uid, gid);
}

/** Files that go while they are copied were not needed. */
async function copyWhatStays(from: string, to: string, wanted: (path: string) => boolean): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (!wanted(source)) continue;
    if (entry.isDirectory()) await copyWhatStays(source, join(to, entry.name), wanted);
    else await copyFile(source, join(to, entry.name)).catch(unlessGone);
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
