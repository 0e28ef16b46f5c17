import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import type { ManifestEntry } from '../contract/index.ts';
import { DAY_FILE, folderOf, readEntry } from './day-folder.ts';
import { type PublishJob, writeForms } from './forms.ts';

/** A file set that is not visible yet. */
export interface Draft {
  readonly folder: string;
  readonly entry: Omit<ManifestEntry, 'signature'>;
}

/** Work of a process that died is removed when it is this old. */
const STALE_MS = 6 * 3_600_000;

/** Writes a file set in all forms into a folder of its own. Throws when the disk is full or the rows fail; nothing is left then. */
export async function writeDraft<Row>(
  job: PublishJob<Row>,
  revision: number,
  restates: ManifestEntry['restates'],
): Promise<Draft> {
  const home = join(job.root, job.subject);
  await mkdir(home, { recursive: true, mode: 0o750 });
  await sweep(home, job.now());
  const folder = join(home, `.${folderOf(job.date, revision)}.${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o750 });
  try {
    const { rows, files } = await writeForms(job, folder, revision);
    const published_at = new Date(job.now()).toISOString();
    return { folder, entry: { date: job.date, revision, rows, published_at, files, restates } };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Makes a draft visible, signed, by one rename. Where another process was first, what it published is given back and the draft is gone. */
export async function revealDraft<Row>(job: PublishJob<Row>, draft: Draft): Promise<ManifestEntry> {
  const home = join(job.root, job.subject);
  const final = join(home, folderOf(job.date, draft.entry.revision ?? 1));
  try {
    const signature = job.sign(new TextEncoder().encode(canonicalize(draft.entry) ?? ''));
    const signed: ManifestEntry = { ...draft.entry, signature };
    await writeFile(join(draft.folder, DAY_FILE), `${JSON.stringify(signed, null, 1)}\n`, {
      flush: true,
      mode: 0o640,
    });
    await syncFolder(draft.folder);
    await rename(draft.folder, final);
    await syncFolder(home);
    return signed;
  } catch (error) {
    await dropDraft(draft);
    const theirs = isOccupied(error) ? await readEntry(final) : null;
    if (theirs) return theirs;
    throw error;
  }
}

export async function dropDraft(draft: Draft): Promise<void> {
  await rm(draft.folder, { recursive: true, force: true });
}

/** A rename is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function sweep(home: string, now: number): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith('.')) continue;
    const found = await stat(join(home, name)).catch(() => null);
    if (found && now - found.mtimeMs > STALE_MS) await rm(join(home, name), { recursive: true, force: true });
  }
}

function isOccupied(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Writes a day in all forms and makes it visible by one rename: nothing half-written is ever served, and a day that is
 * published stays as it is (it is then returned as it stands; only `restateDay` puts another beside it).
 * Throws when the disk is full or the rows fail; nothing is left behind then.
 */
export async function publishDay<Row>(job: PublishJob<Row>): Promise<ManifestEntry> {
  const standing = await readEntry(join(job.root, job.subject, folderOf(job.date, 1)));
  return standing ?? revealDraft(job, await writeDraft(job, 1, null));
}
