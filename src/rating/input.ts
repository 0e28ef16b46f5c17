import type {
  AdverseFeature,
  AdversePoints,
  AssetHistory,
  Consensus,
  ConsensusSet,
  DriverDay,
  Identification,
  PeerRow,
  PreviousRating,
  ScoreRequest,
  SourceOutcome,
  Underlying,
} from '../domain/index.ts';

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
  /**
   * Agreed values of quantities on which the rated party's own observation stands beside others', without it: its own observation never makes
   * a feature worse than the others alone. Not given: no such quantity.
   */
  readonly withoutOwnWord?: ConsensusSet;
  /** Last points below the starting point of features that third parties state, by feature; not given: none are remembered. */
  readonly lastAdverse?: AdversePoints;
  /** Addresses of pages of the rated party's site that gave nothing (`lostPagesOf`); not given: none. */
  readonly lostPages?: readonly string[];
  /** Caps of the current published rating, by code; not given: there is none. */
  readonly standingCaps?: readonly string[];
  /** Stored history of the asset; absent or null: none, and flags on changes are not raised. */
  readonly history?: AssetHistory | null;
  /** Underlying of a wrapped or staked asset, by its published score (0-100); null or not given: it is not rated. */
  readonly underlying?: { readonly name: string; readonly score: number } | null;
  /** The same for a token with several underlying assets; not given: it has one. */
  readonly underlyings?: readonly Underlying[];
  readonly asOf: string;
  /** Adverse values that their sources no longer state, counted as if they still did; not given: none. */
  readonly recall?: readonly AdverseFeature[];
  /** Assumptions contrary to the evidence (`counterfactualOf`); not given: none. No published rating is made with them. */
  readonly supposed?: Assumptions;
}

/** What a counterfactual takes to be otherwise than the evidence says. */
export interface Assumptions {
  readonly features: readonly AssumedFeature[];
  /** Caps whose conditions are taken not to hold, by code. */
  readonly liftedCaps: readonly string[];
}

export interface AssumedFeature {
  readonly feature: string;
  readonly raw: number | string;
  /** 0-1. */
  readonly confidence: number;
  /** Key of the consensus whose value the feature is: it changes with the feature, so that flags and caps see it too. Null: none. */
  readonly quantity: string | null;
}

/** The same input in one order, so that the order of replies never affects a rating, not even the order of a sentence. */
export function inOrder(input: RatingInput): RatingInput {
  return {
    ...input,
    consensus: consensusInOrder(input.consensus),
    sources: sortedBy(input.sources, (row) => row.name),
    peers: sortedBy(input.peers, (row) => `${row.assetId} ${row.asOf}`),
    identification: {
      ...input.identification,
      contradictions: sortedBy(input.identification.contradictions, (row) => `${row.kind} ${row.detail}`),
    },
  };
}

/** What consensus gave is in order already, and stays the same object: what was computed of it once is known of it. */
function consensusInOrder(set: ConsensusSet): ConsensusSet {
  const keys = Object.keys(set);
  const isInOrder =
    isSorted(keys, compare) && keys.every((key) => isSorted((set[key] as Consensus).voices, byObservation));
  if (isInOrder) return set;
  const rows = keys.sort(compare).map((key): [string, Consensus] => {
    const row = set[key] as Consensus;
    return [key, { ...row, voices: [...row.voices].sort(byObservation) }];
  });
  return Object.fromEntries(rows);
}

function isSorted<Row>(rows: readonly Row[], order: (a: Row, b: Row) => number): boolean {
  for (let i = 1; i < rows.length; i += 1) if (order(rows[i - 1] as Row, rows[i] as Row) > 0) return false;
  return true;
}

type ConsensusRow = Consensus['voices'][number];

function byObservation(a: ConsensusRow, b: ConsensusRow): number {
  return (
    compare(a.source, b.source) ||
    compare(a.endpoint, b.endpoint) ||
    compare(a.responseId, b.responseId) ||
    // Written out only where all else is the same.
    (a.value === b.value ? 0 : compare(JSON.stringify(a.value), JSON.stringify(b.value)))
  );
}

function sortedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  if (rows.length < 2) return rows;
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ row }) => row);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
