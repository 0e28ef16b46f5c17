import { agree } from '../consensus/agree.ts';
import type { EvidenceRecord } from '../domain/evidence.ts';
import type { PublicationDecision } from '../domain/published.ts';
import type { ScoreReport } from '../domain/report.ts';
import type { Methodology } from '../methodology/types.ts';
import { publish } from '../publication/publish.ts';
import { rate } from '../rating/rate.ts';
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
  return {
    evidence,
    consensus,
    rating,
    published,
    state,
    decision: evidence.purpose === 'partial' ? PARTIAL : decision,
  };
}

const PARTIAL: PublicationDecision = {
  published: false,
  because: [
    {
      code: 'partial_collection',
      detail: 'the deadline came before the collection was whole; the collection goes on and is published by itself',
    },
  ],
};

/** The report's bytes: canonical JSON (RFC 8785). What replay compares. */
export function encodeReport(report: ScoreReport): Uint8Array {
  return new TextEncoder().encode(canonicalText(report));
}
