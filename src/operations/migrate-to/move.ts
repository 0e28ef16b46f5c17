import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { ok, type Result } from '../../domain/index.ts';
import {
  applyChanges,
  beginMove,
  CHANGES,
  connect,
  copyPagesIn,
  copyPagesOut,
  type Digest,
  digestOf,
  dropPart,
  endMove,
  ensureDays,
  forgetPart,
  noteProgress,
  PARTITIONED,
  type Part,
  type PartProgress,
  pagesOf,
  partitionDays,
  partsInOrder,
  pinFormats,
  readProgress,
  sequenceValues,
  setSequence,
} from '../../store/index.ts';
import {
  type End,
  holdSource,
  identityOf,
  judgeSource,
  judgeTarget,
  lockBoth,
  type MoveFault,
  type MoveOptions,
  type MoveSummary,
  messageOf,
  openEnd,
} from './ends.ts';

/** Default bytes per transaction of a move. */
export const PIECE_BYTES = 64 * 1024 * 1024;
/** Attempts for a part that differs after the copy; it may have changed between two runs. */
const MOST_COPIES = 2;
/** A duplicate row or a missing parent: the source has changed since an earlier run. */
const OUT_OF_STEP = new Set(['23505', '23503']);

/**
 * Copies an installation into another PostgreSQL and compares the two, table by table and day by day. No other client
 * may be connected to either. The source is locked meanwhile and never changed. After a kill, the next run continues;
 * until the move is complete no service starts on the target.
 */
export async function moveDatabase(options: MoveOptions): Promise<Result<MoveSummary, MoveFault>> {
  const again: string[] = [];
  for (;;) {
    const outcome = await attempt(options, again);
    if (outcome !== 'out_of_step') return outcome;
  }
}

type Outcome = Result<MoveSummary, MoveFault> | 'out_of_step';

async function attempt(options: MoveOptions, again: string[]): Promise<Outcome> {
  const source = await openEnd('source', options.sourceUrl);
  if (!source.ok) return source;
  const target = await openEnd('target', options.targetUrl);
  try {
    if (!target.ok) return target;
    const fault =
      (await lockBoth(source.value, target.value)) ??
      (await judgeSource(source.value, options.sourceUrl, options.dataMode)) ??
      (await holdSource(source.value));
    if (fault !== null) return { ok: false, ...fault };
    return options.verifyOnly
      ? await compare(source.value, target.value, options)
      : await copy(source.value, target.value, options, again);
  } catch (error) {
    if (!isOutside(error)) throw error;
    return {
      ok: false,
      reason: 'interrupted',
      detail: `${messageOf(error)}. Run the same command again: it goes on where it stood`,
    };
  } finally {
    await source.value.client.end().catch(() => undefined);
    if (target.ok) await target.value.client.end().catch(() => undefined);
  }
}

/** A refusal by a server or the system has a code, and a lost connection is recognisable; anything else is a bug. */
function isOutside(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code !== undefined || /^(Connection terminated|Client (has|was))/.test(String(message));
}

async function copy(source: End, target: End, options: MoveOptions, again: string[]): Promise<Outcome> {
  const id = await identityOf(source);
  const judged = await judgeTarget(target, id, options.dataMode);
  if (!judged.ok) return judged;
  const days = await partitionDays(source.client);
  await prepare(options.targetUrl, days);
  if (judged.value === 'fresh') await beginMove(target.client, id);

  const parts = await partsInOrder(source.client);
  const names = parts.map((part) => part.name);
  const fit = await sameShape(target, parts);
  if (fit !== null) return { ok: false, ...fit };
  let progress = await readProgress(target.client, names);
  for (const part of progress.keys()) if (!names.includes(part)) await dropPart(target.client, part);

  const told = progressOf(options, parts);
  let rows = 0;
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] as Part;
    const copied = await copyMissing(source, target, part, progress.get(part.name), options.pieceBytes, (more, bytes) =>
      told.copy(at, more, bytes),
    );
    told.verify(at);
    const same = copied ? await sameContent(source, target, part) : null;
    if (same !== null) {
      rows += same.rows;
      at += 1;
      continue;
    }
    again.push(part.name);
    if (again.filter((name) => name === part.name).length >= MOST_COPIES)
      return { ok: false, ...differing([part.name], 'although it was copied again') };
    await forgetPart(target.client, part.name);
    progress = await readProgress(target.client, names);
    // An aborted COPY leaves the connection unusable.
    if (!copied) return 'out_of_step';
  }
  for (const [owner, value] of Object.entries(await sequenceValues(source.client))) {
    const [table = '', column = ''] = owner.split('.');
    await setSequence(target.client, table, column, value);
  }
  await target.client.query('analyze');
  await endMove(target.client);
  return ok({ parts: parts.length, rows, ...told.sums(), again: [...new Set(again)] });
}

async function compare(source: End, target: End, options: MoveOptions): Promise<Result<MoveSummary, MoveFault>> {
  const parts = await partsInOrder(source.client);
  const fit = await sameShape(target, parts);
  if (fit !== null) return { ok: false, ...fit };
  const told = progressOf(options, parts);
  const different: string[] = [];
  let rows = 0;
  for (const [at, part] of parts.entries()) {
    told.verify(at);
    const same = await sameContent(source, target, part);
    if (same === null) different.push(part.name);
    rows += same?.rows ?? 0;
  }
  const numbers = [await sequenceValues(source.client), await sequenceValues(target.client)];
  for (const owner of Object.keys(numbers[0] ?? {}))
    if (numbers[0]?.[owner] !== numbers[1]?.[owner]) different.push(`the numbers of ${owner}`);
  return different.length > 0
    ? { ok: false, ...differing(different, 'on the two sides') }
    : ok({ parts: parts.length, rows, ...told.sums(), again: [] });
}

/** Creates the source's tables and days in the target. */
async function prepare(targetUrl: string, days: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const store = connect(targetUrl);
  try {
    await applyChanges(store.db, CHANGES);
    for (const table of PARTITIONED) await ensureDays(store.pool, table, days[table] ?? []);
  } finally {
    await store.close();
  }
}

async function sameShape({ client }: End, parts: readonly Part[]): Promise<MoveFault | null> {
  const there = new Map((await partsInOrder(client)).map((part) => [part.name, part.columns]));
  const strange = parts.find(({ name, columns }) => {
    const own = there.get(name);
    return own?.length !== columns.length || !columns.every((column) => own.includes(column));
  });
  return strange === undefined
    ? null
    : { reason: 'unfit', detail: `the table ${strange.name} is not the same on the two sides` };
}

/** False when the rows copied by an earlier run are inconsistent with the present rows of the source. */
async function copyMissing(
  source: End,
  target: End,
  part: Part,
  progress: PartProgress | undefined,
  pieceBytes: number,
  onPiece: (rows: number, bytes: number) => void,
): Promise<boolean> {
  if (progress === undefined || progress.done) return progress !== undefined;
  try {
    await copyPart(source, target, part, progress, pieceBytes, onPiece);
    return true;
  } catch (error) {
    if (!OUT_OF_STEP.has(String((error as { readonly code?: unknown }).code))) throw error;
    await target.client.query('rollback');
    return false;
  }
}

/** The content of a part that is equal on both sides, or null when it differs. */
async function sameContent(source: End, target: End, part: Part): Promise<Digest | null> {
  const there = async () => {
    await target.client.query('begin');
    await pinFormats(target.client);
    const digest = await digestOf(target.client, part);
    await target.client.query('commit');
    return digest;
  };
  const [mine, theirs] = await Promise.all([digestOf(source.client, part), there()]);
  return mine.rows === theirs.rows && mine.sum === theirs.sum ? mine : null;
}

function differing(names: readonly string[], where: string): MoveFault {
  return {
    reason: 'differs',
    detail: `not the same ${where}: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', ...' : ''}`,
  };
}

function progressOf({ onProgress }: MoveOptions, parts: readonly Part[]) {
  const startedAt = performance.now();
  let [copied, bytes] = [0, 0];
  const seconds = () => (performance.now() - startedAt) / 1000;
  const tell = (step: 'copy' | 'verify', at: number) =>
    onProgress({
      step,
      part: parts[at]?.name ?? '',
      at: at + 1,
      of: parts.length,
      rows: copied,
      bytes,
      seconds: seconds(),
    });
  return {
    copy(at: number, moreRows: number, moreBytes: number) {
      copied += moreRows;
      bytes += moreBytes;
      tell('copy', at);
    },
    verify: (at: number) => tell('verify', at),
    sums: () => ({ copied, bytes, seconds: seconds() }),
  };
}

/**
 * Copies the missing rows of a part, piece by piece, each with its progress record. `onPiece` is called with rows and
 * bytes. Throws the servers' errors.
 */
async function copyPart(
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
    // Pieces may be lost together with their progress record; the last statement of the move waits for the disk.
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
