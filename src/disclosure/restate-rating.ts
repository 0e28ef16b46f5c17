import canonicalize from 'canonicalize';
import { scoreRecord } from '../contract/index.ts';
import type { EvidenceRecord, Result } from '../domain/index.ts';
import { isMaterialChange, type RatedThen, type RestatedRating } from '../exports/index.ts';
import { rebuildReport } from '../jobs/index.ts';
import { computableMethodology, loadMethodology } from '../methodology/index.ts';
import { createSigner } from '../signing/index.ts';
import { evidenceOf, ratingOfJob, storeRatingRestatement } from '../store/index.ts';
import type { RestateOptions } from './restate-day.ts';

/**
 * Corrects a published rating: its archived evidence is rated again by the code of now, without what `without` names (sources
 * that were shown to be wrong). The published rating stays as it is; the corrected record stands in its place in days that are
 * written or restated from now on. Refused when nothing changes by as much as a restatement needs.
 */
export async function restateRating(
  { config, store, now }: RestateOptions,
  { jobId, without, reason }: { readonly jobId: string; readonly without: readonly string[]; readonly reason: string },
): Promise<Result<RestatedRating, { readonly detail: string }>> {
  const { db } = store;
  const stored = await evidenceOf(db, jobId);
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
  const restatementId = await storeRatingRestatement(db, {
    asset_id: published.asset.id,
    rating_id: rating.id,
    made_at: madeAt,
    reason,
    body: JSON.stringify({ job_id: jobId, as_of: published.asOf, without, before, after }),
    record,
    signature: JSON.stringify(signer.sign(record)),
  });
  return { ok: true, value: { restatementId, assetId: published.asset.id, before, after } };
}

function wordsOf({ band, score }: RatedThen): string {
  return `${band} (${score ?? 'no score'})`;
}
