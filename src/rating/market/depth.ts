import { type Context, type Known, numberOf, scopesOf, textOf } from '../context.ts';

/** Depth at 2 % on both sides, in US dollars, over all venues that could be read. */
export interface Depth {
  readonly upUsd: number;
  readonly downUsd: number;
  readonly confidence: number;
  readonly support: readonly Known<unknown>[];
  readonly method: string;
}

// Constant product (methodology 9): quote needed or received for a move of d is y (sqrt(1 +- d) - 1).
const UP = Math.sqrt(1.02) - 1;
const DOWN = 1 - Math.sqrt(0.98);
/** Where ticks or bins cannot be read: half a percent of the pool on each side. */
const PROXY_SHARE = 0.005;
const PROXY_CONFIDENCE = 0.4;
const SMALLEST_PART = 0.01;

/** Adds up the depth of pools (by constant-product mathematics, else a proxy) and of centralised order books. Null when nothing is known. */
export function depthOf(context: Context): Depth | null {
  let upUsd = 0;
  let downUsd = 0;
  let exact = 0;
  let weighed = 0;
  const parts: { readonly usd: number; readonly known: Known<unknown> }[] = [];
  const counts = { exact: 0, proxy: 0, books: 0 };
  for (const scope of scopesOf(context, 'pool_liquidity_usd')) {
    const liquidity = numberOf(context, 'pool_liquidity_usd', scope);
    if (!liquidity || liquidity.value <= 0) continue;
    const quote = numberOf(context, 'pool_quote_reserve_usd', scope);
    const kind = textOf(context, 'pool_kind', scope)?.value;
    const constantProduct = kind === 'constant_product';
    // Without the quote side itself a balanced pool is assumed, which constant product always is.
    const quoteUsd = quote ? quote.value : constantProduct ? liquidity.value / 2 : null;
    const up = constantProduct && quoteUsd !== null ? quoteUsd * UP : liquidity.value * PROXY_SHARE;
    const down = constantProduct && quoteUsd !== null ? quoteUsd * DOWN : liquidity.value * PROXY_SHARE;
    const confidence = constantProduct ? liquidity.confidence : Math.min(PROXY_CONFIDENCE, liquidity.confidence);
    upUsd += up;
    downUsd += down;
    exact += (up + down) * confidence;
    weighed += up + down;
    counts[constantProduct ? 'exact' : 'proxy'] += 1;
    parts.push({ usd: up + down, known: liquidity });
  }
  for (const scope of scopesOf(context, 'venue_depth_up_2pct_usd')) {
    const up = numberOf(context, 'venue_depth_up_2pct_usd', scope);
    const down = numberOf(context, 'venue_depth_down_2pct_usd', scope);
    if (!up || !down) continue;
    upUsd += up.value;
    downUsd += down.value;
    exact += (up.value + down.value) * Math.min(up.confidence, down.confidence);
    weighed += up.value + down.value;
    counts.books += 1;
    parts.push({ usd: up.value + down.value, known: up });
  }
  if (weighed === 0) return wholeLiquidity(context);
  // Dust pools, which anybody can open, must not decide how well the depth is known.
  const support = parts.filter((part) => part.usd >= weighed * SMALLEST_PART).map((part) => part.known);
  const method = [
    counts.exact > 0 ? `constant product over ${counts.exact} pools` : '',
    counts.proxy > 0 ? `0.5 % of liquidity over ${counts.proxy} pools whose ticks were not read` : '',
    counts.books > 0 ? `${counts.books} order books` : '',
  ]
    .filter(Boolean)
    .join(', ');
  return { upUsd, downUsd, confidence: exact / weighed, support, method };
}

/** Only a total is known: the proxy of the whole. */
function wholeLiquidity(context: Context): Depth | null {
  const liquidity = numberOf(context, 'liquidity_dex_usd');
  if (!liquidity) return null;
  const side = liquidity.value * PROXY_SHARE;
  return {
    upUsd: side,
    downUsd: side,
    confidence: Math.min(PROXY_CONFIDENCE, liquidity.confidence),
    support: [liquidity],
    method: '0.5 % of total liquidity, pools unknown',
  };
}
