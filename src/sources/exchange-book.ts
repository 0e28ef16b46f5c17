import type { Json, ObservationDraft } from '../domain/index.ts';
import { observed } from './observations.ts';
import { num } from './read.ts';
import type { Facts } from './source.ts';

const RANGE = 0.02;
/** How exchanges write a market. */
export const SYMBOL = /^[A-Z0-9-]{3,24}$/;

/**
 * What it takes to move the price of a market by 2 %, from its order book; nothing for a book that cannot be read.
 * `most` is the number of levels at which the exchange cuts a side off: one that is cut off before 2 % is not observed,
 * since the rest of it is not known. Without a scope nothing is said.
 */
export function observeBook(
  book: { readonly bids: readonly unknown[]; readonly asks: readonly unknown[] },
  scope: string | null,
  most: number,
): readonly ObservationDraft[] {
  const bids = levels(book.bids);
  const asks = levels(book.asks);
  const best = { bid: Math.max(...bids.map((row) => row.price)), ask: Math.min(...asks.map((row) => row.price)) };
  if (scope === null || bids.length === 0 || asks.length === 0 || best.bid >= best.ask) return [];
  const middle = (best.bid + best.ask) / 2;
  return [
    ...observed('venue_depth_up_2pct_usd', valueWithin(asks, middle, most), { scope }),
    ...observed('venue_depth_down_2pct_usd', valueWithin(bids, middle, most), { scope }),
  ];
}

interface Level {
  readonly price: number;
  readonly size: number;
}

function levels(rows: readonly unknown[]): readonly Level[] {
  return rows.flatMap((row) => {
    const [price, size] = Array.isArray(row) ? [num(row[0]), num(row[1])] : [null, null];
    return price !== null && size !== null && price > 0 && size >= 0 ? [{ price, size }] : [];
  });
}

/** Value of one side within 2 % of the middle, in quote currency; null for a side that is cut off before. */
function valueWithin(side: readonly Level[], middle: number, most: number): number | null {
  const inside = side.filter((row) => Math.abs(row.price / middle - 1) <= RANGE);
  if (side.length === most && inside.length === side.length) return null;
  return inside.reduce((total, row) => total + row.price * row.size, 0);
}

/** Pairs of one exchange that a registry's tickers have tied to the asset, at most two; a ticker alone is no identity. */
export function identifiedPairs(facts: Facts, venue: string): readonly string[] {
  const learned = facts.learned['coingecko.cexPairs'];
  const rows = [...facts.keys.cexPairs, ...((Array.isArray(learned) ? learned : []) as readonly Json[])] as readonly {
    venue?: unknown;
    symbol?: unknown;
  }[];
  const symbols = rows
    .filter((row) => row.venue === venue && typeof row.symbol === 'string' && SYMBOL.test(row.symbol))
    .map((row) => String(row.symbol));
  return [...new Set(symbols)].slice(0, 2);
}
