import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, good, watch, wrong } from './finding.ts';

const LEAST_BYTES = 512 * 1024 ** 2;
const COMFORT_BYTES = 5 * 1024 ** 3;

/** The data folder: there, writable, with room. */
export async function checkFolder(dataDir: string): Promise<Finding> {
  const probe = join(dataDir, `.doctor.${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    return wrong(
      'data folder',
      `${dataDir} cannot be written: ${error instanceof Error ? error.message : 'no reason given'}`,
      `give the user that runs Assay the folder (chown), or name another one with ASSAY_DATA_DIR`,
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  return judgeSpace(dataDir, bavail * bsize);
}

/** Room on the disk of the data folder. PostgreSQL stops when its disk is full, and exports are not published. */
export function judgeSpace(dataDir: string, freeBytes: number): Finding {
  const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`;
  const mend =
    'free some room, move the folder (ASSAY_DATA_DIR), or keep less (ASSAY_SNAPSHOT_RETENTION_DAYS, ASSAY_BODY_RETENTION_DAYS)';
  if (freeBytes < LEAST_BYTES) return wrong('disk', `only ${free}`, mend);
  if (freeBytes < COMFORT_BYTES) return watch('disk', free, mend);
  return good('disk', free);
}
