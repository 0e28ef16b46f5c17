import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManifestEntry } from '../contract/index.ts';

export const DAY_FILE = 'day.json';

const FOLDER = /^(\d{4}-\d{2}-\d{2})(?:\.r([1-9]\d{0,3}))?$/;

/** Name of the folder of a day's file set: the day, and from the second revision on its number. */
export function folderOf(date: string, revision: number): string {
  return revision === 1 ? date : `${date}.r${revision}`;
}

/** Published file sets of a subject, the newest day first, and of a day the newest revision. */
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

/** The longest line that is read; more is no export of ours. */
const MOST_CHARACTERS = 16 << 20;

/** Lines of a UTF-8 file, split at LF alone: U+2028, which JSON leaves as it is, ends a line for `node:readline`. */
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
