import { createReadStream } from 'node:fs';

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
