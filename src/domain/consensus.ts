import type { Json, Tier } from './observation.ts';
import type { QuantityId } from './quantities.ts';

export type ConsensusStatus = 'agreed' | 'single_source' | 'disputed' | 'missing' | 'not_applicable';

/**
 * Why an observation was rejected or counted less. `outlier` and `unit_mismatch` took part in the vote and lost; the
 * others did not take part.
 */
export type RejectionReason =
  | 'outlier'
  | 'unit_mismatch'
  | 'wrong_token_suspected'
  | 'weak_binding'
  | 'too_old'
  | 'out_of_range'
  | 'same_family'
  | 'lower_tier_in_dispute'
  | 'malformed_value';

/** One source's observation in one consensus. */
export interface ConsensusObservation {
  readonly source: string;
  readonly endpoint: string;
  readonly family: string;
  readonly tier: Tier;
  readonly value: Json;
  readonly meaning: string;
  readonly observedAt: string;
  readonly weight: number;
  /** Robust z-score against the consensus; null for enums, booleans and facts. */
  readonly z: number | null;
  /** Power of ten by which the value is off, if that is the confirmed cause. */
  readonly unitPower: number | null;
  readonly accepted: boolean;
  readonly reason: RejectionReason | null;
  readonly responseId: string;
  /** True when the reply is from an earlier collection and is used because the request failed this time. */
  readonly carried?: true;
}

/** One value out of many observations (methodology 1). */
export interface Consensus {
  readonly quantity: QuantityId;
  readonly scope: string;
  readonly unit: string;
  readonly value: Json;
  readonly low: number | null;
  readonly high: number | null;
  /** 0-1. */
  readonly confidence: number;
  /** Parts of the confidence: independence, agreement, freshness, identity; each 0-1. */
  readonly parts: {
    readonly independence: number;
    readonly agreement: number;
    readonly freshness: number;
    readonly identity: number;
  };
  readonly status: ConsensusStatus;
  readonly families: number;
  readonly effectiveFamilies: number;
  /** 1.4826 x weighted MAD of the accepted observations, in the transformed scale (ln for `log`). */
  readonly dispersion: number;
  readonly observedAt: string | null;
  readonly voices: readonly ConsensusObservation[];
  /** Codes of cross-quantity identities (methodology 1.4) that this value failed. */
  readonly failedIdentities: readonly string[];
}

/**
 * All consensus values of one asset. Keys: `quantity` for scope `asset`, otherwise `quantity@scope` (see
 * `consensusKey`).
 */
export type ConsensusSet = Readonly<Record<string, Consensus>>;

/** Key of a value inside a `ConsensusSet`. */
export function consensusKey(quantity: QuantityId, scope = 'asset'): string {
  return scope === 'asset' ? quantity : `${quantity}@${scope}`;
}

/** A peg to something other than the dollar. */
export interface ForeignPeg {
  /** ISO 4217; XAU and XAG are ounces of metal. */
  readonly currency: string;
  /** Scope of amounts in a currency: `currency:<code>`. */
  readonly scope: string;
  /** True for gold and silver, where it is unknown whether one token represents an ounce or a gram. */
  readonly isMetal: boolean;
  /** US dollars per unit; null when no source has a rate. */
  readonly rate: { readonly value: number; readonly confidence: number } | null;
}

const METALS: ReadonlySet<string> = new Set(['XAU', 'XAG']);

/** The currency or metal of a coin's peg; null for the dollar, or when no source states a peg. */
export function foreignPeg(set: ConsensusSet): ForeignPeg | null {
  const currency = known(set[consensusKey('peg_currency')])?.value;
  if (typeof currency !== 'string' || currency === 'USD') return null;
  const scope = `currency:${currency}`;
  const rate = known(set[consensusKey('currency_usd', scope)]);
  const value = typeof rate?.value === 'number' && rate.value > 0 ? rate.value : null;
  return {
    currency,
    scope,
    isMetal: METALS.has(currency),
    rate: rate === null || value === null ? null : { value, confidence: rate.confidence },
  };
}

function known(row: Consensus | undefined): Consensus | null {
  return row === undefined || row.status === 'missing' ? null : row;
}
