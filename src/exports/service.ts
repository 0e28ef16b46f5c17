import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ManifestEntry } from '../contract/index.ts';
import { folderOf, listDays, readEntry } from './day-folder.ts';
import type { ExportService, PublishedDay, PublishedFile } from './types.ts';

const CHUNK_BYTES = 256 * 1024;

/** Reads what was published under `root`. Published file sets never change, so entries are kept in memory once read. */
export function createExportService(root: string): ExportService {
  const entries = new Map<string, ManifestEntry>();

  async function entryOf(subject: string, date: string, revision: number): Promise<ManifestEntry | null> {
    const key = `${subject}/${folderOf(date, revision)}`;
    const known = entries.get(key);
    if (known) return known;
    const read = await readEntry(join(root, key));
    if (read) entries.set(key, read);
    return read;
  }

  return {
    async open(subject, date, format, encodings, revision) {
      const days = await listDays(root, subject);
      const wanted = date ?? days[0]?.date;
      if (wanted === undefined)
        return { ok: false, reason: 'not_published_yet', detail: 'no day of this export has been published yet' };
      const newest = days.find((day) => day.date === wanted);
      const entry = newest ? await entryOf(subject, wanted, revision ?? newest.revision) : null;
      if (entry === null && newest)
        return {
          ok: false,
          reason: 'no_such_revision',
          detail:
            newest.revision === 1
              ? `the export of ${wanted} was never restated: it has revision 1 alone`
              : `the export of ${wanted} has the revisions 1 to ${newest.revision}`,
        };
      if (entry === null)
        return { ok: false, reason: 'no_such_day', detail: `there is no published export of ${wanted}` };
      const day = dayOf(root, subject, entry);
      const forms = day.files.filter((file) => file.format === format);
      const file = encodings.flatMap((encoding) => forms.filter((form) => form.encoding === encoding))[0] ?? forms[0];
      if (!file) return { ok: false, reason: 'no_such_day', detail: `${wanted} was not published as ${format}` };
      return { ok: true, value: { day, file } };
    },
    read(file, from, to) {
      if (to <= from) return nothing();
      return createReadStream(file.path, { start: from, end: to - 1, highWaterMark: CHUNK_BYTES });
    },
    async manifest(subject) {
      const found: ManifestEntry[] = [];
      for (const { date, revision } of await listDays(root, subject)) {
        const entry = await entryOf(subject, date, revision);
        if (entry) found.push(entry);
      }
      return found;
    },
  };
}

function dayOf(root: string, subject: string, entry: ManifestEntry): PublishedDay {
  const { date, revision = 1, rows } = entry;
  const files: readonly PublishedFile[] = entry.files.map((file) => ({
    ...file,
    etag: `"${file.sha256.slice(0, 32)}"`,
    path: join(root, subject, folderOf(date, revision), file.name),
  }));
  return { subject, date, revision, rows, publishedAt: entry.published_at, files };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A range of no bytes.
}
