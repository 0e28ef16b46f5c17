import type { ConsensusSet } from '../domain/consensus.ts';
import type { SourceOutcome } from '../domain/evidence.ts';
import type { AssetHistory } from '../domain/history.ts';
import type { Identification, ScoreRequest } from '../domain/identification.ts';
import type { AdverseFeature } from '../domain/published.ts';
import type { DriverDay, PeerRow, PreviousRating } from '../domain/rating.ts';

/** Everything a rating is computed from, besides the methodology. */
export interface RatingInput {
  readonly request: ScoreRequest;
  readonly identification: Identification;
  readonly consensus: ConsensusSet;
  readonly sources: readonly SourceOutcome[];
  readonly peers: readonly PeerRow[];
  /** The asset's own drivers on the days before, oldest first; not given: none are known. */
  readonly driverDays?: readonly DriverDay[];
  readonly previous: PreviousRating | null;
  /** What was kept of the asset before; absent or null: nothing, and flags on changes stay silent. */
  readonly history?: AssetHistory | null;
  readonly asOf: string;
  /** Adverse values whose sources fell silent, counted as if they were still said; not given: none. */
  readonly recall?: readonly AdverseFeature[];
}
