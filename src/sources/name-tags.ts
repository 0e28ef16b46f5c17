/** Kinds of holder by words in public name tags; the first match counts. Seen in replies of GoPlus, Blockscout and RugCheck. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/burn|null address|null: 0x|black ?hole|\bdead\b/i, 'burn'],
  // Precedes the lockers, because a timelock delays decisions and locks no tokens.
  [/time ?lock/i, 'timelock'],
  [/treasury/i, 'treasury'],
  [/lock|vest/i, 'locker'],
  [/bridge|gateway|portal/i, 'bridge'],
  [
    /binance|coinbase|okx|okex|kraken|bybit|kucoin|gate\.?io|huobi|htx|bitfinex|bitget|upbit|mexc|crypto\.com|exchange|cex/i,
    'exchange',
  ],
  [/\bstak(?:e|ed|ing)\b|beacon deposit/i, 'staking'],
  [/uniswap|pancake|sushi|raydium|orca|meteora|curve|balancer|pool|\blp\b|amm|vault/i, 'amm'],
  [/deployer|creator/i, 'creator'],
];

/** Kind of an address by its public name tag; null when no word matches. */
export function kindOfTag(tag: string | null): string | null {
  return tag === null ? null : (KINDS.find(([words]) => words.test(tag))?.[1] ?? null);
}
