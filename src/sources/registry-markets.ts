import { type Json, type Market, marketScope, sourcesFor } from '../domain/index.ts';
import { fact } from './source.ts';

/** Exchanges that are sources themselves. */
const OWN_SOURCES: ReadonlySet<string> = new Set(sourcesFor('own_markets'));

/** A market of a registry's list, and the row that names it. */
export interface ListedMarket<Row> {
  readonly row: Row;
  readonly market: Market;
}

/** The rows whose market is known, the first of each market. */
export function distinctMarkets<Row>(
  rows: readonly Row[],
  marketIn: (row: Row) => Market | null,
): readonly ListedMarket<Row>[] {
  const found = new Map<string, ListedMarket<Row>>();
  for (const row of rows) {
    const market = marketIn(row);
    if (market !== null && !found.has(marketScope(market))) found.set(marketScope(market), { row, market });
  }
  return [...found.values()];
}

/** The fact by which the exchanges' own sources find the markets of the asset, in the order given. */
export function learnMarkets<Row>(
  source: string,
  markets: readonly ListedMarket<Row>[],
  symbolOf: (row: Row) => string,
): Readonly<Record<string, Json>> {
  const pairs = markets
    .filter(({ market }) => OWN_SOURCES.has(market.exchange))
    .map(({ row, market }) => ({ venue: market.exchange, symbol: symbolOf(row) }));
  return fact(`${source}.cexPairs`, pairs.length > 0 ? pairs : null);
}
