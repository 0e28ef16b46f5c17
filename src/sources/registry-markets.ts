import { type Json, type Market, marketScope, sourcesFor } from '../domain/index.ts';
import { fact } from './source.ts';

/** Exchanges that are also sources. */
const OWN_SOURCES: ReadonlySet<string> = new Set(sourcesFor('own_markets'));

/** A market of a registry's list, and the row that names it. */
export interface ListedMarket<Row> {
  readonly row: Row;
  readonly market: Market;
}

/** The first row of each known market. */
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

/** The fact from which the exchanges' own sources take the asset's markets, in the given order. */
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
