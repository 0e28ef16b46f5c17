import { QUOTES } from './pools.ts';
import type { Coin, Quote } from './types.ts';

const BITCOIN: Quote = { symbol: 'BTC', name: 'Bitcoin', address: '', decimals: 8, usd: 97_000 };
const THREE_DAYS_MS = 3 * 86_400_000;

/** Price in dollars of a coin that staked and wrapped tokens represent. */
export function coinUsdAt(anchor: number, at: number, coin: Coin): number {
  const quote = coin === 'BTC' ? BITCOIN : QUOTES[coin === 'SOL' ? 'solana' : 'ethereum']?.[0];
  if (quote === undefined) throw new Error(`no price of ${coin}`);
  return quoteUsdAt(anchor, at, quote);
}

/** Price of a counter token: dollars are constant, coins move a little. */
export function quoteUsdAt(anchor: number, at: number, quote: Quote): number {
  return quote.usd === 1 ? 1 : quote.usd * (1 + 0.03 * Math.sin((at - anchor) / THREE_DAYS_MS));
}
