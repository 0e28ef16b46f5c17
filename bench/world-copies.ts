import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { buildReport } from '../src/jobs/pipeline.ts';
import type { RatingBook } from '../src/jobs/types.ts';
import type { Methodology } from '../src/methodology/schema.ts';
import type { Database } from '../src/store/database.ts';

/** The evidence of one of the sandbox's tokens, as of `at`, as that of another token. */
export function evidenceOfCopy(templates: readonly EvidenceRecord[], index: number, at: Date): EvidenceRecord {
  const template = templates[index % templates.length];
  if (!template) throw new Error('no evidence');
  const { asset } = template.identification;
  const copy = {
    id: idOfCopy(asset.id, index),
    symbol: asset.symbol === null ? null : `${asset.symbol}${index}`,
    job: `posttge_${at.getTime()}_${index.toString(36).padStart(8, '0')}`,
  };
  return evidenceAs(template, copy, at);
}

/** Evidence, as of `at`, as that of another asset; null leaves its symbol. */
export function evidenceAs(
  template: EvidenceRecord,
  { id, symbol, job }: { readonly id: string; readonly symbol: string | null; readonly job: string },
  at: Date,
): EvidenceRecord {
  const { asset } = template.identification;
  const shift = at.getTime() - Date.parse(template.asOf);
  return {
    ...template,
    jobId: job,
    asOf: at.toISOString(),
    observations: template.observations.map((row) => ({
      ...row,
      observedAt: new Date(Date.parse(row.observedAt) + shift).toISOString(),
    })),
    identification: { ...template.identification, asset: { ...asset, id, symbol: symbol ?? asset.symbol } },
  };
}

/** Rates the evidence and keeps its report in one transaction, as at the end of a worker's job. */
export async function rateAndKeep(
  db: Database,
  book: RatingBook,
  evidence: EvidenceRecord,
  methodology: Methodology,
): Promise<void> {
  const { id } = evidence.identification.asset;
  await db.transaction().execute(async (transaction) => {
    const publication = (await book.lock(transaction, [id])).get(id) ?? null;
    const report = buildReport({ ...evidence, publication }, methodology);
    await book.keep(transaction, [report], { at: evidence.asOf, keyId: 'bench' });
  });
}

/** Another address of the same form: its end becomes the number, in digits that both forms have. */
function idOfCopy(id: string, index: number): string {
  const digits = String(index)
    .padStart(6, '1')
    .replaceAll('0', id.includes('/erc20:') ? 'a' : 'A');
  return /\/(erc20|token):/.test(id) ? id.slice(0, -6) + digits : `${id}${index}`;
}
