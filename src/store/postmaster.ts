import { readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * The server that runs on this data folder, or null. The number in `postmaster.pid` alone proves nothing: after a crash
 * it may belong to another process. The process must be a `postgres` started on exactly this folder; else the file is
 * stale and removed, so that the next start is not refused.
 */
export async function findServer(data: string): Promise<{ readonly pid: number; readonly port: number } | null> {
  const path = join(data, 'postmaster.pid');
  let lines: string[];
  try {
    lines = (await readFile(path, 'utf8')).split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (Number.isInteger(pid) && pid > 1 && (await isServerOn(pid, data, lines[1]))) {
    if (Number.isInteger(port) && port > 0) return { pid, port };
    // The file is written line by line; a server that has just started has not come to its port yet.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return findServer(data);
  }
  await rm(path, { force: true });
  return null;
}

/** True when the process lives and is a server on this folder; where processes cannot be looked at, `written` (the file's own word) is believed. */
export async function isServerOn(pid: number, data: string, written = data): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return written === data;
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    if (/\) Z /.test(status)) return false;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\u0000');
    const program = await readlink(`/proc/${pid}/exe`).catch(() => command[0] ?? '');
    return basename(program).startsWith('postgres') && command[command.indexOf('-D') + 1] === data;
  } catch {
    return false;
  }
}
