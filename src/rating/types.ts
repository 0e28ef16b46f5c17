import type { ConsensusSet } from '../domain/consensus.ts';
import type { SourceOutcome } from '../domain/evidence.ts';
import type { Identification, ScoreRequest } from '../domain/identification.ts';
import type { PeerRow, PreviousRating } from '../domain/rating.ts';

/** Everything a rating is computed from, besides the methodology. */
export interface RatingInput {
  readonly request: ScoreRequest;
  readonly identification: Identification;
  readonly consensus: ConsensusSet;
  readonly sources: readonly SourceOutcome[];
  readonly peers: readonly PeerRow[];
  readonly previous: PreviousRating | null;
  readonly asOf: string;
}
