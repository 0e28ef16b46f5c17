import { agree } from '../consensus/index.ts';
import {
  type Band,
  type ConsensusSet,
  type EvidenceRecord,
  type PublicationDecision,
  type PublicationState,
  type Rating,
  type ScoreReport,
  sourceFor,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { isRevised, publish, unrepeatedAdverse } from '../publication/index.ts';
import {
  type Counterfactual,
  counterfactualOf,
  lostPagesOf,
  type RatingInput,
  rate,
  rateTechnically,
} from '../rating/index.ts';
import { canonicalText } from './canonical-text.ts';

/**
 * Computes a rating from evidence. Pure: the same evidence and methodology give the same bytes, on any machine, at any
 * time.
 */
export function buildReport(evidence: EvidenceRecord, methodology: Methodology): ScoreReport {
  const consensus = agree(evidence.observations, methodology, evidence.asOf);
  const input = inputOf(evidence, consensus, methodology);
  const rating = rateWithMemory(input, evidence.publication ?? null, methodology);
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
      sources: evidence.sources,
      purpose: evidence.purpose,
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

/** Input of a rating: archived evidence and its consensus. */
function inputOf(evidence: EvidenceRecord, consensus: ConsensusSet, methodology: Methodology): RatingInput {
  return {
    request: evidence.request,
    identification: evidence.identification,
    consensus,
    sources: evidence.sources,
    peers: evidence.peers,
    driverDays: evidence.driverDays ?? [],
    previous: evidence.previous,
    underlying: evidence.underlying ?? null,
    ...(evidence.underlyings !== undefined && { underlyings: evidence.underlyings }),
    withoutOwnWord: withoutOwnWord(evidence, consensus, methodology),
    lostPages: lostPagesOf(evidence.responses),
    lastAdverse: lastAdverseOf(evidence.publication ?? null),
    standingCaps: (evidence.publication?.last.caps ?? []).map((cap) => cap.code),
    history: evidence.history ?? null,
    asOf: evidence.asOf,
  };
}

/** Changes that would move a published rating to the next band, computed from its own evidence. Pure. */
export function counterfactualFor(
  { evidence, consensus, rating }: ScoreReport,
  published: Band,
  methodology: Methodology,
): Counterfactual {
  const input = inputOf(evidence, consensus, methodology);
  const before = evidence.publication ?? null;
  // If the rating includes earlier statements of adverse sources, the changes are computed with them.
  const recall = unrepeatedAdverse(rate(input, methodology), consensus, before, evidence.asOf, methodology);
  const isRecalled = recall.length > 0 && rate(input, methodology).score !== rating.score;
  return counterfactualOf(isRecalled ? { ...input, recall } : input, rating, published, methodology);
}

/**
 * The rating of this collection. If adverse sources make no statement any more and the score is above that of the
 * current rating, or that rating was withdrawn, it is computed again with their last statements, and the lower score
 * counts (methodology 4).
 */
function rateWithMemory(input: RatingInput, before: PublicationState | null, methodology: Methodology): Rating {
  const rating = rate(input, methodology);
  const standing = before?.last.score ?? null;
  const isKnown = standing !== null || isRevised(methodology.publication);
  if (rating.score === null || !isKnown || (standing !== null && rating.score <= standing)) return rating;
  const recall = unrepeatedAdverse(rating, input.consensus, before, input.asOf, methodology);
  if (recall.length === 0) return rating;
  const again = rate({ ...input, recall }, methodology);
  return again.score !== null && again.score < rating.score ? again : rating;
}

/** Points of adverse features when they were last observed. */
function lastAdverseOf(before: PublicationState | null): NonNullable<RatingInput['lastAdverse']> {
  return Object.fromEntries(
    (before?.adverse ?? []).map((one) => [one.feature, { points: one.points, at: one.seenAt }]),
  );
}

/** Consensus, without the rated party's own observations, of the quantities that other sources state too. */
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
  return source === sourceFor('site');
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

/** The report's bytes: canonical JSON (RFC 8785). Replay compares them. */
export function encodeReport(report: ScoreReport): Uint8Array {
  return new TextEncoder().encode(canonicalText(report));
}

/**
 * The bytes of a report and those of its evidence, which are a part of them: the evidence is serialised once for both.
 */
export function encodeForArchive(report: ScoreReport): { readonly record: Uint8Array; readonly result: Uint8Array } {
  const evidence = canonicalText(report.evidence);
  const members = Object.entries(report)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `"${name}":${value === report.evidence ? evidence : canonicalText(value)}`);
  const encoder = new TextEncoder();
  return { record: encoder.encode(evidence), result: encoder.encode(`{${members.join(',')}}`) };
}

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
