import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What one check of the doctor came to. */
export interface Finding {
  /** Short name, such as `database` or `sources`. */
  readonly check: string;
  /** `wrong` needs a hand; `watch` will, if it goes on; `skipped` could not be looked at. */
  readonly state: 'good' | 'watch' | 'wrong' | 'skipped';
  /** What is, in words. */
  readonly detail: string;
  /** How to mend it; null where nothing is to do. */
  readonly mend: string | null;
}

export function good(check: string, detail: string): Finding {
  return { check, state: 'good', detail, mend: null };
}

export function watch(check: string, detail: string, mend: string): Finding {
  return { check, state: 'watch', detail, mend };
}

export function wrong(check: string, detail: string, mend: string): Finding {
  return { check, state: 'wrong', detail, mend };
}

export function skipped(check: string, detail: string): Finding {
  return { check, state: 'skipped', detail, mend: null };
}

/** The Node that runs us against the one that npm installs (both as `26.10.0`). */
export function checkRuntime(running: string, wanted: string): Finding {
  const major = (version: string) => Number(version.replace(/^v/, '').split('.')[0]);
  if (major(running) >= major(wanted)) return good('node', `Node ${running}`);
  return wrong(
    'node',
    `this is Node ${running}; Assay is written for ${wanted}, which npm installs beside it`,
    'start it with `npm start` or `npx assay`, not with the node of the machine; when it is missing, run `npm ci`',
  );
}

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
