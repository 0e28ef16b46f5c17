import type { Json } from '../domain/json.ts';
import type { ObservationDraft } from '../domain/observation.ts';
import { said } from './draft.ts';
import { num } from './read.ts';
import type { Facts } from './source.ts';

/** What it takes to move the price of a venue by 2 %, from its order book; nothing for a book that cannot be read. */
export function observeBook(
  { bids, asks }: { readonly bids: readonly unknown[]; readonly asks: readonly unknown[] },
  scope: string,
): readonly ObservationDraft[] {
  const depth = bookDepth(bids, asks);
  if (depth === null) return [];
  return [
    ...said('venue_depth_up_2pct_usd', depth.up, { scope }),
    ...said('venue_depth_down_2pct_usd', depth.down, { scope }),
  ];
}

/** Value of an order book within 2 % of its middle, in quote currency; null for a book that cannot be read. */
function bookDepth(
  bids: readonly unknown[],
  asks: readonly unknown[],
): { readonly up: number; readonly down: number } | null {
  const levels = (rows: readonly unknown[]) =>
    rows.flatMap((row) => {
      const [price, size] = Array.isArray(row) ? [num(row[0]), num(row[1])] : [null, null];
      return price !== null && size !== null && price > 0 && size >= 0 ? [{ price, size }] : [];
    });
  const bid = levels(bids);
  const ask = levels(asks);
  const best = { bid: Math.max(...bid.map((row) => row.price)), ask: Math.min(...ask.map((row) => row.price)) };
  if (bid.length === 0 || ask.length === 0 || best.bid >= best.ask) return null;
  const middle = (best.bid + best.ask) / 2;
  const sum = (rows: typeof bid) => rows.reduce((total, row) => total + row.price * row.size, 0);
  return {
    up: sum(ask.filter((row) => row.price <= middle * 1.02)),
    down: sum(bid.filter((row) => row.price >= middle * 0.98)),
  };
}

/** Pairs of one exchange that a registry's tickers have tied to the asset; a ticker alone is no identity. */
export function identifiedPairs(facts: Facts, venue: 'binance' | 'coinbase'): readonly string[] {
  const learned = facts.learned['coingecko.cexPairs'];
  const rows = [...facts.keys.cexPairs, ...((Array.isArray(learned) ? learned : []) as readonly Json[])] as readonly {
    venue?: unknown;
    symbol?: unknown;
  }[];
  const symbols = rows
    .filter((row) => row.venue === venue && typeof row.symbol === 'string' && /^[A-Z0-9-]{3,24}$/.test(row.symbol))
    .map((row) => String(row.symbol));
  return [...new Set(symbols)].sort().slice(0, 2);
}
