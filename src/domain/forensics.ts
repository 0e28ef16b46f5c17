import type { Asset } from './asset.ts';
import type { ConsensusSet } from './consensus.ts';

/** An asset to be looked into, with what its rating's evidence says of it. */
export interface ForensicSubject {
  readonly asset: Asset;
  readonly consensus: ConsensusSet;
  /** The rating's flags, and the default tests that hold. */
  readonly flags: readonly string[];
  readonly defaultTests: readonly string[];
}

/** What a search has come to: found (kept `until`, milliseconds), still under way, not begun because others are, or not possible. */
export type SearchState<Found> =
  | { readonly state: 'found'; readonly record: Found; readonly until: number }
  | { readonly state: 'searching'; readonly startedAt: number }
  | { readonly state: 'busy' }
  | { readonly state: 'unsupported' };
