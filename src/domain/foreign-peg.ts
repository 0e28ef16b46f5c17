import { type Consensus, type ConsensusSet, consensusKey } from './consensus.ts';

/** What a coin is pegged to that is not the dollar. */
export interface ForeignPeg {
  /** ISO 4217; XAU and XAG are ounces of metal. */
  readonly currency: string;
  /** Scope of what is measured in it: `currency:<code>`. */
  readonly scope: string;
  /** True for gold and silver: what one token holds is not known, an ounce or a gram. */
  readonly isMetal: boolean;
  /** US dollars for one unit of it; null where no source has a rate. */
  readonly rate: { readonly value: number; readonly confidence: number } | null;
}

const METALS: ReadonlySet<string> = new Set(['XAU', 'XAG']);

/** The currency or metal that sources say a coin is pegged to; null for the dollar, and where nobody says. */
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
