import { agree } from '../consensus/index.ts';
import type {
  ConsensusSet,
  EvidenceRecord,
  PublicationDecision,
  PublicationState,
  Rating,
  ScoreReport,
} from '../domain/index.ts';
import { tellerOf } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { publish, silenced } from '../publication/index.ts';
import type { RatingInput } from '../rating/index.ts';
import { lostPagesOf, rate, rateTechnically } from '../rating/index.ts';
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
    underlying: evidence.underlying ?? null,
    ...(evidence.underlyings !== undefined && { underlyings: evidence.underlyings }),
    withoutOwnWord: withoutOwnWord(evidence, consensus, methodology),
    lostPages: lostPagesOf(evidence.responses),
    lastAdverse: lastAdverseOf(evidence.publication ?? null),
    standingCaps: (evidence.publication?.last.caps ?? []).map((cap) => cap.code),
    history: evidence.history ?? null,
    asOf: evidence.asOf,
  };
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

/**
 * The rating of this moment. Where adverse sources fell silent since the standing rating and the score rose, it is computed again
 * with what they last said, and the lower stands (methodology 4).
 */
function rateWithMemory(input: RatingInput, before: PublicationState | null, methodology: Methodology): Rating {
  const rating = rate(input, methodology);
  const standing = before?.last.score ?? null;
  if (rating.score === null || standing === null || rating.score <= standing) return rating;
  const recall = silenced(rating, input.consensus, before, input.asOf, methodology);
  if (recall.length === 0) return rating;
  const again = rate({ ...input, recall }, methodology);
  return again.score !== null && again.score < rating.score ? again : rating;
}

/** What adverse features counted when they were last seen. */
function lastAdverseOf(before: PublicationState | null): NonNullable<RatingInput['lastAdverse']> {
  return Object.fromEntries(
    (before?.adverse ?? []).map((one) => [one.feature, { points: one.points, at: one.seenAt }]),
  );
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
  return source === tellerOf('site');
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
