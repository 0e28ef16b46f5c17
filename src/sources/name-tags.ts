/** Words of public name tags by our kind of holder, the first that fits. Seen in replies of GoPlus, Blockscout and RugCheck. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/burn|null address|null: 0x|black ?hole|\bdead\b/i, 'burn'],
  // Before the lockers: a timelock delays a decision and locks no tokens.
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

/** Kind of an address by its public name tag; null when the tag has none of these words. */
export function kindOfTag(tag: string | null): string | null {
  return tag === null ? null : (KINDS.find(([words]) => words.test(tag))?.[1] ?? null);
}
