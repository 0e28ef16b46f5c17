import type { PositionTerms } from '../../registers/index.ts';

/** One market in which a coin was issued, in units of the coin's currency. */
export interface MarketCover {
  readonly debt: number;
  /** The market's collateral after haircuts. */
  readonly worth: number;
  /** Part of the debt whose collateral is stated but not read on chain; also included in `worth`. */
  readonly stated: number;
}

/** A ratio above this is taken for a mismatch of units. */
const MOST_COVER = 50;

/**
 * Ratio of collateral after haircuts to the debt, or the reason why it is unknown. A market's surplus belongs to its borrowers and does not cover the debt of
 * other markets. If a market has a shortfall, the ratio is the covered share of the debt. The surplus of other markets is added in full without a shortfall
 * and fades to zero at `shortfall_most`, so that a small shortfall changes the ratio only slightly.
 */
export function coverOf(owed: number, markets: readonly MarketCover[], terms: PositionTerms): number | string {
  if (!(owed > 0)) return 'nothing is owed';
  const sum = (of: (market: MarketCover) => number) => markets.reduce((total, market) => total + of(market), 0) / owed;
  const listed = sum(({ debt }) => debt);
  if (listed < terms.listed_least) return `the listed markets account for ${percent(listed)} of what is owed`;
  const said = sum((market) => market.stated);
  if (said > terms.unread_most) return `for ${percent(said)} of what is owed no collateral is read`;
  const paid = sum(({ debt, worth }) => Math.min(debt, worth));
  const covered = Math.min(1, paid);
  const beyond = Math.max(0, paid - 1) + sum(({ debt, worth }) => Math.max(0, worth - debt));
  const counts = Math.max(0, 1 - (1 - covered) / terms.shortfall_most);
  const ratio = covered + beyond * counts;
  return ratio <= MOST_COVER ? ratio : `a cover of ${ratio.toFixed(1)} is in another unit`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
