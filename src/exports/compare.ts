import { linesOf } from './lines.ts';

/** A row as an NDJSON file of an export holds it. */
export type ExportedRow = Readonly<Record<string, unknown>>;

/** A row that is not the same in two file sets of a day; null where a set has none. */
export interface ChangedRow {
  readonly key: string;
  readonly before: ExportedRow | null;
  readonly after: ExportedRow | null;
}

/** Rows of an NDJSON file, one by one. Throws at a line that is no JSON object. */
export async function* rowsOfFile(path: string): AsyncGenerator<ExportedRow> {
  for await (const line of linesOf(path)) if (line !== '') yield JSON.parse(line) as ExportedRow;
}

/** What differs between two NDJSON files whose rows are in the order of `key`. */
export async function* changedRows(before: string, after: string, key: string): AsyncGenerator<ChangedRow> {
  const [olds, news] = [rowsOfFile(before), rowsOfFile(after)];
  let [old, fresh] = [await olds.next(), await news.next()];
  while (!old.done || !fresh.done) {
    const [a, b] = [keyOf(old, key), keyOf(fresh, key)];
    const first = a === null ? b : b === null ? a : Buffer.compare(Buffer.from(a), Buffer.from(b)) <= 0 ? a : b;
    const one = a === first && !old.done ? old.value : null;
    const two = b === first && !fresh.done ? fresh.value : null;
    if (JSON.stringify(one) !== JSON.stringify(two)) yield { key: first ?? '', before: one, after: two };
    if (one) old = await olds.next();
    if (two) fresh = await news.next();
  }
}

function keyOf(step: IteratorResult<ExportedRow>, key: string): string | null {
  return step.done ? null : String(step.value[key]);
}
