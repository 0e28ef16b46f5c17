import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readEntry } from './publish.ts';
import type { ExportService, ManifestEntry, PublishedDay, PublishedFile } from './types.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const CHUNK_BYTES = 256 * 1024;

/** Reads what was published under `root`. Published days never change, so entries are kept in memory once read. */
export function createExportService(root: string): ExportService {
  const entries = new Map<string, ManifestEntry>();

  async function entryOf(subject: string, date: string): Promise<ManifestEntry | null> {
    const key = `${subject}/${date}`;
    const known = entries.get(key);
    if (known) return known;
    const read = await readEntry(join(root, subject, date));
    if (read) entries.set(key, read);
    return read;
  }

  async function datesOf(subject: string): Promise<readonly string[]> {
    const names = await readdir(join(root, subject)).catch(() => [] as string[]);
    return names.filter((name) => DATE.test(name)).sort((a, b) => (a < b ? 1 : -1));
  }

  return {
    async open(subject, date, format, encodings) {
      const wanted = date ?? (await datesOf(subject))[0];
      if (wanted === undefined)
        return { ok: false, reason: 'not_published_yet', detail: 'no day of this export has been published yet' };
      const entry = await entryOf(subject, wanted);
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
      for (const date of await datesOf(subject)) {
        const entry = await entryOf(subject, date);
        if (entry) found.push(entry);
      }
      return found;
    },
  };
}

function dayOf(root: string, subject: string, entry: ManifestEntry): PublishedDay {
  const files: readonly PublishedFile[] = entry.files.map((file) => ({
    ...file,
    etag: `"${file.sha256.slice(0, 32)}"`,
    path: join(root, subject, entry.date, file.name),
  }));
  return { subject, date: entry.date, rows: entry.rows, publishedAt: entry.published_at, files };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A range of no bytes.
}
