import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ExportEncoding, ExportFormat, ManifestEntry } from '../contract/index.ts';
import type { Result } from '../domain/index.ts';

/** One published file. `etag`: strong, quoted, from the hash. */
export type PublishedFile = ManifestEntry['files'][number] & { readonly etag: string; readonly path: string };

/** One published day of one export (`solana`, `ethereum`, ..., `rms`). */
export interface PublishedDay {
  readonly subject: string;
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  /** 1, increased by one with each restatement. */
  readonly revision: number;
  readonly rows: number;
  readonly publishedAt: string;
  readonly files: readonly PublishedFile[];
}

export type ExportFault = {
  readonly reason: 'no_such_day' | 'no_such_revision' | 'not_published_yet' | 'unreadable';
  readonly detail: string;
};

/** Published days, read-only, for the export routes. */
export interface ExportService {
  /**
   * `date` null: the newest published day; `revision` null: its newest. `encodings` in order of preference: the first
   * existing one is returned.
   */
  open(
    subject: string,
    date: string | null,
    format: ExportFormat,
    encodings: readonly ExportEncoding[],
    revision: number | null,
  ): Promise<Result<{ readonly day: PublishedDay; readonly file: PublishedFile }, ExportFault>>;
  /** Bytes of a file from `from` (inclusive) to `to` (exclusive). The stream ends early only by an error. */
  read(file: PublishedFile, from: number, to: number): AsyncIterable<Uint8Array>;
  /** All revisions of all days, the newest first, without those whose entry cannot be read. */
  manifest(subject: string): Promise<readonly ManifestEntry[]>;
  /** Published folders (`2026-11-20`, `2026-11-20.r2`) whose entry cannot be read, newest first. */
  unreadable(subject: string): Promise<readonly string[]>;
}

export const DAY_FILE = 'day.json';

/** Of `YYYY-MM-DD`. */
const DATE_LENGTH = 10;
const FOLDER = /^(\d{4}-\d{2}-\d{2})(?:\.r([1-9]\d{0,3}))?$/;

/** Folder name of a day's file set: the day, and from the second revision on its number. */
export function folderOf(date: string, revision: number): string {
  return revision === 1 ? date : `${date}.r${revision}`;
}

/** Published file sets of a subject: newest day first, within a day newest revision first. */
export async function listDays(
  root: string,
  subject: string,
): Promise<readonly { readonly date: string; readonly revision: number }[]> {
  const names = await readdir(join(root, subject)).catch(() => [] as string[]);
  return names
    .flatMap((name) => {
      const [, date, revision] = FOLDER.exec(name) ?? [];
      return date === undefined ? [] : [{ date, revision: Number(revision ?? 1) }];
    })
    .sort((a, b) => (a.date === b.date ? b.revision - a.revision : a.date < b.date ? 1 : -1));
}

/** The entry of a published day, or null. */
export async function readEntry(folder: string): Promise<ManifestEntry | null> {
  const file = await open(join(folder, DAY_FILE)).catch(() => null);
  if (file === null) return null;
  try {
    return JSON.parse(await file.readFile('utf8')) as ManifestEntry;
  } finally {
    await file.close();
  }
}

/** The entry of a published folder; null where it is missing, damaged, or that of another folder. */
async function readPublished(folder: string, date: string, revision: number): Promise<ManifestEntry | null> {
  const entry: Partial<ManifestEntry> | null = await readEntry(folder).catch(() => null);
  const isEntry =
    entry?.date === date &&
    (entry.revision ?? 1) === revision &&
    Number.isInteger(entry.rows) &&
    Array.isArray(entry.files) &&
    entry.files.every((file) => typeof file?.name === 'string' && typeof file.sha256 === 'string');
  return isEntry ? (entry as ManifestEntry) : null;
}

/** Longest accepted line; exports have no longer ones. */
const MOST_CHARACTERS = 16 << 20;

/** Lines of a UTF-8 file, split at LF only. `node:readline` would also split at U+2028, which JSON does not escape. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8')) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MOST_CHARACTERS) throw new Error('a line is too long');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const CHUNK_BYTES = 256 * 1024;

/** Reads the published files under `root`. Published file sets never change, so entries are cached. */
export function createExportService(root: string): ExportService {
  const entries = new Map<string, ManifestEntry>();

  async function entryOf(subject: string, date: string, revision: number): Promise<ManifestEntry | null> {
    const key = `${subject}/${folderOf(date, revision)}`;
    const known = entries.get(key);
    if (known) return known;
    const read = await readPublished(join(root, key), date, revision);
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
      const at = revision ?? newest?.revision ?? 1;
      const entry = newest ? await entryOf(subject, wanted, at) : null;
      if (entry === null && days.some((day) => day.date === wanted && day.revision === at))
        return {
          ok: false,
          reason: 'unreadable',
          detail: `the entry of ${folderOf(wanted, at)} cannot be read; other days are served`,
        };
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
      if (to <= from) return Readable.from([]);
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
    async unreadable(subject) {
      const found: string[] = [];
      for (const { date, revision } of await listDays(root, subject))
        if ((await entryOf(subject, date, revision)) === null) found.push(folderOf(date, revision));
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

export interface PublisherOptions {
  readonly subjects: readonly string[];
  /** Closed days of a subject (YYYY-MM-DD) whose rows are still stored. */
  readonly closedDays: (subject: string) => Promise<readonly string[]>;
  readonly service: ExportService;
  /** Completes restatements that an earlier process began. */
  readonly complete: (subject: string) => Promise<void>;
  /** Publishes one day; rejects on failure or abort. */
  readonly publish: (subject: string, date: string, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown, what: string) => void;
}

export type Publisher = ReturnType<typeof createPublisher>;

/** Publishes days when they are closed, including those closed while no process ran. */
export function createPublisher(options: PublisherOptions) {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<readonly string[]> = Promise.resolve([]);
  const stop = new AbortController();

  async function publishSubject(subject: string, published: string[]): Promise<void> {
    await options
      .complete(subject)
      .catch((error: unknown) => options.onError(error, `completing restatements of ${subject}`));
    const damaged = await options.service.unreadable(subject);
    for (const folder of damaged)
      options.onError(
        new Error(
          `${DAY_FILE} cannot be read: restore the folder from a copy, or move it away to publish the day again`,
        ),
        `reading the export ${subject} ${folder}`,
      );
    const days = [...(await options.service.manifest(subject)).map((entry) => entry.date), ...damaged];
    const there = new Set(days.map((day) => day.slice(0, DATE_LENGTH)));
    for (const date of await options.closedDays(subject)) {
      if (stop.signal.aborted) return;
      if (there.has(date)) continue;
      try {
        await options.publish(subject, date, stop.signal);
        published.push(`${subject} ${date}`);
      } catch (error) {
        if (!stop.signal.aborted) options.onError(error, `publishing ${subject} ${date}`);
      }
    }
  }

  async function pass(): Promise<readonly string[]> {
    const published: string[] = [];
    for (const subject of options.subjects) {
      if (stop.signal.aborted) break;
      await publishSubject(subject, published).catch((error: unknown) =>
        options.onError(error, `publishing exports of ${subject}`),
      );
    }
    return published;
  }

  /** Publishes all closed days that are not published, one at a time; the failure of a day or a subject does not stop the others. */
  function publishDue(): Promise<readonly string[]> {
    running = running.then(pass);
    return running;
  }

  return {
    publishDue,
    start(everyMs: number): void {
      void publishDue();
      timer = setInterval(() => void publishDue(), everyMs);
      timer.unref();
    },
    async close(): Promise<void> {
      // An incomplete day is written again after the next start.
      stop.abort();
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
