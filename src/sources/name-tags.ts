/**
 * Kinds of holder by words in public name tags; the first match counts. Seen in replies of GoPlus, Blockscout and RugCheck. A digit may stand
 * beside a word (`pinklock02`), a letter may not: `Blockchain.com` and `Harvest` lock nothing, and `Gamma` is no AMM.
 */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z])burn(?:t|ed|ing)?(?![a-z])|null address|null: 0x|black ?hole|\bdead\b/, 'burn'],
  // Precedes the lockers, because a timelock delays decisions and locks no tokens.
  [/time[ -]?lock/, 'timelock'],
  [/treasury/, 'treasury'],
  [
    /(?<![a-z])(?:pink|dx|dao|deep|team|token|liquidity|lp|vote)?lock(?:s|ed|er|ers|ing|up|drop)?(?![a-z])|(?<![a-z])vest(?:ed|ing)?(?![a-z])/,
    'locker',
  ],
  [/(?<![a-z])(?:bridged?|bridges|gateway|portal)(?![a-z])/, 'bridge'],
  [
    /binance|coinbase|(?<![a-z])okx|okex|kraken|bybit|kucoin|gate\.?io|huobi|(?<![a-z])htx|bitfinex|bitget|upbit|mexc|crypto\.com|exchange|(?<![a-z])cex(?![a-z])/,
    'exchange',
  ],
  [/\bstak(?:e|ed|ing)\b|beacon deposit/, 'staking'],
  [
    /uniswap|pancake|sushi|raydium|(?<![a-z])orca(?![a-z])|meteora|curve|balancer|(?<![a-z])pools?(?![a-z])|\blp\b|(?<![a-z])amm(?![a-z])|(?<![a-z])vaults?(?![a-z])/,
    'amm',
  ],
  [/deployer|creator/, 'creator'],
];

/** Words that are written as one (such as VestingVault); names such as `KuCoin` are read as they stand too. */
const JOINED = /([a-z])([A-Z])/g;

/** Kind of an address by its public name tag; null when no word matches. */
export function kindOfTag(tag: string | null): string | null {
  if (tag === null) return null;
  const asOne = tag.toLowerCase();
  const apart = tag.replace(JOINED, '$1 $2').toLowerCase();
  return KINDS.find(([words]) => words.test(asOne) || words.test(apart))?.[1] ?? null;
}
