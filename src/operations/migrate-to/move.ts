import { ok, type Result } from '../../domain/index.ts';
import {
  analyzeTables,
  applyChanges,
  beginMove,
  CHANGES,
  connect,
  digestsOf,
  dropPart,
  endMove,
  ensureDays,
  forgetPart,
  PARTITIONED,
  type Part,
  partitionDays,
  partsInOrder,
  pinFormats,
  readProgress,
  sequenceValues,
  setSequence,
  sizesOf,
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
import { copyMissing, groupsOf, progressOf } from './pieces.ts';

/** Default bytes per transaction of a move. Smaller parts are copied and compared together, up to as many. */
export const PIECE_BYTES = 64 * 1024 * 1024;
/** Attempts for a part that differs after the copy; it may have changed between two runs. */
const MOST_COPIES = 2;
/**
 * Copies an installation into another PostgreSQL and compares the two, table by table and day by day, small ones together. No other client
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

  const sizes = await sizesOf(source.client, parts);
  const told = progressOf(options, parts);
  let rows = 0;
  for (const group of groupsOf(parts, sizes, options.pieceBytes)) {
    for (;;) {
      const failed = await copyMissing({ source, target, group, sizes, progress, told }, options.pieceBytes);
      const [wrong, found] = failed === null ? await compareGroup(source, target, group, told) : [[failed], 0];
      const [name] = wrong;
      if (name === undefined) {
        rows += found;
        break;
      }
      again.push(name);
      if (again.filter((one) => one === name).length >= MOST_COPIES)
        return { ok: false, ...differing([name], 'although it was copied again') };
      await forgetPart(target.client, name);
      progress = await readProgress(target.client, names);
      // An aborted COPY leaves the connection unusable.
      if (failed !== null) return 'out_of_step';
    }
  }
  for (const [owner, value] of Object.entries(await sequenceValues(source.client))) {
    const [table = '', column = ''] = owner.split('.');
    await setSequence(target.client, table, column, value);
  }
  const filled = parts.filter(({ name }) => (sizes.get(name)?.pages ?? 0) > 0);
  await analyzeTables(target.client, [...new Set(filled.map(({ table }) => table))]);
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
  for (const group of groupsOf(parts, await sizesOf(source.client, parts), options.pieceBytes)) {
    const [wrong, found] = await compareGroup(source, target, group, told);
    different.push(...wrong);
    rows += found;
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

/** Names of the parts of a group that differ, and the number of rows in the others. */
async function compareGroup(
  source: End,
  target: End,
  group: readonly Part[],
  told: ReturnType<typeof progressOf>,
): Promise<readonly [readonly string[], number]> {
  for (const part of group) told.verify(part);
  const there = async () => {
    await target.client.query('begin');
    await pinFormats(target.client);
    const digests = await digestsOf(target.client, group);
    await target.client.query('commit');
    return digests;
  };
  const [mine, theirs] = await Promise.all([digestsOf(source.client, group), there()]);
  const isSame = (at: number) => mine[at]?.rows === theirs[at]?.rows && mine[at]?.sum === theirs[at]?.sum;
  return [
    group.filter((_, at) => !isSame(at)).map(({ name }) => name),
    mine.reduce((sum, { rows }, at) => sum + (isSame(at) ? rows : 0), 0),
  ];
}

function differing(names: readonly string[], where: string): MoveFault {
  return {
    reason: 'differs',
    detail: `not the same ${where}: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', ...' : ''}`,
  };
}
