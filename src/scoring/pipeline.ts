import { agree } from '../consensus/agree.ts';
import type { ConsensusSet } from '../domain/consensus.ts';
import type { EvidenceRecord } from '../domain/evidence.ts';
import type { ScoreReport } from '../domain/report.ts';
import type { Methodology } from '../methodology/types.ts';
import { publish } from '../publication/publish.ts';
import { rate } from '../rating/rate.ts';
import { lostPagesOf } from '../rating/silence.ts';
import { rateTechnically } from '../rating/technical.ts';
import { canonicalText } from './canonical.ts';

/** Evidence in, rating out. Pure: the same evidence and methodology give the same bytes, on any machine, at any time. */
export function buildReport(evidence: EvidenceRecord, methodology: Methodology): ScoreReport {
  const consensus = agree(evidence.observations, methodology, evidence.asOf);
  const input = {
    request: evidence.request,
    identification: evidence.identification,
    consensus,
    sources: evidence.sources,
    peers: evidence.peers,
    driverDays: evidence.driverDays ?? [],
    previous: evidence.previous,
    withoutOwnWord: withoutOwnWord(evidence, consensus, methodology),
    lostPages: lostPagesOf(evidence.responses),
    standingCaps: (evidence.publication?.last.caps ?? []).map((cap) => cap.code),
    history: evidence.history ?? null,
    asOf: evidence.asOf,
  };
  const rating = rate(input, methodology);
  const technical = rateTechnically(input, methodology);
  const {
    rating: published,
    state,
    decision,
  } = publish(
    {
      rating,
      technical: technical && { score: technical.score, band: technical.band },
      consensus,
      identification: evidence.identification,
      jobId: evidence.jobId,
      asOf: evidence.asOf,
      previous: evidence.publication ?? null,
    },
    methodology,
  );
  return { evidence, consensus, rating, published, state, decision };
}

/** What the others say where the rated party's own voice stands beside theirs. */
function withoutOwnWord(evidence: EvidenceRecord, consensus: ConsensusSet, methodology: Methodology): ConsensusSet {
  const mixed = new Set(
    Object.values(consensus)
      .filter(({ voices }) => voices.some(isOwn) && !voices.every(isOwn))
      .map(({ quantity }) => quantity),
  );
  if (mixed.size === 0) return {};
  const others = evidence.observations.filter((row) => mixed.has(row.quantity) && !isOwn(row));
  return agree(others, methodology, evidence.asOf);
}

function isOwn({ source }: { readonly source: string }): boolean {
  return source === 'website';
}

/** The report's bytes: canonical JSON (RFC 8785). What replay compares. */
export function encodeReport(report: ScoreReport): Uint8Array {
  return new TextEncoder().encode(canonicalText(report));
}
