import type { ConsensusSet } from './consensus.ts';
import type { EvidenceRecord } from './evidence.ts';
import type { PublicationDecision, PublicationState, PublishedRating } from './published.ts';
import type { Rating } from './rating.ts';

/** What one scoring job found: evidence, the values agreed on, the rating. Every output format is a view of this. */
export interface ScoreReport {
  readonly evidence: EvidenceRecord;
  readonly consensus: ConsensusSet;
  /** Of this moment alone. */
  readonly rating: Rating;
  /** As it is published: with the history of the asset. */
  readonly published: PublishedRating;
  /** What the next publication must remember. */
  readonly state: PublicationState;
  /** Whether it is published, and why not. */
  readonly decision: PublicationDecision;
}
