import type { ConsensusSet } from '../domain/index.ts';
import { consensusAt, type Known, numberAt } from './agreed.ts';

/** What a coin is pegged to that is not the dollar. */
export interface ForeignPeg {
  /** ISO 4217; XAU and XAG are ounces of metal. */
  readonly currency: string;
  /** Scope of what is measured in it: `currency:<code>`. */
  readonly scope: string;
  /** True for gold and silver: what one token holds is not known, an ounce or a gram. */
  readonly isMetal: boolean;
  /** US dollars for one unit of it; null where no source has a rate. */
  readonly rate: Known<number> | null;
}

const METALS: ReadonlySet<string> = new Set(['XAU', 'XAG']);

/** The currency or metal that sources say a coin is pegged to; null for the dollar, and where nobody says. */
export function foreignPeg(set: ConsensusSet): ForeignPeg | null {
  const currency = consensusAt(set, 'peg_currency')?.value;
  if (typeof currency !== 'string' || currency === 'USD') return null;
  const scope = `currency:${currency}`;
  const rate = numberAt(set, 'currency_usd', scope);
  return { currency, scope, isMetal: METALS.has(currency), rate: rate !== null && rate.value > 0 ? rate : null };
}
