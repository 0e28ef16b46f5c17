import type { QuantityId } from '../../domain/index.ts';

export interface MarketValue {
  /** Price x (circulating + scheduled unlocks of the next 12 months), USD: dilution stands in the numerator. */
  readonly diluted: number;
  /** Price x circulating supply, else the capitalisation the lists report; USD. */
  readonly circulating: number;
  /** Price x all that will ever exist, else all that exists; null when neither is known. USD. */
  readonly full: number | null;
}

/**
 * What the market pays, in the three meanings people use. `read` gives the agreed value of a quantity, null when it is not known
 * well enough. Null when neither price and supply nor a capitalisation is known.
 */
export function marketValueOf(read: (quantity: QuantityId) => number | null): MarketValue | null {
  const price = read('price_usd');
  const supply = read('circulating_supply');
  const circulating = price !== null && supply !== null ? price * supply : read('market_cap_usd');
  if (circulating === null || !isPositive(circulating)) return null;
  const unlocks = read('unlock_next_12m_share') ?? 0;
  const whole = read('max_supply') ?? read('total_supply');
  const full = price !== null && whole !== null ? price * whole : null;
  return {
    circulating,
    diluted: circulating * (1 + (unlocks > 0 && Number.isFinite(unlocks) ? unlocks : 0)),
    full: full !== null && isPositive(full) ? full : null,
  };
}

function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
