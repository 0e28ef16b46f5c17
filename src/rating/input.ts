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
  /** The asset's own drivers on earlier days, oldest first. Absent: none are known. */
  readonly driverDays?: readonly DriverDay[];
  readonly previous: PreviousRating | null;
  /**
   * Agreed values, computed without the rated party's own observation, of quantities that both it and others state. Its
   * own observation then never makes a feature worse than the others' observations alone. Absent: no such quantity.
   */
  readonly withoutOwnWord?: ConsensusSet;
  /**
   * Last points below the starting point, by feature, of features that third parties state. Absent: none are stored.
   */
  readonly lastAdverse?: AdversePoints;
  /** Addresses of pages of the rated party's site that returned no content (`lostPagesOf`). Absent: none. */
  readonly lostPages?: readonly string[];
  /** Caps of the current published rating, by code. Absent: there is none. */
  readonly standingCaps?: readonly string[];
  /** Stored history of the asset. Absent or null: none, and flags on changes are not raised. */
  readonly history?: AssetHistory | null;
  /** Underlying of a wrapped or staked asset (`EvidenceRecord`). Null or absent: nothing is known of its rating. */
  readonly underlying?: Omit<Underlying, 'share'> | null;
  /** The underlyings of a token that has several. Absent: it has one. */
  readonly underlyings?: readonly Underlying[];
  readonly asOf: string;
  /** Adverse values that their sources no longer state; they still count. Absent: none. */
  readonly recall?: readonly AdverseFeature[];
  /** Assumptions contrary to the evidence (`counterfactualOf`). Absent: none. Published ratings never use them. */
  readonly supposed?: Assumptions;
}

/** What a counterfactual assumes instead of the evidence. */
export interface Assumptions {
  readonly features: readonly AssumedFeature[];
  /** Codes of the caps whose conditions are assumed not to hold. */
  readonly liftedCaps: readonly string[];
}

export interface AssumedFeature {
  readonly feature: string;
  readonly raw: number | string;
  /** 0-1. */
  readonly confidence: number;
  /**
   * Key of the consensus that supplies the feature's value. It changes with the feature, so that flags and caps see the
   * change too. Null: none.
   */
  readonly quantity: string | null;
}

/**
 * Returns the same input in a fixed order, so that the order of replies affects nothing in a rating, including the
 * text.
 */
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

/**
 * The output of consensus is already in order. It stays the same object, so that cached results for it remain valid.
 */
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
    // Serialised only to break ties.
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
