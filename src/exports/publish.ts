import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import type { ManifestEntry } from '../contract/index.ts';
import { counted, type Result } from '../domain/index.ts';
import { type PublishJob, writeForms } from './forms.ts';
import { DAY_FILE, folderOf, linesOf, listDays, readEntry } from './published-days.ts';

/** A file set that is not visible yet. */
export interface Draft {
  readonly folder: string;
  readonly entry: Omit<ManifestEntry, 'signature'>;
}

/** Age at which the unfinished work of a dead process is removed. */
export const STALE_MS = 6 * 3_600_000;

/**
 * Writes a file set in all formats into a new folder. Throws when the disk is full or the rows fail, and leaves nothing
 * behind then.
 */
export async function writeDraft<Row>(
  job: PublishJob<Row>,
  revision: number,
  restates: ManifestEntry['restates'],
): Promise<Draft> {
  const home = join(job.root, job.subject);
  await mkdir(home, { recursive: true, mode: 0o750 });
  await sweep(job.root, job.subject, job.now());
  const folder = join(home, `.${folderOf(job.date, revision)}.${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o750 });
  try {
    const { rows, files } = await writeForms(job, folder, revision);
    const published_at = new Date(job.now()).toISOString();
    return { folder, entry: { date: job.date, revision, rows, published_at, files, restates } };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Signs a draft and makes it visible by one rename. If another process was first, returns that entry and deletes the
 * draft.
 */
export async function revealDraft<Row>(job: PublishJob<Row>, draft: Draft): Promise<ManifestEntry> {
  try {
    const signed = await sealDraft(job, draft);
    await show(join(job.root, job.subject), draft.folder, signed);
    return signed;
  } catch (error) {
    await dropDraft(draft);
    const final = join(job.root, job.subject, folderOf(job.date, draft.entry.revision ?? 1));
    const theirs = isOccupied(error) ? await readEntry(final) : null;
    if (theirs) return theirs;
    throw error;
  }
}

/** Writes the signed entry into the draft. After that everything is on disk and only the rename is missing. */
async function sealDraft<Row>(job: PublishJob<Row>, draft: Draft): Promise<ManifestEntry> {
  const signature = job.sign(new TextEncoder().encode(canonicalize(draft.entry) ?? ''));
  const signed: ManifestEntry = { ...draft.entry, signature };
  await writeFile(join(draft.folder, DAY_FILE), `${JSON.stringify(signed, null, 1)}\n`, {
    flush: true,
    mode: 0o640,
  });
  await syncFolder(draft.folder);
  await syncFolder(join(job.root, job.subject));
  return signed;
}

async function show(home: string, folder: string, { date, revision = 1 }: ManifestEntry): Promise<void> {
  await rename(folder, join(home, folderOf(date, revision)));
  await syncFolder(home);
}

/** A corrected day that is complete and signed, but not visible. */
export interface SealedRestatement {
  readonly folder: string;
  readonly entry: ManifestEntry;
  /** Makes it visible. */
  readonly reveal: () => Promise<void>;
  /** Deletes it. */
  readonly remove: () => Promise<void>;
}

/** Corrected days of a subject that are complete but not visible, because a process is working on them or died. */
export async function sealedRestatements(root: string, subject: string): Promise<readonly SealedRestatement[]> {
  const home = join(root, subject);
  const hidden = (await readdir(home).catch(() => [])).filter((name) => name.startsWith('.'));
  const found: SealedRestatement[] = [];
  for (const folder of hidden.map((name) => join(home, name))) {
    // An incomplete entry belongs to a process that died before it recorded the restatement.
    const entry = await readEntry(folder).catch(() => null);
    if (!entry?.restates || (await readEntry(join(home, folderOf(entry.date, entry.revision ?? 1))))) continue;
    found.push({
      folder,
      entry,
      reveal: () => show(home, folder, entry),
      remove: () => rm(folder, { recursive: true, force: true }),
    });
  }
  return found;
}

export async function dropDraft(draft: Draft): Promise<void> {
  await rm(draft.folder, { recursive: true, force: true });
}

/** A rename is durable only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Removes what dead processes left. Sealed restatements stay: those on record are still to become visible, however long
 * no process could do so; only who reads the records may remove the others.
 */
async function sweep(root: string, subject: string, now: number): Promise<void> {
  const home = join(root, subject);
  const sealed = new Set((await sealedRestatements(root, subject)).map(({ folder }) => folder));
  for (const folder of (await readdir(home)).filter((name) => name.startsWith('.')).map((name) => join(home, name))) {
    const found = await stat(folder).catch(() => null);
    if (found && now - found.mtimeMs > STALE_MS && !sealed.has(folder))
      await rm(folder, { recursive: true, force: true });
  }
}

function isOccupied(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Writes a day in all formats and makes it visible by one rename, so that incomplete files are never served. If the day
 * is already published, returns its entry unchanged; only `restateDay` adds a revision. Throws when the disk is full or
 * the rows fail, and leaves nothing behind then.
 */
export async function publishDay<Row>(job: PublishJob<Row>): Promise<ManifestEntry> {
  const standing = await readEntry(join(job.root, job.subject, folderOf(job.date, 1)));
  return standing ?? revealDraft(job, await writeDraft(job, 1, null));
}

export interface RestateJob<Row> extends PublishJob<Row> {
  /** Shown in the manifest. */
  readonly reason: string;
  /** True for a change that requires a restatement. */
  readonly isMaterial: (change: ChangedRow) => boolean;
  /**
   * Records the corrected day durably when its files are complete and before they become visible. If the process dies
   * or fails after that, `sealedRestatements` finds the files; files that are not recorded stay invisible.
   */
  readonly record: (restated: Restated) => Promise<void>;
}

/** A day that was restated. */
export interface Restated {
  readonly date: string;
  readonly revision: number;
  /** Time of publication, as in its manifest entry. */
  readonly publishedAt: string;
  readonly restates: NonNullable<ManifestEntry['restates']>;
  readonly changedRows: number;
  readonly materialRows: number;
  /** The first material changes. */
  readonly changes: readonly ChangedRow[];
}

export type RestateFault = {
  readonly reason: 'not_published' | 'not_kept' | 'unchanged' | 'not_material';
  readonly detail: string;
};

const MOST_CHANGES = 1_000;

/**
 * Adds a corrected file set as a new revision of a day; the earlier revision stays readable. Refused when the rows are
 * unchanged or their changes are not material. Throws when it cannot be written; nothing is visible then. The caller
 * ensures that one process at a time restates a subject.
 */
export async function restateDay<Row>(job: RestateJob<Row>): Promise<Result<Restated, RestateFault>> {
  const home = join(job.root, job.subject);
  const newest = (await listDays(job.root, job.subject)).find((day) => day.date === job.date);
  const folder = join(home, folderOf(job.date, newest?.revision ?? 1));
  const entry = newest ? await readEntry(folder) : null;
  const old = entry && plainFile(entry, 'ndjson');
  const oldJson = entry && plainFile(entry, 'json');
  if (!newest || !old || !oldJson)
    return { ok: false, reason: 'not_published', detail: `${job.subject} has no published export of ${job.date}` };
  const restates = { sha256: oldJson.sha256, reason: job.reason };
  const draft = await writeDraft(job, newest.revision + 1, restates);
  let judged: Result<Restated, RestateFault>;
  let sealed: ManifestEntry | null = null;
  try {
    judged = await judge(job, { ...old, path: join(folder, old.name) }, draft, restates);
    if (judged.ok) sealed = await sealDraft(job, draft);
  } finally {
    if (sealed === null) await dropDraft(draft);
  }
  if (!judged.ok || sealed === null) return judged;
  // From here on the draft is kept in any case: a commit without a response may have succeeded.
  await job.record(judged.value);
  await show(home, draft.folder, sealed);
  return judged;
}

/** The uncompressed file of a format. */
export function plainFile(
  entry: Pick<ManifestEntry, 'files'>,
  format: ManifestEntry['files'][number]['format'],
): ManifestEntry['files'][number] | null {
  return entry.files.find((file) => file.format === format && file.encoding === 'identity') ?? null;
}

/** Compares the draft with the newest file set of its day. */
async function judge<Row>(
  { date, isMaterial }: RestateJob<Row>,
  old: { readonly sha256: string; readonly path: string },
  { folder, entry }: Draft,
  restates: Restated['restates'],
): Promise<Result<Restated, RestateFault>> {
  const { revision = 1, published_at: publishedAt } = entry;
  const fresh = plainFile(entry, 'ndjson');
  if (fresh === null || fresh.sha256 === old.sha256)
    return { ok: false, reason: 'unchanged', detail: `the rows of ${date} are what revision ${revision - 1} says` };
  let [changedRowCount, materialRows] = [0, 0];
  const changes: ChangedRow[] = [];
  for await (const change of changedRows(old.path, join(folder, fresh.name), 'asset_id')) {
    changedRowCount += 1;
    if (!isMaterial(change)) continue;
    materialRows += 1;
    if (changes.length < MOST_CHANGES) changes.push(change);
  }
  if (materialRows === 0) {
    const detail = `${counted(changedRowCount, 'row differs', 'rows differ')}, none by as much as a restatement needs`;
    return { ok: false, reason: 'not_material', detail };
  }
  const value = { date, revision, publishedAt, restates, changedRows: changedRowCount, materialRows, changes };
  return { ok: true, value };
}

export interface RatedThen {
  readonly band: string;
  readonly score: number | null;
}

/** A corrected rating. */
export interface RestatedRating {
  readonly restatementId: number;
  readonly assetId: string;
  readonly before: RatedThen;
  readonly after: RatedThen;
}

/** Change of the score, in points, that requires a restatement (methodology 11). */
const LEAST_POINTS = 2;

/**
 * A rating is restated when its band changes, when its score changes by two points, or when the asset was wrongly
 * missing or included.
 */
export function isMaterialRating({ before, after }: ChangedRow): boolean {
  return before === null || after === null || isMaterialChange(ratedOf(before), ratedOf(after));
}

/** True when two ratings of the same time differ enough for a restatement. */
export function isMaterialChange(before: RatedThen, after: RatedThen): boolean {
  if (before.band !== after.band || (before.score === null) !== (after.score === null)) return true;
  // Scores have steps of 0.1, so the difference is counted in steps to avoid binary rounding errors.
  return Math.round(Math.abs((before.score ?? 0) - (after.score ?? 0)) * 10) >= LEAST_POINTS * 10;
}

function ratedOf(row: NonNullable<ChangedRow['before']>): RatedThen {
  return { band: String(row.band), score: typeof row.score === 'number' ? row.score : null };
}

/** A row in the NDJSON file of an export. */
export type ExportedRow = Readonly<Record<string, unknown>>;

/** A row that differs between two file sets of a day; null where a set does not have it. */
export interface ChangedRow {
  readonly key: string;
  readonly before: ExportedRow | null;
  readonly after: ExportedRow | null;
}

/** Rows of an NDJSON file, one by one. Throws at a line that is not a JSON object. */
export async function* rowsOfFile(path: string): AsyncGenerator<ExportedRow> {
  for await (const line of linesOf(path)) if (line !== '') yield JSON.parse(line) as ExportedRow;
}

/** The differences between two NDJSON files whose rows are sorted by `key`. */
export async function* changedRows(before: string, after: string, key: string): AsyncGenerator<ChangedRow> {
  const [oldRows, newRows] = [rowsOfFile(before), rowsOfFile(after)];
  let [old, fresh] = [await oldRows.next(), await newRows.next()];
  while (!old.done || !fresh.done) {
    const [a, b] = [keyOf(old, key), keyOf(fresh, key)];
    const first = a === null ? b : b === null ? a : Buffer.compare(Buffer.from(a), Buffer.from(b)) <= 0 ? a : b;
    const one = a === first && !old.done ? old.value : null;
    const two = b === first && !fresh.done ? fresh.value : null;
    if (JSON.stringify(one) !== JSON.stringify(two)) yield { key: first ?? '', before: one, after: two };
    if (one) old = await oldRows.next();
    if (two) fresh = await newRows.next();
  }
}

function keyOf(step: IteratorResult<ExportedRow>, key: string): string | null {
  return step.done ? null : String(step.value[key]);
}
