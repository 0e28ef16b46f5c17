import { join } from 'node:path';
import type { ManifestEntry } from '../contract/index.ts';
import { folderOf, readEntry } from './day-folder.ts';
import { revealDraft, writeDraft } from './draft.ts';
import type { PublishJob } from './job.ts';

/**
 * Writes a day in all forms and makes it visible by one rename: nothing half-written is ever served, and a day that is
 * published stays as it is (it is then returned as it stands; only `restateDay` puts another beside it).
 * Throws when the disk is full or the rows fail; nothing is left behind then.
 */
export async function publishDay<Row>(job: PublishJob<Row>): Promise<ManifestEntry> {
  const standing = await readEntry(join(job.root, job.subject, folderOf(job.date, 1)));
  return standing ?? revealDraft(job, await writeDraft(job, 1, null));
}
