import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  copyPagesIn,
  copyPagesOut,
  noteProgress,
  type Part,
  type PartProgress,
  type PartSize,
} from '../../store/index.ts';
import type { End, MoveOptions } from './ends.ts';

/** A duplicate row or a missing parent: the source has changed since an earlier run. */
const OUT_OF_STEP = new Set(['23505', '23503']);

/** Consecutive parts of together at most `pieceBytes`; larger ones alone. */
export function groupsOf(
  parts: readonly Part[],
  sizes: ReadonlyMap<string, PartSize>,
  pieceBytes: number,
): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const own = sizes.get(part.name);
    // An empty table has an index of its out-of-line storage, but nothing to read.
    const size = own === undefined || own.pages === 0 ? 0 : own.bytes;
    if (bytes + size > pieceBytes) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(part);
    bytes += size;
  }
  return groups;
}

/** A group that is copied, with what is known of its parts. */
export interface Copying {
  readonly source: End;
  readonly target: End;
  readonly group: readonly Part[];
  readonly sizes: ReadonlyMap<string, PartSize>;
  readonly progress: ReadonlyMap<string, PartProgress>;
  readonly told: ReturnType<typeof progressOf>;
}

/**
 * Copies the missing rows of a group. The name of a part when the rows copied by an earlier run are inconsistent with
 * the present rows of the source; otherwise null. Throws the servers' other errors.
 */
export async function copyMissing(copying: Copying, pieceBytes: number): Promise<string | null> {
  const { target, group, progress } = copying;
  const begun = group.flatMap((part) => {
    const own = progress.get(part.name);
    return own === undefined || own.done ? [] : [{ part, own }];
  });
  let current = '';
  try {
    const [single] = begun;
    if (group.length === 1 && single !== undefined) {
      current = single.part.name;
      await copyPart(copying, single.part, single.own, pieceBytes);
    } else if (begun.length > 0)
      await inTransaction(target, async () => {
        const done: PartProgress[] = [];
        for (const { part, own } of begun) {
          current = part.name;
          const to = Math.max(own.nextPage, copying.sizes.get(current)?.pages ?? 0);
          const rows = own.rows + (await copyPiece(copying, part, { from: own.nextPage, to }));
          done.push({ part: current, nextPage: to, rows, done: true });
        }
        return done;
      });
    return null;
  } catch (error) {
    if (!OUT_OF_STEP.has(String((error as { readonly code?: unknown }).code))) throw error;
    await target.client.query('rollback');
    return current;
  }
}

/** Tells the progress of a move and counts what it copied. */
export function progressOf({ onProgress }: MoveOptions, parts: readonly Part[]) {
  const startedAt = performance.now();
  let [copied, bytes] = [0, 0];
  const seconds = () => (performance.now() - startedAt) / 1000;
  const places = new Map(parts.map(({ name }, at) => [name, at + 1]));
  const tell = (step: 'copy' | 'verify', { name }: Part) =>
    onProgress({
      step,
      part: name,
      at: places.get(name) ?? 0,
      of: parts.length,
      rows: copied,
      bytes,
      seconds: seconds(),
    });
  return {
    copy(part: Part, moreRows: number, moreBytes: number) {
      copied += moreRows;
      bytes += moreBytes;
      tell('copy', part);
    },
    verify: (part: Part) => tell('verify', part),
    sums: () => ({ copied, bytes, seconds: seconds() }),
  };
}

/** Copies the missing rows of a part, piece by piece, each with its progress record. Throws the servers' errors. */
async function copyPart(copying: Copying, part: Part, begun: PartProgress, pieceBytes: number): Promise<void> {
  const { pages = 0, bytes = 0 } = copying.sizes.get(part.name) ?? {};
  const step = Math.max(1, Math.floor(pieceBytes / Math.max(1, bytes / Math.max(1, pages))));
  let { nextPage, rows } = begun;
  do {
    const to = Math.max(nextPage, Math.min(pages, nextPage + step));
    await inTransaction(copying.target, async () => {
      rows += await copyPiece(copying, part, { from: nextPage, to });
      return [{ part: part.name, nextPage: to, rows, done: to >= pages }];
    });
    nextPage = to;
  } while (nextPage < pages);
}

/** Stores rows with the progress record of their parts, which `write` returns. */
async function inTransaction({ client }: End, write: () => Promise<readonly PartProgress[]>): Promise<void> {
  // Pieces may be lost together with their progress record; the last statement of the move waits for the disk.
  await client.query('begin; set local synchronous_commit = off');
  await noteProgress(client, await write());
  await client.query('commit');
}

async function copyPiece(
  { source, target, told }: Copying,
  part: Part,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  if (from === to) return 0;
  const out = source.client.query(copyTo(copyPagesOut(part, from, to)));
  const into = target.client.query(copyFrom(copyPagesIn(part)));
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      told.copy(part, 0, chunk.length);
      done(null, chunk);
    },
  });
  await pipeline(out, counted, into);
  told.copy(part, into.rowCount, 0);
  return into.rowCount;
}
