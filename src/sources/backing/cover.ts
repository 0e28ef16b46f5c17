import type { PositionTerms } from '../../registers/index.ts';

/** One market in which a coin was issued, in units of the coin's currency. */
export interface MarketCover {
  readonly debt: number;
  /** Its collateral after haircuts. */
  readonly worth: number;
  /** Part of the debt against which collateral is only said to be; it is in `worth` too. */
  readonly stated: number;
}

/** More than this multiple of the debt is another unit, not collateral. */
const MOST_COVER = 50;

/**
 * Collateral after haircuts over what is owed, or why it is not known. What a market has beyond its own debt belongs to its borrowers and covers no other
 * market's debt: where some market is short the ratio is what is covered, and what others have beyond theirs counts only while the shortfall is small, so
 * that a grain of debt without cover moves it by a grain.
 */
export function coverOf(owed: number, markets: readonly MarketCover[], terms: PositionTerms): number | string {
  if (!(owed > 0)) return 'nothing is owed';
  const sum = (of: (market: MarketCover) => number) => markets.reduce((total, market) => total + of(market), 0) / owed;
  const listed = sum(({ debt }) => debt);
  if (listed < terms.listed_least) return `the markets that are listed explain ${percent(listed)} of what is owed`;
  const said = sum((market) => market.stated);
  if (said > terms.unread_most) return `of ${percent(said)} of what is owed no collateral is read`;
  const paid = sum(({ debt, worth }) => Math.min(debt, worth));
  const covered = Math.min(1, paid);
  const beyond = Math.max(0, paid - 1) + sum(({ debt, worth }) => Math.max(0, worth - debt));
  const counts = Math.max(0, 1 - (1 - covered) / terms.shortfall_most);
  const ratio = covered + beyond * counts;
  return ratio <= MOST_COVER ? ratio : `a cover of ${ratio.toFixed(1)} is in another unit`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
