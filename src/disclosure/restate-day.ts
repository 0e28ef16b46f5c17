import { type Config, exportsRoot } from '../config/index.ts';
import type { Result } from '../domain/index.ts';
import type { ChangedRow } from '../exports/index.ts';
import {
  CHAIN_COLUMNS,
  chainRows,
  createExportService,
  isMaterialRating,
  RATING_COLUMNS,
  type Restated,
  type RestateFault,
  restateDay,
  rowsWithin,
} from '../exports/index.ts';
import { createSigner } from '../signing/index.ts';
import type { Database, Store } from '../store/index.ts';
import { boundsNow, dayRows, knownRevisions, storeBounds, storeDayRestatement } from '../store/index.ts';

export interface RestateOptions {
  readonly config: Pick<Config, 'dataDir' | 'dataMode'>;
  readonly store: Store;
  readonly now: () => number;
}

/** Changes that the public list shows of one restatement. */
const MOST_SHOWN = 100;

/** Restates a published day by what the store says now. The new file set and its line in the list of corrections appear together. */
export async function restateExport(
  { config, store, now }: RestateOptions,
  { subject, date, reason }: { readonly subject: string; readonly date: string; readonly reason: string },
): Promise<Result<Restated, RestateFault>> {
  const { db } = store;
  const root = exportsRoot(config);
  const madeAt = new Date(now()).toISOString();
  await listForgotten(db, root, subject, date);
  const bounds = await boundsNow(db);
  const signer = await createSigner(db, now);
  return db.transaction().execute((transaction) => {
    const job = {
      root,
      subject,
      date,
      reason,
      now,
      sign: signer.sign,
      async beforeReveal(restated: Restated) {
        if (subject === 'rms') await storeBounds(transaction, date, restated.revision, bounds, madeAt);
        await storeDayRestatement(transaction, {
          subject,
          date,
          revision: restated.revision,
          made_at: madeAt,
          reason,
          body: JSON.stringify({
            restates_sha256: restated.restates.sha256,
            changed_rows: restated.changedRows,
            material_rows: restated.materialRows,
            changes: restated.changes.slice(0, MOST_SHOWN).map(shownChange),
          }),
        });
      },
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

/** A process that died between the file set and the list left the list without it. */
async function listForgotten(db: Database, root: string, subject: string, date: string): Promise<void> {
  const known = await knownRevisions(db, subject, date);
  for (const entry of await createExportService(root).manifest(subject)) {
    const { revision = 1, restates } = entry;
    if (entry.date !== date || restates === null || known.includes(revision)) continue;
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

/** The columns that changed, each with its value before and after; `added` or `removed` for a row that only one set has. */
function shownChange({ key, before, after }: ChangedRow) {
  if (before === null || after === null) return { asset_id: key, change: before === null ? 'added' : 'removed' };
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return {
    asset_id: key,
    change: 'corrected',
    columns: Object.fromEntries(names.map((name) => [name, [before[name] ?? null, after[name] ?? null]])),
  };
}
