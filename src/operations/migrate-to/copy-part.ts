import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { copyPagesIn, copyPagesOut, noteProgress, type Part, type PartProgress, pagesOf } from '../../store/index.ts';
import type { End } from './ends.ts';

/**
 * Copies what is missing of a part, piece by piece, each with its note of how far the part is. `onPiece` hears of rows and
 * bytes as they come. Throws what the servers say.
 */
export async function copyPart(
  source: End,
  target: End,
  part: Part,
  begun: PartProgress,
  pieceBytes: number,
  onPiece: (rows: number, bytes: number) => void,
): Promise<void> {
  const { pages, bytesPerPage } = await pagesOf(source.client, part);
  const step = Math.max(1, Math.floor(pieceBytes / Math.max(1, bytesPerPage)));
  let { nextPage, rows } = begun;
  do {
    const to = Math.min(pages, nextPage + step);
    await target.client.query('begin');
    // Pieces may be lost together with their note; the last statement of the move waits for the disk.
    await target.client.query(`set local synchronous_commit = off`);
    if (to > nextPage) rows += await copyPiece(source, target, part, { from: nextPage, to }, onPiece);
    nextPage = Math.max(to, nextPage);
    await noteProgress(target.client, { part: part.name, nextPage, rows, done: nextPage >= pages });
    await target.client.query('commit');
  } while (nextPage < pages);
}

async function copyPiece(
  source: End,
  target: End,
  part: Part,
  { from, to }: { readonly from: number; readonly to: number },
  onPiece: (rows: number, bytes: number) => void,
): Promise<number> {
  const out = source.client.query(copyTo(copyPagesOut(part, from, to)));
  const into = target.client.query(copyFrom(copyPagesIn(part)));
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      onPiece(0, chunk.length);
      done(null, chunk);
    },
  });
  await pipeline(out, counted, into);
  onPiece(into.rowCount, 0);
  return into.rowCount;
}
