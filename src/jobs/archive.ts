import type { EvidenceRecord, ScoreReport } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { buildReport, encodeReport } from './pipeline.ts';

/** Recomputes a report from archived evidence with the methodology it was made with; refuses another version. */
export function rebuildReport(
  evidence: EvidenceRecord,
  methodology: Methodology,
):
  | { readonly ok: true; readonly report: ScoreReport; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly detail: string } {
  if (evidence.methodologyHash !== methodology.hash) {
    return {
      ok: false,
      detail: `the rating was made with methodology ${evidence.methodologyVersion} (${evidence.methodologyHash.slice(0, 12)}); this installation has ${methodology.version} (${methodology.hash.slice(0, 12)})`,
    };
  }
  const report = buildReport(evidence, methodology);
  return { ok: true, report, bytes: encodeReport(report) };
}
