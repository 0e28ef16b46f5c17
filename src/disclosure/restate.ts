import canonicalize from 'canonicalize';
import { type Config, exportsRoot } from '../config/index.ts';
import { scoreRecord } from '../contract/index.ts';
import type { Band, EvidenceRecord, Result } from '../domain/index.ts';
import {
  CHAIN_COLUMNS,
  type ChangedRow,
  chainRows,
  createExportService,
  isMaterialChange,
  isMaterialRating,
  listDays,
  RATING_COLUMNS,
  type RatedThen,
  type Restated,
  type RestatedRating,
  type RestateFault,
  restateDay,
  rowsWithin,
  STALE_MS,
  sealedRestatements,
} from '../exports/index.ts';
import { rebuildReport } from '../jobs/index.ts';
import { computableMethodology, loadMethodology } from '../methodology/index.ts';
import { createSigner } from '../signing/index.ts';
import {
  announceRatings,
  boundsNow,
  closedDays,
  type Database,
  dayRows,
  evidenceOf,
  knownRevisions,
  lockByName,
  type ReadMoved,
  ratingOfJob,
  type Store,
  storeBounds,
  storeDayRestatement,
  storeRatingRestatement,
} from '../store/index.ts';
import { notifyCorrection } from './corrections.ts';

interface DayOptions {
  readonly config: Pick<Config, 'dataDir' | 'dataMode'>;
  readonly store: Pick<Store, 'db'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface RestateOptions extends DayOptions {
  readonly readMoved: ReadMoved;
}

/** Changed rows of one restatement in the public list. */
const MOST_SHOWN = 100;

/**
 * Restates a published day from the present content of the store. The correction is recorded once the new file set is
 * on disk, and the set becomes visible right after that. If the process dies in between, `completeRestatements`
 * finishes the work.
 */
export async function restateExport(
  options: RestateOptions,
  { subject, date, reason }: { readonly subject: string; readonly date: string; readonly reason: string },
): Promise<Result<Restated, RestateFault>> {
  const { config, store, now } = options;
  const { db } = store;
  const root = exportsRoot(config);
  const signer = await createSigner(db, now);
  return alone(options, subject, async () => {
    await revealRecorded(options, subject);
    await listForgotten(db, root, subject, date);
    if (await isDropped(db, root, subject, date)) return notKept(date);
    const bounds = await boundsNow(db);
    const job = {
      root,
      subject,
      date,
      reason,
      now,
      sign: signer.sign,
      record: (restated: Restated) =>
        db.transaction().execute(async (transaction) => {
          if (subject === 'rms') await storeBounds(transaction, date, restated.revision, bounds, restated.publishedAt);
          await storeDayRestatement(transaction, {
            subject,
            date,
            revision: restated.revision,
            made_at: restated.publishedAt,
            reason,
            body: JSON.stringify({
              restates_sha256: restated.restates.sha256,
              changed_rows: restated.changedRows,
              material_rows: restated.materialRows,
              changes: restated.changes.slice(0, MOST_SHOWN).map(shownChange),
            }),
          });
        }),
    };
    return subject === 'rms'
      ? restateDay({
          ...job,
          columns: RATING_COLUMNS,
          rows: rowsWithin(db, date, bounds),
          isMaterial: isMaterialRating,
        })
      : restateDay({
          ...job,
          columns: CHAIN_COLUMNS,
          rows: chainRows(date, dayRows(db, subject, date)),
          isMaterial: () => true,
        });
  });
}

/** True for a published day of a chain whose rows retention has dropped; days of ratings are always kept. */
async function isDropped(db: Database, root: string, subject: string, date: string): Promise<boolean> {
  if (subject === 'rms' || !(await listDays(root, subject)).some((day) => day.date === date)) return false;
  return !(await closedDays(db, subject)).some(({ day }) => day === date);
}

function notKept(date: string) {
  const detail = `the rows of ${date} are no longer kept: what is published of it stays as it is`;
  return { ok: false, reason: 'not_kept', detail } as const;
}

/**
 * Makes corrected days of a subject visible if their process died after recording them, and removes those of processes
 * that died before.
 */
export async function completeRestatements(options: DayOptions, subject: string): Promise<void> {
  if ((await sealedRestatements(exportsRoot(options.config), subject)).length === 0) return;
  // If another process is working on a day, the day is visible when the lock is released.
  await alone(options, subject, () => revealRecorded(options, subject));
}

/** Runs `work` with a lock, so that one process at a time restates days of a subject. */
function alone<T>({ store }: DayOptions, subject: string, work: () => Promise<T>): Promise<T> {
  return store.db.transaction().execute(async (transaction) => {
    await lockByName(transaction, `restatement of ${subject}`);
    return work();
  });
}

async function revealRecorded({ config, store, now }: DayOptions, subject: string): Promise<void> {
  for (const { entry, reveal, remove } of await sealedRestatements(exportsRoot(config), subject)) {
    const known = await knownRevisions(store.db, subject, entry.date);
    const isRecorded = known.some(
      ({ revision, madeAt }) => revision === entry.revision && Date.parse(madeAt) === Date.parse(entry.published_at),
    );
    if (isRecorded) await reveal();
    // A commit without a reply may still come to light; later than this it cannot.
    else if (now() - Date.parse(entry.published_at) > STALE_MS) await remove();
  }
}

/** Records corrected days again that are missing in the database because it was restored from an earlier backup. */
async function listForgotten(db: Database, root: string, subject: string, date: string): Promise<void> {
  const known = new Set((await knownRevisions(db, subject, date)).map(({ revision }) => revision));
  for (const entry of await createExportService(root).manifest(subject)) {
    const { revision = 1, restates } = entry;
    if (entry.date !== date || restates === null || known.has(revision)) continue;
    await storeDayRestatement(db, {
      subject,
      date,
      revision,
      made_at: entry.published_at,
      reason: restates.reason,
      body: JSON.stringify({ restates_sha256: restates.sha256 }),
    });
  }
}

/**
 * The changed columns, each with its value before and after; `added` or `removed` for a row that exists on one side
 * only.
 */
function shownChange({ key, before, after }: ChangedRow) {
  if (before === null || after === null) return { asset_id: key, change: before === null ? 'added' : 'removed' };
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return {
    asset_id: key,
    change: 'corrected',
    columns: Object.fromEntries(names.map((name) => [name, [before[name] ?? null, after[name] ?? null]])),
  };
}

/**
 * Corrects a published rating: rates its archived evidence again with the current code, without the sources in
 * `without` (which were shown to be wrong). The published rating does not change; days that are written or restated
 * from now on contain the corrected record. Refused when the change is too small for a restatement, measured from the
 * standing correction if there is one, so that a wrong correction can be corrected and none is made twice.
 */
export async function restateRating(
  { config, store, now, readMoved }: RestateOptions,
  { jobId, without, reason }: { readonly jobId: string; readonly without: readonly string[]; readonly reason: string },
): Promise<Result<RestatedRating, { readonly detail: string }>> {
  const { db } = store;
  const stored = await evidenceOf(db, jobId, readMoved);
  if (stored === null) return { ok: false, detail: `there is no finished job ${jobId}` };
  const evidence = JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord;
  const rating = await ratingOfJob(db, evidence.identification.asset.id, evidence.jobId);
  if (rating === null) return { ok: false, detail: `no rating was published by job ${jobId}` };
  const unknown = without.filter((source) => !evidence.observations.some((one) => one.source === source));
  if (unknown.length > 0)
    return { ok: false, detail: `the evidence of ${jobId} holds nothing of ${unknown.join(', ')}` };
  const observations = evidence.observations.filter((one) => !without.includes(one.source));
  const rebuilt = rebuildReport(
    { ...evidence, observations },
    computableMethodology(evidence.methodologyHash) ?? loadMethodology(),
  );
  if (!rebuilt.ok) return rebuilt;
  const { published } = rebuilt.report;
  const [before, after] = [rating, published].map(({ band, score }): RatedThen => ({ band, score }));
  if (before === undefined || after === undefined) throw new Error('two ratings became fewer');
  if (!isMaterialChange(before, after))
    return {
      ok: false,
      detail: `${wordsOf(before)} becomes ${wordsOf(after)}: a restatement needs another band or two points`,
    };
  const madeAt = new Date(now()).toISOString();
  const record = Buffer.from(
    canonicalize({ ...scoreRecord(published, config.dataMode), restated: { at: madeAt, reason, without } }) ?? '',
  );
  const signer = await createSigner(db, now);
  const restatementId = await db.transaction().execute(async (transaction) => {
    const id = await storeRatingRestatement(transaction, {
      asset_id: published.asset.id,
      rating_id: rating.id,
      made_at: madeAt,
      reason,
      body: JSON.stringify({ job_id: jobId, as_of: published.asOf, without, before, after }),
      record,
      signature: JSON.stringify(signer.sign(record)),
    });
    await announceRatings(transaction, [published.asset.id]);
    await notifyCorrection(transaction, {
      restatementId: id,
      ratingId: rating.id,
      asset: published.asset,
      ratingAsOf: published.asOf,
      jobId,
      reason,
      before: { band: before.band as Band, score: before.score },
      after: { band: after.band as Band, score: after.score },
      madeAt,
    });
    return id;
  });
  return { ok: true, value: { restatementId, assetId: published.asset.id, before, after } };
}

function wordsOf({ band, score }: RatedThen): string {
  return `${band} (${score ?? 'no score'})`;
}
