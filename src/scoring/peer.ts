import type { QuantityId } from '../domain/quantities.ts';
import type { PeerRow } from '../domain/rating.ts';
import type { ScoreReport } from '../domain/report.ts';

/** Drivers a peer row keeps: all that any category's multiples use. */
const DRIVERS: readonly QuantityId[] = [
  'fees_30d_usd',
  'revenue_30d_usd',
  'tvl_usd',
  'active_addresses_24h',
  'holder_count',
  'volume_24h_usd',
  'volume_24h_dex_usd',
];
const ENOUGH = 0.4;

/** What this report adds to the peer panel; null when the market value is not known well enough. */
export function peerOf({ evidence, consensus, rating }: ScoreReport): PeerRow | null {
  const known = (quantity: QuantityId) => {
    const found = consensus[quantity];
    return found && typeof found.value === 'number' && found.value > 0 && found.confidence >= ENOUGH
      ? found.value
      : null;
  };
  const price = known('price_usd');
  const supply = known('circulating_supply');
  const marketValueUsd = price !== null && supply !== null ? price * supply : known('market_cap_usd');
  if (marketValueUsd === null || rating.band === 'NR' || rating.band === 'D') return null;
  const drivers = Object.fromEntries(
    DRIVERS.map((quantity) => [quantity, known(quantity)]).filter((row) => row[1] !== null),
  ) as PeerRow['drivers'];
  return {
    assetId: evidence.identification.asset.id,
    category: rating.category,
    asOf: evidence.asOf,
    marketValueUsd,
    drivers,
  };
}
